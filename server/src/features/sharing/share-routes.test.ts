// Public links: what is in them and what never is, who may do what with them, and when they end (wire-contract.md §13).
import { isDeepStrictEqual } from "node:util";
import type { Message } from "@plumb/protocol/conversation/message";
import { createCharacter } from "@plumb/protocol/wire/agents";
import { messageFeedback } from "@plumb/protocol/wire/feedback";
import { deleteAllSessions } from "@plumb/protocol/wire/history";
import {
  createSession,
  deleteSession,
  historyMessages,
  updateSessionTitle,
} from "@plumb/protocol/wire/sessions";
import { createShare, deleteShare, forkShare, listShares, shareContent } from "@plumb/protocol/wire/sharing";
import { completion, editMessage, regenerate } from "@plumb/protocol/wire/turns";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askTurn } from "../../../test/ask-turn.ts";
import { createTestApp, type TestApp } from "../../../test/create-test-app.ts";
import type { JsonAnswer, TestClient } from "../../../test/test-client.ts";
import { plansOf } from "../../../test/plans-of.ts";
import { engines } from "../../../test/test-databases.ts";
import { withoutTraceId } from "../../../test/expect-envelope.ts";
import { createWordFilter } from "../../adapters/content-filter/word-filter.ts";
import { checkInvariants } from "../../operator/check-invariants.ts";
import type { Refusal } from "../../platform/refusal.ts";
import { createShare as makeShare } from "./create-share.ts";
import { isShareId } from "./share-id.ts";
import { countQuestions } from "./share-messages-store.ts";
import { ShareState } from "./share-state.ts";
import { changeState, deleteSharesOfUser } from "./share-store.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe.each(engines)("shares on %s", (engine) => {
  let app: TestApp;
  let anna: TestClient;
  let bert: TestClient;
  let nobody: TestClient;

  beforeAll(async () => {
    app = await createTestApp({ engine });
    [anna, bert, nobody] = [await app.signedIn(), await app.signedIn(), app.client()];
  });
  afterAll(async () => {
    await app.close();
  });

  const said = ({ envelope }: JsonAnswer) => [envelope.data?.biz_code, envelope.data?.biz_msg];
  const messagesOf = async (session: string, person = anna) =>
    (await person.ok(historyMessages, { chat_session_id: session })).chat_messages;

  /** A chat with finished turns of these prompts: messages 1 and 2, 3 and 4 … */
  async function chat(prompts: readonly string[], person = anna): Promise<string> {
    const { id } = await person.ok(createSession, {});
    for (const [index, prompt] of prompts.entries())
      await ask(id, prompt, index === 0 ? null : 2 * index, person);
    return id;
  }

  const ask = (session: string, prompt: string, parent: number | null, person = anna, more: object = {}) =>
    askTurn(person, session, { prompt, parent, ...more });

  const share = async (session: string, ids: number[], person = anna) =>
    (await person.ok(createShare, { chat_session_id: session, message_ids: ids })).share_id;
  const read = (id: string, person = nobody) => person.ok(shareContent, { share_id: id });
  const statusOf = async (id: string) => said(await nobody.call(shareContent, { share_id: id }));

  it("[SHARE-001] [SHARE-002] [SHARE-016] [SHARE-043] [SHARE-044] chosen turns are read by anybody, as they were and numbered anew", async () => {
    const session = await chat(["One", "Two", "Three"]);
    const id = await share(session, [6, 5, 1, 2]);
    expect(isShareId(id)).toBe(true);
    const content = await read(id);
    expect(content).toEqual(await read(id, bert));
    // Its owner alone is told whose it is.
    expect(await read(id, anna)).toEqual({ ...content, own: true });
    const { messages, ...about } = content;
    expect(about).toEqual({
      share_id: id,
      title: "One",
      created_at: expect.any(Number) as number,
      chat_session_id: expect.stringMatching(UUID) as string,
    });
    expect(about.chat_session_id).not.toBe(session);
    const [one, two, , , five, six] = (await messagesOf(session)) as Message[];
    const own = (message: Message | undefined, above: Message | undefined) =>
      (message?.accumulated_token_usage ?? 0) - (above?.accumulated_token_usage ?? 0);
    const [, , , four] = await messagesOf(session);
    const asShared = (message: Message | undefined, change: object) => ({
      ...message,
      client_stream_id: null,
      feedback: null,
      ...change,
    });
    const used = [own(one, undefined), own(two, one), own(five, four), own(six, five)];
    const upTo = (count: number) => used.slice(0, count).reduce((sum, tokens) => sum + tokens, 0);
    expect(messages).toEqual([
      asShared(one, { message_id: 1, parent_id: null, accumulated_token_usage: upTo(1) }),
      asShared(two, { message_id: 2, parent_id: 1, accumulated_token_usage: upTo(2) }),
      asShared(five, { message_id: 3, parent_id: 2, accumulated_token_usage: upTo(3) }),
      asShared(six, { message_id: 4, parent_id: 3, accumulated_token_usage: upTo(4) }),
    ]);
    for (const call of [createShare, listShares, deleteShare, forkShare]) {
      const { envelope } = await nobody.call(call, {
        share_id: id,
        chat_session_id: session,
        message_ids: [1, 2],
      });
      expect(envelope.code, call.path).toBe(40002);
    }
  });

  it("thoughts and sources are in it, byte by byte as they are stored", async () => {
    const { id: session } = await anna.ok(createSession, {});
    const next = app.model.next();
    const stream = await anna.stream(completion, {
      chat_session_id: session,
      prompt: "\u2028 »",
      thinking_enabled: true,
    });
    const run = await next;
    run.think("Hm… 思考 \u0001");
    run.say('An "answer" \\ 🙂');
    run.end();
    await stream.ended;
    const id = await share(session, [1, 2]);
    const stored = (table: "messages" | "share_messages") =>
      app.db.kysely
        .selectFrom(table)
        .select("fragments")
        .where(
          table === "messages" ? sql.ref("session_id") : sql.ref("share_id"),
          "=",
          table === "messages" ? session : id,
        )
        .orderBy("message_id")
        .execute();
    expect(await stored("share_messages")).toEqual(await stored("messages"));
    expect((await read(id)).messages.map(({ fragments }) => fragments)).toEqual(
      (await messagesOf(session)).map(({ fragments }) => fragments),
    );
  });

  it("holds the chosen turns alone: no other word, name or id of its owner's, now or later", async () => {
    const words: string[] = [];
    const canary = (name: string) => {
      words.push(`canary${name}`);
      return `canary${name}`;
    };
    const carol = app.client();
    await carol.signUp(`${canary("owner")}-${engine}@example.org`);
    const persona = await carol.ok(createCharacter, {
      name: canary("persona"),
      instructions: canary("instructions"),
    });
    const { id: session } = await carol.ok(createSession, { character_id: persona.id });
    const secret = await carol.uploaded(`${canary("otherfile")}.txt`, canary("otherfiletext"));
    const notes = await carol.uploaded("notes.txt", canary("text"));
    app.model.answer = () => ["A word."];
    await ask(session, canary("first"), null, carol, { ref_file_ids: [secret.id] });
    await ask(session, "chosen", 2, carol, { ref_file_ids: [notes.id], client_stream_id: canary("stream") });
    await ask(session, canary("sibling"), 2, carol);
    await carol.ok(messageFeedback, {
      chat_session_id: session,
      message_id: 4,
      feedback_type: "BAD",
      feedback_tag: null,
      description: canary("opinion"),
    });
    await carol.ok(updateSessionTitle, { chat_session_id: session, title: canary("earliertitle") });
    const id = await share(session, [3, 4], carol);
    await carol.ok(updateSessionTitle, { chat_session_id: session, title: canary("title") });
    for (const [call, input] of [
      [editMessage, { message_id: 3, prompt: canary("edit") }],
      [regenerate, { child_message_id: 4 }],
    ] as const) {
      app.model.answer = () => [canary(call.path.slice(-5))];
      const stream = await carol.stream(
        call as typeof editMessage,
        { chat_session_id: session, ...input } as never,
      );
      await stream.ended;
    }
    app.model.answer = (messages) => ["You said: ", messages.at(-1)?.content ?? ""];

    const fork = (await bert.ok(forkShare, { share_id: id })).chat_session_id;
    const ids = [session, carol.user?.id ?? "", persona.id, secret.id, notes.id, carol.token ?? ""];
    const answers = {
      content: await nobody.call(shareContent, { share_id: id }),
      fork: await bert.call(historyMessages, { chat_session_id: fork }),
      list: await bert.call(listShares, {}),
    };
    for (const [name, { envelope }] of Object.entries(answers)) {
      const text = JSON.stringify(envelope);
      for (const word of [...words, ...ids]) expect(text, name).not.toContain(word);
    }
    expect(answers.content.data).toMatchObject({
      title: "chosen",
      messages: [
        {
          fragments: [{ content: "chosen" }],
          files: [{ file_name: "notes.txt", from_share: true, previewable: false }],
        },
        { fragments: [{ type: "RESPONSE" }], feedback: null },
      ],
    });
    expect(answers.fork.data).toMatchObject({
      chat_session: { agent: "chat", character_id: null, title: "chosen" },
    });
  });

  it("is called as its owner says, else after the first chosen question, or its files where that says nothing", async () => {
    const session = await chat(["First", `Second ${"word ".repeat(20)}`]);
    const file = await anna.uploaded("notes.txt", "What the notes say");
    await ask(session, " ", 4, anna, { ref_file_ids: [file.id] });
    const titleOf = async (message_ids: number[], title?: string | null) => {
      const made = await anna.ok(createShare, {
        chat_session_id: session,
        message_ids,
        ...(title === undefined ? {} : { title }),
      });
      return (await read(made.share_id)).title;
    };
    expect(await titleOf([4, 3, 2, 1], " For\n\u0007 you ")).toBe("For you");
    expect(await titleOf([4, 3, 6, 5])).toBe("Second word word word word word…");
    expect(await titleOf([1, 2], null)).toBe("First");
    expect(await titleOf([1, 2], "\u200b \n")).toBe("First");
    expect(await titleOf([5, 6])).toBe("notes.txt");
    const tooLong = { chat_session_id: session, message_ids: [1, 2], title: "x".repeat(33) };
    expect((await anna.call(createShare, tooLong)).envelope.code).toBe(42200);
  });

  describe("is refused", () => {
    let session: string;
    beforeAll(async () => {
      session = await chat(["One", "Two"]);
      await ask(session, "Filtered", 2);
      await app.db.kysely
        .updateTable("messages")
        .set({ status: "CONTENT_FILTER" })
        .where("session_id", "=", session)
        .where("message_id", "=", 6)
        .execute();
    });

    afterAll(async () => {
      await app.db.kysely
        .updateTable("messages")
        .set({ status: "FINISHED" })
        .where("session_id", "=", session)
        .execute();
    });

    it.each([
      [[], 5, "SOME_MESSAGES_CANNOT_BE_SHARED"],
      [[9], 5, "SOME_MESSAGES_CANNOT_BE_SHARED"],
      [[5, 6], 5, "SOME_MESSAGES_CANNOT_BE_SHARED"],
      [[1], 6, "MESSAGES_MUST_BE_IN_PAIRS"],
      [[1, 2, 4], 6, "MESSAGES_MUST_BE_IN_PAIRS"],
      [[1, 2, 2], 10, "DUPLICATE"],
    ])("[SHARE-015] [SHARE-025] [SHARE-026] [SHARE-030] a share of %j: %i", async (ids, code, msg) => {
      const answer = await anna.call(createShare, { chat_session_id: session, message_ids: ids });
      expect([...said(answer), answer.data]).toEqual([code, msg, null]);
      const rows = app.db.kysely.selectFrom("shares").selectAll().where("session_id", "=", session);
      expect(await rows.execute()).toEqual([]);
    });

    it("[SHARE-021] for a session that is another's, absent or deleted", async () => {
      const input = { message_ids: [1, 2] };
      for (const id of [session, crypto.randomUUID(), "nonsense", ""]) {
        const answer = await bert.call(createShare, { chat_session_id: id, ...input });
        expect(said(answer)).toEqual([1, "ILLEGAL_CHAT_SESSION_ID"]);
      }
      const deleted = await chat(["Deleted"]);
      await anna.ok(deleteSession, { chat_session_id: deleted });
      expect(said(await anna.call(createShare, { chat_session_id: deleted, ...input }))).toEqual([
        1,
        "CHAT_SESSION_DELETED",
      ]);
    });

    it("while a message of it is being written, and a reply elsewhere does not matter", async () => {
      const busy = await chat(["Done"]);
      const next = app.model.next();
      const stream = await anna.stream(completion, {
        chat_session_id: busy,
        parent_message_id: 2,
        prompt: "Busy",
      });
      const run = await next;
      const attempt = (ids: number[]) => anna.call(createShare, { chat_session_id: busy, message_ids: ids });
      expect(said(await attempt([3, 4]))).toEqual([5, "SOME_MESSAGES_CANNOT_BE_SHARED"]);
      expect(said(await attempt([1, 2]))[0]).toBe(0);
      run.end();
      await stream.ended;
    });
  });

  it("[SHARE-032] [SHARE-033] [SHARE-034] the list is one's own, newest first, in pages of twenty that begin with the last row", async () => {
    const person = await app.signedIn();
    expect(await person.ok(listShares, {})).toEqual({ shares: [] });
    const made: string[] = [];
    for (let index = 0; index < 3; index += 1) {
      const session = await chat([`Chat ${index}`], person);
      for (let more = 0; more < 8; more += 1) made.unshift(await share(session, [1, 2], person));
    }
    const { shares } = await person.ok(listShares, {});
    expect(shares).toHaveLength(20);
    const [last] = shares.slice(-1);
    const next = await person.ok(listShares, { lte_date: last?.created_at ?? 0 });
    expect(next.shares[0]).toMatchObject({ created_at: last?.created_at });
    const seen = new Set([...shares, ...next.shares].map(({ share_id }) => share_id));
    expect([...seen].toSorted()).toEqual(made.toSorted());
    const times = [...shares, ...next.shares].map(({ created_at }) => created_at);
    expect(times).toEqual(times.toSorted((one, other) => other - one));
    expect(shares[0]).toEqual({
      share_id: expect.stringMatching(/^[a-z0-9]{18}$/) as string,
      created_at: expect.any(Number) as number,
      chat_session_id: expect.stringMatching(UUID) as string,
      hint: "Chat 2",
      questions: 1,
      disabled: false,
    });
    expect((await person.ok(listShares, { count: 3 })).shares).toEqual(shares.slice(0, 3));
    for (const count of [0, 101, -1])
      expect(said(await person.call(listShares, { count }))).toEqual([1, "ILLEGAL_COUNT"]);
    expect((await (await app.signedIn()).ok(listShares, {})).shares).toEqual([]);
  });

  it("the list tells how many questions are in each, and reads no words for that", async () => {
    const person = await app.signedIn();
    const session = await chat(["One", "Two", "Three"], person);
    const ids = [await share(session, [1, 2], person), await share(session, [1, 2, 3, 4, 5, 6], person)];
    const { shares } = await person.ok(listShares, {});
    expect(shares.map(({ share_id: id, questions }) => [id, questions])).toEqual([
      [ids[1], 3],
      [ids[0], 1],
    ]);
    if (engine === "postgres") return;
    const [plan] = await plansOf(app.db, (q) => countQuestions(q, ids));
    expect(plan).toContain("USING COVERING INDEX");
  });

  it("one that the operator has disabled is listed as such, until it is enabled or its owner ends it", async () => {
    const person = await app.signedIn();
    const session = await chat(["Disabled"], person);
    const [one, other] = [await share(session, [1, 2], person), await share(session, [1, 2], person)];
    const list = async () => {
      const { shares } = await person.ok(listShares, {});
      return new Map(shares.map(({ share_id, disabled }) => [share_id, disabled]));
    };
    const [from, to, now] = [ShareState.Open, ShareState.Disabled, Date.now()];
    await changeState(app.db.kysely, one, { from, to, now });
    expect(await list()).toEqual(
      new Map([
        [one, true],
        [other, false],
      ]),
    );
    await changeState(app.db.kysely, one, { from: to, to: from, now });
    expect((await list()).get(one)).toBe(false);
    await changeState(app.db.kysely, other, { from, to, now });
    await person.ok(deleteShare, { share_id: other });
    expect([...(await list()).keys()]).toEqual([one]);
  });

  it("[SHARE-038] [SHARE-039] its owner ends it, nobody else, and once", async () => {
    const id = await share(await chat(["Ends"]), [1, 2]);
    const absent = await bert.request(deleteShare.path, {
      method: "POST",
      body: JSON.stringify({ share_id: "x".repeat(18) }),
    });
    const expected = withoutTraceId(await absent.text());
    expect(expected).toContain("SHARE_NOT_FOUND");
    for (const foreign of [id, id.toUpperCase(), `${id} `, "", "\0", "%", "x".repeat(400), "\ud800"]) {
      const answer = await bert.request(deleteShare.path, {
        method: "POST",
        body: JSON.stringify({ share_id: foreign }),
      });
      expect(withoutTraceId(await answer.text()), foreign).toBe(expected);
    }
    expect((await read(id)).messages).toHaveLength(2);
    expect(await anna.ok(deleteShare, { share_id: id })).toBeNull();
    expect(said(await anna.call(deleteShare, { share_id: id }))).toEqual([1, "SHARE_NOT_FOUND"]);
    expect(await statusOf(id)).toEqual([2, "SHARE_IS_DELETED_OR_BANNED"]);
    expect((await anna.ok(listShares, {})).shares.map(({ share_id }) => share_id)).not.toContain(id);
    const rows = app.db.kysely.selectFrom("share_messages").selectAll().where("share_id", "=", id);
    expect(await rows.execute()).toEqual([]);
  });

  it("[SHARE-053] tells 1, 2 and 3 apart for real ids, to readers and to those who would continue it", async () => {
    const person = await app.signedIn();
    const [deleted, banned, gone, all] = [
      await chat(["a"], person),
      await chat(["b"], person),
      await chat(["c"], person),
      await chat(["d"], person),
    ];
    const [toDelete, toBan, ofDeleted, ofAll] = [
      await share(deleted, [1, 2], person),
      await share(banned, [1, 2], person),
      await share(gone, [1, 2], person),
      await share(all, [1, 2], person),
    ];
    const expectSaid = async (id: string, code: number, msg: string) => {
      for (const answer of [
        await nobody.call(shareContent, { share_id: id }),
        await bert.call(forkShare, { share_id: id }),
      ]) {
        expect([...said(answer), answer.data]).toEqual([code, msg, null]);
      }
    };
    await person.ok(deleteShare, { share_id: toDelete });
    await person.ok(deleteSession, { chat_session_id: gone });
    await expectSaid(toDelete, 2, "SHARE_IS_DELETED_OR_BANNED");
    await expectSaid(ofDeleted, 3, "ORIGINAL_SESSION_DELETED");
    for (const unknown of [
      "a".repeat(18),
      "",
      "nonsense",
      toBan.toUpperCase(),
      `${toBan}x`,
      "\0",
      "__proto__",
      "9".repeat(400),
    ])
      await expectSaid(unknown, 1, "SHARE_DOES_NOT_EXIST");
    const ban = (at: number | null) =>
      app.db.kysely
        .updateTable("users")
        .set({ banned_at: at })
        .where("id", "=", person.user?.id ?? "")
        .execute();
    await ban(1);
    await expectSaid(toBan, 2, "SHARE_IS_DELETED_OR_BANNED");
    await ban(null);
    expect((await read(toBan)).messages).toHaveLength(2);
    await person.ok(deleteAllSessions, {});
    await expectSaid(ofAll, 3, "ORIGINAL_SESSION_DELETED");
    await expectSaid(toBan, 3, "ORIGINAL_SESSION_DELETED");
    expect((await person.ok(listShares, {})).shares).toEqual([]);
    await app.db.transaction((trx) => deleteSharesOfUser(app.db, trx, person.user?.id ?? ""));
    for (const id of [toDelete, toBan, ofDeleted, ofAll]) await expectSaid(id, 1, "SHARE_DOES_NOT_EXIST");
    for (const table of ["shares", "share_messages", "share_files"] as const) {
      const rows = app.db.kysely
        .selectFrom(table)
        .selectAll()
        .where("user_id", "=", person.user?.id ?? "");
      expect(await rows.execute(), table).toEqual([]);
    }
  });

  it("twenty at once of one session end in ten", async () => {
    const session = await chat(["Race"]);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        anna.call(createShare, { chat_session_id: session, message_ids: [1, 2] }),
      ),
    );
    const codes = answers.map((answer) => said(answer)[0]);
    expect(codes.filter((code) => code === 0)).toHaveLength(10);
    expect(answers.map(said).filter(([code]) => code !== 0)).toEqual(
      Array.from({ length: 10 }, () => [7, "TOO_MANY_SHARES_FOR_THIS_SESSION"]),
    );
    const [ended] = answers.flatMap(({ data }) => data?.share_id ?? []);
    await anna.ok(deleteShare, { share_id: ended ?? "" });
    await share(session, [1, 2]);
    expect(said(await anna.call(createShare, { chat_session_id: session, message_ids: [1, 2] }))[0]).toBe(7);
  });

  it("a reader writes nothing and is given no cookie", async () => {
    const id = await share(await chat(["Unchanged"]), [1, 2]);
    const everything = async () => {
      const found = await app.db.kysely.introspection.getTables();
      // SQLite's index of words has no rows to read; what is indexed stands in tables of its own.
      const tables = found.filter(({ name }) => name !== "history_words");
      const rows = await Promise.all(
        tables.map(({ name }) => sql`select * from ${sql.table(name)}`.execute(app.db.kysely)),
      );
      return rows.map((table, at) => [tables[at]?.name, table.rows.map((row) => JSON.stringify(row)).sort()]);
    };
    // The server's own tasks write at times, a process its lease for one. What readers write, they would write each time.
    const isUnchanged = async () => {
      const before = await everything();
      for (const one of [id, "a".repeat(18), "nonsense"]) {
        const { headers } = await nobody.call(shareContent, { share_id: one });
        expect(headers.get("set-cookie")).toBeNull();
        expect(headers.get("cache-control")).toBe("no-store");
      }
      return isDeepStrictEqual(await everything(), before);
    };
    await expect.poll(isUnchanged, { interval: 300, timeout: 10_000 }).toBe(true);
  });

  it("[SHARE-024] [ACCT-056] [ACCT-057] a muted account, and one under review, can neither create nor continue one", async () => {
    const person = await app.signedIn();
    const session = await chat(["Status"], person);
    const id = await share(session, [1, 2], person);
    const statuses: [change: object, answer: (number | undefined)[]][] = [
      [{ muted_until: Date.now() + 3_600_000 }, [0, 4]],
      [{ muted_until: null, under_review: 1 }, [40014, undefined]],
    ];
    for (const [change, expected] of statuses) {
      await app.db.kysely
        .updateTable("users")
        .set(change)
        .where("id", "=", person.user?.id ?? "")
        .execute();
      const create = async () => {
        const { envelope } = await person.call(createShare, {
          chat_session_id: session,
          message_ids: [1, 2],
        });
        return [envelope.code, envelope.data?.biz_code];
      };
      // What is remembered of an account is at most a second old.
      await expect.poll(create).toEqual(expected);
      const { envelope } = await person.call(forkShare, { share_id: id });
      expect([envelope.code, envelope.data?.biz_code]).toEqual(expected);
    }
  });

  it("[SHARE-022] [SHARE-023] [SHARE-028] an account that is gone or banned by now makes none, nor does an id that is always taken", async () => {
    const person = await app.signedIn();
    const userId = person.user?.id ?? "";
    const sessionId = await chat(["Between"], person);
    const wanted = { userId, sessionId, messageIds: [1, 2] };
    const taken = await share(sessionId, [1, 2], person);
    const refusal = (more: object = {}) =>
      makeShare(app.app.deps, { ...wanted, ...more }).then(
        () => null,
        (error: unknown) => (error as Refusal).refusal,
      );
    expect(await refusal({ newId: () => taken })).toEqual({ code: 8, msg: "GENERATE_UNIQUE_ID_FAILED" });
    const users = () => app.db.kysely.updateTable("users").where("id", "=", userId);
    await users().set({ banned_at: 1 }).execute();
    expect(await refusal()).toEqual({ code: 3, msg: "USER_IS_BANNED" });
    const [row] = await app.db.kysely.deleteFrom("users").where("id", "=", userId).returningAll().execute();
    expect(await refusal()).toEqual({ code: 2, msg: "GET_ACCOUNT_INFO_FAILED" });
    expect(row).toBeDefined();
    const rows = app.db.kysely.selectFrom("shares").select("id").where("session_id", "=", sessionId);
    expect(await rows.execute()).toEqual([{ id: taken }]);
  });

  it("leaves nothing stored that must not be", async () => {
    expect((await checkInvariants(app.db)).violations).toEqual([]);
  });
});

it("a title that must not be said is refused, and no share is left", async () => {
  const app = await createTestApp({ contentFilter: createWordFilter(["secret plan"]) });
  const person = await app.signedIn();
  const { id } = await person.ok(createSession, {});
  await askTurn(person, id, { prompt: "One", parent: null });
  const wanted = { chat_session_id: id, message_ids: [1, 2], title: "A secret plan" };
  const { envelope } = await person.call(createShare, wanted);
  expect(envelope.data).toMatchObject({ biz_code: 11, biz_msg: "SHARE_TITLE_VIOLATION" });
  expect(await person.ok(listShares, {})).toEqual({ shares: [] });
  await app.close();
});
