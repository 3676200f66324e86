// Exports of elsewhere become sessions of ours: their branches, thoughts, sources and times.
import type { Fragment } from "@plumb/protocol/conversation/fragment";
import { describe, expect, it } from "vitest";
import { chatGptConversation, richConversation, text } from "../testing/chatgpt-export.fixture.ts";
import { openWebUiChat, richChat } from "../testing/open-webui-export.fixture.ts";
import { buildSession } from "./build-session.ts";
import { importTexts } from "./import-texts.ts";
import { readerOf } from "./reader-of.ts";

const NOW = 1_760_000_000_000;
const how = { now: NOW, mostMessages: 1000 };

async function built(value: unknown, mostMessages = 1000) {
  const reader = readerOf(JSON.parse(JSON.stringify(value)));
  if (reader === null) throw new Error("a form that nobody writes");
  const { session, messages } = await buildSession(reader.read(value, NOW, importTexts("en_US")), {
    ...how,
    mostMessages,
  });
  return {
    kind: reader.kind,
    session,
    messages: messages.map(({ record, fragments }) => ({
      ...record,
      fragments: JSON.parse(fragments.toString()) as Fragment[],
    })),
  };
}

/** Each message as one line: id, parent, role, and the texts in it. */
const lines = ({ messages }: Awaited<ReturnType<typeof built>>) =>
  messages.map(
    ({ id, parent, role, fragments }) =>
      `${id}<${parent ?? "-"} ${role} ${fragments.map((part) => `${part.type}:${String((part as { content?: unknown }).content)}`).join("|")}`,
  );

