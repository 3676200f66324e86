// What is exported, imported into an empty account and exported again is the same but for ids and dates of the export: zip
// against zip (wire-contract.md §14, §19.6).
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createCharacter } from "@plumb/protocol/wire/agents";
import { messageFeedback } from "@plumb/protocol/wire/feedback";
import { createSession, updateSessionPinned, updateSessionTitle } from "@plumb/protocol/wire/sessions";
import { completion, editMessage, regenerate } from "@plumb/protocol/wire/turns";
import { stopStream } from "@plumb/protocol/wire/replies";
import { describe, expect, it } from "vitest";
import type { TestApp } from "../../../test/create-test-app.ts";
import { readZip } from "../../../test/read-zip.ts";
import { createScriptedSearch } from "../../../test/scripted-search.ts";
import { testApps } from "../../../test/test-apps.ts";
import type { TestClient } from "../../../test/test-client.ts";
import { engines } from "../../../test/test-databases.ts";
import { exportedZip, imported } from "./import.fixture.ts";

type Json = Record<string, unknown>;
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gu;

/** Entries with their ids told by the order in which they are met, and without what belongs to an account or an export. */
function comparable(zip: ReadonlyMap<string, string>): Map<string, string> {
  const ids = new Map<string, string>();
  const named = (text: string): string =>
    text.replaceAll(UUID, (id) => {
      if (!ids.has(id)) ids.set(id, `id ${ids.size + 1}`);
      return ids.get(id) ?? "";
    });
  const entries = new Map<string, string>();
  for (const [name, text] of zip) {
    const content =
      name === "sessions.json"
        ? asText(withoutPlace(text))
        : name === "account.json"
          ? asText((JSON.parse(text) as Json)["characters"])
          : text;
    entries.set(named(name), named(content));
  }
  // Texts of files stand in the order of their ids.
  return new Map([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Keys have no order. */
function asText(value: unknown): string {
  const sorted = (_key: string, one: unknown): unknown =>
    typeof one === "object" && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one;
  return JSON.stringify(value, sorted, 1);
}

/** A session's place in its owner's list, and of a file what it is and since when: here it has no bytes of its own. */
function withoutPlace(text: string): unknown {
  return (JSON.parse(text) as { chat_session: Json; chat_messages: Json[] }[]).map((one) => {
    const hasFiles = one.chat_messages.some(({ files }) => (files as unknown[]).length > 0);
    return {
      chat_session: { ...one.chat_session, seq_id: 0 },
      chat_messages: one.chat_messages.map((message) => ({
        ...message,
        client_stream_id: null,
        // A file's frame in a prompt has a part of its id.
        accumulated_token_usage: hasFiles ? null : message["accumulated_token_usage"],
        files: (message["files"] as Json[]).map(({ id, file_name, file_size, token_usage, status }) => ({
          id,
          file_name,
          file_size,
          token_usage: typeof token_usage,
          status,
        })),
      })),
    };
  });
}

describe.each(engines)("an export of what was imported on %s", (engine) => {
  const search = createScriptedSearch();
  const open = testApps({ engine, search });

  async function zipOf(app: TestApp, person: TestClient, name: string): Promise<Map<string, string>> {
    const path = join(app.config.dataDir, name);
    await writeFile(path, await exportedZip(app, person));
    return readZip(path);
  }

  /** Everything a history can have. */
  async function fill(app: TestApp, person: TestClient): Promise<void> {
    const say = async (id: string, turn: object): Promise<void> => {
      await (
        await person.stream(completion, { chat_session_id: id, ...turn } as never)
      ).ended;
    };
    const chat = async (turn: object): Promise<string> => {
      const { id } = await person.ok(createSession, {});
      await say(id, turn);
      return id;
    };
    // Branches of prompts and of replies, feedback, a title of one's own.
    const branched = await chat({ prompt: "Hello | there\n\n# not a title\n```js\nlet a = 1;\n```" });
    await (
      await person.stream(regenerate, { chat_session_id: branched, child_message_id: 2 })
    ).ended;
    await (
      await person.stream(editMessage, { chat_session_id: branched, message_id: 1, prompt: "你好，世界 👋🏽" })
    ).ended;
    await say(branched, { prompt: "On", parent_message_id: 3 });
    await person.ok(messageFeedback, {
      chat_session_id: branched,
      message_id: 2,
      feedback_type: "BAD",
      feedback_tag: "wrong",
      description: "not so\nat all",
    });
    await person.ok(updateSessionTitle, { chat_session_id: branched, title: "By hand: a/b?" });
    // A thought, and an answer that was stopped.
    const next = app.model.next();
    const { id: thinking } = await person.ok(createSession, {});
    const thought = await person.stream(completion, {
      chat_session_id: thinking,
      prompt: "Think",
      thinking_enabled: true,
    });
    const run = await next;
    run.think("First\u2028 this,\n\nthen that");
    run.say("An **answer** [1] 💡");
    run.end();
    await thought.ended;
    const stopped = app.model.next();
    const half = await person.stream(completion, {
      chat_session_id: thinking,
      prompt: "Go on",
      parent_message_id: 2,
    });
    (await stopped).say("Half of");
    await half.waitFor((event) => JSON.stringify(event).includes("Half of"));
    await person.ok(stopStream, { chat_session_id: thinking, message_id: 4 });
    await half.ended;
    // Sources.
    app.model.plan = JSON.stringify(["depth of the sea"]);
    search.answer = () => [
      { url: "https://example.com/sea", title: "The sea", snippet: "94 m on average" },
      { url: "https://example.org/other", title: "Other", snippet: "" },
    ];
    await chat({ prompt: "How deep?", search_enabled: true });
    // Files; the same one in two chats; one that was never sent stays where it is.
    const notes = await person.uploaded("notes of 2026.txt", "The secret word is xylophone\n\u{1F600}");
    const table = await person.uploaded("table.csv", "a,b\n1,2\n");
    await chat({ prompt: "Read", ref_file_ids: [notes.id, table.id] });
    await chat({ prompt: "Again", ref_file_ids: [notes.id] });
    // Two personas, one of whom somebody has spoken with.
    await person.ok(createCharacter, { name: "Silent", instructions: "Say nothing." });
    const { id: persona } = await person.ok(createCharacter, {
      name: "船长 ⚓",
      greeting: "Ahoy",
      instructions: "Speak as a captain.\n\nShort.",
      avatar_text: "Ca",
      avatar_color: "#123456",
    });
    const { id: spoken } = await person.ok(createSession, { character_id: persona });
    await say(spoken, { prompt: "Where to?" });
    const pinned = await chat({ prompt: "Pin me" });
    await person.ok(updateSessionPinned, { chat_session_id: pinned, pinned: true });
  }

  it("is what was exported: conversations, Markdown, branches, thoughts, sources, feedback, texts of files", async () => {
    const app = await open();
    const [anna, bert] = [await app.signedIn(), await app.signedIn()];
    await fill(app, anna);
    const first = await zipOf(app, anna, "first.zip");
    const text = [...first.values()].join("\n");
    for (const part of [
      "THINK",
      "SEARCH",
      "not so",
      "INCOMPLETE",
      "xylophone",
      "example.com/sea",
      "By hand",
      "captain",
    ])
      expect(text).toContain(part);
    expect([...first.keys()].filter((name) => name.endsWith(".md"))).toHaveLength(7);

    expect(await imported(bert, "first.zip", await exportedZip(app, anna))).toMatchObject({
      status: "FINISHED",
      sessions_done: 7,
      sessions_skipped: 0,
    });
    const second = await zipOf(app, bert, "second.zip");
    const [before, after] = [comparable(first), comparable(second)];
    expect([...after.keys()]).toEqual([...before.keys()]);
    for (const [name, content] of before) expect([name, after.get(name)]).toEqual([name, content]);

    // And once more, from the second into a third.
    const carl = await app.signedIn();
    await imported(carl, "second.zip", await exportedZip(app, bert));
    expect(comparable(await zipOf(app, carl, "third.zip"))).toEqual(after);
  });
});
