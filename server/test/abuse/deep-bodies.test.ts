// Bodies that cost more to parse than to send: they are refused by their bytes, and by count before their bytes.
import type { Call } from "@plumb/protocol/wire/call";
import { uploadFile } from "@plumb/protocol/wire/files";
import { beginImport } from "@plumb/protocol/wire/imports";
import { createPowChallenge } from "@plumb/protocol/wire/guard";
import { completion } from "@plumb/protocol/wire/turns";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { allCalls } from "../all-calls.ts";
import { createTestApp, type TestApp } from "../create-test-app.ts";
import { endsSignIn } from "../ends-sign-in.ts";
import { openRaw, postHead } from "../raw-http.ts";
import type { TestClient } from "../test-client.ts";

const MIB = 1024 * 1024;
const REQUESTS = process.env["TEST_LONG"] === "1" ? 2000 : 200;

let app: TestApp;
let person: TestClient;

beforeEach(async () => {
  app = await createTestApp({ settings: { RATE_LIMITS: "guest_ip_minute=1000", MESSAGES_PER_MINUTE: "20" } });
  person = await app.signedIn();
});
afterEach(() => app.close());

const send = (call: Pick<Call, "path">, body: string) =>
  person.request(call.path, { method: "POST", body }).then(async (response) => ({
    status: response.status,
    json: (await response.json()) as { code: number; detail?: { msg: string }[] },
  }));

test("1 MiB of opening brackets is refused by every call before it is parsed", async () => {
  const parse = vi.spyOn(JSON, "parse");
  const brackets = "[".repeat(MIB);
  for (const call of allCalls(app.app.fastify).filter(({ method }) => method === "POST")) {
    if (endsSignIn(call)) continue;
    // Their bodies are no JSON: nothing of them is ever parsed as such.
    if (call.path === uploadFile.path || call.path === beginImport.path) continue;
    const { status, json } = await send(call, brackets);
    const takesPrompt = ["/api/v0/chat/completion", "/api/v0/chat/edit_message"].includes(call.path);
    if (takesPrompt) expect([call.path, json.detail?.[0]?.msg]).toEqual([call.path, "nested deeper than 64"]);
    else expect([call.path, status, json.code]).toEqual([call.path, 413, 41300]);
  }
  expect(parse.mock.calls.filter(([text]) => String(text).startsWith("[["))).toEqual([]);
  parse.mockRestore();
});

test.each([
  ["objects", `[${"{},".repeat(MIB / 4)}0]`],
  ["keys", `{${Array.from({ length: 60_000 }, (_none, key) => `"k${key}":0,`).join("")}"z":0}`],
  ["numbers", `[${"0,".repeat(MIB / 4)}0]`],
])("nearly 1 MiB of %s beside a prompt is refused before it is parsed", async (_name, many) => {
  const parse = vi.spyOn(JSON, "parse");
  const body = `{"chat_session_id":"x","prompt":"y","z":${many}}`;
  const { json } = await send(completion, body);
  expect(json.detail).toEqual([{ loc: "body", msg: "more values than 10000" }]);
  expect(parse.mock.calls.filter(([text]) => text === body)).toEqual([]);
  parse.mockRestore();
});

test("who goes on sending them is refused by count, with the body unread", async () => {
  const brackets = "[".repeat(MIB);
  const codes = new Map<number, number>();
  for (let count = 0; count < REQUESTS; count++) {
    const { json } = await send(completion, brackets);
    codes.set(json.code, (codes.get(json.code) ?? 0) + 1);
  }
  // Two times 20 messages and 60 repeats.
  expect(Object.fromEntries(codes)).toEqual({ 0: 160, 42903: REQUESTS - 160 });

  const connection = await openRaw(app.address);
  connection.send(postHead(completion.path, MIB, `authorization: Bearer ${person.token}`));
  await vi.waitFor(() => expect(connection.heard).toContain(`"code":42903`), { timeout: 10_000 });
  expect(connection.heard).toMatch(/^HTTP\/1\.1 429 .*retry-after: \d+/su);
  connection.socket.destroy();
  // The user's other calls, and other users, are served.
  expect((await person.call(createPowChallenge, { target_path: completion.path })).envelope.code).toBe(0);
  const other = await app.signedIn();
  const answer = await other.request(completion.path, { method: "POST", body: "{}" });
  expect(((await answer.json()) as { code: number }).code).toBe(0);
});
