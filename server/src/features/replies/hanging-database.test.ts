// A PostgreSQL that hangs and comes back: requests end, the reply goes on.
import { reduceReply } from "@plumb/protocol/stream/reply-reducer";
import { emptyReply } from "@plumb/protocol/stream/reply-state";
import { createSession, fetchSessionPage, historyMessages } from "@plumb/protocol/wire/sessions";
import { completion } from "@plumb/protocol/wire/turns";
import { pino } from "pino";
import { afterEach, expect, it } from "vitest";
import { createTestApp, type TestApp } from "../../../test/create-test-app.ts";
import { createScriptedModel } from "../../../test/scripted-model.ts";
import { openSilentProxy } from "../../../test/silent-proxy.ts";
import { openPostgres } from "../../platform/database/open-postgres.ts";

/** Nobody takes a reply over while the test lasts. */
const settings = { LEASE_TIMEOUT_MS: "60000", LEASE_RENEW_MS: "1000" };

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

it("a database that hangs ends requests with 50300, and a running reply loses nothing by it", async () => {
  const a = await createTestApp({ engine: "postgres", settings });
  closing.push(() => a.close());
  const proxy = await openSilentProxy(a.database.databaseUrl ?? "");
  closing.push(() => proxy.close());
  const log = pino({ level: "silent" });
  const openAnother = () => openPostgres({ url: proxy.url, log, answerMs: 1000 });
  const beside: TestApp = { ...a, database: { ...a.database, openAnother } };
  const b = await createTestApp({ beside, settings, model: createScriptedModel() });
  closing.push(() => b.close());
  const person = await a.signedIn();
  const there = b.client(person);

  const session = await there.ok(createSession, {});
  const next = b.model.next();
  const stream = await there.stream(completion, { chat_session_id: session.id, prompt: "Go" });
  const run = await next;
  run.say("one ");
  await stream.waitForType("delta");
  expect((await there.request("/readyz")).status).toBe(200);

  proxy.silence();
  run.say("two ");
  const [refused, ready] = await Promise.all([there.call(fetchSessionPage, {}), there.request("/readyz")]);
  expect([refused.status, refused.envelope.code]).toEqual([503, 50300]);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
  expect(ready.status).toBe(503);
  run.say("three ");

  proxy.speak();
  await expect.poll(async () => (await there.request("/readyz")).status).toBe(200);
  run.say("four");
  run.end();
  const events = await stream.ended;
  expect(events.map((event) => event.id)).toEqual(events.map((_event, index) => index + 1));
  const reply = events.reduce(reduceReply, emptyReply());
  expect(reply.message).toMatchObject({ status: "FINISHED", fragments: [{ content: "one two three four" }] });
  const stored = await person.ok(historyMessages, { chat_session_id: session.id });
  expect(stored.chat_messages[1]).toEqual(reply.message);
  expect(b.model.replies).toHaveLength(1);
}, 60_000);
