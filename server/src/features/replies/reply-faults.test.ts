// What must not happen to a reply when an answer of the database is lost, a process sleeps or two things meet.
import { emptyReply, reduceReply } from "@plumb/protocol/stream/reply-reducer";
import type { ReceivedEvent } from "@plumb/protocol/stream/stream-event";
import { createSession, deleteSession, historyMessages } from "@plumb/protocol/wire/sessions";
import { completion } from "@plumb/protocol/wire/turns";
import { afterEach, describe, expect, it } from "vitest";
import { createTestApp, type TestApp, type TestAppOptions } from "../../../test/create-test-app.ts";
import { createScriptedModel } from "../../../test/scripted-model.ts";
import { type Engine, engines } from "../../../test/test-databases.ts";

const quick = { LEASE_TIMEOUT_MS: "600", LEASE_RENEW_MS: "100" };
const sleepy = { LEASE_TIMEOUT_MS: "60000", LEASE_RENEW_MS: "30000" };
const fold = (events: readonly ReceivedEvent[]) => events.reduce(reduceReply, emptyReply());

const apps: TestApp[] = [];
const open = async (engine: Engine, options: TestAppOptions = {}): Promise<TestApp> => {
  const app = await createTestApp({ engine, ...options });
  apps.push(app);
  return app;
};
afterEach(async () => {
  for (const app of apps.splice(0).reverse()) await app.close();
});

async function begin(app: TestApp, input: object = {}) {
  const person = await app.signedIn();
  const session = await person.ok(createSession, {});
  const next = app.model.next();
  const asked = { chat_session_id: session.id, prompt: "Go", ...input };
  const stream = await person.stream(completion, asked);
  const run = await next;
  run.say("one ");
  await stream.waitForType("delta");
  return { person, session, stream, run, asked };
}

/** Title requests get no answer until the returned function is called. */
function holdTitles(app: TestApp): () => void {
  const generate = app.model.generate.bind(app.model);
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  app.model.generate = async function* (request, signal) {
    if (request.purpose === "title") {
      const aborted = new Promise((resolve) => signal.addEventListener("abort", resolve));
      await Promise.race([released, aborted]);
    }
    yield* generate(request, signal);
  };
  return release;
}

describe.each(engines)("a reply on %s", (engine) => {
  it("is settled once although the answer of its settlement was lost", async () => {
    const app = await open(engine);
    const { person, session, stream, run } = await begin(app);
    const { transaction } = app.db;
    let lost = 0;
    app.db.transaction = async (work) => {
      const result = await transaction.call(app.db, work);
      const [message] = await app.db.kysely
        .selectFrom("messages")
        .select("status")
        .where("message_id", "=", 2)
        .execute();
      if (message?.status === "FINISHED" && lost < 2) {
        lost += 1;
        throw new Error("the connection broke after COMMIT");
      }
      return result as never;
    };
    run.say("two");
    run.end();
    const events = await stream.ended;
    expect(lost).toBe(2);
    expect(events.map((event) => event.id)).toEqual(events.map((_event, index) => index + 1));
    expect(events.filter((event) => event.type === "finish")).toHaveLength(1);
    expect(events.filter((event) => event.type === "title")).toHaveLength(1);
    const stored = await person.ok(historyMessages, { chat_session_id: session.id });
    expect(stored.chat_messages[1]).toMatchObject({
      status: "FINISHED",
      fragments: [{ content: "one two" }],
    });
    expect(stored.chat_messages[1]).toEqual(fold(events).message);
  });

  it("lets its readers go when its session is deleted before the close", async () => {
    const app = await open(engine);
    holdTitles(app);
    const { person, session, stream, run } = await begin(app);
    run.end();
    await stream.waitForType("finish");
    await person.ok(deleteSession, { chat_session_id: session.id });
    const events = await stream.ended;
    expect(events.some((event) => event.type === "close")).toBe(false);
  });
});

describe("on PostgreSQL, a reply", () => {
  it("that begins while the leases are being renewed is not taken for a lost one", async () => {
    const app = await open("postgres", { settings: { ...quick, LEASE_TIMEOUT_MS: "10000" } });
    const first = await begin(app);
    let release = (): void => {};
    const held = app.db.transaction(async (trx) => {
      await trx.selectFrom("reply_lease").selectAll().modifyEnd(app.db.forUpdate).execute();
      await new Promise<void>((resolve) => {
        release = resolve;
      });
    });
    // A renewal waits for the row by now, and has seen only the leases of before.
    await new Promise((resolve) => setTimeout(resolve, 300));
    const session = await first.person.ok(createSession, {});
    const next = app.model.next();
    const asked = first.person.stream(completion, { chat_session_id: session.id, prompt: "Beside" });
    const run = await next;
    release();
    await held;
    const stream = await asked;
    run.say("still ");
    await stream.waitForType("delta");
    await new Promise((resolve) => setTimeout(resolve, 300));
    run.say("mine");
    run.end();
    expect(fold(await stream.ended).message).toMatchObject({ fragments: [{ content: "still mine" }] });
    expect(run.aborted).toBe(false);
    first.run.end();
    await first.stream.ended;
  });

  it("is taken over although its process fell asleep inside a transaction", async () => {
    const a = await open("postgres", { settings: sleepy });
    const { stream, run } = await begin(a);
    await stream.close();
    let wake = (): void => {};
    const asleep = a.db.transaction(async (trx) => {
      await trx.selectFrom("reply_lease").selectAll().modifyEnd(a.db.forUpdate).execute();
      // The statement is done, the commit does not come.
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    });
    const failed = expect(asleep).rejects.toThrow();
    const b = await open("postgres", { beside: a, settings: quick, model: createScriptedModel() });
    const second = await b.model.next();
    expect(second.request.prefix).toEqual({ reasoning: "", answer: "one " });
    second.end();
    wake();
    await failed;
    run.end();
  }, 15_000);
});
