// Requests that meet a bot challenge, from the engine's face to the server and back (wire-contract.md §6.4).
import { currentUser } from "@plumb/protocol/wire/accounts";
import { beforeAll, describe, expect, it } from "vitest";
import { createApiClient } from "../api-client.ts";
import { globalError, ok, refused } from "../testing/fake-answers.ts";
import { createFakeBrowser, emptyDisk, type Network } from "../testing/fake-browser.ts";
import { thinkingReply } from "../testing/fake-replies.ts";
import { createFakeServer } from "../testing/fake-server.ts";
import { openPage, signedInDisk, type Page } from "../testing/open-page.ts";
import { shortTalk } from "../testing/wire-message.ts";
import { createChallengeGate } from "./challenge-gate.ts";

// Else the first test would wait for the code.
beforeAll(() => Promise.all([import("./pass-challenge.ts"), import("../files/create-files.ts")]));

const CLEARANCE = "/api/v0/client/clearance";
const SETTINGS = "/api/v0/client/settings";
const COMPLETION = "/api/v0/chat/completion";
const CURRENT = "/api/v0/users/current";
const PAGE = "/api/v0/chat_session/fetch_page";
const UPLOAD = "/api/v0/file/upload_file";
const FREE = new Set([SETTINGS, CLEARANCE]);
const WHOLE = "Two plus two 🧮|Four, 四.";
const PASS = { shumei_verification: { region: "CN", rid: "r" } };
const challenged = () => globalError(40310, "BOT_CHALLENGE", 403);

/** A server that challenges while `bots` says so, and clears whoever shows the pass. */
function guarded() {
  const server = createFakeServer();
  server.addSession("s1", shortTalk);
  const state = { challenges: false, clears: true, met: 0 };
  server.answer(SETTINGS, () =>
    ok({
      brand: { name: "Plumb" },
      captcha: {
        mode: "none",
        region: "CN",
        challenge: { provider: "slide", site_key: null, script_url: null },
      },
      flags: {},
      ab_tests: {},
      limits: {},
    }),
  );
  server.answer(CLEARANCE, () => {
    if (!state.clears) return refused(1, "CHALLENGE_FAILED");
    state.challenges = false;
    return ok({ expire_at: 1 });
  });
  const network: Network = (path, init) => {
    if (!state.challenges || FREE.has(path.split("?")[0] ?? "")) return server.network(path, init);
    state.met += 1;
    return challenged();
  };
  return { ...server, network, state };
}

async function openChat(server: ReturnType<typeof guarded>, disk = signedInDisk()): Promise<Page> {
  const page = await openPage(server, disk);
  page.engine.sessions.open("s1");
  await page.browser.settle();
  return page;
}
const asked = (page: Page) => page.engine.challenge.store.getState().asked;
const toasts = (page: Page) =>
  page.engine.site.toasts.getState().toasts.map(({ text }) => "key" in text && text.key);

