import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { Agent, type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { currentUser, logout } from "@plumb/protocol/wire/accounts";
import { userSettings } from "@plumb/protocol/wire/own-account";
import { exportAll } from "@plumb/protocol/wire/exports";
import { createSession, historyMessages } from "@plumb/protocol/wire/sessions";
import { completion } from "@plumb/protocol/wire/turns";
import { sql } from "kysely";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createTestApp, type TestApp, type TestAppOptions } from "../test/create-test-app.ts";
import { createQuickClock, TestClock } from "../test/test-clock.ts";
import { engines } from "../test/test-databases.ts";

const cleanUps: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

async function start(options: TestAppOptions = {}): Promise<TestApp> {
  const app = await createTestApp(options);
  cleanUps.push(() => app.close());
  return app;
}

function webRoot(): string {
  const root = mkdtempSync(join(tmpdir(), "plumb-web-"));
  cleanUps.push(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, "static/assets"), { recursive: true });
  writeFileSync(join(root, "index.html"), "<!doctype html><title>the page</title>");
  writeFileSync(join(root, "static/assets/main-abc123.js"), "main".repeat(100));
  writeFileSync(join(root, "static/assets/main-abc123.js.br"), "small br");
  writeFileSync(join(root, "static/assets/main-abc123.js.gz"), "small gz");
  writeFileSync(join(root, "static/assets/proof-of-work.worker-abc123.js"), "worker");
  writeFileSync(join(root, "static/favicon.svg"), "<svg/>");
  writeFileSync(join(root, "static/diagram.html"), "<!doctype html>diagram");
  writeFileSync(join(root, "static/run.html"), "<!doctype html>run");
  return root;
}

describe.each(engines)("the app on %s", (engine) => {
  test("signs up, knows its user, signs out", async () => {
    const { client, mails } = await start({ engine });
    const person = client();
    const user = await person.signUp("ann@example.org");
    expect(mails.map((mail) => [mail.to, mail.scenario])).toEqual([["ann@example.org", "register"]]);
    expect((await person.ok(currentUser, {})).id).toBe(user.id);
    expect((await person.ok(userSettings, {})).thinking_quota.used).toBe(0);
    await person.ok(logout, {});
    expect((await person.call(currentUser, {})).envelope.code).toBe(40003);
  });
});

describe.each(engines)("a reply on %s", (engine) => {
  test("streams what the model says, and is handed over when the server drains", async () => {
    const app = await start({ engine });
    const person = await app.signedIn();
    const session = await person.ok(createSession, {});
    const asked = app.model.next();
    const stream = await person.stream(completion, {
      chat_session_id: session.id,
      parent_message_id: null,
      prompt: "What is a plumb line?",
      thinking_enabled: true,
    });
    const run = await asked;
    expect(run.request.messages.at(-1)).toMatchObject({ role: "user", content: "What is a plumb line?" });
    run.think("A string with a weight.");
    run.say("It shows what is upright.");
    await stream.waitFor((event) => JSON.stringify(event).includes("upright"));
    expect(stream.events[0]).toMatchObject({ type: "ready" });
    await app.app.drain(0);
    const events = await stream.ended;
    expect(run.aborted).toBe(true);
    expect(events.map((event) => event.type)).not.toContain("close");
  });

  test("is handed over at a drain before a job of another feature has let go", async () => {
    // Minutes until a job that hangs is given up: longer than a test may take.
    const app = await start({ engine, clock: createQuickClock(0.01) });
    let letGo = (): void => {};
    const hanging = new Promise<number>((_resolve, reject) => {
      letGo = () => reject(new Error("let go"));
    });
    const put = vi.spyOn(app.app.deps.ports.objectStore, "put").mockReturnValue(hanging);
    const person = await app.signedIn();
    const session = await person.ok(createSession, {});
    const asked = app.model.next();
    const stream = await person.stream(completion, {
      chat_session_id: session.id,
      parent_message_id: null,
      prompt: "Hello",
    });
    (await asked).say("Good day");
    await stream.waitFor((event) => JSON.stringify(event).includes("Good day"));
    await person.ok(exportAll, {});
    await vi.waitFor(() => expect(put).toHaveBeenCalled());
    const draining = app.app.drain(0);
    await stream.ended;
    await vi.waitFor(async () =>
      expect(await app.db.kysely.selectFrom("reply_lease").select("owner").execute()).toEqual([
        { owner: "" },
      ]),
    );
    letGo();
    await draining;
  });

  test("that ends tells finish, then close, and stands in the history", async () => {
    const app = await start({ engine });
    const person = await app.signedIn();
    const session = await person.ok(createSession, {});
    const stream = await person.stream(completion, {
      chat_session_id: session.id,
      parent_message_id: null,
      prompt: "Hello",
    });
    const types = (await stream.ended).map((event) => event.type);
    expect(types.indexOf("finish")).toBeLessThan(types.indexOf("close"));
    expect(types.at(-1)).toBe("close");
    const history = await person.ok(historyMessages, { chat_session_id: session.id });
    expect(JSON.stringify(history)).toContain("You said: ");
  });
});

