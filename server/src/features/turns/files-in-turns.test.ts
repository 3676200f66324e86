// Files in messages: what the model is given, what it costs, and that they follow the message and the session.
import type { FileInfo } from "@plumb/protocol/conversation/file-info";
import { fetchFiles, previewFile } from "@plumb/protocol/wire/files";
import { createSession, deleteSession, historyMessages } from "@plumb/protocol/wire/sessions";
import { completion, editMessage, regenerate } from "@plumb/protocol/wire/turns";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createTestApp, type TestApp } from "../../../test/create-test-app.ts";
import type { TestClient } from "../../../test/test-client.ts";
import { engines } from "../../../test/test-databases.ts";
import { countTokens } from "../../platform/count-tokens.ts";

describe.each(engines)("files in turns on %s", (engine) => {
  let app: TestApp;
  let anna: TestClient;
  let notes: FileInfo;
  const text = "The password of the garden gate is xylophone.\n";
  const inPrompt = ({ id, file_name }: FileInfo, content: string) => {
    const mark = id.slice(5, 13);
    return `[file name]: ${file_name}\n[file content begin ${mark}]\n${content}\n[file content end ${mark}]\n`;
  };

  beforeAll(async () => {
    app = await createTestApp({ engine });
    anna = await app.signedIn();
    notes = await anna.uploaded("notes.txt", text);
  });
  afterAll(() => app.close());

  const newSession = async () => (await anna.ok(createSession, {})).id;
  const history = async (id: string) =>
    (await anna.ok(historyMessages, { chat_session_id: id })).chat_messages;

  async function send(session: string, input: object): Promise<void> {
    const stream = await anna.stream(completion, { chat_session_id: session, prompt: "", ...input });
    await stream.ended;
  }

  const asked = () => app.model.replies.at(-1)?.messages.filter(({ role }) => role === "user");

  it("[FILE-001] the model is given their names and texts, and they are counted", async () => {
    const session = await newSession();
    await send(session, { prompt: "Which password?", ref_file_ids: [notes.id] });
    expect(asked()?.map(({ content }) => content)).toEqual([`${inPrompt(notes, text)}Which password?`]);
    expect(notes.token_usage).toBeGreaterThanOrEqual(await countTokens(text));
    const [request, reply] = await history(session);
    expect(request).toMatchObject({ files: [notes], fragments: [{ content: "Which password?" }] });
    expect(request?.accumulated_token_usage).toBe(notes.token_usage + (await countTokens("Which password?")));
    expect(reply?.files).toEqual([]);
    // They stay above what is asked next.
    await send(session, { prompt: "And now?", parent_message_id: 2 });
    expect(asked()?.map(({ content }) => content)).toEqual([
      `${inPrompt(notes, text)}Which password?`,
      "And now?",
    ]);
    expect((await history(session)).map(({ files }) => files.length)).toEqual([1, 0, 0, 0]);
  });

  it("named twice are counted once", async () => {
    const session = await newSession();
    await send(session, { prompt: "Twice", ref_file_ids: [notes.id, notes.id] });
    const [request] = await history(session);
    expect(request).toMatchObject({ files: [notes] });
    expect(request?.accumulated_token_usage).toBe(notes.token_usage + (await countTokens("Twice")));
  });

  it("stand alone, and give the chat its title", async () => {
    app.model.title = null;
    const session = await newSession();
    await send(session, { ref_file_ids: [notes.id] });
    app.model.title = "A title";
    expect(asked()?.map(({ content }) => content)).toEqual([inPrompt(notes, text)]);
    const { chat_session } = await anna.ok(historyMessages, { chat_session_id: session });
    expect(chat_session.title).toBe("notes.txt");
  });

  it("follow an edited message and a new reply", async () => {
    const session = await newSession();
    const table = await anna.uploaded("table.csv", "gate,password\ngarden,xylophone\n");
    await send(session, { prompt: "One", ref_file_ids: [table.id, notes.id] });
    const edited = await anna.stream(editMessage, { chat_session_id: session, message_id: 1, prompt: "Two" });
    await edited.ended;
    const both = inPrompt(table, "gate,password\ngarden,xylophone\n") + inPrompt(notes, text);
    expect(asked()?.map(({ content }) => content)).toEqual([`${both}Two`]);
    const again = await anna.stream(regenerate, { chat_session_id: session, child_message_id: 2 });
    await again.ended;
    expect(asked()?.map(({ content }) => content)).toEqual([`${both}One`]);
    const messages = await history(session);
    expect(messages.map(({ files }) => files.map(({ file_name }) => file_name))).toEqual([
      ["table.csv", "notes.txt"],
      [],
      ["table.csv", "notes.txt"],
      [],
      [],
    ]);
    expect(messages[2]?.accumulated_token_usage).toBe(
      table.token_usage + notes.token_usage + (await countTokens("Two")),
    );
  });

  it("[ENG-028] thinking, search, strangers' files and too many are refused, and nothing is written", async () => {
    const session = await newSession();
    const bert = await app.signedIn();
    const foreign = await bert.uploaded("secret.txt", "Bert's secret");
    const broken = await anna.uploaded("blank.txt", " \n ");
    const refused = async (input: object): Promise<string> => {
      const { envelope } = await anna.call(completion, {
        chat_session_id: session,
        prompt: "What is it?",
        ref_file_ids: [notes.id],
        ...input,
      });
      return `${envelope.data?.biz_code} ${envelope.data?.biz_msg}`;
    };
    const before = app.model.replies.length;
    expect(await refused({ thinking_enabled: true })).toBe("13 THINKING_WITH_FILE");
    expect(await refused({ search_enabled: true })).toBe("17 SEARCH_WITH_FILE");
    for (const id of [foreign.id, broken.id, notes.id.toUpperCase(), "file-", "\0", ""]) {
      expect(await refused({ ref_file_ids: [notes.id, id] }), id).toBe("9 INVALID_FILE_REFERENCE");
    }
    const { kysely } = app.db;
    const owner = {
      user_id: anna.user?.id ?? "",
      status: "SUCCESS",
      bytes: 1,
      thinking_enabled: 0,
      inserted_at: 0,
      updated_at: 0,
    };
    const ids = Array.from({ length: 51 }, () => `file-${crypto.randomUUID()}`);
    await kysely
      .insertInto("files")
      .values(ids.map((id) => ({ ...owner, id, name: "a.txt" })))
      .execute();
    const row = {
      session_id: session,
      user_id: owner.user_id,
      status: "FINISHED",
      thinking_enabled: 0,
      search_enabled: 0,
      ban_edit: 0,
      ban_regenerate: 0,
      last_event_id: 0,
      inserted_at: 0,
    };
    const fragments = '[{"id":1,"type":"REQUEST","content":"x"}]';
    const files = JSON.stringify(ids.slice(0, 50));
    await kysely
      .insertInto("messages")
      .values([
        { ...row, message_id: 1, role: "USER", fragments, files },
        { ...row, message_id: 2, parent_id: 1, role: "ASSISTANT", fragments: "[]", files: "[]" },
      ])
      .execute();
    await kysely.updateTable("sessions").set({ last_message_id: 2 }).where("id", "=", session).execute();
    expect(await refused({ ref_file_ids: [ids[50]] })).toBe("10 SESSION_FILE_LIMIT_REACHED");
    expect(app.model.replies.length).toBe(before);
    const links = await kysely
      .selectFrom("session_files")
      .selectAll()
      .where("session_id", "=", session)
      .execute();
    expect(links).toEqual([]);
  });

  it("over the budget with the prompt, they are a refused prompt; with the branch, its end", async () => {
    const words = "word ".repeat(30_000);
    const large = await anna.uploaded("large.txt", words);
    const larger = await anna.uploaded("larger.txt", `${words}and one more`);
    expect(large.status).toBe("SUCCESS");
    const session = await newSession();
    const stream = await anna.stream(completion, {
      chat_session_id: session,
      prompt: words.slice(0, 25_000),
      ref_file_ids: [large.id, larger.id],
    });
    const events = await stream.ended;
    expect(events.find(({ type }) => type === "hint")?.data).toMatchObject({
      finish_reason: "input_exceeds_limit",
    });
    expect(await history(session)).toEqual([]);
    await send(session, { prompt: "first", ref_file_ids: [large.id] });
    await send(session, { prompt: "second", parent_message_id: 4, ref_file_ids: [larger.id] });
    expect((await history(session)).map(({ status }) => status)).toEqual([
      "FINISHED",
      "FINISHED",
      "FINISHED",
      "CONTEXT_LENGTH_EXCEEDED",
    ]);
  });

  it("go with the last session that has them: unreadable at once, their bytes soon after", async () => {
    const file = await anna.uploaded("kept.txt", "kept for a while");
    const { url } = await anna.ok(previewFile, { file_id: file.id });
    const [one, other] = [await newSession(), await newSession()];
    await send(one, { prompt: "Read", ref_file_ids: [file.id] });
    await send(other, { prompt: "Read", ref_file_ids: [file.id] });
    await anna.ok(deleteSession, { chat_session_id: one });
    expect((await anna.ok(fetchFiles, { file_ids: file.id })).files).toHaveLength(1);
    await send(other, { prompt: "Again", parent_message_id: 2 });
    expect((await fetch(url)).status).toBe(200);
    await anna.ok(deleteSession, { chat_session_id: other });
    expect((await anna.ok(fetchFiles, { file_ids: file.id })).files).toEqual([]);
    expect((await fetch(url)).status).toBe(404);
    const again = await newSession();
    const { envelope } = await anna.call(completion, {
      chat_session_id: again,
      prompt: "Read",
      ref_file_ids: [file.id],
    });
    expect(envelope.data?.biz_msg).toBe("INVALID_FILE_REFERENCE");
    const { objectStore } = app.app.deps.ports;
    await vi.waitFor(
      async () => {
        const keys: string[] = [];
        for await (const { key } of objectStore.list()) keys.push(key);
        expect(keys.filter((key) => key.startsWith(file.id.slice(5)))).toEqual([]);
      },
      { timeout: 10_000 },
    );
  });
});
