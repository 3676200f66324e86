// Uploads that are made to harm: each ends soon, with a reason or with sessions that are sound, and costs no other conversation.
import { closeSync, openSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { crc32, deflateRawSync, gzipSync, inflateRawSync } from "node:zlib";
import type { Fragment } from "@plumb/protocol/conversation/fragment";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../../../test/temporary-folder.ts";
import { contentAt, readRecords } from "../../../features/imports/read-records.ts";
import { InputFile } from "../../../platform/isolation/input-file.ts";
import { deflatedBomb } from "../../document-reader/testing/bombs.fixture.ts";
import { zip, zipOf } from "../../document-reader/testing/zip-writer.fixture.ts";
import { chatGptConversation, text } from "../testing/chatgpt-export.fixture.ts";
import { openWebUiChat } from "../testing/open-webui-export.fixture.ts";
import { RecordSink } from "./record-sink.ts";
import { UploadError } from "./upload-error.ts";
import { writeRecords } from "./write-records.ts";

const NOW = 1_760_000_000_000;
const folder = temporaryFolder("hostile-uploads");
let count = 0;

interface Came {
  error: string | null;
  taken: number;
  skipped: string[];
}

/** Reads an upload, and checks that whatever came of it can be stored. */
async function cameOf(
  content: string | Uint8Array,
  bounds?: { entries: number; unpackedBytes: number },
): Promise<Came> {
  count += 1;
  const path = join(folder, String(count));
  writeFileSync(path, content);
  const [input, output] = [openSync(path, "r"), openSync(`${path}.records`, "w")];
  const came: Came = { error: null, taken: 0, skipped: [] };
  const sink = new RecordSink(output);
  try {
    const how = { after: 0, kind: null, locale: "en_US", mostMessages: 1000, keptBytes: 64e6, now: NOW };
    await writeRecords(new InputFile(input), sink, how, bounds);
  } catch (error) {
    if (!(error instanceof UploadError)) throw error;
    came.error = error.problem;
  }
  sink.flush();
  closeSync(input);
  closeSync(output);
  await using records = await open(`${path}.records`, "r");
  let roles = new Map<number, string>();
  let last = 0;
  for await (const { record, at } of readRecords(records)) {
    if (record.type === "skip") came.skipped.push(record.reason);
    if (record.type === "end") came.taken += 1;
    if (record.type === "session") {
      [roles, last] = [new Map(), 0];
      expect([...(record.title ?? "")].length).toBeLessThanOrEqual(32);
      for (const time of [record.insertedAt, record.updatedAt])
        expect(Number.isSafeInteger(time) && time >= 0).toBe(true);
    }
    if (record.type !== "message") continue;
    expect(record.id).toBeGreaterThan(last);
    last = record.id;
    if (record.parent === null) expect(record.role).toBe("USER");
    else expect(roles.get(record.parent)).toBe(record.role === "USER" ? "ASSISTANT" : "USER");
    roles.set(record.id, record.role);
    const json = await contentAt(records, at, record.bytes);
    expect(json.isWellFormed() && !json.includes("\\u0000") && !/\\ud[89a-f]/iu.test(json)).toBe(true);
    for (const fragment of JSON.parse(json) as Fragment[])
      expect(["REQUEST", "THINK", "RESPONSE", "SEARCH", "TIP", "TEMPLATE_RESPONSE"]).toContain(fragment.type);
    expect(json).not.toContain("javascript:");
  }
  return came;
}

const good = chatGptConversation([
  { id: "q", parent: null, role: "user", content: text("a question") },
  { id: "a", parent: "q", role: "assistant", content: text("an answer") },
]);
/** Between two good ones, which must not suffer. */
const among = (...hostile: unknown[]) =>
  `[${[good, ...hostile, good].map((one) => (typeof one === "string" ? one : JSON.stringify(one))).join(",")}]`;
const asking = (content: object, metadata = {}) =>
  chatGptConversation([
    { id: "q", parent: null, role: "user", content: text("q") },
    { id: "a", parent: "q", role: "assistant", content, metadata },
  ]);
const answering = (content: unknown, extra = {}) =>
  openWebUiChat([
    { id: "u", parentId: null, role: "user", content: "q" },
    { id: "a", parentId: "u", role: "assistant", content: content as string, ...extra },
  ]);
const own = (messages: unknown[], session = {}) => ({
  chat_session: { id: crypto.randomUUID(), title: "x", ...session },
  chat_messages: messages,
});
const question = {
  message_id: 1,
  parent_id: null,
  role: "USER",
  fragments: [{ type: "REQUEST", content: "q" }],
};
const FILE = "file-00000000-0000-4000-8000-000000000001";
const nest = (times: number) => "[".repeat(times) + "]".repeat(times);
const chain = (length: number) => ({
  ...good,
  mapping: Object.fromEntries(
    Array.from({ length }, (_none, n) => [
      `n${n}`,
      {
        parent: n === 0 ? null : `n${n - 1}`,
        message: { author: { role: n === 0 ? "user" : "assistant" }, content: text("x") },
      },
    ]),
  ),
});
const million = (piece: string) => piece.repeat(Math.ceil(1e6 / piece.length));

it.each<[string, string | Uint8Array, string]>([
  ["nothing", "", "UNSUPPORTED_FORMAT"],
  ["a picture", Buffer.from("89504e470d0a1a0a", "hex"), "UNSUPPORTED_FORMAT"],
  ["gzip", gzipSync(among()), "UNSUPPORTED_FORMAT"],
  [
    "a PDF with a zip behind it",
    Buffer.concat([Buffer.from("%PDF-1.7\n"), zipOf({ "conversations.json": among() })]),
    "UNSUPPORTED_FORMAT",
  ],
  ["UTF-16", Buffer.from(`\ufeff${among()}`, "utf16le"), "UNSUPPORTED_FORMAT"],
  ["a zip's beginning", Buffer.from("504b0304", "hex"), "UNREADABLE"],
  ["half a zip", zipOf({ "conversations.json": among() }).subarray(0, 300), "UNREADABLE"],
  ["a zip of other files", zipOf({ "a.txt": "x", "conversations.json.exe": among() }), "UNSUPPORTED_FORMAT"],
  [
    "a zip of zips",
    zipOf({ "conversations.zip": zipOf({ "conversations.json": among() }).toString("latin1") }),
    "UNSUPPORTED_FORMAT",
  ],
  ["an absolute path", zipOf({ "/conversations.json": among() }), "UNREADABLE"],
  ["a path that leads out", zipOf({ "../conversations.json": among() }), "UNREADABLE"],
  ["a path with backslashes", zipOf({ "..\\conversations.json": among() }), "UNREADABLE"],
  ["a locked zip", zip([{ name: "conversations.json", content: among(), flags: 1 }]), "LOCKED"],
  ["a list of anything", '[{"a":1},2,"x",null]', "UNSUPPORTED_FORMAT"],
  ["a list a million deep", nest(1e6), "UNSUPPORTED_FORMAT"],
])("%s is refused", async (_what, content, error) => {
  expect(await cameOf(content)).toMatchObject({ error, taken: 0 });
});

it.each(["a/conversations.json", "User Online Activity/2026/chats/x/conversations-000.json"])(
  "a zip that somebody has packed anew is read: %s",
  async (name) => {
    expect(await cameOf(zipOf({ [name]: among() }))).toMatchObject({ error: null, taken: 2 });
  },
);

it("what unpacks to more than may be, in one file or in many, is refused", async () => {
  const bounds = { entries: 100, unpackedBytes: 5_000_000 };
  const bomb = deflatedBomb(" ", 20_000_000, { start: "[", end: "]" });
  expect(
    await cameOf(zip([{ name: "conversations.json", content: "", deflated: bomb }]), bounds),
  ).toMatchObject({ error: "TOO_LARGE" });
  const bytes = deflatedBomb(" ", 2_000_000, { start: "[", end: "]" });
  const part = { ...bytes, crc: crc32(inflateRawSync(bytes.bytes)) };
  const parts = Array.from({ length: 5 }, (_none, n) => ({
    name: `conversations-00${n}.json`,
    content: "",
    deflated: part,
  }));
  expect(await cameOf(zip(parts), bounds)).toMatchObject({ error: "TOO_LARGE" });
  const many = Array.from({ length: 101 }, (_none, n) => ({ name: `${n}`, content: "" }));
  expect(await cameOf(zip(many), bounds)).toMatchObject({ error: "TOO_LARGE" });
});

it("a list that goes on and on is refused, and no more of it told than an import can be", async () => {
  const { error, taken, skipped } = await cameOf(`[${JSON.stringify(good)}${",1".repeat(300_000)}]`);
  expect([error, taken, skipped.length]).toEqual(["TOO_LARGE", 1, 199_999]);
  // Also where nothing of it is of a known form: finding that out is no little matter any more.
  expect((await cameOf(`[${"1,".repeat(200_000)}1]`)).error).toBe("TOO_LARGE");
});

it("a zip that says less than it unpacks to is refused, and what came before it is there", async () => {
  const lies = { bytes: deflatedBomb(" ", 1_000_000, { start: "[" }).bytes, size: 10 };
  const content = zip([
    { name: "conversations-000.json", content: among() },
    { name: "conversations-001.json", content: "", deflated: lies },
  ]);
  expect(await cameOf(content)).toMatchObject({ error: "UNREADABLE", taken: 2 });
});

it("a zip whose bytes are not those of its sums is called damaged, whatever they say", async () => {
  const changed = { bytes: deflateRawSync(among()), size: Buffer.byteLength(among()) };
  const content = zip([{ name: "conversations.json", content: "", deflated: changed }]);
  expect(await cameOf(content)).toMatchObject({ error: "UNREADABLE", taken: 2 });
});

it.each<[string, unknown, string[]]>([
  ["nests a million deep", `{"mapping":${nest(1e6)}}`, ["TOO_LARGE"]],
  ["nests a thousand deep in a text's place", `{"mapping":{"a":{"message":${nest(1000)}}}}`, ["TOO_LARGE"]],
  ["is damaged", '{"mapping":{"a":}}', ["UNREADABLE"]],
  ["is of no form", { any: "thing" }, ["UNREADABLE"]],
  ["is a number", 17, ["UNREADABLE"]],
  ["has no words", chatGptConversation([]), ["EMPTY"]],
  [
    "has a circle alone",
    { ...good, mapping: { a: { parent: "b", message: {} }, b: { parent: "a" } } },
    ["EMPTY"],
  ],
  ["has a hundred thousand in a chain", chain(100_000), []],
  [
    "has a hundred thousand beside each other",
    chatGptConversation(
      Array.from({ length: 3000 }, (_none, n) => ({
        id: `n${n}`,
        parent: null,
        role: "user" as const,
        content: text("x"),
      })),
    ),
    ["TOO_MANY_MESSAGES"],
  ],
  ["has a text of nine megabytes", asking(text("x".repeat(9e6))), ["TOO_LARGE"]],
  ["has five megabytes of quotes", asking(text('"'.repeat(5e6))), ["TOO_LARGE"]],
  [
    "has nodes named as prototypes",
    JSON.stringify({ ...good, mapping: 0 }).replace(
      '"mapping":0',
      '"mapping":{"__proto__":{"parent":"constructor","message":{"author":{"role":"user"},"content":{"content_type":"text","parts":["x"]}}},"constructor":{"parent":null},"hasOwnProperty":1}',
    ),
    [],
  ],
  ["says every key twice", JSON.stringify(good).replace('"mapping":', '"mapping":17,"mapping":'), []],
  ["has times of everything", { ...good, create_time: "x", update_time: -1e300 }, []],
  [
    "has a time that is no number",
    JSON.stringify(good).replace('"create_time":1710000000.5', '"create_time":1e999'),
    [],
  ],
  ["has halves of pairs and U+0000", asking(text("\ud800 \udc00 \u0000 \ud83d"), {}), []],
  ["has a title of all that", { ...good, title: "\u202e\u0000\ud800".repeat(1e5) }, []],
  [
    "has contents of other types",
    {
      ...good,
      mapping: {
        a: { message: { author: 17, content: [] } },
        b: { message: { author: { role: "user" }, content: { parts: [1, null, [], {}, { text: {} }] } } },
        c: 1,
        d: null,
      },
    },
    ["EMPTY"],
  ],
  [
    "has a parent that is an object",
    { ...good, mapping: { a: { parent: {}, message: { author: { role: "user" }, content: text("x") } } } },
    [],
  ],
  [
    "cites what leads nowhere",
    asking(text("a\ue200x\ue201b"), {
      content_references: [
        {
          matched_text: "\ue200x\ue201",
          items: [{ url: "javascript:alert(1)" }, { url: "file:///etc/passwd" }, { url: 17 }, null],
        },
      ],
    }),
    [],
  ],
  [
    "cites nothing, a thousand times",
    asking(text(million("ab")), {
      content_references: Array.from({ length: 1000 }, () => ({
        matched_text: "",
        items: [{ url: "https://example.org" }],
      })),
    }),
    [],
  ],
  ["has marks that never end", asking(text(million("\ue200ab")), {}), []],
  ["has long marks that never end", asking(text(`\ue200${"x".repeat(100)}`.repeat(10_000)), {}), []],
  ["has blocks that never end", asking(text(million('\n:::writing{x="')), {}), []],
  [
    "has lines of blocks with spaces",
    asking(text(`:::writing{}${"\n:::".concat(" ".repeat(1000), "x").repeat(1000)}`), {}),
    [],
  ],
  ["has pictures that never end", answering(million("![](data:image/")), []],
  [
    "asks its tools for what is no JSON",
    chatGptConversation([
      { id: "q", parent: null, role: "user", content: text("x") },
      {
        id: "a",
        parent: "q",
        role: "assistant",
        recipient: "web",
        content: { content_type: "code", text: million('search("') },
      },
      {
        id: "b",
        parent: "a",
        role: "assistant",
        recipient: "canmore.create_textdoc",
        content: { content_type: "code", text: million('{"content":[') },
      },
    ]),
    [],
  ],
  [
    "cites every word",
    asking(text(million("word ")), {
      content_references: Array.from({ length: 1000 }, () => ({
        matched_text: "word",
        items: [{ url: "https://example.org" }],
      })),
    }),
    [],
  ],
  ["has a million marks that do not end", asking(text(million("\ue200"))), []],
  ["has a million old marks that do not end", asking(text(million("【1†"))), []],
  ["has code of a million backquotes", asking({ content_type: "code", text: million("`") }), []],
  ["has a million runs of backquotes", asking({ content_type: "code", text: million("``` ") }), []],
  [
    "has a million thoughts",
    asking({
      content_type: "thoughts",
      thoughts: Array.from({ length: 1e5 }, () => ({ summary: "s", content: "c" })),
    }),
    [],
  ],
  ["opens a hundred thousand details", answering(million("<details ")), []],
  ["opens a hundred thousand thoughts in details", answering(million('<details type="reasoning" x="')), []],
  ["has attributes without an end", answering(`<details type="reasoning"${million(' a="b"')}`), []],
  ["has spaces without an end", answering(`<details${million(" ")}`), []],
  ["opens a million thoughts", answering(million("<think>")), []],
  ["closes a million thoughts", answering(million("<think></think>")), []],
  [
    "has a million brackets",
    answering(million("[1, "), { sources: [{ source: { name: "https://example.org" }, metadata: [{}] }] }),
    [],
  ],
  [
    "has messages that are a list",
    { ...answering("x"), chat: { history: { messages: [{ role: "user", content: "a" }] } } },
    ["UNREADABLE"],
  ],
  [
    "names itself as its parent",
    {
      chat: { history: { messages: { a: { parentId: "a", role: "user", content: "x" } }, currentId: "zz" } },
    },
    [],
  ],
  [
    "has files of other accounts",
    own([
      {
        ...question,
        files: [
          { id: "file-00000000-0000-4000-8000-000000000000", file_name: "../../etc/passwd", file_size: -1 },
          { id: "../x" },
          null,
        ],
      },
    ]),
    [],
  ],
  ["has an id without an end", own([question], { id: "x".repeat(600_000) }), []],
  [
    "has an id without an end, and none of a kind",
    { ...good, id: "y".repeat(600_000), conversation_id: 7 },
    [],
  ],
  ["names who speaks without an end", own([question], { agent: "x".repeat(600_000) }), []],
  ["names a persona without an end", own([question], { character_id: "x".repeat(600_000) }), []],
  [
    "carries one file a hundred thousand times",
    own([
      {
        ...question,
        files: Array.from({ length: 100_000 }, () => ({ id: FILE, file_name: "a.txt", file_size: 1 })),
      },
    ]),
    [],
  ],
  [
    "has ids that are none",
    own([
      { ...question, message_id: 1.5 },
      { ...question, message_id: -1 },
      { ...question, message_id: 2 ** 60, parent_id: 2 ** 60 },
      { ...question, message_id: "x" },
    ]),
    [],
  ],
  ["has an id twice", own([question, { ...question, role: "ASSISTANT", parent_id: 1, fragments: [] }]), []],
  [
    "has parts that nobody knows",
    own([
      question,
      {
        message_id: 2,
        parent_id: 1,
        role: "ASSISTANT",
        status: "WIP",
        fragments: [
          { type: "EVIL", html: "<script>" },
          1,
          null,
          { type: "TIP", category: "X", style: 1 },
          {
            type: "SEARCH",
            results: [
              { url: "javascript:1" },
              { url: "https://e.org", site_icon: "data:text/html,x", cite_index: -1, query_indexes: ["x"] },
            ],
            queries: 7,
          },
        ],
      },
    ]),
    [],
  ],
  [
    "begins with a reply",
    own([{ ...question, role: "ASSISTANT", fragments: [{ type: "RESPONSE", content: "x" }] }]),
    [],
  ],
  [
    "has a session of other types",
    own([question], {
      id: 7,
      title: {},
      title_type: "X",
      version: -1,
      agent: [],
      inserted_at: "x",
      current_message_id: "x",
    }),
    [],
  ],
])("a conversation that %s costs itself alone", { timeout: 30_000 }, async (_what, hostile, reasons) => {
  // An own one names the form of the whole upload as little as any other.
  const upload = zipOf({ "conversations.json": among(hostile), [`files/a.${FILE}.txt`]: "A text" });
  const { error, taken, skipped } = await cameOf(upload);
  expect({ error, skipped }).toEqual({ error: null, skipped: reasons });
  expect(taken).toBe(reasons.length === 0 ? 3 : 2);
});

it.each([
  ["a list and another one", `${among()}\n${among()}`],
  ["a list and words", `${among()} and what an editor has left`],
])("of %s in one file the first list comes, and the rest is said to be left out", async (_what, content) => {
  expect(await cameOf(content)).toEqual({ error: null, taken: 2, skipped: ["UNREADABLE"] });
});