describe("a conversation of ChatGPT", () => {
  it("has its thoughts, code, pictures, sources, branches and times", async () => {
    const found = await built(richConversation);
    expect(found).toMatchObject({
      kind: "chatgpt",
      session: {
        title: "A talk",
        titleType: "SYSTEM",
        agent: "chat",
        insertedAt: 1_710_000_000_500,
        updatedAt: 1_710_000_900_750,
        current: 7,
        messages: 7,
      },
    });
    expect(lines(found)).toEqual([
      "1<- USER REQUEST:What is this? 你好\n\n[Picture: cat.png]",
      expect.stringMatching(/^2<1 ASSISTANT THINK:/u),
      "3<2 USER REQUEST:Draw it",
      "4<3 ASSISTANT RESPONSE:[Picture]\n\nHere it is.",
      "5<2 USER REQUEST:Describe it",
      "6<5 ASSISTANT RESPONSE:It is small.",
      "7<5 ASSISTANT RESPONSE:It is large.",
    ]);
    const [, answer] = found.messages;
    expect(answer).toMatchObject({
      model: "gpt-5-thinking",
      thinking: true,
      search: true,
      status: "FINISHED",
    });
    expect(answer?.fragments).toMatchObject([
      {
        id: 2,
        type: "THINK",
        content: "**Looking**\n\nI look at it.\n\n**Thinking**\n\nIt may be a cat.",
        elapsed_secs: 72,
      },
      {
        id: 3,
        type: "SEARCH",
        status: "FINISHED",
        queries: [{ query: "cats of today" }, { query: "cats" }],
        results: [
          { cite_index: 1, url: "https://example.org/cats", title: "Cats", site_name: "Example" },
          { cite_index: 2, url: "https://example.org/more", title: "More" },
        ],
      },
      {
        id: 4,
        type: "RESPONSE",
        content:
          "````python\nprint('``` hi')\n````\n\n````\n``` hi\n````\n\nA cat[citation:1][citation:2], says one.",
      },
    ]);
    expect(found.messages.at(-1)).toMatchObject({
      model: "gpt-4o",
      status: "INCOMPLETE",
      insertedAt: 1_710_000_300_000,
    });
    expect(JSON.stringify(found)).not.toContain("secret");
  });

  it.each([
    ["a prompt that was never answered", [["q", null, "user"]], ["1<- USER", "2<1 ASSISTANT"]],
    [
      "two prompts in a row",
      [
        ["q", null, "user"],
        ["r", "q", "user"],
        ["a", "r", "assistant"],
      ],
      ["1<- USER", "2<1 ASSISTANT", "3<2 USER", "4<3 ASSISTANT"],
    ],
    [
      "an answer first",
      [
        ["a", null, "assistant"],
        ["q", "a", "user"],
      ],
      ["1<- USER", "2<1 ASSISTANT", "3<2 USER", "4<3 ASSISTANT"],
    ],
    [
      "an answer in parts",
      [
        ["q", null, "user"],
        ["a", "q", "assistant"],
        ["b", "a", "assistant"],
      ],
      ["1<- USER", "2<1 ASSISTANT"],
    ],
    [
      "an answer that was answered in the middle",
      [
        ["q", null, "user"],
        ["a", "q", "assistant"],
        ["b", "a", "assistant"],
        ["r", "a", "user"],
        ["c", "r", "assistant"],
      ],
      ["1<- USER", "2<1 ASSISTANT", "3<1 ASSISTANT", "4<2 USER", "5<4 ASSISTANT"],
    ],
    [
      "a parent that is missing",
      [
        ["q", "nobody", "user"],
        ["a", "q", "assistant"],
      ],
      ["1<- USER", "2<1 ASSISTANT"],
    ],
    [
      "its own parent",
      [
        ["q", "q", "user"],
        ["a", "q", "assistant"],
      ],
      ["1<- USER", "2<1 ASSISTANT"],
    ],
    [
      "a circle beside a talk",
      [
        ["x", "y", "user"],
        ["y", "x", "assistant"],
        ["q", null, "user"],
        ["a", "q", "assistant"],
      ],
      ["1<- USER", "2<1 ASSISTANT"],
    ],
  ])("is a tree of turns: %s", async (_what, nodes, expected) => {
    const said = nodes.map(([id, parent, role]) => ({
      id: id as string,
      parent: parent as string | null,
      role: role as "user",
      content: text(`words of ${id}`),
    }));
    const found = await built(chatGptConversation(said));
    expect(lines(found).map((line) => line.split(" ").slice(0, 2).join(" "))).toEqual(expected);
  });

  it.each([
    [
      "a circle alone",
      chatGptConversation([
        { id: "x", parent: "x2", role: "user", content: text("a") },
        { id: "x2", parent: "x", role: "user", content: text("b") },
      ]),
      "EMPTY",
    ],
    ["nothing said", chatGptConversation([]), "EMPTY"],
    ["an empty mapping", { mapping: {} }, "EMPTY"],
  ])("is left out where it has %s", async (_what, value, reason) => {
    await expect(built(value)).rejects.toMatchObject({ reason });
  });

  it("is left out where it has more messages than a session may have", async () => {
    await expect(built(richConversation, 4)).rejects.toMatchObject({ reason: "TOO_MANY_MESSAGES" });
  });

  it.each([
    [null, NOW],
    [-1, NOW],
    [0, NOW],
    ["2024-01-01", NOW],
    [1e30, NOW],
    [NOW / 1000 + 864_000, NOW],
    [1_710_000_000.123, 1_710_000_000_123],
    [1_710_000_000_123, 1_710_000_000_123],
    [1_710_000_000_123_456, 1_710_000_000_123],
  ])("a time of %s is believed or not", async (at, expected) => {
    const conversation = chatGptConversation(
      [{ id: "q", parent: null, role: "user", content: text("a"), at: at as number }],
      {
        create_time: at,
        update_time: at,
      },
    );
    const { session, messages } = await built(conversation);
    expect([session.insertedAt, session.updatedAt, messages[0]?.insertedAt]).toEqual([
      expected,
      expected,
      expected,
    ]);
  });

  it("a time before that of what it answers is that one's", async () => {
    const conversation = chatGptConversation([
      { id: "q", parent: null, role: "user", content: text("a"), at: 1_710_000_100 },
      { id: "a", parent: "q", role: "assistant", content: text("b"), at: 1_710_000_050 },
    ]);
    expect((await built(conversation)).messages.map(({ insertedAt }) => insertedAt)).toEqual([
      1_710_000_100_000, 1_710_000_100_000,
    ]);
  });

  it.each([
    ["A".repeat(100), `${"A".repeat(31)}…`],
    ["A".repeat(32), "A".repeat(32)],
    ["How tides come and go along the northern coasts", "How tides come and go along the…"],
    ["  two\n lines\u0000 ", "two lines"],
    ["\ud83d\ude00".repeat(40), `${"\ud83d\ude00".repeat(31)}…`],
    ["half \ud83d", "half \ufffd"],
    ["", "words of mine"],
    [17, "words of mine"],
  ])("a title of %j fits ours", async (title, expected) => {
    const conversation = chatGptConversation(
      [{ id: "q", parent: null, role: "user", content: text("words of mine") }],
      { title },
    );
    expect((await built(conversation)).session.title).toBe(expected);
  });

  it("texts can be stored whatever is in them", async () => {
    const conversation = chatGptConversation([
      { id: "q", parent: null, role: "user", content: text("a\u0000b\ud800c") },
    ]);
    expect((await built(conversation)).messages[0]?.fragments).toEqual([
      { id: 1, type: "REQUEST", content: "ab\ufffdc" },
    ]);
  });
});

