// What an operator's filter refuses does not come in by an import (wire-contract.md §17.3, §19.6).
import { lastImport } from "@plumb/protocol/wire/imports";
import { fetchSessionPage, historyMessages } from "@plumb/protocol/wire/sessions";
import { createShare } from "@plumb/protocol/wire/sharing";
import { completion } from "@plumb/protocol/wire/turns";
import { describe, expect, it } from "vitest";
import type { TestApp } from "../../../test/create-test-app.ts";
import { testApps } from "../../../test/test-apps.ts";
import type { TestClient } from "../../../test/test-client.ts";
import { engines } from "../../../test/test-databases.ts";
import { createWordFilter } from "../../adapters/content-filter/word-filter.ts";
import { checkInvariants } from "../../operator/check-invariants.ts";
import type { ContentFilter, Verdict } from "../../ports/content-filter.ts";
import { imported, importEnded, sendImport, zipOf } from "./import.fixture.ts";

const withdrawn = "The message was withdrawn for content security reasons.";
const FILE = "file-00000000-0000-4000-8000-000000000001";
const at = 1_700_000_000;

const prompt = (id: number, parent: number | null, content: string, extra: object = {}) => ({
  message_id: id,
  parent_id: parent,
  role: "USER",
  inserted_at: at + id,
  fragments: [{ type: "REQUEST", content }],
  ...extra,
});
const reply = (id: number, parent: number, content: string, thought = "") => ({
  message_id: id,
  parent_id: parent,
  role: "ASSISTANT",
  status: "FINISHED",
  inserted_at: at + id,
  fragments: [
    ...(thought === "" ? [] : [{ type: "THINK", content: thought }]),
    { type: "RESPONSE", content },
  ],
});
const session = (id: string, title: string, messages: readonly object[], extra: object = {}) => ({
  chat_session: { id, title, title_type: "USER", inserted_at: at, updated_at: at, ...extra },
  chat_messages: messages,
});

/** Gives these verdicts, the last one for ever, and keeps what it was asked. */
function verdicts(...given: Verdict[]): ContentFilter & { asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    open() {
      let text = "";
      return {
        push: (piece) => void (text += piece),
        pace: () => null,
        async end() {
          asked.push(text);
          return given.length > 1 ? (given.shift() as Verdict) : (given[0] as Verdict);
        },
        abort() {},
      };
    },
    async close() {},
  };
}

