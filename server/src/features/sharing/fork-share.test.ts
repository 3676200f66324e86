// One's own copy of a share: the same words under the reader's name, whole or not at all, and bounds on what it costs.
import { join } from "node:path";
import type { Fragment } from "@plumb/protocol/conversation/fragment";
import { fetchFiles, previewFile } from "@plumb/protocol/wire/files";
import {
  createSession,
  deleteSession,
  fetchSessionPage,
  historyMessages,
} from "@plumb/protocol/wire/sessions";
import { createShare, deleteShare, forkShare, shareContent } from "@plumb/protocol/wire/sharing";
import { completion, continueMessage, regenerate } from "@plumb/protocol/wire/turns";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { askTurn } from "../../../test/ask-turn.ts";
import { createTestApp, type TestApp } from "../../../test/create-test-app.ts";
import type { JsonAnswer, TestClient } from "../../../test/test-client.ts";
import { engines } from "../../../test/test-databases.ts";
import { createFolderObjectStore } from "../../adapters/object-store/folder-object-store.ts";
import { checkFiles } from "../../operator/check-files.ts";
import { checkInvariants } from "../../operator/check-invariants.ts";
import type { Trx } from "../../platform/database/database.ts";
import { beginCopy, purgeCopies } from "./session-copy-store.ts";
import { ShareState } from "./share-state.ts";
import { insertShare, purgeShares } from "./share-store.ts";