describe("a chat of Open WebUI", () => {
  it("has its thoughts, models, sources, judgements, branches and times", async () => {
    const found = await built(richChat);
    expect(found).toMatchObject({
      kind: "open_webui",
      session: {
        title: "About birds",
        pinned: true,
        insertedAt: 1_720_000_000_000,
        updatedAt: 1_720_000_500_000,
        current: 5,
      },
    });
    expect(lines(found).map((line) => line.slice(0, 20))).toEqual([
      "1<- USER REQUEST:Whi",
      "2<1 ASSISTANT THINK:",
      "3<1 ASSISTANT THINK:",
      "4<2 USER REQUEST:Run",
      "5<4 ASSISTANT RESPON",
    ]);
    const [question, lark, finch, , broken] = found.messages;
    expect(question?.fragments).toMatchObject([
      { content: "Which bird is this?\n\n[Picture]\n\n[File: notes.pdf]" },
    ]);
    expect(lark).toMatchObject({
      model: "llama3.2:latest",
      feedback: { feedback_type: "GOOD", feedback_tag: null, description: "good" },
      fragments: [
        { type: "THINK", content: "It sings & flies.\nSo 1 < 2.", elapsed_secs: 12 },
        {
          type: "SEARCH",
          queries: [{ query: "larks" }, { query: "songs of larks" }],
          results: [
            {
              cite_index: 1,
              url: "https://example.org/lark",
              title: "The lark",
              snippet: "A lark is a bird.",
            },
            { cite_index: 2, url: "https://example.org/other" },
          ],
        },
        { type: "RESPONSE", content: "A lark [citation:1], or not [citation:2]. `x[1](y)` [9]" },
      ],
    });
    expect(finch).toMatchObject({
      model: "qwen3:8b",
      feedback: { feedback_type: "BAD" },
      fragments: [
        { type: "THINK", content: "Hmm.", elapsed_secs: null },
        { type: "RESPONSE", content: "A finch." },
      ],
    });
    expect(broken).toMatchObject({
      status: "INCOMPLETE",
      fragments: [
        {
          type: "RESPONSE",
          content:
            "First.\n\n```\nget_time\n12:00\n```\n\nThen <details><summary>more</summary>own</details>.",
        },
      ],
    });
  });

  it("is read where its messages are a list, and where it is all there is", async () => {
    const said = [
      { id: "u", parentId: null, role: "user" as const, content: "Hello" },
      { id: "a", parentId: "u", role: "assistant" as const, content: "Hi" },
    ];
    const whole = openWebUiChat(said);
    const chat = { ...(whole["chat"] as Record<string, unknown>) };
    for (const value of [whole, chat, { ...whole, chat: { ...chat, history: {} } }])
      expect(lines(await built(value))).toEqual(["1<- USER REQUEST:Hello", "2<1 ASSISTANT RESPONSE:Hi"]);
  });

  it.each([
    ['<details type="reasoning">never ends', ["thought:never ends"]],
    ['a <details type="reasoning" x="<details">t</details> b', ["answer:a", "thought:t", "answer:b"]],
    ["<details", ["answer:<details"]],
    ["<details open>mine</details>", ["answer:<details open>mine</details>"]],
    ["<think>t", ["answer:<think>t"]],
    ["<think></think>  ", []],
    [
      '<details type="code_interpreter">\n<summary>Analyzed</summary>\n```python\n1\n```\n</details>',
      ["answer:```python\n1\n```"],
    ],
  ])("the answer %j has these parts", async (content, expected) => {
    const { detailsIn } = await import("./open-webui-details.ts");
    expect(detailsIn(content).map((part) => `${part.type}:${part.text}`)).toEqual(expected);
  });
});

describe("who wrote a conversation", () => {
  it.each([
    null,
    1,
    "x",
    [],
    {},
    { mapping: 1 },
    { chat: 1 },
    { chat: { messages: 1 } },
    { chat_session: {} },
  ])("of the form %j nobody did", (value) => {
    expect(readerOf(value)).toBeNull();
  });
});
