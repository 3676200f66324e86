// Every route that is mounted, and every page of the client, asked once: what its answer tells browsers and caches
// (wire-contract.md §1.3, §6). A route that is added is in here by itself.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { allCalls, mountedRoutes } from "./all-calls.ts";
import { createTestApp, type TestApp } from "./create-test-app.ts";

let app: TestApp;
let token: string;
let root: string;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "plumb-headers-"));
  mkdirSync(join(root, "static/assets"), { recursive: true });
  mkdirSync(join(root, "static/legal"), { recursive: true });
  writeFileSync(join(root, "index.html"), "<!doctype html><title>the page</title><noscript>no</noscript>");
  for (const name of ["run.html", "diagram.html", "legal/terms.en.html", "favicon.svg", "assets/a-1.js"])
    writeFileSync(join(root, "static", name), "<!doctype html>");
  writeFileSync(join(root, "sw.js"), "");
  app = await createTestApp({ webRoot: root, settings: { PUBLIC_URL: "https://chat.example" } });
  token = (await app.signedIn()).token ?? "";
});
afterAll(async () => {
  await app.close();
  rmSync(root, { recursive: true });
});

interface Asked {
  status: number;
  headers: Record<string, unknown>;
}

async function ask(method: string, url: string, headers: Record<string, string> = {}): Promise<Asked> {
  const answered = await app.app.fastify.inject({
    method: method as "GET",
    url,
    headers: { host: "chat.example", ...headers },
    ...(method === "POST" ? { payload: "{}" } : {}),
  });
  return { status: answered.statusCode, headers: answered.headers };
}

/** What every answer has, whatever it is. */
function expectCommon(name: string, { headers }: Asked): void {
  expect({ name, ...headers }).toMatchObject({
    name,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "strict-transport-security": "max-age=31536000",
    "cross-origin-resource-policy": expect.stringMatching(/^(?:same|cross)-origin$/u),
    "x-ds-trace-id": expect.stringMatching(/^[0-9a-f]{32}$/u),
  });
  // Nobody outside may read it, but for files that have no secret.
  if (!/ \/(?:static\/|sw\.js|favicon)/u.test(name))
    expect([name, headers["access-control-allow-origin"]]).toEqual([name, undefined]);
}

test("every call, with and without a token: nothing is sniffed, framed or told to others, and no cache keeps an answer to somebody", async () => {
  const calls = allCalls(app.app.fastify);
  expect(calls.length).toBeGreaterThan(50);
  for (const { method, path, auth } of calls) {
    const name = `${method} ${path}`;
    const anonymous = await ask(method, path);
    expectCommon(name, anonymous);
    expect([name, anonymous.headers["x-powered-by"], anonymous.headers["server"]]).toEqual([
      name,
      undefined,
      undefined,
    ]);
    if (auth === "none") continue;
    // A sign-out would end the token for the calls after it.
    const theirs = /logout|unregister|end_sign_in/u.test(path)
      ? anonymous
      : await ask(method, path, { authorization: `Bearer ${token}` });
    expectCommon(name, theirs);
    expect([name, theirs.headers["cache-control"]]).toEqual([
      name,
      expect.stringMatching(/no-store|no-cache, no-transform/u),
    ]);
  }
});

test("every other route, what is not there and what is malformed", async () => {
  const others = mountedRoutes(app.app.fastify)
    .filter(({ path }) => !path.startsWith("/api/"))
    .map(({ method, path }) => [method, path.replace(/\*$/u, "nothing")] as const);
  expect(others.map(([, path]) => path)).toEqual(
    expect.arrayContaining(["/version.txt", "/downloads/status.json", "/healthz", "/readyz", "/metrics"]),
  );
  const more = [
    ["GET", "/api/v0/nowhere"],
    ["PUT", "/api/v0/client/settings"],
    ["GET", "/.env"],
    ["GET", "/%ff"],
    ["DELETE", "/sign_in"],
    ["OPTIONS", "/api/v0/users/login"],
  ] as const;
  for (const [method, path] of [...others, ...more])
    expectCommon(`${method} ${path}`, await ask(method, path));
});

const pages = [
  "/",
  "/a/coder",
  "/a/chat/s/00000000-0000-4000-8000-000000000000",
  "/sign_in",
  "/sign_up",
  "/forgot_password",
  "/authorized",
  "/mobile_verification",
  "/banned",
  "/feedback",
  "/share/missing",
  "/share/invalid",
  "/undo_binding",
  "/nowhere",
  "/static/legal/terms.en.html",
];

test.each(pages)(
  "the page %s runs nothing but ours, is framed by nobody and asks for no device",
  async (path) => {
    const { status, headers } = await ask("GET", path);
    expectCommon(`GET ${path}`, { status, headers });
    expect(status).toBe(200);
    const policy = String(headers["content-security-policy"]);
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';");
    for (const part of [
      "connect-src 'self';",
      "frame-src 'self';",
      "base-uri 'none'",
      "object-src 'none'",
      "frame-ancestors 'none'",
    ])
      expect(policy).toContain(part);
    expect(policy).not.toMatch(/unsafe|https?:|\*/u);
    expect(headers).toMatchObject({
      "x-frame-options": "DENY",
      "permissions-policy": expect.stringContaining("camera=()"),
      "cross-origin-opener-policy": "same-origin",
      "cache-control": "no-cache",
    });
  },
);

test.each(["/static/run.html", "/static/diagram.html"])(
  "%s is without an origin and reaches nothing",
  async (path) => {
    const { headers } = await ask("GET", path);
    const policy = String(headers["content-security-policy"]);
    expect(policy).toMatch(/^sandbox allow-scripts; default-src 'none';/u);
    expect(policy).toContain("frame-ancestors 'self'");
    expect(policy).not.toContain("connect-src");
  },
);
