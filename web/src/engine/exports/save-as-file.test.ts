// A conversation and a reply as files: what is in them, and on which branch.
import type { Message } from "@plumb/protocol/conversation/message";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { globalError, ok } from "../testing/fake-answers.ts";
import { createFakeServer } from "../testing/fake-server.ts";
import { openPage } from "../testing/open-page.ts";
import { shortTalk, wireMessage } from "../testing/wire-message.ts";
import { emptyFile, jsonParts, markdownParts, messageMarkdown } from "./conversation-file.ts";
import type { OwnData } from "./own-data.ts";

const HISTORY = "/api/v0/chat/history_messages";

const question = (message_id: number, parent_id: number | null, content: string): Message =>
  wireMessage({ message_id, parent_id, role: "USER", fragments: [{ id: 1, type: "REQUEST", content }] });
const answer = (message_id: number, parent_id: number, content: string): Message =>
  wireMessage({
    message_id,
    parent_id,
    role: "ASSISTANT",
    fragments: [{ id: 2, type: "RESPONSE", content }],
  });
/** Two answers to one question, and what was said after the first of them. */
const branched = [
  question(1, null, "Which sea?"),
  answer(2, 1, "The North Sea."),
  answer(3, 1, "The Baltic."),
  question(4, 2, "How deep?"),
  answer(5, 4, "94 m."),
];

async function open(messages: readonly Message[], title: string | null = "Seas: a/b") {
  const server = createFakeServer();
  server.addSession("s1", messages, { title });
  const page = await openPage(server);
  const data = (await page.engine.ownData()) as OwnData;
  async function save(form: "markdown" | "json") {
    const work = data.saveSession("s1", form);
    await page.browser.advance(50);
    return work;
  }
  return { server, page, data, save };
}