describe("health", () => {
  test("readyz tells each part, is 503 while draining, and healthz stays", async () => {
    const { app, address, model } = await start();
    const ready = async () => {
      const response = await fetch(`${address}/readyz`);
      return [response.status, await response.json()];
    };
    expect(await ready()).toEqual([200, { status: "ok", checks: { db: "ok", storage: "ok", model: "ok" } }]);
    model.health = async () => "degraded";
    expect(await ready()).toEqual([
      200,
      { status: "ok", checks: { db: "ok", storage: "ok", model: "degraded" } },
    ]);
    const draining = app.drain(300);
    expect((await ready())[0]).toBe(503);
    expect(await (await fetch(`${address}/healthz`)).json()).toEqual({ status: "ok" });
    await draining;
  });

  test("while draining each answer is the last of its kept connection, and so is a stream from before", async () => {
    const app = await start();
    const person = await app.signedIn();
    const session = await person.ok(createSession, {});
    const agent = new Agent({ keepAlive: true });
    cleanUps.push(() => agent.destroy());
    const open = (path: string, headers: Record<string, string> = {}, body?: object) =>
      new Promise<IncomingMessage>((resolve, reject) => {
        const method = body === undefined ? "GET" : "POST";
        const outgoing = request(app.address + path, { agent, method, headers }, resolve);
        outgoing.on("error", reject);
        outgoing.end(body === undefined ? undefined : JSON.stringify(body));
      });
    const plain = async () => {
      const answer = await open("/healthz");
      await answer.toArray();
      return answer.headers.connection;
    };
    expect(await plain()).toBe("keep-alive");
    const headers = {
      authorization: `Bearer ${person.token}`,
      "content-type": "application/json",
      ...(await person.proofFor(completion)),
    };
    const asked = app.model.next();
    const stream = await open(completion.path, headers, { chat_session_id: session.id, prompt: "Go" });
    await asked;
    expect([stream.statusCode, stream.headers.connection]).toEqual([200, "keep-alive"]);
    const streamClosed = once(stream.socket, "close");
    stream.resume();
    const draining = app.app.drain(300);
    expect(await plain()).toBe("close");
    await Promise.all([draining, streamClosed]);
  });

  test("readyz is 503 when the database does not answer", async () => {
    const { db, address } = await start();
    const ping = db.ping;
    db.ping = async () => {
      throw new Error("gone");
    };
    const response = await fetch(`${address}/readyz`);
    expect([response.status, await response.json()]).toEqual([
      503,
      { status: "fail", checks: { db: "fail", storage: "ok", model: "ok" } },
    ]);
    db.ping = ping;
  });

  test.runIf(existsSync("/dev/full"))(
    "readyz is 503 while the disk is full, within a second, and 200 again after",
    async () => {
      const clock = new TestClock();
      const { address, database } = await start({ clock });
      const ready = async () => {
        const response = await fetch(`${address}/readyz`);
        return [response.status, ((await response.json()) as { checks: { storage: string } }).checks.storage];
      };
      expect(await ready()).toEqual([200, "ok"]);
      // A file of that name is what the check writes; nothing can be written here.
      const incoming = join(database.dataDir, "objects", "incoming");
      symlinkSync("/dev/full", join(incoming, ".write-probe"));
      clock.nowMs += 1000;
      expect(await ready()).toEqual([503, "fail"]);
      clock.nowMs += 1000;
      expect(await ready()).toEqual([200, "ok"]);
      expect(readdirSync(incoming)).toEqual([]);
    },
  );

  test("readyz is 503 while the database takes no write", async () => {
    const clock = new TestClock();
    const { address, db } = await start({ clock });
    const ready = async () => (await fetch(`${address}/readyz`)).status;
    expect(await ready()).toBe(200);
    await sql`pragma query_only = on`.execute(db.kysely);
    clock.nowMs += 1000;
    expect(await ready()).toBe(503);
    await sql`pragma query_only = off`.execute(db.kysely);
    clock.nowMs += 1000;
    expect(await ready()).toBe(200);
  });

  test("metrics answer to their token alone", async () => {
    const withToken = await start({ settings: { METRICS_TOKEN: "letmein" } });
    const ask = (at: TestApp, token: string | null) =>
      fetch(`${at.address}/metrics`, token === null ? {} : { headers: { authorization: `Bearer ${token}` } });
    await fetch(`${withToken.address}/version.txt`);
    const response = await ask(withToken, "letmein");
    const text = await response.text();
    expect(response.status).toBe(200);
    expect(text).toContain('plumb_http_requests_total{method="GET",path="/version.txt",status="200"} 1');
    for (const name of ["plumb_replies_running", "plumb_log_commit_ms", "nodejs_eventloop_lag_p99_seconds"]) {
      expect(text).toContain(name);
    }
    expect((await ask(withToken, "letmeout")).status).toBe(404);
    expect((await ask(withToken, null)).status).toBe(404);
    expect((await ask(await start(), "letmein")).status).toBe(404);
  });
});

