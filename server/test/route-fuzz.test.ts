// Bodies, queries and headers made at random for every mounted route: always a designed answer, never a fault.
// fast-check prints the seed of a failure.
import type { Call } from "@plumb/protocol/wire/call";
import { createSession } from "@plumb/protocol/wire/sessions";
import { completion } from "@plumb/protocol/wire/turns";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { allCalls } from "./all-calls.ts";
import { type FieldRule, requestFields } from "./conformance/request-fields.ts";
import { createTestApp, type TestApp } from "./create-test-app.ts";
import { endsSignIn } from "./ends-sign-in.ts";
import { expectDesigned } from "./expect-envelope.ts";
import type { TestClient } from "./test-client.ts";
import { engines } from "./test-databases.ts";

/** For each route on each database; together 500 of a route. */
const numRuns = process.env["TEST_LONG"] === "1" ? 5000 : 250;
/** What is asked of a route at a time. */
const lanes = 8;

const anyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.constantFrom("", " ", "\0", "a\0b", "\ud800", "\udc00x", "__proto__", "𝄞".repeat(40), "x".repeat(1200)),
);
const anyValue = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  anyText,
  fc.maxSafeInteger(),
  fc.double(),
  fc.constantFrom<unknown>(null, true, 0, -1, 1, 2, 3, "1", "-1", "1.5", 1e21, [], {}, ["a", null], [[[]]]),
);

/** Values of the field's own kind, so that some requests are carried out. */
function goodValue({ kind, good }: FieldRule, session: string): fc.Arbitrary<unknown> {
  if (good !== undefined) return fc.constant(good);
  const values = {
    text: fc.constantFrom(
      session,
      "Hello",
      "/api/v0/chat/completion",
      "chat",
      "coder",
      "someone@example.org",
    ),
    id: fc.integer({ min: 0, max: 9 }),
    number: fc.double({ min: 0, max: 2e9, noNaN: true }),
    bool: fc.boolean(),
    texts: fc.array(fc.constantFrom(session, "x"), { maxLength: 3 }),
    ids: fc.array(fc.constantFrom(1, 2, "2"), { maxLength: 3 }),
    one_of: anyText,
    object: anyValue,
    list: anyValue,
  };
  return values[kind];
}

/** A header as a peer can send it: no line ends, no byte beyond Latin-1. */
const anyHeader = fc.string({
  unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)),
  maxLength: 60,
});
const headerNames = [
  "x-client-locale",
  "x-client-timezone-offset",
  "x-client-platform",
  "x-device-id",
  "last-event-id",
  "x-ds-pow-response",
  "x-ds-guest-pow-response",
  "content-type",
  "content-encoding",
  "accept-encoding",
  "if-none-match",
  "x-forwarded-for",
  "cookie",
  "user-agent",
  "origin",
  "range",
  "authorization",
];
const anyHeaders = fc.dictionary(fc.constantFrom(...headerNames), anyHeader, {
  maxKeys: 4,
  noNullPrototype: true,
});

const pieces = '{|}|[|]|"|:|,|\\u0000|\\ud800|1e9|null|\\|title|prompt| |\0|é'.split("|");
const anyBytes = fc.oneof(
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  fc.array(fc.constantFrom(...pieces), { maxLength: 40 }).map((parts) => Buffer.from(parts.join(""))),
);

interface Asked {
  /** Fields, or bytes that are no JSON. */
  input: Record<string, unknown> | Buffer;
  headers: Record<string, string>;
  proved: boolean;
}

describe.each(engines)("anything at all on %s", (engine) => {
  let app: TestApp;
  let person: TestClient;
  let session: string;
  beforeAll(async () => {
    app = await createTestApp({ engine });
    person = await app.signedIn();
    session = (await person.ok(createSession, {})).id;
    await (
      await person.stream(completion, { chat_session_id: session, prompt: "Hello" })
    ).ended;
  });
  afterAll(() => app.close());

  function anyRequest(call: Call): fc.Arbitrary<Asked> {
    const rules = Object.entries(requestFields[`${call.method} ${call.path}`]?.fields ?? {});
    const fields = Object.fromEntries(
      rules.map(([name, rule]) => [
        name,
        fc.oneof(
          {
            weight: 3,
            arbitrary: name === "chat_session_id" ? fc.constant(session) : goodValue(rule, session),
          },
          { weight: 1, arbitrary: anyValue },
        ),
      ]),
    );
    const input = fc.oneof(
      { weight: 5, arbitrary: fc.record(fields, { requiredKeys: [] }) },
      { weight: 1, arbitrary: fc.dictionary(anyText, anyValue, { maxKeys: 5, noNullPrototype: true }) },
      { weight: 1, arbitrary: anyBytes },
    );
    return fc.record({ input, headers: anyHeaders, proved: fc.boolean() });
  }

  async function ask(call: Call, { input, headers, proved }: Asked): Promise<void> {
    const proof = proved ? await person.proofFor(call) : {};
    const isGet = call.method === "GET";
    const query = isGet && !Buffer.isBuffer(input) ? `?${queryOf(input)}` : "";
    const answer = await app.app.fastify.inject({
      method: call.method,
      url: call.path + query,
      headers: { authorization: `Bearer ${person.token}`, ...proof, ...headers },
      ...(isGet ? {} : { payload: Buffer.isBuffer(input) ? input : JSON.stringify(input) }),
    });
    const text = answer.body;
    expect(answer.statusCode, text).toBeLessThan(500);
    if (answer.headers["content-type"]?.toString().startsWith("text/event-stream") === true) {
      expect(text).toMatch(/event: close\ndata: .*\n\n$/);
      return;
    }
    if (answer.statusCode === 304) return;
    expectDesigned(call, {
      status: answer.statusCode,
      text,
      header: (name) => answer.headers[name]?.toString() ?? null,
    });
  }

  /** What the request before may have taken away is there again. */
  async function restore(call: Call): Promise<void> {
    if (endsSignIn(call)) person = await app.signedIn();
    if (endsSignIn(call) || /\/delete/.test(call.path)) session = (await person.ok(createSession, {})).id;
  }

  it(
    `${numRuns} times to each route: a designed answer in its whole form`,
    { timeout: 3_000_000 },
    async () => {
      for (const call of allCalls(app.app.fastify)) {
        const some = fc.array(anyRequest(call), { minLength: lanes, maxLength: lanes });
        await fc.assert(
          fc.asyncProperty(some, async (requests) => {
            await Promise.all(requests.map((request) => ask(call, request)));
            await restore(call);
          }),
          { numRuns: Math.ceil(numRuns / lanes) },
        );
      }
      expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
      expect((await person.call(createSession, {})).envelope.code).toBe(0);
    },
  );
});

function queryOf(input: Record<string, unknown>): string {
  const texts = Object.entries(input).map(([key, value]): [string, string] => [
    key.toWellFormed(),
    (typeof value === "string" ? value : (JSON.stringify(value) ?? "")).toWellFormed(),
  ]);
  return new URLSearchParams(texts).toString();
}