describe("a request that meets a bot challenge", () => {
  it("is repeated once it is passed: a message goes on as if nothing had been, however long that took [AUTH-069]", async () => {
    const server = guarded();
    const page = await openChat(server);
    page.engine.turns.prepare();
    await page.browser.settle();
    server.state.challenges = true;
    void page.engine.turns.send("s1", "2+2?");
    await page.browser.settle();
    expect(asked(page)).toBe("slide");
    expect(server.calls(COMPLETION)).toHaveLength(0);
    expect(page.shown("s1").at(-2)?.role).toBe("USER");

    // Longer than any time limit of a call, a silent stream or the wait for ready.
    await page.browser.advance(150_000);
    expect([asked(page), server.state.met]).toEqual(["slide", expect.any(Number)]);
    page.engine.challenge.passed(PASS);
    await page.browser.settle();
    expect(server.calls(CLEARANCE).map(({ body }) => body)).toEqual([PASS]);
    expect(asked(page)).toBeNull();
    expect(server.calls(COMPLETION).map(({ body }) => body["prompt"])).toEqual(["2+2?"]);
    // Nothing was given up and looked for again.
    expect(server.calls("/api/v0/chat/get_client_streams")).toHaveLength(0);
    server.produce(thinkingReply(1, 2, "x").length);
    await page.browser.advance(20);
    expect(page.text("s1")).toBe(WHOLE);
    expect(toasts(page)).toEqual([]);
    page.close();
  });

  it("one challenge is passed for all of them; what comes meanwhile waits unsent, a sent one that is late is only repeated", async () => {
    let passed: (value: boolean) => void = () => {};
    let begun = 0;
    const held: ((response: Response) => void)[] = [];
    let sent = 0;
    let clear = false;
    const browser = createFakeBrowser((path) => {
      sent += 1;
      if (path === "/late") return new Promise((resolve) => held.push(resolve));
      return clear ? ok({}) : challenged();
    });
    const gate = createChallengeGate(browser, {
      pass: () => ((begun += 1), new Promise<boolean>((resolve) => (passed = resolve))),
      onNotHeld: () => expect.unreachable(),
    });
    const api = createApiClient(browser, {
      gate,
      token: () => "t",
      locale: () => "en_US",
      onGlobalCode() {},
    });
    const late = api.call({ ...currentUser, path: "/late" }, {});
    const first = [
      api.call(currentUser, {}),
      api.call(currentUser, {}),
      api.callWith(currentUser, () => browser.fetch("/up", { method: "POST", headers: {} }), {}),
    ];
    await browser.settle();
    expect([begun, sent]).toEqual([1, 4]);
    const meanwhile = [api.call(currentUser, {}), api.openStream(currentUser, {})];
    await browser.settle();
    expect(sent).toBe(4);
    clear = true;
    passed(true);
    for (const one of [...first, ...meanwhile]) expect(await one).not.toHaveProperty("error");
    expect([begun, sent]).toEqual([1, 9]);
    held[0]?.(challenged());
    await browser.settle();
    held[1]?.(ok({}));
    expect(await late).toMatchObject({ ok: true });
    expect(begun).toBe(1);
  });

  it("that is given up meanwhile is not sent again", async () => {
    let sent = 0;
    const browser = createFakeBrowser(() => ((sent += 1), challenged()));
    let passed: (value: boolean) => void = () => {};
    const gate = createChallengeGate(browser, {
      pass: () => new Promise<boolean>((resolve) => (passed = resolve)),
      onNotHeld: () => expect.unreachable(),
    });
    const api = createApiClient(browser, {
      gate,
      token: () => "t",
      locale: () => "en_US",
      onGlobalCode() {},
    });
    const stop = new AbortController();
    const held: boolean[] = [];
    const given = api.call(currentUser, {}, { signal: stop.signal, onHeld: (on) => void held.push(on) });
    await browser.settle();
    const waits = api.openStream(currentUser, {}, { signal: stop.signal });
    stop.abort();
    const aborted = { error: { kind: "aborted" } };
    expect([await given, await waits]).toMatchObject([aborted, aborted]);
    passed(true);
    await browser.settle();
    expect([sent, held]).toEqual([1, [true, false]]);
  });

  it("an upload waits with its time standing still, and is sent whole once more", async () => {
    const server = guarded();
    const page = await openChat(server);
    let posts = 0;
    const through = page.browser.upload;
    page.browser.upload = (path, init) => ((posts += 1), through(path, init));
    // The puzzle for it came before.
    server.answer("/api/v0/chat/create_pow_challenge", (request) => {
      server.answerAsUsual("/api/v0/chat/create_pow_challenge");
      queueMicrotask(() => (server.state.challenges = true));
      return server.network(request.path, {
        method: "POST",
        headers: request.headers,
        body: JSON.stringify(request.body),
      }) as never;
    });
    page.engine.files.add("s1", [{ name: "a.txt", size: 3 }]);
    await page.browser.settle();
    await page.browser.settle();
    expect([asked(page), posts]).toEqual(["slide", 1]);
    await page.browser.advance(120_000);
    page.engine.challenge.passed(PASS);
    await page.browser.settle();
    expect([posts, server.calls(UPLOAD).length]).toEqual([2, 1]);
    expect(page.engine.files.store.getState().byKey["s1"]).toMatchObject([
      { upload: null, stored: { status: "PENDING" } },
    ]);
    page.close();
  });
});