describe("the site", () => {
  test("answers every route of the client with the page and its policy", async () => {
    const { address } = await start({ webRoot: webRoot() });
    for (const path of ["/", "/sign_in", "/a/chat/s/some-session", "/nowhere?x=1", "/version"]) {
      const response = await fetch(address + path);
      expect([path, response.status, await response.text()]).toEqual([
        path,
        200,
        "<!doctype html><title>the page</title>",
      ]);
      const policy = response.headers.get("content-security-policy") ?? "";
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';");
      expect(policy).toContain("frame-src 'self'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain("unsafe");
      expect(response.headers.get("cache-control")).toBe("no-cache");
      expect(response.headers.get("x-content-type-options")).toBe("nosniff");
      expect(response.headers.get("referrer-policy")).toBe("no-referrer");
      expect(response.headers.get("x-ds-trace-id")).toMatch(/^[0-9a-f]{32}$/u);
    }
  });

  test("tells browsers what pages and files may be used for, and to stay with https where people come by it", async () => {
    const headersOf = async (publicUrl: string) => {
      const { address } = await start({ webRoot: webRoot(), settings: { PUBLIC_URL: publicUrl } });
      const of = async (path: string) => {
        const { headers } = await fetch(address + path);
        return [
          headers.get("strict-transport-security"),
          headers.get("cross-origin-opener-policy"),
          headers.get("cross-origin-resource-policy"),
          headers.get("permissions-policy"),
          headers.get("x-frame-options"),
        ];
      };
      return Promise.all([of("/"), of("/static/assets/main-abc123.js"), of("/static/diagram.html")]);
    };
    const refused = "camera=(), geolocation=(), microphone=(), payment=(), usb=()";
    const inSandbox = expect.stringContaining(`${refused}, `) as string;
    const lasting = "max-age=31536000";
    expect(await headersOf("https://chat.example")).toEqual([
      [lasting, "same-origin", "same-origin", refused, "DENY"],
      [lasting, null, "cross-origin", null, null],
      [lasting, null, "same-origin", inSandbox, null],
    ]);
    expect(await headersOf("http://chat.example")).toEqual([
      [null, null, "same-origin", refused, "DENY"],
      [null, null, "cross-origin", null, null],
      [null, null, "same-origin", inSandbox, null],
    ]);
  });

  test.each([
    [
      404,
      "Not found\n",
      ["/nope.js", "/robots.txt", "/.env", "/x.php?a=1", "/deep/er/index.html", "/%2egit", "/x."],
    ],
    [400, "Bad request\n", ["/%ff", "/a/%c3%28", "/%00", "/a/chat%0a"]],
  ])("answers %d to files it has not and paths that cannot be", async (status, text, paths) => {
    const { app } = await start({ webRoot: webRoot() });
    for (const url of paths) {
      const { statusCode, headers, body } = await app.fastify.inject({ method: "GET", url });
      const type = headers["content-type"];
      expect([url, statusCode, type, body]).toEqual([url, status, "text/plain; charset=utf-8", text]);
      expect(headers["x-content-type-options"]).toBe("nosniff");
    }
    expect((await app.fastify.inject({ method: "GET", url: "/api/v0/%ff" })).json().code).toBe(40400);
    const dotted = await app.fastify.inject({ method: "GET", url: "/a/coder.v2/s/one.two" });
    expect([dotted.statusCode, dotted.body]).toEqual([200, "<!doctype html><title>the page</title>"]);
  });

  test("whoever opens a link that was cut within a letter comes to the home page", async () => {
    const { app } = await start({ webRoot: webRoot() });
    for (const url of ["/%E4%BD", "/a/chat/s/%ff", "/a/chat%0a"]) {
      const answer = await app.fastify.inject({
        method: "GET",
        url,
        headers: { "sec-fetch-mode": "navigate" },
      });
      expect([url, answer.statusCode, answer.headers.location]).toEqual([url, 302, "/"]);
    }
  });

  test("has an icon for browsers that ask for one by themselves", async () => {
    const { address } = await start({ webRoot: webRoot() });
    const icon = await fetch(`${address}/favicon.ico`);
    expect([icon.status, icon.headers.get("content-type"), await icon.text()]).toEqual([
      200,
      "image/svg+xml",
      "<svg/>",
    ]);
  });

  test("[PLAT-027] serves hashed assets for ever, in the smallest form the client takes", async () => {
    const { address } = await start({ webRoot: webRoot() });
    const ask = (accept: string) =>
      fetch(`${address}/static/assets/main-abc123.js`, { headers: { "accept-encoding": accept } });
    const plain = await ask("identity");
    expect(await plain.text()).toBe("main".repeat(100));
    expect(plain.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(plain.headers.get("content-type")).toMatch(/javascript/u);
    const head = await fetch(`${address}/static/assets/main-abc123.js`, {
      method: "HEAD",
      headers: { "accept-encoding": "br" },
    });
    expect([head.headers.get("content-encoding"), head.headers.get("content-type")]).toEqual([
      "br",
      plain.headers.get("content-type"),
    ]);
    expect(head.headers.get("vary")).toMatch(/accept-encoding/iu);
    const icon = await fetch(`${address}/static/favicon.svg`);
    expect(icon.headers.get("cache-control")).toBe("no-cache");
  });

  test("lets workers compile WebAssembly", async () => {
    const { address } = await start({ webRoot: webRoot() });
    const policyOf = async (path: string) =>
      (await fetch(address + path)).headers.get("content-security-policy");
    expect(await policyOf("/static/assets/proof-of-work.worker-abc123.js")).toContain(
      "script-src 'self' 'wasm-unsafe-eval'",
    );
    expect(await policyOf("/static/assets/main-abc123.js")).toBeNull();
  });

  test("gives the page that runs HTML and the one that draws diagrams the same headers but for where scripts come from", async () => {
    const { address } = await start({ webRoot: webRoot() });
    const headersOf = async (name: string) => {
      const { status, headers } = await fetch(`${address}/static/${name}`);
      const own = new Set(["x-ds-trace-id", "date", "etag", "last-modified", "content-length"]);
      return { status, headers: Object.fromEntries([...headers].filter(([header]) => !own.has(header))) };
    };
    const [run, diagram] = [await headersOf("run.html"), await headersOf("diagram.html")];
    const policy = (scripts: string) =>
      `sandbox allow-scripts; default-src 'none'; script-src ${scripts}; style-src 'unsafe-inline'; ` +
      "img-src data: blob:; frame-ancestors 'self'";
    expect(run.headers).toMatchObject({
      "content-security-policy": policy("'unsafe-inline'"),
      "connection-allowlist": "()",
      "permissions-policy": expect.stringMatching(/camera=\(\).*fullscreen=\(\)/u) as string,
      "x-dns-prefetch-control": "off",
    });
    expect(run.headers).not.toHaveProperty("x-frame-options");
    expect(diagram).toEqual({
      status: 200,
      headers: {
        ...run.headers,
        "content-security-policy": policy(`${address}/static/`),
        "connection-allowlist": `("${address}/static/*")`,
      },
    });
  });

  test("keeps to its folder: missing files, other folders and directories are not found", async () => {
    const { app, address } = await start({ webRoot: webRoot() });
    for (const path of ["/static/assets/gone.js", "/static/", "/static/assets"]) {
      expect([path, (await fetch(address + path)).status]).toEqual([path, 404]);
    }
    for (const url of ["/static/..%2findex.html", "/static/..%2f..%2fetc%2fpasswd", "/static/%00"]) {
      const answer = await app.fastify.inject({ method: "GET", url });
      expect([url, answer.statusCode]).toEqual([url, 404]);
    }
  });

  test("says what to do when the web client has not been built", async () => {
    const { address } = await start({ webRoot: join(tmpdir(), "plumb-no-such-build") });
    const response = await fetch(`${address}/`);
    expect([response.status, await response.text()]).toEqual([503, expect.stringContaining("npm run build")]);
  });
});
