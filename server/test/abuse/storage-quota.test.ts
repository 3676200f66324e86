// One account cannot fill the disk: chats, copies of shares, imports and files count together, however they come, and no count
// is left of what is gone.
import { deleteAllSessions } from "@plumb/protocol/wire/history";
import { unregister } from "@plumb/protocol/wire/own-account";
import { createSession, deleteSession, fetchSessionPage } from "@plumb/protocol/wire/sessions";
import { createShare, forkShare } from "@plumb/protocol/wire/sharing";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { storedBytesOf } from "../../src/features/guard/stored-bytes-store.ts";
import { imported, sendImport } from "../../src/features/imports/import.fixture.ts";
import { checkInvariants } from "../../src/operator/check-invariants.ts";
import { recountStoredBytes } from "../../src/operator/stored-bytes-store.ts";
import { migrate } from "../../src/platform/database/migrate.ts";
import { askTurn } from "../ask-turn.ts";
import type { TestApp } from "../create-test-app.ts";
import { testApps } from "../test-apps.ts";
import type { JsonAnswer, TestClient } from "../test-client.ts";
import { engines } from "../test-databases.ts";

const MIB = 1024 * 1024;
/** Bytes of a chat, half of them a prompt that the model repeats: five have room. */
const CHAT = 200_000;

