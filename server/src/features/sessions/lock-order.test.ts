// PostgreSQL: whoever writes to blocks of a user's history index, or to what is counted of the user, holds the user's row
// first. Two of them could wait for each other otherwise. Each is made to wait for that row here, and holds nothing else of
// the user's then.
import { deleteAllSessions } from "@plumb/protocol/wire/history";
import { stopStream } from "@plumb/protocol/wire/replies";
import { createSession, deleteSession, updateSessionTitle } from "@plumb/protocol/wire/sessions";
import { completion, regenerate } from "@plumb/protocol/wire/turns";
import { sql } from "kysely";
import { afterEach, expect, it } from "vitest";
import { createTestApp, type TestApp, type TestAppOptions } from "../../../test/create-test-app.ts";
import { holdTitles } from "../../../test/hold-titles.ts";
import { createScriptedModel } from "../../../test/scripted-model.ts";
import type { TestClient } from "../../../test/test-client.ts";
import { systemClock } from "../../ports/clock.ts";
import { lockUser } from "../accounts/user-store.ts";
import { reindexSession } from "./reindex-history.ts";
import { findSession } from "./session-store.ts";

const apps: TestApp[] = [];
const open = async (options: TestAppOptions = {}): Promise<TestApp> => {
  const app = await createTestApp({ engine: "postgres", ...options });
  apps.push(app);
  return app;
};
afterEach(async () => {
  for (const app of apps.splice(0).reverse()) await app.close();
});

const idOf = (person: TestClient) => person.user?.id ?? "";

/** Does `work`, which must wait for the user's row, and hold no other row of theirs by then. */
async function expectToWait<T>({ db }: TestApp, person: TestClient, work: () => Promise<T>): Promise<T> {
  let ended = false;
  let isHeld = (): void => {};
  const held = new Promise<void>((resolve) => {
    isHeld = resolve;
  });
  const holding = db.transaction(async (trx) => {
    await lockUser(db, trx, idOf(person));
    isHeld();
    const waiting = sql`select 1 from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))`;
    while (!ended && (await waiting.execute(trx)).rows.length === 0);
    expect(ended).toBe(false);
    const nowait = sql`for update nowait`;
    await trx.selectFrom("history_blocks").select("id").modifyEnd(nowait).execute();
    await trx.selectFrom("thinking_usage").select("used").modifyEnd(nowait).execute();
  });
  await held;
  const working = work().finally(() => {
    ended = true;
  });
  const [result] = await Promise.all([working, holding]);
  return result;
}

/** A session with one turn that has ended, title and all. */
async function talk(app: TestApp, person: TestClient): Promise<string> {
  const { id } = await person.ok(createSession, {});
  const stream = await person.stream(completion, { chat_session_id: id, prompt: "Something to be found" });
  await stream.ended;
  expect((await app.db.kysely.selectFrom("history_docs").select("id").execute()).length).toBe(3);
  return id;
}

/** A reply that thinks and is counted, under way. */
async function begin(app: TestApp, person: TestClient) {
  const { id } = await person.ok(createSession, {});
  const next = app.model.next();
  const asked = { chat_session_id: id, prompt: "Go", thinking_enabled: true };
  const stream = await person.stream(completion, asked);
  return { id, stream, run: await next };
}

it("a send and a repeated answer", async () => {
  const app = await open();
  const person = await app.signedIn();
  const id = await talk(app, person);
  const stream = await expectToWait(app, person, () =>
    person.stream(completion, {
      chat_session_id: id,
      prompt: "More",
      parent_message_id: 2,
      thinking_enabled: true,
    }),
  );
  await stream.ended;
  const again = await expectToWait(app, person, () =>
    person.stream(regenerate, { chat_session_id: id, child_message_id: 4, thinking_enabled: true }),
  );
  await again.ended;
});

it("the end of a reply, and its title that comes later", async () => {
  const app = await open();
  const person = await app.signedIn();
  const release = holdTitles(app);
  const { stream, run } = await begin(app, person);
  run.say("This is the answer.");
  await expectToWait(app, person, async () => {
    run.end();
    await stream.waitForType("finish");
  });
  const events = await expectToWait(app, person, () => {
    release();
    return stream.ended;
  });
  expect(events.map(({ type }) => type)).toContain("title");
});

it("a reply that was stopped before its first word", async () => {
  const app = await open();
  const person = await app.signedIn();
  const { id, stream } = await begin(app, person);
  await expectToWait(app, person, () => person.ok(stopStream, { chat_session_id: id }));
  await stream.ended;
});

it("a reply that nobody can end from its log", async () => {
  const app = await open({ settings: { LEASE_TIMEOUT_MS: "60000", LEASE_RENEW_MS: "30000" } });
  const person = await app.signedIn();
  const { stream } = await begin(app, person);
  await app.db.kysely.updateTable("stream_log").set({ events: "torn" }).execute();
  const quick = { LEASE_TIMEOUT_MS: "600", LEASE_RENEW_MS: "100" };
  await expectToWait(app, person, async () => {
    await app.db.kysely.updateTable("reply_lease").set({ owner: "a dead process", renewed_at: 0 }).execute();
    await open({ beside: app, settings: quick, model: createScriptedModel() });
    await expect
      .poll(() => app.db.kysely.selectFrom("replies").select("ended_at").executeTakeFirst())
      .not.toMatchObject({ ended_at: null });
  });
  await stream.close();
});

it("a rename", async () => {
  const app = await open();
  const person = await app.signedIn();
  const id = await talk(app, person);
  await expectToWait(app, person, () => person.ok(updateSessionTitle, { chat_session_id: id, title: "New" }));
});

it("a deletion, and that of the whole history", async () => {
  const app = await open();
  const person = await app.signedIn();
  const id = await talk(app, person);
  await expectToWait(app, person, () => person.ok(deleteSession, { chat_session_id: id }));
  await talk(app, person);
  await expectToWait(app, person, () => person.ok(deleteAllSessions, {}));
  expect(await app.db.kysely.selectFrom("history_blocks").select("id").execute()).toEqual([]);
});

it("an index that is brought to newer words", async () => {
  const app = await open();
  const person = await app.signedIn();
  const session = await findSession(app.db.kysely, idOf(person), await talk(app, person));
  if (session === undefined) throw new Error("it is gone");
  await app.db.kysely
    .updateTable("history_docs")
    .set({ words: sql`''::tsvector` } as object)
    .execute();
  const { renewed } = await expectToWait(app, person, () => reindexSession(app.db, systemClock, session));
  expect(renewed).toBe(3);
});
