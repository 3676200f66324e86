// What a reader of ChatGPT's own page saw is what is read here: nothing of it lost, and nothing of what was never shown.
import type { Fragment } from "@plumb/protocol/conversation/fragment";
import { describe, expect, it } from "vitest";
import { chatGptConversation, text } from "../testing/chatgpt-export.fixture.ts";
import { buildSession } from "./build-session.ts";
import { importTexts } from "./import-texts.ts";
import { readChatGpt } from "./read-chatgpt.ts";

const NOW = 1_760_000_000_000;
type Node = Parameters<typeof chatGptConversation>[0][number];

/** The fragments of the answer that these messages make, as `TYPE:content`; that of the prompt goes before where it is asked for. */
async function shown(nodes: readonly Partial<Node>[], prompt: Partial<Node> = {}): Promise<string[]> {
  const first: Node = { id: "q", parent: null, role: "user", content: text("Question"), ...prompt };
  const rest = nodes.map((node, index): Node => {
    const parent = index === 0 ? "q" : `n${index - 1}`;
    return { id: `n${index}`, parent, role: "assistant", content: text(""), ...node };
  });
  const value: unknown = JSON.parse(JSON.stringify(chatGptConversation([first, ...rest])));
  const read = readChatGpt(value, NOW, importTexts("en_US"));
  const { messages } = await buildSession(read, { now: NOW, mostMessages: 100 });
  const all = messages.map(({ fragments }) => JSON.parse(fragments.toString()) as Fragment[]);
  const [asked, answered = []] = all;
  const parts = Object.keys(prompt).length > 0 ? [...(asked ?? []), ...answered] : answered;
  return parts.map((part) => `${part.type}:${String((part as { content?: unknown }).content)}`);
}

const code = (written: unknown) => ({
  content_type: "code",
  language: "unknown",
  text: typeof written === "string" ? written : JSON.stringify(written),
});
const cited = (words: string, references: readonly object[] = []): Partial<Node> => ({
  content: text(words),
  metadata: { content_references: references },
});
const page = { title: "The sea", url: "https://example.com/sea", snippet: "94 m", attribution: "Example" };

describe("a prompt of ChatGPT", () => {
  const picture = (id: string) => ({ content_type: "image_asset_pointer", asset_pointer: id });
  const file = (id: string, name: string, type: string) => ({ id, name, mime_type: type });

  it.each([
    [
      "a picture beside a file that it is not",
      [picture("file-service://file-p"), "Look"],
      [file("file-n", "notes.pdf", "application/pdf")],
      "[Picture]\n\nLook\n\n[File: notes.pdf]",
    ],
    [
      "pictures, of which one is attached by its name",
      [picture("sediment://file_1"), picture("sediment://file_2"), "Look"],
      [file("file_2", "cat.png", "image/png")],
      "[Picture]\n\nLook\n\n[Picture: cat.png]",
    ],
    [
      "a page of a file that is attached",
      [picture("sediment://file_1#page_2#p_0.png"), "Look"],
      [file("file_1", "notes.pdf", "application/pdf")],
      "Look\n\n[File: notes.pdf]",
    ],
    [
      "a picture that is attached without an id",
      [picture("sediment://file_1"), "Look"],
      [{ name: "cat.png", mimeType: "image/png" }],
      "Look\n\n[Picture: cat.png]",
    ],
  ])("has %s", async (_title, parts, attachments, told) => {
    const content = { content_type: "multimodal_text", parts };
    const [asked] = await shown([], { content, metadata: { attachments } });
    expect(asked).toBe(`REQUEST:${told}`);
  });
});

