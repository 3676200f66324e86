// The suite knows every call that is served, and every field of it: one that is added fails here until it stands there.
import { afterAll, beforeAll, expect, it } from "vitest";
import { allCalls } from "../all-calls.ts";
import { createTestApp, type TestApp } from "../create-test-app.ts";
import { requestFields } from "./request-fields.ts";

/** Read as absent when malformed, so that no value of theirs is refused (§7). */
const neverRefused = ["turnstile_token", "hcaptcha_token", "shumei_verification"];

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const kindOf = (answers: string) => (answers === "account" ? "json" : answers);

it("the table of fields is that of the mounted calls", () => {
  const mounted = allCalls(app.app.fastify).map((call) => {
    const { shape = {} } = call.request as unknown as { shape?: Record<string, unknown> };
    const fields = Object.keys(shape).filter((name) => !neverRefused.includes(name));
    return [
      `${call.method} ${call.path}`,
      { auth: call.auth, kind: kindOf(call.answers), fields: fields.toSorted() },
    ];
  });
  const written = Object.entries(requestFields).map(([name, { auth, answers, fields }]) => [
    name,
    { auth, kind: kindOf(answers), fields: Object.keys(fields).toSorted() },
  ]);
  expect(Object.fromEntries(written)).toEqual(Object.fromEntries(mounted));
});