describe("a conversation", () => {
  it("is saved as Markdown as its reader sees it, with title, roles and versions", async () => {
    const { page, save } = await open(branched);
    page.engine.sessions.open("s1");
    await page.browser.settle();
    page.engine.sessions.switchBranch("s1", 3);
    const file = await save("markdown");
    expect(file).toMatchObject({ name: "Seas a b.md", type: "text/markdown;charset=utf-8" });
    expect(file?.parts.join("")).toBe(
      [
        "# Seas: a/b\n\n*Begun 2026-09-21 14:13 UTC · Last changed 2026-09-21 14:13 UTC*\n",
        "## 1 · You\n\n*2026-09-21 14:13 UTC*\n\n> Which sea?  \n",
        "## 3 · Assistant\n\n*2026-09-21 14:13 UTC · version 2 of 2*\n\nThe Baltic.\n",
      ].join("\n"),
    );
    page.engine.sessions.switchBranch("s1", 2);
    expect((await save("markdown"))?.parts.join("")).toMatch(/North Sea[^]*94 m/);
    page.close();
  });

  it("that has no title yet is called by its first words, as on the page", async () => {
    const { page, data, save } = await open(branched, null);
    const file = await save("markdown");
    expect(file?.name).toBe("Which sea.md");
    expect(file?.parts[0]).toMatch(/^# Which sea\?\n/);
    const json = await save("json");
    expect(json?.name).toBe("Which sea.json");
    expect(json?.parts[0]).toContain('"title":null');
    page.engine.sessions.open("s1");
    await page.browser.settle();
    expect(data.saveMessage("s1", 2)).toMatchObject({ name: "Which sea.md" });
    page.close();
  });

  it("that is not open is saved on the branch it was left on, or was last sent to", async () => {
    const { server, page, save } = await open(branched);
    expect((await save("markdown"))?.parts.join("")).toMatch(/North Sea[^]*94 m/);
    page.engine.sessions.open("s1");
    await page.browser.settle();
    page.engine.sessions.switchBranch("s1", 3);
    await page.browser.advance(2000);
    page.close();
    const later = await openPage(server, page.disk);
    later.engine.site.setPreferences({ locale: "zh_CN" });
    const data = (await later.engine.ownData()) as OwnData;
    const work = data.saveSession("s1", "markdown");
    await later.browser.advance(50);
    const text = (await work)?.parts.join("");
    expect(text).toContain("The Baltic.");
    expect(text).toContain("## 1 · 我");
    expect(text).not.toContain("94 m");
    later.close();
  });

  it("is saved as JSON with all that the server has of it, in the form of an archive", async () => {
    const { server, page, save } = await open(branched);
    const file = await save("json");
    expect(file).toMatchObject({ name: "Seas a b.json", type: "application/json" });
    expect(JSON.parse(file?.parts.join("") ?? "")).toEqual([
      {
        chat_session: expect.objectContaining({ id: "s1", title: "Seas: a/b" }) as unknown,
        chat_messages: server.messagesOf("s1"),
      },
    ]);
    page.close();
  });

  it("that was deleted elsewhere leaves the page; what else fails is said", async () => {
    const { server, page, save } = await open(branched);
    server.answer(HISTORY, () => globalError(50000, "INTERNAL_ERROR", 500));
    expect(await save("markdown")).toBeNull();
    expect(page.engine.site.toasts.getState().toasts).toMatchObject([{ text: { key: "exportAllFailed" } }]);
    server.answerAsUsual(HISTORY);
    server.removeSession("s1");
    expect(await save("json")).toBeNull();
    expect(page.engine.sessions.list.getState().sessions).toEqual([]);
    expect(page.engine.site.toasts.getState().toasts).toMatchObject([{}, { text: { key: "chatDeleted" } }]);
    page.close();
  });

  it("with nothing in it is a title", async () => {
    const { server, page, save } = await open([]);
    server.answer(HISTORY, () =>
      ok({
        chat_session: { title: null, inserted_at: 0, updated_at: 0, current_message_id: null },
        chat_messages: [],
      }),
    );
    expect(await save("markdown")).toMatchObject({
      name: "New chat.md",
      parts: ["# New chat\n\n*Begun 1970-01-01 00:00 UTC · Last changed 1970-01-01 00:00 UTC*\n"],
    });
    page.close();
  });
});

describe("a reply", () => {
  it("is saved with its thoughts folded and its sources linked", async () => {
    const reply = wireMessage({
      message_id: 2,
      parent_id: 1,
      role: "ASSISTANT",
      model: "large",
      fragments: [
        {
          id: 1,
          type: "SEARCH",
          status: "FINISHED",
          content: null,
          queries: [],
          results: [{ url: "https://sea.example", title: "Sea", site_name: null, cite_index: 1 }],
        },
        { id: 2, type: "THINK", content: "Hm.", elapsed_secs: 2 },
        { id: 3, type: "RESPONSE", content: "94 m [citation:1]." },
      ] as unknown as Message["fragments"],
    });
    const { page, data } = await open([question(1, null, "How deep?"), reply]);
    page.engine.sessions.open("s1");
    await page.browser.settle();
    expect(data.saveMessage("s1", 2)).toMatchObject({
      name: "Seas a b.md",
      parts: [
        "# Seas: a/b\n\n## 2 · Assistant\n\n*2026-09-21 14:13 UTC · large*\n\n" +
          "**Sources**\n\n1. [Sea](<https://sea.example>)\n\n" +
          "<details>\n<summary>Thought for 2 s</summary>\n\n> Hm.\n\n</details>\n\n" +
          "94 m [\\[1\\]](https://sea.example).\n",
      ],
    });
    expect(data.saveMessage("s1", 9)).toBeNull();
    page.close();
  });
});

describe("the pieces of a file", () => {
  const session = {
    title: "T",
    inserted_at: 0,
    updated_at: 0,
  } as unknown as Parameters<typeof jsonParts>[0]["chat_session"];

  it("are whole together and hold one message each, whatever is in them", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary" }), { maxLength: 8 }), (texts) => {
        const chat_messages = texts.map((text, index) => answer(index + 1, Math.max(index, 1), text));
        const conversation = { chat_session: session, chat_messages };
        const json = [...jsonParts(conversation)];
        expect(JSON.parse(json.join(""))).toEqual(JSON.parse(JSON.stringify([conversation])));
        const ids = chat_messages.map(({ message_id: id }) => id);
        const markdown = [...markdownParts(conversation, { ids, locale: "en_US" })];
        expect(markdown).toHaveLength(texts.length + 1);
        // However an answer ends, the next heading is one.
        for (const [index, part] of markdown.slice(1).entries())
          expect(part).toMatch(new RegExp(`^\\n## ${index + 1} · Assistant\\n`));
        expect(json).toHaveLength(texts.length + 2);
      }),
    );
  });

  it("have a name that any system takes", () => {
    expect(emptyFile("a/b", "json", "en_US").name).toBe("a b.json");
    expect(emptyFile(null, "markdown", "zh_CN").name).toBe("新对话.md");
    expect(messageMarkdown("a *b*", shortTalk[1]!, "zh_CN")).toMatch(/^# a \\\*b\\\*\n\n## 2 · 助手\n/);
  });
});
