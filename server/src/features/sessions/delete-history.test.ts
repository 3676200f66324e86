// All of a user's history goes: in steps, whoever dies meanwhile, and with every word of it; on both databases.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { messageFeedback } from "@plumb/protocol/wire/feedback";
import { deleteAllSessions } from "@plumb/protocol/wire/history";
import { createSession, updateSessionTitle } from "@plumb/protocol/wire/sessions";
import { completion } from "@plumb/protocol/wire/turns";
import { sql } from "kysely";
import { afterEach, describe, expect, it } from "vitest";
import { createTestApp, type TestApp, type TestAppOptions } from "../../../test/create-test-app.ts";
import type { TestClient } from "../../../test/test-client.ts";
import { engines } from "../../../test/test-databases.ts";
import { createLogger } from "../../platform/logger.ts";
import { HISTORY_JOB } from "./delete-history.ts";
import { purgeSessions } from "./purge-store.ts";
import { insertSession } from "./session-store.ts";

const CANARY = "xylophone-of-the-deleted";

describe.each(engines)("deleting all history on %s", (engine) => {
  const apps: TestApp[] = [];
  const open = async (options: TestAppOptions = {}): Promise<TestApp> => {
    const app = await createTestApp({ engine, ...options });
    apps.push(app);
    return app;
  };
  afterEach(async () => {
    for (const app of apps.splice(0).reverse()) await app.close();
  });

  const idOf = (person: TestClient) => person.user?.id ?? "";
  const liveSessions = async (app: TestApp, person: TestClient) =>
    (
      await app.db.kysely
        .selectFrom("sessions")
        .select("id")
        .where("user_id", "=", idOf(person))
        .where("deleted_at", "is", null)
        .execute()
    ).map(({ id }) => id);

  /** As if made long ago, without the calls. */
  async function makeSessions(app: TestApp, person: TestClient, count: number): Promise<void> {
    await app.db.transaction(async (trx) => {
      for (let n = 1; n <= count; n += 1) {
        await insertSession(trx, {
          id: crypto.randomUUID(),
          user_id: idOf(person),
          seq_id: n,
          agent: "chat",
          character_id: null,
          title: `Session ${n}`,
          title_type: "USER",
          version: 1,
          current_message_id: null,
          last_message_id: 0,
          inserted_at: 1000 + n,
          updated_at: 1000 + n,
          deleted_at: null,
          pinned_at: n % 100 === 0 ? 5 : null,
        });
      }
      await trx.updateTable("users").set({ last_seq_id: count }).where("id", "=", idOf(person)).execute();
    });
  }

  it("takes some sessions at a time, others are served between, and what is made meanwhile stays [EXP-018]", async () => {
    const app = await open();
    const [person, other] = [await app.signedIn(), await app.signedIn()];
    await makeSessions(app, person, 500);
    await makeSessions(app, other, 3);
    const steps: number[] = [];
    let made: string | null = null;
    app.app.deps.events.on("sessionsDeleting", async ({ sessionIds }) => {
      steps.push(sessionIds.length);
      if (steps.length === 2) made = (await person.another().ok(createSession, {})).id;
    });
    await person.ok(deleteAllSessions, {});
    expect(made).not.toBeNull();
    expect(await liveSessions(app, person)).toEqual([made]);
    expect(await liveSessions(app, other)).toHaveLength(3);
    expect(steps.reduce((sum, step) => sum + step, 0)).toBe(500);
    expect(Math.max(...steps)).toBeLessThanOrEqual(100);
    expect(steps.length).toBeGreaterThan(4);
    expect(await app.db.kysely.selectFrom("jobs").selectAll().execute()).toEqual([]);
    await person.ok(deleteAllSessions, {});
    expect(await liveSessions(app, person)).toEqual([]);
  });

  it("also deletes what another process's clock, which is ahead, has dated later", async () => {
    const app = await open();
    const person = await app.signedIn();
    await person.ok(createSession, {});
    await app.db.kysely
      .updateTable("sessions")
      .set({ inserted_at: Date.now() + 60_000 })
      .execute();
    await person.ok(deleteAllSessions, {});
    expect(await liveSessions(app, person)).toEqual([]);
  });

  it("goes on after an error in the middle, which is told [EXP-018]", async () => {
    const app = await open();
    const person = await app.signedIn();
    await makeSessions(app, person, 60);
    let steps = 0;
    app.app.deps.events.on("sessionsDeleting", async () => {
      steps += 1;
      if (steps === 2) throw new Error("the disk is full");
    });
    const { envelope } = await person.call(deleteAllSessions, {});
    expect(envelope.data).toMatchObject({ biz_code: 1, biz_msg: "DELETE_ALL_FAILED", biz_data: null });
    const later = (await person.ok(createSession, {})).id;
    await expect.poll(() => liveSessions(app, person)).toEqual([later]);
  });

  it("is finished by another process when the one that began it has died", async () => {
    const app = await open();
    const person = await app.signedIn();
    await makeSessions(app, person, 30);
    await app.db.kysely
      .insertInto("jobs")
      .values({
        subject: `${HISTORY_JOB}.1020.${crypto.randomUUID()}`,
        kind: HISTORY_JOB,
        user_id: idOf(person),
        owner: "a process that died",
        epoch: 1,
        attempts: 0,
        renewed_at: 0,
        due_at: 0,
      })
      .execute();
    await expect.poll(() => app.db.kysely.selectFrom("jobs").selectAll().execute()).toEqual([]);
    // Ten were made after the call.
    expect(await liveSessions(app, person)).toHaveLength(10);
  });

  it("leaves no word of them: in the tables, the database's file, the store of files or the log [EXP-018]", async () => {
    const lines: string[] = [];
    const app = await open({ log: createLogger("debug", { write: (line) => void lines.push(line) }) });
    const [person, other] = [await app.signedIn(), await app.signedIn()];
    const file = await person.uploaded(`${CANARY}.txt`, `The file says ${CANARY}.`);
    for (const [who, word] of [
      [person, CANARY],
      [other, "glockenspiel-of-the-kept"],
    ] as const) {
      for (let n = 0; n < 5; n += 1) {
        const { id } = await who.ok(createSession, {});
        const next = app.model.next();
        const stream = await who.stream(completion, {
          chat_session_id: id,
          prompt: `${word} ${"and more ".repeat(2000)} ${word}`,
          thinking_enabled: n > 0,
          ref_file_ids: who === person && n === 0 ? [file.id] : [],
        });
        const run = await next;
        run.think(`I think of ${word}. `);
        run.say(`${`The answer is ${word}. `.repeat(500)}`);
        run.end();
        await stream.ended;
        await who.ok(updateSessionTitle, { chat_session_id: id, title: word });
        await who.ok(messageFeedback, {
          chat_session_id: id,
          message_id: 2,
          feedback_type: "BAD",
          feedback_tag: word,
          description: word,
        });
      }
    }
    const everyRow = async (): Promise<string> => {
      const tables = await app.db.kysely.introspection.getTables();
      // What FTS5 knows stands in tables of its own beside the virtual one, which cannot be read.
      const readable = tables.filter(({ name }) => name !== "history_words");
      const rows = await Promise.all(
        readable.map(({ name }) =>
          app.db.kysely
            .selectFrom(name as "users")
            .selectAll()
            .execute(),
        ),
      );
      return JSON.stringify(rows);
    };
    expect(await everyRow()).toContain(CANARY);
    await person.ok(deleteAllSessions, {});
    await expect.poll(() => app.db.kysely.selectFrom("jobs").selectAll().execute()).toEqual([]);
    await purgeSessions(
      { db: app.db, clock: app.app.deps.ports.clock },
      { emptySessionLifeSecs: 3600, deletedSessionMarkSecs: -1 },
    );
    const rows = await everyRow();
    expect(rows).not.toContain(CANARY);
    expect(rows).toContain("glockenspiel-of-the-kept");
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.join("")).not.toContain(CANARY);
    const folder = app.config.dataDir;
    // What SQLite's log holds comes into the file, as it does by itself.
    if (engine === "sqlite") await sql`pragma wal_checkpoint(truncate)`.execute(app.db.kysely);
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
    const bytes = files.map((one) => readFileSync(join(one.parentPath, one.name)).toString("latin1"));
    expect(files.filter((_one, index) => bytes[index]?.includes(CANARY)).map(({ name }) => name)).toEqual([]);
    if (engine === "sqlite")
      expect(bytes.some((text) => text.includes("glockenspiel-of-the-kept"))).toBe(true);
  });
});