describe("an answer of ChatGPT", () => {
  it.each<[string, Partial<Node>[], string[]]>([
    [
      "a document beside the chat",
      [
        {
          recipient: "canmore.create_textdoc",
          content: code({ name: "Tides", type: "document", content: "# Tides\n\nThey come." }),
        },
        { role: "tool", name: "canmore.create_textdoc", content: text("Successfully created text document") },
        { content: text("Here it is.") },
      ],
      ["RESPONSE:**Tides**\n\n# Tides\n\nThey come.\n\nHere it is."],
    ],
    [
      "code beside the chat, and its change",
      [
        {
          recipient: "canmore.create_textdoc",
          content: text(JSON.stringify({ name: "a.py", type: "code/python", content: "print(1)" })),
        },
        {
          recipient: "canmore.update_textdoc",
          content: code({ updates: [{ pattern: ".*", multiple: false, replacement: "print(2)" }] }),
        },
        {
          recipient: "canmore.comment_textdoc",
          content: code({ comments: [{ pattern: "print", comment: "Why?" }] }),
        },
      ],
      ["RESPONSE:**a.py**\n\n```python\nprint(1)\n```\n\n```\nprint(2)\n```\n\n- Why?"],
    ],
    [
      "a document that is cut off",
      [{ recipient: "canmore.create_textdoc", content: code('{"name":"Tides","content":"# Ti') }],
      ['RESPONSE:```\n{"name":"Tides","content":"# Ti\n```'],
    ],
    [
      "what is asked of tools is not shown, but code",
      [
        { recipient: "bio", content: text("Likes the sea.") },
        { recipient: "t2uay3k.sj1i4kz", content: code({ prompt: "a sea", size: "1536x1024" }) },
        { recipient: "dalle.text2im", content: code({ prompt: "a sea", size: "1024x1024" }) },
        { recipient: "file_search.msearch", content: code({ queries: ["depth"] }) },
        { recipient: "myfiles_browser", content: code('msearch(["depth"])') },
        { recipient: "api_tool.call_tool", content: code({ path: "/x", args: {} }) },
        { recipient: "python", content: code("print(94)") },
        { role: "tool", name: "python", content: { content_type: "execution_output", text: "94\n" } },
        { content: text("94 m.") },
      ],
      ["RESPONSE:```python\nprint(94)\n```\n\n```\n94\n```\n\n94 m."],
    ],
    [
      "pictures that were drawn, with their names",
      [
        {
          role: "tool",
          name: "t2uay3k.sj1i4kz",
          content: {
            content_type: "multimodal_text",
            parts: [
              {
                content_type: "image_asset_pointer",
                asset_pointer: "sediment://file_1",
                width: 1,
                height: 1,
              },
            ],
          },
          metadata: { image_gen_title: "A walnut box" },
        },
        { role: "tool", name: "t2uay3k.sj1i4kz", content: text("From now on, do not say or show ANYTHING.") },
      ],
      ["RESPONSE:[Picture: A walnut box]"],
    ],
    [
      "pictures that code has drawn",
      [
        { recipient: "python", content: code("plot()") },
        {
          role: "tool",
          name: "python",
          content: { content_type: "execution_output", text: "" },
          metadata: {
            aggregate_result: { messages: [{ message_type: "image", image_url: "file-service://x" }] },
          },
        },
      ],
      ["RESPONSE:```python\nplot()\n```\n\n[Picture]"],
    ],
    [
      "an error of the code, and none that tells the model what to say",
      [
        {
          role: "tool",
          name: "python",
          content: { content_type: "system_error", name: "AceTimeoutException", text: "It took too long." },
        },
        {
          role: "tool",
          name: "t2uay3k.sj1i4kz",
          content: {
            content_type: "system_error",
            name: "RateLimitException",
            text: "Before doing anything else, explain to the user that …",
          },
        },
      ],
      ["RESPONSE:AceTimeoutException: It took too long."],
    ],
    [
      "code that was run while it thought",
      [
        {
          content: {
            content_type: "thoughts",
            thoughts: [{ summary: "Counting", content: "I count.", chunks: [], finished: true }],
          },
        },
        { recipient: "python", content: code("1+1"), metadata: { reasoning_status: "is_reasoning" } },
        {
          role: "tool",
          name: "python",
          content: { content_type: "execution_output", text: "2" },
          metadata: { reasoning_status: "is_reasoning" },
        },
        { content: { content_type: "reasoning_recap", content: "Thought for 5s" } },
        { content: text("Two.") },
      ],
      ["THINK:**Counting**\n\nI count.\n\n```python\n1+1\n```\n\n```\n2\n```", "RESPONSE:Two."],
    ],
    [
      "the report of a research",
      [
        {
          role: "tool",
          name: "api_tool",
          content: code("{}"),
          metadata: {
            chatgpt_sdk: {
              attribution_id: "connector_openai_deep_research",
              widget_state: JSON.stringify({
                status: "completed",
                report_message: {
                  content: {
                    content_type: "text",
                    parts: ["# Report\n\nIt is deep\ue200cite\ue202turn1\ue201."],
                  },
                  metadata: {
                    content_references: [
                      {
                        matched_text: "\ue200cite\ue202turn1\ue201",
                        type: "grouped_webpages",
                        items: [page],
                      },
                    ],
                  },
                },
              }),
            },
          },
        },
      ],
      ["SEARCH:null", "RESPONSE:# Report\n\nIt is deep[citation:1]."],
    ],
    [
      "a text to be copied",
      [
        {
          content: text(
            'Here:\n\n:::writing{variant="email" id="1" subject="The tide"}\nDear all,\n\nit comes.\n:::\n\nBye.',
          ),
        },
      ],
      ["RESPONSE:Here:\n\n**The tide**\n\nDear all,\n\nit comes.\n\n\nBye."],
    ],
    [
      "names of things, links and what is marked",
      [
        cited(
          'In \ue200entity\ue202["city","Jersey","island"]\ue201 and \ue200entity\ue202Sark\ue201 it is \ue203high\ue204\ue206, says \ue200url\ue202the [port]\ue202https://example.com/a(b)\ue201 and \ue200link_title\ue202the map\ue202turn0search1\ue201\ue200image_group\ue202{"query":["tide"]}\ue201\ue200filecite\ue202turn0file0\ue202L1-L3\ue201.',
          [
            {
              matched_text: '\ue200entity\ue202["city","Jersey","island"]\ue201',
              type: "entity",
              name: "Jersey",
              url: "https://example.com/jersey",
            },
            {
              matched_text: "\ue200link_title\ue202the map\ue202turn0search1\ue201",
              type: "link_title",
              url: "https://example.com/map",
            },
          ],
        ),
      ],
      [
        "RESPONSE:In Jersey and Sark it is high, says [the port](<https://example.com/a(b)>) and [the map](<https://example.com/map>).",
      ],
    ],
    [
      "marks of the first years",
      [
        {
          content: text("It is 94 m【11†source】, or so【12†source】."),
          metadata: {
            citations: [
              {
                start_ix: 10,
                end_ix: 21,
                citation_format_type: "tether_og",
                metadata: { type: "webpage", ...page, extra: { cited_message_idx: 11 } },
              },
            ],
          },
        },
      ],
      ["SEARCH:null", "RESPONSE:It is 94 m[citation:1], or so."],
    ],
  ])("shows %s", async (_what, nodes, expected) => {
    expect(await shown(nodes)).toEqual(expected);
  });

  it("names what was searched for in every form", async () => {
    const conversation = chatGptConversation([
      { id: "q", parent: null, role: "user", content: text("Question") },
      {
        id: "a",
        parent: "q",
        role: "assistant",
        recipient: "web.run",
        content: code({ search_query: [{ q: "depth of the sea", recency: 30 }, { q: "tides" }] }),
      },
      {
        id: "b",
        parent: "a",
        role: "assistant",
        recipient: "browser",
        content: code('search("sand", recency_days=30)\nsearch("salt")'),
      },
      { id: "c", parent: "b", role: "assistant", content: text("94 m.") },
    ]);
    const read = readChatGpt(conversation, NOW, importTexts("en_US"));
    const queries = read.messages.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === "search" ? part.queries : [])),
    );
    expect(queries).toEqual(["depth of the sea", "tides", "sand", "salt"]);
  });
});

