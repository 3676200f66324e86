// Sessions as their owner sees them: made, listed, renamed, read, deleted, on both databases.
import { resumeStream } from "@plumb/protocol/wire/replies";
import { deleteAllSessions } from "@plumb/protocol/wire/history";
import {
  createSession,
  deleteSession,
  fetchSessionPage,
  historyMessages,
  type SessionPage,
  updateSessionPinned,
  updateSessionTitle,
} from "@plumb/protocol/wire/sessions";
import { completion, regenerate } from "@plumb/protocol/wire/turns";
import { describe, expect, it } from "vitest";
import { testApps } from "../../../test/test-apps.ts";
import { createScriptedModel } from "../../../test/scripted-model.ts";
import type { TestClient } from "../../../test/test-client.ts";
import { engines } from "../../../test/test-databases.ts";

const illegal = { biz_code: 1, biz_msg: "ILLEGAL_CHAT_SESSION_ID", biz_data: null };
const deleted = { biz_code: 1, biz_msg: "CHAT_SESSION_DELETED", biz_data: null };

describe.each(engines)("sessions on %s", (engine) => {
  const open = testApps({ engine });

  /** A session with one finished exchange. */
  async function talk(person: TestClient, prompt: string): Promise<string> {
    const { id } = await person.ok(createSession, {});
    await (
      await person.stream(completion, { chat_session_id: id, prompt })
    ).ended;
    return id;
  }
  const idsOf = (page: SessionPage) => page.chat_sessions.map((session) => session.id);

  it("are made empty and unlisted, flat and under chat_session [SESS-009] [SHELL-003]", async () => {
    const app = await open();
    const person = await app.signedIn();
    const made = await person.ok(createSession, {});
    expect(made).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      seq_id: expect.any(Number),
      agent: "chat",
      character_id: null,
      model_type: "default",
      title: null,
      title_type: "WIP",
      version: 0,
      current_message_id: null,
      pinned: false,
      is_empty: true,
      route_id: null,
      inserted_at: expect.any(Number),
      updated_at: expect.any(Number),
      chat_session: expect.anything(),
      ttl_seconds: 86_400,
    });
    const { chat_session, ttl_seconds: _life, ...flat } = made;
    expect(chat_session).toEqual(flat);
    expect(idsOf(await person.ok(fetchSessionPage, {}))).toEqual([]);
    expect((await person.ok(createSession, { character_id: "coder" })).agent).toBe("coder");
    expect((await person.ok(createSession, { agent: "chat_cache1" })).agent).toBe("chat_cache1");
    expect((await person.ok(createSession, { character_id: "chat_cache2" })).agent).toBe("chat_cache2");
    const bare = await person.request(createSession.path, { method: "POST" });
    expect(await bare.json()).toMatchObject({ code: 0, data: { biz_code: 0, biz_data: { agent: "chat" } } });
  });

  it("are refused to an unknown agent with 20 [STRM-037]", async () => {
    const app = await open();
    const person = await app.signedIn();
    for (const id of ["nobody", "", "__proto__", "constructor", "toString", "a\0b", "\ud800", "chat "]) {
      const { envelope } = await person.call(createSession, { character_id: id });
      expect(envelope.data, JSON.stringify(id)).toMatchObject({
        biz_code: 20,
        biz_msg: "CHARACTER_NOT_AVAILABLE",
        biz_data: null,
      });
    }
    expect(await app.db.kysely.selectFrom("sessions").selectAll().execute()).toEqual([]);
  });

  it("come in pages, latest update first, each once however they move meanwhile [SESS-011] [SESS-017]", async () => {
    const app = await open();
    const person = await app.signedIn();
    const other = await app.signedIn();
    await talk(other, "Somebody else's");
    const ids: string[] = [];
    for (let index = 0; index < 7; index += 1) ids.push(await talk(person, `Number ${index}`));
    const newestFirst = ids.toReversed();
    const first = await person.ok(fetchSessionPage, { count: 3 });
    expect(idsOf(first)).toEqual(newestFirst.slice(0, 3));
    expect(first.has_more).toBe(true);
    const seqIds = first.chat_sessions.map((session) => session.seq_id);
    expect(seqIds).toEqual(seqIds.toSorted((one, two) => two - one));

    // One that was not read yet moves to the front: it is not repeated behind the cursor, and nothing else is lost.
    await person.ok(updateSessionTitle, { chat_session_id: ids[0] ?? "", title: "Moved" });
    const second = await person.ok(fetchSessionPage, { count: 3, before_seq_id: seqIds.at(-1) ?? 0 });
    expect(idsOf(second)).toEqual(newestFirst.slice(3, 6));
    expect(second.has_more).toBe(false);
    const again = await person.ok(fetchSessionPage, { count: 1 });
    expect(again.chat_sessions).toMatchObject([{ id: ids[0], title: "Moved", title_type: "USER" }]);
    expect(idsOf(await person.ok(fetchSessionPage, { before_seq_id: 0 }))).toEqual([]);
    const all = await person.ok(fetchSessionPage, {});
    expect(all.chat_sessions).toHaveLength(7);
    expect(all.has_more).toBe(false);
    const since = all.chat_sessions[2]?.updated_at ?? 0;
    const byTime = await person.ok(fetchSessionPage, { "lte_cursor.updated_at": since });
    expect(idsOf(byTime)[0]).toBe(all.chat_sessions[2]?.id);
    for (const count of [0, -1, 101, 9_007_199_254_740_991]) {
      const { envelope } = await person.call(fetchSessionPage, { count });
      expect(envelope.data).toMatchObject({ biz_code: 1, biz_msg: "ILLEGAL_COUNT", biz_data: null });
    }
    expect((await person.ok(fetchSessionPage, { count: 100 })).chat_sessions).toHaveLength(7);
  });

  it("have the version that a turn's own update_session says, when it begins and when it ends", async () => {
    const app = await open();
    const person = await app.signedIn();
    const { id } = await person.ok(createSession, {});
    const versions = async (stream: Awaited<ReturnType<TestClient["stream"]>>): Promise<unknown[]> =>
      (await stream.ended).flatMap((event) => (event.type === "update_session" ? event.data.version : []));
    const first = await versions(await person.stream(completion, { chat_session_id: id, prompt: "Hi" }));
    expect(first).toEqual([1, 2]);
    const wanted = { chat_session_id: id, child_message_id: 2 };
    expect(await versions(await person.stream(regenerate, wanted))).toEqual([3, 4]);
    const { chat_session, cache_valid } = await person.ok(historyMessages, {
      chat_session_id: id,
      cache_version: 4,
    });
    expect([chat_session.version, cache_valid]).toEqual([4, true]);
    const long = await person.stream(completion, { chat_session_id: id, prompt: "long ".repeat(75_000) });
    expect(await versions(long)).toEqual([4]);
    expect((await person.ok(historyMessages, { chat_session_id: id })).chat_session.version).toBe(4);
  });

  it("are pinned: they come whole with the first page, and nothing else of them changes", async () => {
    const app = await open();
    const person = await app.signedIn();
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1) ids.push(await talk(person, `Number ${index}`));
    const before = await person.ok(fetchSessionPage, {});
    expect(before.pinned_sessions).toEqual([]);
    for (const id of [ids[0], ids[4], ids[2], ids[2]]) {
      expect(await person.ok(updateSessionPinned, { chat_session_id: id ?? "", pinned: true })).toBeNull();
    }
    const first = await person.ok(fetchSessionPage, { count: 2 });
    expect(first.pinned_sessions?.map(({ id }) => id)).toEqual([ids[4], ids[2], ids[0]]);
    expect(first.chat_sessions.map(({ id, pinned }) => [id, pinned])).toEqual([
      [ids[4], true],
      [ids[3], false],
    ]);
    const cursor = first.chat_sessions.at(-1)?.seq_id ?? 0;
    const second = await person.ok(fetchSessionPage, { count: 2, before_seq_id: cursor });
    expect(idsOf(second)).toEqual([ids[2], ids[1]]);
    expect(second).not.toHaveProperty("pinned_sessions");
    const third = await person.ok(fetchSessionPage, { "lte_cursor.updated_at": 1 });
    expect(third).not.toHaveProperty("pinned_sessions");

    await person.ok(updateSessionPinned, { chat_session_id: ids[4] ?? "", pinned: false });
    await person.ok(deleteSession, { chat_session_id: ids[2] ?? "" });
    const { pinned_sessions } = await person.ok(fetchSessionPage, {});
    const [was] = before.chat_sessions.filter(({ id }) => id === ids[0]);
    expect(pinned_sessions).toEqual([{ ...was, pinned: true }]);
    const { chat_session } = await person.ok(historyMessages, { chat_session_id: ids[0] ?? "" });
    expect(chat_session).toEqual({ ...was, pinned: true });
  });

  it("are pinned 20 at most, asked for at the same instant too, and only by their owner", async () => {
    const app = await open();
    const person = await app.signedIn();
    const other = await app.signedIn();
    const ids: string[] = [];
    for (let index = 0; index < 24; index += 1) ids.push((await person.ok(createSession, {})).id);
    const pin = async (who: TestClient, id: string, pinned = true): Promise<unknown> => {
      const { data } = (await who.call(updateSessionPinned, { chat_session_id: id, pinned })).envelope;
      return data?.biz_code === 0 ? null : [data?.biz_code, data?.biz_msg];
    };
    const answers = await Promise.all(ids.map((id) => pin(person, id)));
    expect(answers.filter((answer) => answer === null)).toHaveLength(20);
    expect(new Set(answers.filter((answer) => answer !== null).map(String))).toEqual(
      new Set(["2,TOO_MANY_PINNED"]),
    );
    const isPinned = (id: string): boolean => answers[ids.indexOf(id)] === null;
    const [pinnedOne, left] = [ids.find(isPinned) ?? "", ids.find((id) => !isPinned(id)) ?? ""];
    // One that is pinned stays so; for another one there is room once one was let go, or deleted.
    expect(await pin(person, pinnedOne)).toBeNull();
    expect(await pin(person, left)).toEqual([2, "TOO_MANY_PINNED"]);
    await person.ok(deleteSession, { chat_session_id: pinnedOne });
    expect(await pin(person, left)).toBeNull();
    expect(await pin(person, pinnedOne)).toEqual([1, "CHAT_SESSION_DELETED"]);
    expect(await pin(other, left, false)).toEqual([1, "ILLEGAL_CHAT_SESSION_ID"]);
    expect(await pin(other, "not an id")).toEqual([1, "ILLEGAL_CHAT_SESSION_ID"]);
  });

  it("are paged from any cursor that is a number [SESS-011]", async () => {
    const app = await open();
    const person = await app.signedIn();
    await talk(person, "Hello");
    // The greatest whole second whose milliseconds fit in 53 bits.
    for (const cursor of ["9007199254740", "-9007199254740", "0", "1.5"]) {
      for (const query of [
        `before_seq_id=${Math.trunc(Number(cursor))}`,
        `lte_cursor.updated_at=${cursor}`,
      ]) {
        const response = await person.request(`${fetchSessionPage.path}?${query}`);
        expect(await response.json(), query).toMatchObject({
          code: 0,
          data: { biz_code: 0, biz_data: { has_more: false } },
        });
      }
    }
  });

  it("are renamed with a trimmed title of at most 32 characters [SESS-030] [SESS-032]", async () => {
    const app = await open();
    const person = await app.signedIn();
    const id = await talk(person, "Hello");
    const before = (await person.ok(historyMessages, { chat_session_id: id })).chat_session;
    const renamed = await person.ok(updateSessionTitle, { chat_session_id: id, title: "  Trip to\nRome  " });
    expect(renamed).toEqual({ chat_session_updated_at: expect.any(Number), title: "Trip to Rome" });
    const after = (await person.ok(historyMessages, { chat_session_id: id })).chat_session;
    expect(after).toMatchObject({
      title: "Trip to Rome",
      title_type: "USER",
      updated_at: renamed.chat_session_updated_at,
      version: before.version,
    });
    expect(after.seq_id).toBeGreaterThan(before.seq_id);
    const rename = async (title: string) =>
      (await person.call(updateSessionTitle, { chat_session_id: id, title })).envelope.data;
    expect(await rename("𝄞".repeat(32))).toMatchObject({ biz_code: 0 });
    expect(await rename("𝄞".repeat(33))).toMatchObject({ biz_code: 3, biz_msg: "TITLE_TOO_LONG" });
    for (const blank of ["", "   ", "\0", "\ud800", "\u0000\n"]) {
      expect(await rename(blank), JSON.stringify(blank)).toMatchObject({
        biz_code: 2,
        biz_msg: "EMPTY_TITLE",
      });
    }
    expect(await rename("a\0b\udc00c")).toMatchObject({ biz_code: 0, biz_data: { title: "a b c" } });
    const page = await person.ok(fetchSessionPage, {});
    expect(page.chat_sessions[0]?.title).toBe("a b c");
  });

  it("are read again only when something changed [SESS-038] [SESS-039] [SESS-040]", async () => {
    const app = await open();
    const person = await app.signedIn();
    const id = await talk(person, "Hello");
    const first = await person.ok(historyMessages, { chat_session_id: id });
    expect(first).toMatchObject({ cache_valid: false, route_id: null });
    expect(first.chat_session).toMatchObject({
      id,
      title: expect.any(String),
      title_type: expect.stringMatching(/^(?:WIP|SYSTEM|USER)$/u),
      current_message_id: 2,
    });
    for (const number of [
      first.chat_session.seq_id,
      first.chat_session.updated_at,
      first.chat_session.version,
    ]) {
      expect(number).toBeGreaterThan(0);
    }
    expect(first.chat_messages.map((message) => message.message_id)).toEqual([1, 2]);
    const { version } = first.chat_session;
    const same = await person.ok(historyMessages, { chat_session_id: id, cache_version: version });
    expect(same).toEqual({ ...first, chat_messages: [], cache_valid: true });
    const stale = await person.ok(historyMessages, { chat_session_id: id, cache_version: version - 1 });
    const unread = await talk(person, "Not to be read");
    await app.db.kysely
      .updateTable("messages")
      .set({ fragments: "no JSON" })
      .where("session_id", "=", unread)
      .execute();
    const cached = await person.ok(historyMessages, { chat_session_id: unread, cache_version: version });
    expect(cached).toMatchObject({ cache_valid: true, chat_messages: [] });
    expect(stale).toEqual(first);

    const next = app.model.next();
    const stream = await person.stream(completion, {
      chat_session_id: id,
      parent_message_id: 2,
      prompt: "And now?",
    });
    const run = await next;
    run.say("Wait");
    await stream.waitForType("delta");
    const running = await person.ok(historyMessages, { chat_session_id: id });
    expect(running.chat_messages.at(-1)).toMatchObject({ status: "WIP", fragments: [{ content: "Wait" }] });
    expect(running.chat_session.version).toBeGreaterThan(version);
    const whileRunning = await person.ok(historyMessages, {
      chat_session_id: id,
      cache_version: running.chat_session.version,
    });
    expect(whileRunning.cache_valid).toBe(false);
    expect(whileRunning.chat_messages).toHaveLength(4);
    run.end();
    await stream.ended;
    const ended = await person.ok(historyMessages, {
      chat_session_id: id,
      cache_version: running.chat_session.version,
    });
    expect(ended.cache_valid).toBe(false);
  });

  it("are gone when deleted: deleted to their owner, unknown to others [SESS-027] [SESS-028] [SESS-041]", async () => {
    const app = await open();
    const person = await app.signedIn();
    const other = await app.signedIn();
    const [id, kept] = [await talk(person, "Secret words"), await talk(person, "Kept")];
    await person.ok(deleteSession, { chat_session_id: id });
    const answers = async (caller: TestClient) => [
      (await caller.call(historyMessages, { chat_session_id: id })).envelope.data,
      (await caller.call(updateSessionTitle, { chat_session_id: id, title: "x" })).envelope.data,
      (await caller.call(deleteSession, { chat_session_id: id })).envelope.data,
      (await caller.call(completion, { chat_session_id: id, prompt: "x" })).envelope.data,
      (await caller.call(resumeStream, { chat_session_id: id, message_id: 2 })).envelope.data,
    ];
    for (const data of await answers(person)) expect(data).toMatchObject(deleted);
    for (const data of await answers(other)) expect(data).toMatchObject(illegal);
    expect(idsOf(await person.ok(fetchSessionPage, {}))).toEqual([kept]);
    for (const table of ["messages", "replies"] as const) {
      const rows = await app.db.kysely.selectFrom(table).selectAll().where("session_id", "=", id).execute();
      expect(rows, table).toEqual([]);
    }
    const log = JSON.stringify(await app.db.kysely.selectFrom("stream_log").selectAll().execute());
    expect(log).not.toContain("Secret words");
    const unknown = await person.call(deleteSession, { chat_session_id: crypto.randomUUID() });
    expect(unknown.envelope.data).toMatchObject(illegal);
  });

  it("are deleted by a list that may hold strangers, and all at once [SESS-027]", async () => {
    const app = await open();
    const person = await app.signedIn();
    const other = await app.signedIn();
    const ids = [await talk(person, "One"), await talk(person, "Two"), await talk(person, "Three")];
    const theirs = await talk(other, "Not yours");
    await person.ok(deleteSession, {
      chat_session_ids: [ids[0] ?? "", theirs, "nonsense", "a\0", ids[1] ?? "", ids[1] ?? ""],
    });
    expect(idsOf(await person.ok(fetchSessionPage, {}))).toEqual([ids[2]]);
    expect(idsOf(await other.ok(fetchSessionPage, {}))).toEqual([theirs]);
    const none = await person.call(deleteSession, { chat_session_ids: [theirs, "nonsense"] });
    expect(none.envelope.data).toMatchObject(illegal);
    const empty = await person.call(deleteSession, { chat_session_ids: [] });
    expect(empty.envelope.data).toMatchObject(illegal);
    const many = await person.call(deleteSession, {
      chat_session_ids: Array.from({ length: 101 }, () => crypto.randomUUID()),
    });
    expect(many.status).toBe(422);
    const unlisted = await person.ok(createSession, {});
    await person.ok(deleteAllSessions, {});
    await person.ok(deleteAllSessions, {});
    const gone = await person.call(historyMessages, { chat_session_id: unlisted.id });
    expect(gone.envelope.data).toMatchObject(deleted);
    expect(idsOf(await person.ok(fetchSessionPage, {}))).toEqual([]);
    expect(idsOf(await other.ok(fetchSessionPage, {}))).toEqual([theirs]);
  });

  it.each(["delete", "delete all"])(
    "end a running reply and its readers before they go: %s [SESS-027]",
    async (how) => {
      const app = await open();
      const person = await app.signedIn();
      const { id } = await person.ok(createSession, {});
      const next = app.model.next();
      const stream = await person.stream(completion, { chat_session_id: id, prompt: "Talk on" });
      const run = await next;
      run.say("Talking ");
      await stream.waitForType("delta");
      const follower = await person.stream(resumeStream, { chat_session_id: id, message_id: 2 });
      if (how === "delete") await person.ok(deleteSession, { chat_session_id: id });
      else await person.ok(deleteAllSessions, {});
      expect(run.aborted).toBe(true);
      await Promise.all([stream.ended, follower.ended]);
      expect(await app.db.kysely.selectFrom("reply_lease").selectAll().execute()).toEqual([]);
      expect(await app.db.kysely.selectFrom("messages").selectAll().execute()).toEqual([]);
      expect(await app.db.kysely.selectFrom("stream_log").selectAll().execute()).toEqual([]);
      // The slot of the running reply is free again.
      await talk(person, "And another");
    },
  );

  it("let a reader go that waits for the title of a deleted one [SESS-027]", async () => {
    const model = createScriptedModel();
    const { generate } = model;
    model.generate = (request, signal) =>
      request.purpose === "title" ? silence(signal) : generate(request, signal);
    const app = await open({ model });
    const person = await app.signedIn();
    const { id } = await person.ok(createSession, {});
    const stream = await person.stream(completion, { chat_session_id: id, prompt: "Hello" });
    await stream.waitForType("finish");
    await person.ok(deleteSession, { chat_session_id: id });
    const events = await stream.ended;
    expect(events.some((event) => event.type === "title")).toBe(false);
    expect(await app.db.kysely.selectFrom("stream_log").selectAll().execute()).toEqual([]);
  });
});

/** A generation that says nothing until it is given up. */
async function* silence(signal: AbortSignal): AsyncGenerator<never> {
  await new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason));
  });
}