describe.each(engines)("a copy of a share on %s", (engine) => {
  let app: TestApp;
  let anna: TestClient;
  let bert: TestClient;

  beforeAll(async () => {
    app = await createTestApp({ engine });
    [anna, bert] = [await app.signedIn(), await app.signedIn()];
  });
  afterAll(async () => {
    await app.close();
  });

  const objects = () => createFolderObjectStore(join(app.config.dataDir, "objects"));
  const said = ({ envelope }: JsonAnswer) => [envelope.data?.biz_code, envelope.data?.biz_msg];
  const history = (session: string, person = bert) =>
    person.ok(historyMessages, { chat_session_id: session });
  const fork = async (id: string, person = bert) =>
    (await person.ok(forkShare, { share_id: id })).chat_session_id;
  const share = async (session: string, ids: number[]) =>
    (await anna.ok(createShare, { chat_session_id: session, message_ids: ids })).share_id;
  const read = (id: string) => app.client().ok(shareContent, { share_id: id });

  const ask = (session: string, prompt: string, parent: number | null, person = anna, more: object = {}) =>
    askTurn(person, session, { prompt, parent, ...more });

  /** A session with so many messages of one chain, each of so many characters, as if they had been written long ago. */
  async function longChat(count: number, chars: number): Promise<string> {
    const { id } = await anna.ok(createSession, {});
    const rows = Array.from({ length: count }, (_one, index) => {
      const isReply = index % 2 === 1;
      const content = `${index + 1} ${"文 x".repeat(Math.ceil(chars / 3))}`.slice(0, chars);
      const fragments = isReply
        ? [{ type: "RESPONSE", content, references: [], stage_id: 1, id: 2 }]
        : [{ id: 1, type: "REQUEST", content }];
      return {
        session_id: id,
        message_id: index + 1,
        user_id: anna.user?.id ?? "",
        parent_id: index === 0 ? null : index,
        role: isReply ? "ASSISTANT" : "USER",
        status: "FINISHED",
        fragments: JSON.stringify(fragments),
        files: "[]",
        accumulated_token_usage: index + 1,
        thinking_enabled: 0,
        search_enabled: 0,
        ban_regenerate: 0,
        ban_edit: 0,
        inserted_at: 1000 + index,
        last_event_id: 0,
      };
    });
    await app.db.transaction(async (trx) => {
      for (let from = 0; from < count; from += 100)
        await trx
          .insertInto("messages")
          .values(rows.slice(from, from + 100))
          .execute();
      await trx
        .insertInto("replies")
        .values(
          rows
            .filter(({ role }) => role === "ASSISTANT")
            .map(({ user_id, session_id, message_id, parent_id }) => ({
              user_id,
              session_id,
              message_id,
              request_message_id: parent_id ?? 0,
              agent: "chat",
              model: "",
              thinking_enabled: 0,
              search_enabled: 0,
              locale: "en_US",
              produced_ms: 0,
              run_first_id: 1,
              started_at: 1,
              ended_at: 1,
            })),
        )
        .execute();
      const current = { current_message_id: count, last_message_id: count };
      await trx.updateTable("sessions").set(current).where("id", "=", id).execute();
    });
    return id;
  }

  it("[SHARE-051] is a session of one's own with the share's messages and title, and goes on as any other", async () => {
    const { id: session } = await anna.ok(createSession, { agent: "coder" });
    await ask(session, "One", null);
    await ask(session, "Two", 2);
    await ask(session, "Three", 4);
    const id = await share(session, [1, 2, 5, 6]);
    const own = await fork(id);
    const { chat_session, chat_messages } = await history(own);
    expect(chat_session).toMatchObject({
      id: own,
      agent: "coder",
      title: "One",
      title_type: "SYSTEM",
      current_message_id: 4,
      is_empty: false,
      pinned: false,
    });
    expect(own).not.toBe(session);
    expect(chat_messages).toEqual((await read(id)).messages);
    const page = await bert.ok(fetchSessionPage, {});
    expect(page.chat_sessions[0]).toEqual(chat_session);
    expect((await anna.call(historyMessages, { chat_session_id: own })).envelope.data?.biz_code).toBe(1);

    await ask(own, "Mine", 4, bert);
    expect(
      app.model.replies
        .at(-1)
        ?.messages.map(({ content }) => content)
        .slice(-5),
    ).toEqual(["One", "You said: One", "Three", "You said: Three", "Mine"]);
    await (
      await bert.stream(regenerate, { chat_session_id: own, child_message_id: 4 })
    ).ended;
    expect(
      (await history(own)).chat_messages.map((message) => [message.message_id, message.parent_id]),
    ).toEqual([
      [1, null],
      [2, 1],
      [3, 2],
      [4, 3],
      [5, 4],
      [6, 5],
      [7, 3],
    ]);
    expect((await read(id)).messages).toHaveLength(4);
    expect((await history(session, anna)).chat_messages).toHaveLength(6);
  });

  it("a stopped reply in it can be continued, and one without a title gets its own", async () => {
    const { id: session } = await anna.ok(createSession, {});
    const next = app.model.next();
    const stream = await anna.stream(completion, { chat_session_id: session, prompt: "Stopped" });
    const run = await next;
    run.say("Half a");
    await stream.waitForType("delta");
    run.fail("unavailable");
    await stream.ended;
    const id = await share(session, [1, 2]);
    // As one of a question without words, or made of a session without a title before titles came from what was chosen.
    await app.db.kysely.updateTable("shares").set({ title: null }).where("id", "=", id).execute();
    expect(await read(id)).toMatchObject({ title: "", messages: [{}, { status: "INCOMPLETE" }] });
    const own = await fork(id);
    expect((await history(own)).chat_session).toMatchObject({ title: null, title_type: "WIP" });
    const more = app.model.next();
    const goesOn = await bert.stream(continueMessage, { chat_session_id: own, message_id: 2 });
    const rest = await more;
    rest.say(" sentence.");
    rest.end();
    await goesOn.ended;
    const { chat_messages } = await history(own);
    expect(chat_messages[1]).toMatchObject({
      status: "FINISHED",
      fragments: [{ content: "Half a sentence." }],
    });
    expect((await read(id)).messages[1]).toMatchObject({ fragments: [{ content: "Half a" }] });
  });

  it("its files are one's own, have their texts and nothing else, and outlive the original", async () => {
    const notes = await anna.uploaded("notes.txt", "The password is xylophone.\n");
    const { id: session } = await anna.ok(createSession, {});
    await ask(session, "Which?", null, anna, { ref_file_ids: [notes.id] });
    await ask(session, "Again", 2, anna, { ref_file_ids: [notes.id] });
    const id = await share(session, [1, 2, 3, 4]);
    const shown = (await read(id)).messages[0]?.files[0];
    expect(shown).toEqual({
      ...notes,
      id: expect.stringMatching(/^file-/) as string,
      previewable: false,
      from_share: true,
      inserted_at: expect.any(Number) as number,
      updated_at: expect.any(Number) as number,
    });
    expect(shown?.id).not.toBe(notes.id);
    for (const person of [anna, bert]) {
      expect((await person.ok(fetchFiles, { file_ids: shown?.id ?? "" })).files).toEqual([]);
    }
    const own = await fork(id);
    const { chat_messages } = await history(own);
    const [copy] = chat_messages[0]?.files ?? [];
    expect(chat_messages[2]?.files).toEqual([copy]);
    expect(copy).toMatchObject({
      file_name: "notes.txt",
      file_size: 27,
      from_share: true,
      previewable: false,
    });
    expect([notes.id, shown?.id]).not.toContain(copy?.id);
    expect(said(await bert.call(previewFile, { file_id: copy?.id ?? "" }))).toEqual([
      2,
      "FILE_NOT_PREVIEWABLE",
    ]);
    await anna.ok(deleteSession, { chat_session_id: session });
    await ask(own, "And now?", 4, bert);
    const [first] = app.model.replies.at(-1)?.messages.filter(({ role }) => role === "user") ?? [];
    expect(first?.content).toContain("The password is xylophone.");
    await bert.ok(deleteSession, { chat_session_id: own });
    expect((await bert.ok(fetchFiles, { file_ids: copy?.id ?? "" })).files).toEqual([]);
  });

  it("texts over the storage limit are refused with 6, and nothing is left of the copy", async () => {
    const notes = await anna.uploaded("large.txt", "word ".repeat(8000));
    const { id: session } = await anna.ok(createSession, {});
    await ask(session, "Large", null, anna, { ref_file_ids: [notes.id] });
    const id = await share(session, [1, 2]);
    const full = await app.signedIn();
    await app.db.kysely
      .insertInto("files")
      .values({
        id: `file-${crypto.randomUUID()}`,
        user_id: full.user?.id ?? "",
        name: "x.txt",
        bytes: 1024 * 1024 - 39_999,
        status: "PENDING",
        thinking_enabled: 0,
        inserted_at: 1,
        updated_at: 1,
        removed_at: 1,
      })
      .execute();
    const bytes = app.db.kysely.updateTable("files").where("user_id", "=", full.user?.id ?? "");
    Object.assign(app.config, { fileQuotaMb: 1 });
    await bytes.set({ removed_at: null }).execute();
    expect(said(await full.call(forkShare, { share_id: id }))).toEqual([6, "STORAGE_QUOTA_EXCEEDED"]);
    await bytes.set({ bytes: 1024 * 1024 - 40_000 }).execute();
    expect(said(await full.call(forkShare, { share_id: id }))[0]).toBe(0);
    Object.assign(app.config, { fileQuotaMb: 0 });
    await app.db.kysely
      .deleteFrom("files")
      .where("user_id", "=", full.user?.id ?? "")
      .where("from_share", "=", 0)
      .execute();
    const { chat_sessions } = await full.ok(fetchSessionPage, {});
    expect(chat_sessions).toHaveLength(1);
  });

  it("of several files of which not all have room none stays, nor takes of what room there is", async () => {
    const texts = await Promise.all(
      ["one.txt", "two.txt", "three.txt"].map((name) => anna.uploaded(name, "word ".repeat(8000))),
    );
    const { id: session } = await anna.ok(createSession, {});
    await ask(session, "Three", null, anna, { ref_file_ids: texts.map((file) => file.id) });
    const id = await share(session, [1, 2]);
    const full = await app.signedIn();
    // Room for two of them.
    const taken = await full.uploaded("own.txt", "x");
    await app.db.kysely
      .updateTable("files")
      .set({ bytes: 1024 * 1024 - 80_000 })
      .where("id", "=", taken.id)
      .execute();
    Object.assign(app.config, { fileQuotaMb: 1 });
    expect(said(await full.call(forkShare, { share_id: id }))).toEqual([6, "STORAGE_QUOTA_EXCEEDED"]);
    const small = await full.uploaded("small.txt", "y".repeat(70_000));
    Object.assign(app.config, { fileQuotaMb: 0 });
    const files = () =>
      app.db.kysely
        .selectFrom("files")
        .select("id")
        .where("user_id", "=", full.user?.id ?? "")
        .execute();
    await expect
      .poll(async () => (await files()).map((file) => file.id).toSorted(), { timeout: 10_000 })
      .toEqual([taken.id, small.id].toSorted());
    await app.db.kysely.updateTable("files").set({ bytes: 1 }).where("id", "=", taken.id).execute();
  });

  describe("of 1,000 messages", () => {
    let session: string;
    let id: string;
    const transactions = () => vi.spyOn(app.db, "transaction");

    beforeAll(async () => {
      session = await longChat(1000, 3000);
    }, 60_000);

    it("is shared, read and copied in pieces, the same in all three", async () => {
      const all = Array.from({ length: 1000 }, (_one, index) => index + 1);
      const spy = transactions();
      id = await share(session, all);
      // Of some 128 KiB each.
      expect(spy.mock.calls.length).toBeGreaterThan(20);
      spy.mockClear();
      const own = await fork(id);
      expect(spy.mock.calls.length).toBeGreaterThan(20);
      spy.mockRestore();
      const [original, shared, copied] = [await history(session, anna), await read(id), await history(own)];
      expect(shared.messages).toEqual(original.chat_messages);
      expect(copied.chat_messages).toEqual(original.chat_messages);
    }, 60_000);

    it("is nothing at all when it ends before the last piece", async () => {
      const spy = transactions();
      let pieces = 0;
      const original = app.db.transaction.bind(app.db);
      spy.mockRestore();
      const during = (piece: number, act: () => Promise<unknown>) => {
        pieces = 0;
        return vi
          .spyOn(app.db, "transaction")
          .mockImplementation(async (work: (trx: Trx) => Promise<unknown>) => {
            pieces += 1;
            if (pieces === piece) {
              pieces = Number.NEGATIVE_INFINITY;
              await act();
            }
            return original(work);
          });
      };
      const before = await bert.ok(fetchSessionPage, {});
      const cut = during(5, () => anna.ok(deleteShare, { share_id: id }));
      expect(said(await bert.call(forkShare, { share_id: id }))).toEqual([2, "SHARE_IS_DELETED_OR_BANNED"]);
      cut.mockRestore();
      expect(await bert.ok(fetchSessionPage, {})).toEqual(before);
      expect(await app.db.kysely.selectFrom("session_copies").selectAll().execute()).toEqual([]);

      const ids = Array.from({ length: 1000 }, (_one, index) => index + 1);
      const changed = during(5, () =>
        app.db.kysely
          .updateTable("messages")
          .set({ fragments: "[]" })
          .where("session_id", "=", session)
          .where("message_id", "=", 900)
          .execute(),
      );
      const attempt = () => anna.call(createShare, { chat_session_id: session, message_ids: ids });
      expect(said(await attempt())).toEqual([5, "SOME_MESSAGES_CANNOT_BE_SHARED"]);
      changed.mockRestore();
      const deleted = during(5, () => anna.ok(deleteSession, { chat_session_id: session }));
      expect(said(await attempt())).toEqual([1, "CHAT_SESSION_DELETED"]);
      deleted.mockRestore();
      // Much of it had been copied: that goes in steps.
      const left = app.db.kysely
        .selectFrom("share_messages")
        .select("message_id")
        .where("share_id", "not in", ["", id])
        .where("message_id", ">", 8);
      await expect.poll(() => left.execute(), { timeout: 20_000 }).toEqual([]);
    }, 60_000);
  });

  it("a single message larger than a piece is read as it is", async () => {
    const session = await longChat(4, 300_000);
    const id = await share(session, [1, 2, 3, 4]);
    const own = await fork(id);
    const texts = (messages: readonly { fragments: Fragment[] }[]) =>
      messages.map(({ fragments }) => fragments);
    const expected = texts((await history(session, anna)).chat_messages);
    expect(texts((await read(id)).messages)).toEqual(expected);
    expect(texts((await history(own)).chat_messages)).toEqual(expected);
  });

  it("what a process that died has left of shares and copies is forgotten, and old marks with it", async () => {
    const { id: session } = await anna.ok(createSession, {});
    await ask(session, "Kept", null);
    const kept = await share(session, [1, 2]);
    const now = app.app.deps.ports.clock.now();
    const row = (id: string, state: string, age: number) => ({
      id: id.padEnd(18, "0"),
      user_id: anna.user?.id ?? "",
      session_id: session,
      shown_session_id: "",
      title: null,
      agent: "chat",
      state,
      created_at: now - age,
      state_at: now - age,
    });
    const [minute, day] = [60_000, 86_400_000];
    for (const one of [
      row("making", ShareState.Making, minute),
      row("dead", ShareState.Making, 31 * minute),
      row("ended", ShareState.Deleted, 29 * day),
      row("forgotten", ShareState.Deleted, 31 * day),
      row("disabled", ShareState.Disabled, 400 * day),
    ])
      await insertShare(app.db.kysely, one);
    await purgeShares(app.db, app.app.deps.ports.clock, now - 30 * minute);
    const rows = await app.db.kysely
      .selectFrom("shares")
      .select("id")
      .where("session_id", "=", session)
      .execute();
    const left = rows.map(({ id }) => id.replace(/0+$/u, "")).toSorted();
    expect(left).toEqual([kept.replace(/0+$/u, ""), "disabled", "ended", "making"].toSorted());

    for (const [id, age] of [
      [session, 31],
      [crypto.randomUUID(), 31],
      [crypto.randomUUID(), 1],
    ] as const)
      await beginCopy(app.db.kysely, { session_id: id, user_id: "", began_at: now - age * minute });
    await app.db.kysely.deleteFrom("session_copies").where("session_id", "=", session).execute();
    await purgeCopies(app.db, app.app.deps.ports.clock, now - 30 * minute);
    expect(await app.db.kysely.selectFrom("session_copies").selectAll().execute()).toHaveLength(1);
  });

  it("leaves nothing stored that must not be", async () => {
    expect((await checkInvariants(app.db)).violations).toEqual([]);
    expect((await checkFiles(app.db, objects())).violations).toEqual([]);
  });
});