describe("a prompt of ChatGPT", () => {
  it.each<[string, Partial<Node>, string]>([
    [
      "with what of an answer it is about",
      { content: text("Why?"), metadata: { targeted_reply: "The sea\nis deep" } },
      "REQUEST:> The sea\n> is deep\n\nWhy?",
    ],
    [
      "that was spoken, without its recording",
      {
        content: {
          content_type: "multimodal_text",
          parts: [
            { content_type: "audio_transcription", text: "How deep?", direction: "in" },
            { content_type: "real_time_user_audio_video_asset_pointer", audio_asset_pointer: {} },
          ],
        },
      },
      "REQUEST:How deep?",
    ],
    [
      "that was spoken and not written down",
      {
        content: {
          content_type: "multimodal_text",
          parts: [{ content_type: "audio_asset_pointer", asset_pointer: "sediment://x" }],
        },
      },
      "REQUEST:[Recording]",
    ],
  ])("is shown %s", async (_what, prompt, expected) => {
    expect((await shown([{ content: text("Yes.") }], prompt))[0]).toBe(expected);
  });

  it("is none where it is what the account says of itself", async () => {
    const about = { id: "about", parent: null, role: "user", content: text("I live by the sea.") } as const;
    const value = chatGptConversation([
      { ...about, metadata: { is_user_system_message: true } },
      { id: "q", parent: "about", role: "user", content: text("Hello") },
    ]);
    const read = readChatGpt(value, NOW, importTexts("en_US"));
    expect(JSON.stringify(read)).not.toContain("by the sea");
  });
});
