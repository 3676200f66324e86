import { afterEach, expect, test } from "vitest";
import { createTestApp, type TestApp } from "../../../test/create-test-app.ts";

const MINE = "https://other.example";
let app: TestApp;
afterEach(() => app.close());

async function ask(method: "GET" | "POST" | "OPTIONS", url: string, headers: Record<string, string>) {
  const answered = await app.app.fastify.inject({ method, url, headers });
  const names = Object.keys(answered.headers).filter((name) => name.startsWith("access-control-"));
  return { status: answered.statusCode, headers: answered.headers, names, body: answered.body };
}
const preflight = {
  "access-control-request-method": "POST",
  "access-control-request-headers": "authorization",
};

test("no page of another origin may call, and no answer speaks of origins, until the operator names one", async () => {
  app = await createTestApp();
  for (const method of ["GET", "OPTIONS"] as const) {
    const { names, headers } = await ask(method, "/api/v0/client/settings", { origin: MINE, ...preflight });
    expect([names, headers["vary"]]).toEqual([[], undefined]);
  }
});

test("a page of an origin that is named may call with the headers of calls, without cookies; no other may", async () => {
  app = await createTestApp({ settings: { ALLOWED_ORIGINS: MINE } });
  const asked = await ask("OPTIONS", "/api/v0/chat/completion", { origin: MINE, ...preflight });
  expect([asked.status, asked.body]).toEqual([204, ""]);
  expect(asked.headers).toMatchObject({
    "access-control-allow-origin": MINE,
    "access-control-allow-methods": "GET, POST",
    vary: "Origin",
  });
  const sent = String(asked.headers["access-control-allow-headers"]).split(", ");
  expect(sent).toEqual(
    expect.arrayContaining([
      "authorization",
      "content-type",
      "x-app-version",
      "x-client-platform",
      "x-client-version",
      "x-client-locale",
      "x-client-timezone-offset",
      "x-device-id",
      "x-ds-pow-response",
      "x-ds-guest-pow-response",
      "x-file-size",
      "x-thinking-enabled",
      "last-event-id",
    ]),
  );
  expect(asked.names).not.toContain("access-control-allow-credentials");
  // A refusal is read there, too.
  const refused = await ask("POST", "/api/v0/chat/completion", { origin: MINE });
  expect([JSON.parse(refused.body).code, refused.headers["access-control-allow-origin"]]).toEqual([
    40002,
    MINE,
  ]);
  expect(refused.headers["access-control-expose-headers"]).toContain("x-ds-trace-id");

  const stranger = await ask("OPTIONS", "/api/v0/chat/completion", {
    origin: `${MINE}.evil.example`,
    ...preflight,
  });
  expect([stranger.status, stranger.names, stranger.headers["vary"]]).toEqual([405, [], "Origin"]);
  expect((await ask("GET", "/", { origin: MINE })).names).toEqual([]);
});
