// What must not happen to a reply when an answer of the database is lost, a process sleeps or two things meet.
import { once } from "node:events";
import { reduceReply } from "@plumb/protocol/stream/reply-reducer";
import { emptyReply } from "@plumb/protocol/stream/reply-state";
import type { ReceivedEvent } from "@plumb/protocol/stream/stream-event";
import { stopStream } from "@plumb/protocol/wire/replies";
import { currentUser } from "@plumb/protocol/wire/accounts";
import { createSession, deleteSession, historyMessages } from "@plumb/protocol/wire/sessions";
import { completion, continueMessage } from "@plumb/protocol/wire/turns";
import { afterEach, describe, expect, it } from "vitest";
import { createTestApp, type TestApp, type TestAppOptions } from "../../../test/create-test-app.ts";
import { holdTitles } from "../../../test/hold-titles.ts";
import { createScriptedModel } from "../../../test/scripted-model.ts";
import { type Engine, engines } from "../../../test/test-databases.ts";
import { statementsThatWait } from "../../../test/lock-waits.ts";
import { setBannedAt } from "../moderation/account-status-store.ts";
import type { Trx } from "../../platform/database/database.ts";
import { DatabaseUnavailable } from "../../platform/database/database-unavailable.ts";

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

/** Refuses for good each transaction that has brought about what is looked for. Tells how many there were. */
function refuseWhere({ db }: TestApp, isRefused: (trx: Trx) => Promise<boolean>): () => number {
  const { transaction } = db;
  let refused = 0;
  db.transaction = (work) =>
    transaction.call(db, async (trx) => {
      const result = await work(trx);
      if (await isRefused(trx)) {
        refused += 1;
        throw new Error("this is refused");
      }
      return result as never;
    }) as never;
  return () => refused;
}