describe.each(engines)("an import past a filter on %s", (engine) => {
  const open = testApps({ engine });
  const withWords = () => open({ contentFilter: createWordFilter(["secret plan"]) });
  const sessions = async (person: TestClient) =>
    (await person.ok(fetchSessionPage, { count: 100 })).chat_sessions;
  const messagesOf = async (person: TestClient, id: string) =>
    (await person.ok(historyMessages, { chat_session_id: id })).chat_messages;
  const textsOf = async (app: TestApp) =>
    JSON.stringify(await app.db.kysely.selectFrom("messages").select("fragments").execute());

  it("withdraws a reply that must not be said, and every reply to such a prompt; the others stand", async () => {
    const app = await withWords();
    const person = await app.signedIn();
    const chat = session("one", "A talk", [
      prompt(1, null, "Hello"),
      reply(2, 1, "Hello."),
      reply(3, 1, "Here is the Secret Plan."),
      prompt(4, 2, "Tell me the secret plan"),
      reply(5, 4, "No."),
      reply(6, 4, "Never."),
      prompt(7, 2, "Something else"),
      reply(8, 7, "Fine.", "I think of the secret plan."),
    ]);
    await imported(person, "a.json", JSON.stringify([chat]));
    const [{ id } = { id: "" }] = await sessions(person);
    const messages = await messagesOf(person, id);
    expect(messages.map(({ message_id: n, status, ban_regenerate: ban }) => [n, status, ban])).toEqual([
      [1, "FINISHED", false],
      [2, "FINISHED", false],
      [3, "CONTENT_FILTER", true],
      [4, "FINISHED", false],
      [5, "CONTENT_FILTER", true],
      [6, "CONTENT_FILTER", true],
      [7, "FINISHED", false],
      [8, "CONTENT_FILTER", true],
    ]);
    for (const n of [3, 5, 6, 8])
      expect(messages[n - 1]?.fragments).toEqual([{ id: 2, type: "TEMPLATE_RESPONSE", content: withdrawn }]);
    expect(messages[3]?.fragments).toMatchObject([{ content: "Tell me the secret plan" }]);
    expect(await textsOf(app)).not.toMatch(/Secret Plan|think of/u);

    // Neither the model nor the reader of a share is told of it.
    const stream = await person.stream(completion, {
      chat_session_id: id,
      parent_message_id: 5,
      prompt: "Go on",
    });
    await stream.ended;
    expect(JSON.stringify(app.model.replies.at(-1)?.messages)).not.toContain("secret plan");
    const shared = await person.call(createShare, { chat_session_id: id, message_ids: [1, 2, 4, 5] });
    expect(shared.envelope.data).toMatchObject({ biz_msg: "SOME_MESSAGES_CANNOT_BE_SHARED" });
    expect((await checkInvariants(app.db)).violations).toEqual([]);
  });

  it("takes no title and no file that must not be said, in the middle of a long chat neither", async () => {
    const app = await withWords();
    const person = await app.signedIn();
    const file = { id: FILE, file_name: "notes.txt", file_size: 10 };
    const long = Array.from({ length: 60 }, (_none, n) => [
      prompt(2 * n + 1, n === 0 ? null : 2 * n, n === 55 ? "the secret plan?" : `Question ${n}`),
      reply(2 * n + 2, 2 * n + 1, `Answer ${n}`),
    ]).flat();
    const zip = await zipOf({
      "sessions.json": JSON.stringify([
        session("one", "My secret plan", [
          prompt(1, null, "Read it", { files: [file] }),
          reply(2, 1, "Yes."),
        ]),
        session("two", "A long one", long, { updated_at: at - 100 }),
      ]),
      [`files/notes.${FILE}.txt`]: "All of the secret plan.",
    });
    await imported(person, "a.zip", zip);
    const [first, second] = await sessions(person);
    expect(first).toMatchObject({ title: null, title_type: "WIP" });
    expect((await messagesOf(person, first?.id ?? ""))[0]?.files).toEqual([]);
    expect(await app.db.kysely.selectFrom("files").select("id").execute()).toEqual([]);
    const messages = await messagesOf(person, second?.id ?? "");
    expect(messages).toHaveLength(120);
    expect(messages.filter(({ status }) => status === "CONTENT_FILTER").map((one) => one.message_id)).toEqual(
      [112],
    );
  });

  it("asks for a whole chat at once where nothing is refused, and lets pass what it gets no verdict on", async () => {
    for (const verdict of ["allowed", "unknown"] as const) {
      const filter = verdicts(verdict);
      const app = await open({ contentFilter: filter });
      const person = await app.signedIn();
      const chat = session("one", "A talk", [prompt(1, null, "Hello"), reply(2, 1, "Hi.", "Hm.")]);
      await imported(person, "a.json", JSON.stringify([chat]));
      expect(filter.asked).toEqual(["?", "A talk\n\nHello\n\nHm.\n\nHi."]);
      const [{ id } = { id: "" }] = await sessions(person);
      expect((await messagesOf(person, id))[1]).toMatchObject({ status: "FINISHED" });
    }
  });

  it("waits for a filter that gives no verdict, where nothing may pass without one", async () => {
    const filter = verdicts("allowed", "unknown", "unknown", "allowed");
    const app = await open({ contentFilter: filter, settings: { MODERATION_FAILURE: "block" } });
    const person = await app.signedIn();
    const chats = [session("one", "A talk", [prompt(1, null, "Hello"), reply(2, 1, "Hi.")])];
    expect((await sendImport(person, "a.json", JSON.stringify(chats))).envelope.data).toMatchObject({
      biz_code: 0,
    });
    const waiting = () =>
      app.db.kysely
        .selectFrom("jobs")
        .select(["owner", "attempts"])
        .where("due_at", ">", Date.now() + 5000)
        .execute();
    for (const asked of [2, 3]) {
      await expect.poll(() => filter.asked.length, { timeout: 10_000 }).toBe(asked);
      await expect.poll(waiting, { timeout: 10_000 }).toEqual([{ owner: "", attempts: 0 }]);
      expect(await person.ok(lastImport, {})).toMatchObject({ status: "RUNNING", sessions_done: 0 });
      await app.db.kysely.updateTable("jobs").set({ due_at: 0 }).execute();
    }
    expect(await importEnded(person)).toMatchObject({ status: "FINISHED", sessions_done: 1 });
    expect(await sessions(person)).toHaveLength(1);
  });
});