describe("a bot challenge", () => {
  it("that gives no clearance is told as such; nothing is lost, and the next try begins another [AUTH-073]", async () => {
    const server = guarded();
    const page = await openChat(server);
    Object.assign(server.state, { challenges: true, clears: false });
    void page.engine.turns.send("s1", "A long thought");
    await page.browser.settle();
    page.engine.challenge.passed(PASS);
    await page.browser.settle();
    expect(asked(page)).toBeNull();
    expect(toasts(page)).toEqual(["clearanceFailed"]);
    const last = page.shown("s1").at(-1);
    expect([last?.role, last?.hint?.clickBehavior, last?.fragments[0]]).toMatchObject([
      "USER",
      "retry",
      { content: "A long thought" },
    ]);
    expect(server.calls(COMPLETION)).toHaveLength(0);

    server.state.clears = true;
    await page.browser.advance(5000);
    page.engine.turns.retry("s1", last!.message_id);
    await page.browser.settle();
    expect(asked(page)).toBe("slide");
    page.engine.challenge.passed(PASS);
    await page.browser.settle();
    expect(server.calls(COMPLETION).map(({ body }) => body["prompt"])).toEqual(["A long thought"]);
    page.close();
  });

  it("that is passed and asked for again at once is told as such, and not asked in a circle [AUTH-073]", async () => {
    let passes = 0;
    let lost = 0;
    const browser = createFakeBrowser(challenged);
    const gate = createChallengeGate(browser, {
      pass: async () => ((passes += 1), true),
      onNotHeld: () => void (lost += 1),
    });
    const api = createApiClient(browser, {
      gate,
      token: () => "t",
      locale: () => "en_US",
      onGlobalCode() {},
    });
    const refusedOnce = { ok: false, error: { kind: "http", code: 40310 } };
    expect(await api.call(currentUser, {})).toMatchObject(refusedOnce);
    for (let count = 0; count < 5; count++)
      expect(await api.call(currentUser, {})).toMatchObject(refusedOnce);
    expect([passes, lost]).toEqual([1, 1]);
    await browser.advance(3000);
    await api.call(currentUser, {});
    expect([passes, lost]).toEqual([2, 2]);
  });

  it("ends with an error of what it shows, unless that tries again by itself, which is borne three times [AUTH-072]", async () => {
    const server = guarded();
    const page = await openChat(server);
    server.state.challenges = true;
    const error = { type: "widget", code: "300030", message: "no" };
    void page.engine.turns.send("s1", "x");
    await page.browser.settle();
    for (let count = 0; count < 3; count++) page.engine.challenge.failed("turnstile", error, true);
    expect(asked(page)).toBe("slide");
    page.engine.challenge.failed("turnstile", error, true);
    await page.browser.settle();
    expect([asked(page), toasts(page)]).toEqual([null, ["captchaLoadFailed"]]);

    await page.browser.advance(5000);
    const logged = page.browser.logged.length;
    page.engine.turns.retry("s1", page.shown("s1").at(-1)!.message_id);
    await page.browser.settle();
    expect(asked(page)).toBe("slide");
    page.engine.challenge.failed("turnstile", error);
    await page.browser.settle();
    expect(asked(page)).toBeNull();
    expect(page.browser.logged.length).toBeGreaterThan(logged);
    expect(server.calls(CLEARANCE)).toHaveLength(0);
    page.close();
  });

  it("that the settings at hand know nothing of is asked after; one that nobody knows cannot be passed", async () => {
    const server = guarded();
    const none = () =>
      ok({ captcha: { mode: "none", challenge: null }, flags: {}, ab_tests: {}, limits: {} });
    const withChallenge = await (await server.network(SETTINGS, { method: "GET", headers: {} })).json();
    server.answer(SETTINGS, none);
    const page = await openChat(server);
    server.state.challenges = true;
    void page.engine.turns.send("s1", "x");
    await page.browser.settle();
    expect([asked(page), toasts(page)]).toEqual([null, ["clearanceFailed"]]);
    server.answer(SETTINGS, () => new Response(JSON.stringify(withChallenge)));
    await page.browser.advance(5000);
    page.engine.turns.retry("s1", page.shown("s1").at(-1)!.message_id);
    await page.browser.settle();
    expect(asked(page)).toBe("slide");
    page.close();
  });

  it("passed in one tab is passed in the others", async () => {
    const server = guarded();
    const disk = emptyDisk();
    disk.values.set("plumb.token", "token-1");
    const [one, other] = [await openChat(server, disk), await openChat(server, disk)];
    server.state.challenges = true;
    void one.engine.turns.send("s1", "x");
    other.engine.sessions.retryHistory("s1");
    await one.browser.settle();
    await other.browser.settle();
    expect([asked(one), asked(other)]).toEqual(["slide", "slide"]);
    one.engine.challenge.passed(PASS);
    await one.browser.settle();
    await other.browser.settle();
    expect([asked(one), asked(other), server.calls(CLEARANCE).length]).toEqual([null, null, 1]);
    one.close();
    other.close();
  });

  it("stands over a page that begins: whoever comes first is let in after it", async () => {
    const server = guarded();
    server.state.challenges = true;
    const page = await openPage(server);
    expect(asked(page)).toBe("slide");
    expect(server.calls(CURRENT)).toHaveLength(0);
    page.engine.challenge.passed(PASS);
    await page.browser.settle();
    expect(server.calls(CURRENT)).not.toHaveLength(0);
    expect(server.calls(PAGE)).not.toHaveLength(0);
    expect(page.engine.accounts.auth.getState().user?.id).toBe("user-1");
    page.close();
  });
});