/** Resolves when a statement of the application waits for a row that a transaction holds. */
async function rowIsWaitedFor({ db }: TestApp): Promise<void> {
  await expect.poll(() => statementsThatWait(db.kysely)).toBeGreaterThan(0);
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
        throw new DatabaseUnavailable(new Error("the connection broke after COMMIT"));
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

  it("is settled once although its settlement is committed late, after it was looked for and not found", async () => {
    const app = await open(engine);
    const { person, session, stream, run } = await begin(app);
    const { transaction } = app.db;
    let late: (() => Promise<unknown>) | null = null;
    let tries = 0;
    app.db.transaction = async (work) => {
      await late?.();
      late = null;
      return transaction.call(app.db, async (trx) => {
        const result = await work(trx);
        const reply = trx.selectFrom("messages").select("status").where("message_id", "=", 2);
        if ((await reply.executeTakeFirst())?.status === "FINISHED" && tries === 0) {
          tries += 1;
          late = () => transaction.call(app.db, work);
          throw new DatabaseUnavailable(new Error("no answer to COMMIT in time"));
        }
        return result as never;
      }) as never;
    };
    run.say("two");
    run.end();
    const events = await stream.ended;
    expect(tries).toBe(1);
    expect(events.map((event) => event.id)).toEqual(events.map((_event, index) => index + 1));
    expect(events.filter((event) => event.type === "finish")).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({ type: "close", data: { click_behavior: "none" } });
    const stored = await person.ok(historyMessages, { chat_session_id: session.id });
    expect(stored.chat_messages[1]).toEqual(fold(events).message);
    expect(stored.chat_session).toMatchObject({ title: app.model.title, title_type: "SYSTEM" });
  });

  it("that is finished offers no second try where its title is refused for good", async () => {
    const app = await open(engine);
    const { person, session, stream, run } = await begin(app);
    const refused = refuseWhere(app, async (trx) => {
      const session = await trx.selectFrom("sessions").select("title").executeTakeFirst();
      return session?.title === app.model.title;
    });
    run.end();
    const events = await stream.ended;
    expect(refused()).toBe(1);
    expect(events.at(-1)).toMatchObject({ type: "close", data: { click_behavior: "none" } });
    const stored = await person.ok(historyMessages, { chat_session_id: session.id });
    expect(stored.chat_messages[1]).toMatchObject({ status: "FINISHED" });
    expect(stored.chat_session).toMatchObject({ title: "Go", title_type: "SYSTEM" });
  });

  it("is given up by itself when its end is refused for good, with all that was stored", async () => {
    const app = await open(engine);
    const { person, session, stream, run } = await begin(app);
    const refused = refuseWhere(app, async (trx) => {
      const message = await trx
        .selectFrom("messages")
        .select("status")
        .where("message_id", "=", 2)
        .executeTakeFirst();
      return message?.status === "FINISHED";
    });
    run.end();
    const events = await stream.ended;
    expect(refused()).toBe(1);
    expect(events.at(-1)).toMatchObject({ type: "close", data: { click_behavior: "retry" } });
    const stored = await person.ok(historyMessages, { chat_session_id: session.id });
    expect(stored.chat_messages[1]).toMatchObject({
      status: "INCOMPLETE",
      fragments: [{ content: "one " }],
    });
    expect(await app.db.kysely.selectFrom("reply_lease").selectAll().execute()).toEqual([]);
  });

  it("whose words the database refuses is given up, and the other replies go on", async () => {
    const app = await open(engine);
    const bad = await begin(app);
    const good = await begin(app);
    const { appendLog } = app.db;
    app.db.appendLog = async (trx, owner, rows) => {
      if (rows.some((row) => row.events.includes("poison"))) throw new Error("this row is refused");
      return appendLog.call(app.db, trx, owner, rows);
    };
    bad.run.say("poison");
    good.run.say("two");
    const events = await bad.stream.ended;
    expect(fold(events).message).toMatchObject({ status: "INCOMPLETE", fragments: [{ content: "one " }] });
    expect(events.at(-1)).toMatchObject({ type: "close", data: { click_behavior: "retry" } });
    good.run.end();
    expect(fold(await good.stream.ended).message).toMatchObject({
      status: "FINISHED",
      fragments: [{ content: "one two" }],
    });
  });

  it("that is given up without a word gives its thinking back", async () => {
    const app = await open(engine);
    const person = await app.signedIn();
    const session = await person.ok(createSession, {});
    const next = app.model.next();
    const asked = { chat_session_id: session.id, prompt: "Go", thinking_enabled: true };
    const stream = await person.stream(completion, asked);
    const run = await next;
    const used = async () =>
      (await app.db.kysely.selectFrom("thinking_usage").select("used").executeTakeFirst())?.used;
    expect(await used()).toBe(1);
    // Nothing can be read from it, so that the reply is left as it was before.
    await app.db.kysely.updateTable("stream_log").set({ events: "torn" }).execute();
    app.db.appendLog = async () => {
      throw new Error("this row is refused");
    };
    run.think("Hm");
    await expect.poll(used).toBe(0);
    const stored = await person.ok(historyMessages, { chat_session_id: session.id });
    expect(stored.chat_messages[1]).toMatchObject({ status: "INCOMPLETE", fragments: [] });
    await stream.close();
  });

  it("begins with its empty message when the model is silent for 400 ms", async () => {
    const app = await open(engine);
    const person = await app.signedIn();
    const session = await person.ok(createSession, {});
    const next = app.model.next();
    const stream = await person.stream(completion, { chat_session_id: session.id, prompt: "Go" });
    const run = await next;
    await stream.waitForType("delta");
    expect(fold(stream.events).message).toMatchObject({
      status: "WIP",
      fragments: [],
      has_pending_fragment: true,
    });
    run.say("At last");
    run.end();
    const deltas = (await stream.ended).flatMap((event) => (event.type === "delta" ? [event.data] : []));
    expect(deltas[1]).toEqual({ p: "response/has_pending_fragment", o: "SET", v: false });
    expect(deltas[2]).toMatchObject({
      p: "response/fragments",
      o: "APPEND",
      v: [{ type: "RESPONSE", content: "At last" }],
    });
    expect(fold(stream.events).message).toMatchObject({ status: "FINISHED", has_pending_fragment: false });
  });

  it("is stopped when its account is banned, not only cut off from its readers", async () => {
    const app = await open(engine);
    const banned = await begin(app);
    const other = await begin(app);
    const { id } = await banned.person.ok(currentUser, {});
    await setBannedAt(app.db.kysely, id, Date.now());
    await banned.run.abort;
    await expect
      .poll(() =>
        app.db.kysely
          .selectFrom("messages")
          .select(["status", "fragments"])
          .where("session_id", "=", banned.session.id)
          .where("role", "=", "ASSISTANT")
          .executeTakeFirst(),
      )
      .toMatchObject({ status: "INCOMPLETE", fragments: expect.stringContaining("one ") });
    expect(other.run.aborted).toBe(false);
    other.run.end();
    expect(fold(await other.stream.ended).message).toMatchObject({ status: "FINISHED" });
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

  it("keeps its title when a stop comes after its end", async () => {
    const app = await open(engine);
    const release = holdTitles(app);
    const { stream, run } = await begin(app);
    run.end();
    await stream.waitForType("finish");
    await app.db.notify(app.db.kysely, "reply_stop", "1:1");
    // Notifications come in order: when a later one has had its effect, this one has had none.
    const other = await begin(app);
    await app.db.notify(app.db.kysely, "reply_stop", "2:1");
    await expect.poll(() => other.run.aborted).toBe(true);
    release();
    expect(fold(await stream.ended).title).toBe("A title");
  });

  it("is continued above every epoch before, also when its log is gone", async () => {
    const app = await open(engine);
    const { person, session, stream } = await begin(app);
    await person.ok(stopStream, { chat_session_id: session.id });
    const lastId = (await stream.ended).at(-1)?.id ?? 0;
    await app.db.kysely.deleteFrom("stream_log").execute();
    const next = app.model.next();
    const message = { chat_session_id: session.id, message_id: 2 };
    const more = await person.stream(continueMessage, message);
    const run = await next;
    const lease = await app.db.kysely.selectFrom("reply_lease").select("epoch").executeTakeFirstOrThrow();
    expect(lease.epoch).toBeGreaterThan(1);
    run.say("two");
    run.end();
    const events = await more.ended;
    expect(events[0]?.id).toBe(lastId + 1);
    expect(fold(events).message).toMatchObject({ fragments: [{ content: "one two" }] });
  });

  it("that cannot be taken over keeps its process from nothing else", async () => {
    const a = await open(engine, { settings: sleepy });
    const first = await begin(a);
    const second = await begin(a);
    await a.db.kysely.updateTable("stream_log").set({ events: "torn" }).where("reply", "=", 1).execute();
    // On SQLite a process that starts takes every other's leases at once.
    const dead = a.db.kysely.updateTable("reply_lease").set({ owner: "a dead process" });
    await dead.set({ renewed_at: 0 }).where("reply", "=", 1).execute();
    await dead.set({ renewed_at: 1 }).where("reply", "=", 2).execute();
    const model = createScriptedModel();
    const next = model.next();
    await open(engine, { beside: a, settings: quick, model });
    const run = await next;
    expect(run.request.prefix).toEqual({ reasoning: "", answer: "one " });
    run.end();
    await expect
      .poll(async () => {
        const { chat_messages } = await second.person.ok(historyMessages, {
          chat_session_id: second.session.id,
        });
        return chat_messages[1]?.status;
      })
      .toBe("FINISHED");
    await first.stream.close();
  });
});

describe("on PostgreSQL, a reply", () => {
  it("whose call is repeated elsewhere in its tail is told to its close there too", async () => {
    const a = await open("postgres");
    const release = holdTitles(a);
    const { person, stream, run, asked } = await begin(a, { client_stream_id: "20260101-abcdefghijklmnop" });
    const b = await open("postgres", { beside: a, model: createScriptedModel() });
    run.end();
    await stream.waitForType("finish");
    const asking = once(b.app.fastify.server, "request");
    const again = b.client(person).stream(completion, asked);
    await asking;
    release();
    const events = await (await again).ended;
    const first = fold(await stream.ended);
    expect(fold(events)).toMatchObject({ message: first.message, title: "A title", finished: true });
    expect(events.at(-1)).toMatchObject({ type: "close", id: first.lastEventId });
    expect(b.model.requests).toHaveLength(0);
  });

  it("that is stored while its process hands over is handed over too", async () => {
    const a = await open("postgres", { settings: sleepy });
    const person = await a.signedIn();
    const session = await person.ok(createSession, {});
    let release = (): void => {};
    const held = a.db.transaction(async (trx) => {
      await trx.selectFrom("users").selectAll().modifyEnd(a.db.forUpdate).execute();
      await new Promise<void>((resolve) => {
        release = resolve;
      });
    });
    const asked = person.call(completion, { chat_session_id: session.id, prompt: "Late" }).catch(() => null);
    await rowIsWaitedFor(a);
    await a.app.drain(0);
    release();
    await held;
    await asked;
    const owner = async () =>
      (await a.db.kysely.selectFrom("reply_lease").select("owner").executeTakeFirst())?.owner;
    await expect.poll(owner).toBe("");
  });

  it("counts the time of the process that died against its limit, and not the pause", async () => {
    const a = await open("postgres", { settings: sleepy });
    const { person, session, stream, run } = await begin(a);
    const { kysely } = a.db;
    for (const word of ["two ", "three "]) {
      run.say(word);
      await stream.waitFor((event) => JSON.stringify(event).includes(word));
    }
    // Four minutes between each two of its groups.
    const groups = await kysely
      .selectFrom("stream_log")
      .select(["first_id", "at"])
      .orderBy("first_id")
      .execute();
    expect(groups.length).toBeGreaterThan(3);
    for (const [index, { first_id: id, at }] of groups.entries())
      await kysely
        .updateTable("stream_log")
        .set({ at: at - (groups.length - index) * 240_000 })
        .where("first_id", "=", id)
        .execute();
    await kysely.updateTable("reply_lease").set({ owner: "a dead process", renewed_at: 0 }).execute();
    const b = await open("postgres", { beside: a, settings: quick, model: createScriptedModel() });
    void b.model.next();
    await expect
      .poll(
        async () =>
          (await person.ok(historyMessages, { chat_session_id: session.id })).chat_messages[1]?.status,
      )
      .toBe("TIMEOUT");
  });

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
    // The renewal has seen only the leases of before.
    await rowIsWaitedFor(app);
    const session = await first.person.ok(createSession, {});
    const next = app.model.next();
    const asked = first.person.stream(completion, { chat_session_id: session.id, prompt: "Beside" });
    const run = await next;
    release();
    await held;
    const stream = await asked;
    run.say("still ");
    await stream.waitForType("delta");
    // Its lease, too, is renewed, more than once.
    const renewedAt = async () =>
      (
        await app.db.kysely
          .selectFrom("reply_lease")
          .select("renewed_at")
          .orderBy("reply", "desc")
          .executeTakeFirst()
      )?.renewed_at ?? 0;
    for (let renewals = 0; renewals < 2; renewals += 1) {
      const before = await renewedAt();
      await expect.poll(renewedAt).toBeGreaterThan(before);
    }
    run.say("mine");
    run.end();
    expect(fold(await stream.ended).message).toMatchObject({ fragments: [{ content: "still mine" }] });
    expect(app.model.replies).toHaveLength(2);
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
    const ended = Promise.allSettled([asleep]);
    const b = await open("postgres", { beside: a, settings: quick, model: createScriptedModel() });
    const second = await b.model.next();
    expect(second.request.prefix).toEqual({ reasoning: "", answer: "one " });
    second.end();
    wake();
    expect(await ended).toMatchObject([{ status: "rejected" }]);
    run.end();
  }, 15_000);
});