describe.each(engines)("the storage of an account on %s", (engine) => {
  const open = testApps({ engine, settings: { STORAGE_QUOTA_MB: "1" } });

  const used = (app: TestApp, person: TestClient) => storedBytesOf(app.db.kysely, person.user?.id ?? "");
  const said = ({ envelope }: JsonAnswer<unknown>) => [envelope.data?.biz_code, envelope.data?.biz_msg];
  const full = [6, "STORAGE_QUOTA_EXCEEDED"];
  const sound = async ({ db }: TestApp) => expect((await checkInvariants(db)).violations).toEqual([]);
  const sessionsOf = async (person: TestClient) =>
    (await person.ok(fetchSessionPage, { count: 100 })).chat_sessions;

  async function chat(person: TestClient, bytes = CHAT): Promise<string> {
    const { id } = await person.ok(createSession, {});
    await askTurn(person, id, { prompt: "x".repeat(bytes / 2), parent: null });
    return id;
  }
  async function share(person: TestClient): Promise<string> {
    const session = await chat(person);
    return (await person.ok(createShare, { chat_session_id: session, message_ids: [1, 2] })).share_id;
  }
  const textOf = (bytes: number) => "y ".repeat(bytes / 2);

  /** Chats as ChatGPT exports them. */
  const exported = (count: number, bytes: number) =>
    JSON.stringify(
      Array.from({ length: count }, (_one, index) => ({
        id: `chat-${index}`,
        title: `Chat ${index}`,
        create_time: 1_700_000_000 + index,
        update_time: 1_700_000_000 + index,
        current_node: "b",
        mapping: {
          a: {
            id: "a",
            parent: null,
            children: ["b"],
            message: {
              id: "a",
              author: { role: "user" },
              create_time: 1_700_000_000 + index,
              content: { content_type: "text", parts: ["z".repeat(bytes)] },
            },
          },
          b: {
            id: "b",
            parent: "a",
            children: [],
            message: {
              id: "b",
              author: { role: "assistant" },
              create_time: 1_700_000_001 + index,
              content: { content_type: "text", parts: ["Yes."] },
            },
          },
        },
      })),
    );

  it("holds copies of a share that are made at the same time; chats go on, and what is deleted gives room", async () => {
    const app = await open();
    const [anna, bert] = [await app.signedIn(), await app.signedIn()];
    const id = await share(anna);
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => bert.call(forkShare, { share_id: id })),
    );
    const refused = answers.filter(({ envelope }) => envelope.data?.biz_code !== 0);
    expect(refused.map(said)).toEqual(refused.map(() => full));
    const made = 12 - refused.length;
    expect(made).toBeLessThanOrEqual(5);
    expect(await used(app, bert)).toBeLessThanOrEqual(MIB);
    expect(await sessionsOf(bert)).toHaveLength(made);
    while (said(await bert.call(forkShare, { share_id: id }))[0] === 0);
    const last = await bert.call(forkShare, { share_id: id });
    expect(last.envelope.data?.biz_data).toEqual({ used_bytes: await used(app, bert), quota_bytes: MIB });
    expect(await sessionsOf(bert)).toHaveLength(5);

    const session = await chat(bert);
    expect(await used(app, bert)).toBeGreaterThan(MIB);
    const link = await bert.call(createShare, { chat_session_id: session, message_ids: [1, 2] });
    expect(said(link)).toEqual([12, "STORAGE_QUOTA_EXCEEDED"]);
    const [newest, ...others] = await sessionsOf(bert);
    await bert.ok(deleteSession, { chat_session_id: newest?.id ?? "" });
    await bert.ok(deleteSession, { chat_session_id: others[0]?.id ?? "" });
    expect(said(await bert.call(forkShare, { share_id: id }))[0]).toBe(0);
    await sound(app);
  });

  it("tells in a refusal what was used before it, and nothing of what the refused call had begun", async () => {
    const app = await open();
    const [anna, bert] = [await app.signedIn(), await app.signedIn()];
    const own = await chat(bert);
    const [words, { id }] = [await share(anna), await anna.ok(createSession, {})];
    const files = [
      await anna.uploaded("a.txt", textOf(50_000)),
      await anna.uploaded("b.txt", textOf(50_000)),
    ];
    // The files are not said again.
    app.model.answer = () => ["Yes."];
    await askTurn(anna, id, { prompt: "x", parent: null, ref_file_ids: files.map((file) => file.id) });
    const { share_id: withFiles } = await anna.ok(createShare, { chat_session_id: id, message_ids: [1, 2] });
    const { kysely } = app.db;
    const leaveRoom = async (room: number) => {
      const user_id = bert.user?.id ?? "";
      await kysely.deleteFrom("stored_bytes").where("user_id", "=", user_id).execute();
      await kysely
        .insertInto("stored_bytes")
        .values({ user_id, bytes: MIB - room })
        .execute();
    };
    const refusedWith = async (answer: JsonAnswer<unknown>, room: number) => {
      expect(answer.envelope.data?.biz_msg).toBe("STORAGE_QUOTA_EXCEEDED");
      expect(answer.envelope.data?.biz_data).toEqual({ used_bytes: MIB - room, quota_bytes: MIB });
      await expect.poll(() => used(app, bert)).toBe(MIB - room);
    };
    const { rows } = await sql<{ bytes: number | string }>`
      select sum(octet_length(fragments)) as bytes from share_messages where share_id = ${words}`.execute(
      kysely,
    );
    // Enough for the words, and not for their rows.
    const room = Number(rows[0]?.bytes) + 600;
    await leaveRoom(room);
    await refusedWith(await bert.call(forkShare, { share_id: words }), room);
    await refusedWith(await bert.call(createShare, { chat_session_id: own, message_ids: [1, 2] }), room);
    // Enough for one of the files.
    await leaveRoom(75_000);
    await refusedWith(await bert.call(forkShare, { share_id: withFiles }), 75_000);
  });

  it("holds uploads at the same time, beside copies of shares", async () => {
    const app = await open();
    const [anna, bert] = [await app.signedIn(), await app.signedIn()];
    const id = await share(anna);
    const [forks, uploads] = await Promise.all([
      Promise.all(Array.from({ length: 6 }, () => bert.call(forkShare, { share_id: id }))),
      Promise.all(Array.from({ length: 3 }, (_one, index) => bert.upload(`${index}.txt`, textOf(400_000)))),
    ]);
    for (const answer of [...forks, ...uploads])
      if (answer.envelope.data?.biz_code !== 0) expect(said(answer)).toEqual(full);
    // A text is read later, and counts then: one item for each file that was taken.
    const taken = uploads.filter(({ envelope }) => envelope.data?.biz_code === 0);
    const copied = forks.filter(({ envelope }) => envelope.data?.biz_code === 0);
    expect(taken.length * 400_000 + copied.length * CHAT).toBeLessThanOrEqual(MIB);
    await expect
      .poll(async () => (await app.db.kysely.selectFrom("jobs").select("kind").execute()).length)
      .toBe(0);
    const stored = await used(app, bert);
    expect(said(await bert.upload("more.txt", textOf(MIB - stored + 2)))).toEqual(full);
    await sound(app);
  });

  it("ends an import where it is full, with what was taken in, and refuses the next before it is read", async () => {
    const app = await open();
    const bert = await app.signedIn();
    const status = await imported(bert, "conversations.json", exported(8, CHAT));
    expect(status).toMatchObject({ status: "FAILED", error: "STORAGE_FULL", sessions_total: 8 });
    expect(status.sessions_done).toBe(5);
    expect(await sessionsOf(bert)).toHaveLength(5);
    await expect
      .poll(async () => (await app.db.kysely.selectFrom("jobs").select("kind").execute()).length)
      .toBe(0);
    const stored = await used(app, bert);
    expect(stored).toBeLessThanOrEqual(MIB);
    await chat(bert, 2 * (MIB - stored));
    expect(said(await sendImport(bert, "conversations.json", exported(1, 10)))).toEqual(full);
    await sound(app);
  });

  it("counts what is stored of shares, files and exports, and nothing of what is gone", async () => {
    const app = await open({ settings: {} });
    const [anna, bert] = [await app.signedIn(), await app.signedIn()];
    const id = await share(anna);
    expect(await used(app, anna)).toBeGreaterThan(2 * CHAT);
    await anna.uploaded("a.txt", textOf(1000));
    await bert.ok(forkShare, { share_id: id });
    await bert.uploaded("b.txt", textOf(1000));
    await sound(app);
    for (const person of [anna, bert]) await person.ok(deleteAllSessions, {});
    // A file that was sent with no message goes by itself, later.
    expect(await used(app, bert)).toBe(2000);
    await bert.ok(unregister, {});
    await anna.ok(unregister, {});
    await expect
      .poll(() => app.db.kysely.selectFrom("stored_bytes").selectAll().execute(), { timeout: 10_000 })
      .toEqual([]);
    await sound(app);
  });

  it("is counted of what was stored before there was a count, and anew where a count is wrong", async () => {
    const app = await open();
    const { db } = app;
    const anna = await app.signedIn();
    await share(anna);
    await anna.uploaded("a.txt", textOf(1000));
    const stored = await used(app, anna);
    for (const table of ["messages", "share_messages", "files", "exports"])
      for (const name of ["stored", "changed", "removed"])
        await sql
          .raw(
            engine === "postgres"
              ? `drop function ${table}_${name}() cascade`
              : `drop trigger ${table}_${name}`,
          )
          .execute(db.kysely);
    if (engine === "postgres") await sql`drop function add_stored_bytes(text, bigint)`.execute(db.kysely);
    await sql`drop table stored_bytes`.execute(db.kysely);
    await sql`delete from schema_migrations where name = '0028-stored-bytes'`.execute(db.kysely);
    expect(await migrate(db)).toEqual(["0028-stored-bytes"]);
    expect(await used(app, anna)).toBe(stored);

    await db.kysely.updateTable("stored_bytes").set({ bytes: 7 }).execute();
    const { violations } = await checkInvariants(db);
    expect(violations).toEqual([
      {
        invariant: "I9",
        where: `account ${anna.user?.id}`,
        what: `the count of its stored bytes is wrong by ${stored - 7}`,
      },
    ]);
    expect(await recountStoredBytes(db)).toBe(1);
    expect(await used(app, anna)).toBe(stored);
    expect(await recountStoredBytes(db)).toBe(0);
  });
});
