// What a reader of Open WebUI's own page saw is what is read here.
import type { Fragment } from "@plumb/protocol/conversation/fragment";
import { describe, expect, it } from "vitest";
import { openWebUiChat } from "../testing/open-webui-export.fixture.ts";
import { buildSession } from "./build-session.ts";
import { importTexts } from "./import-texts.ts";
import { readOpenWebUi } from "./read-open-webui.ts";

const NOW = 1_760_000_000_000;

async function shown(answer: Record<string, unknown>): Promise<string[]> {
  const value: unknown = JSON.parse(
    JSON.stringify(
      openWebUiChat([
        { id: "q", parentId: null, role: "user", content: "Question" },
        { id: "a", parentId: "q", role: "assistant", content: "", ...answer },
      ]),
    ),
  );
  const read = readOpenWebUi(value, NOW, importTexts("en_US"));
  const { messages } = await buildSession(read, { now: NOW, mostMessages: 100 });
  const fragments = JSON.parse(messages[1]?.fragments.toString() ?? "[]") as Fragment[];
  return fragments.map((part) => `${part.type}:${String((part as { content?: unknown }).content)}`);
}
/** As Python's html.escape(json.dumps(…)) writes it into an attribute. */
const attribute = (value: unknown) =>
  JSON.stringify(value)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");

describe("an answer of Open WebUI", () => {
  it.each<[string, Record<string, unknown>, string[]]>([
    [
      "what a tool was asked, and what it answered",
      {
        content: `<details type="tool_calls" done="true" id="c" name="depth" arguments="${attribute('{"sea": "North"}')}" result="${attribute('{"metres": 94}\n<b>')}" files="" embeds="">\n<summary>Tool Executed</summary>\n</details>\n94 m.`,
      },
      ['RESPONSE:```\ndepth({"sea": "North"})\n{"metres": 94}\n<b>\n```\n\n94 m.'],
    ],
    [
      "what running code gave",
      {
        content: `<details type="code_interpreter" done="true" duration="1" output="${attribute({ stdout: "94\n", stderr: null, result: "ok" })}">\n<summary>Analyzed</summary>\n\`\`\`python\nprint(94)\n\`\`\`\n</details>\nDone.`,
      },
      ["RESPONSE:```python\nprint(94)\n```\n\n```\n94\nok\n```\n\nDone."],
    ],
    [
      "parts that stand in a list of their own",
      {
        output: [
          {
            type: "reasoning",
            summary: [],
            content: [{ type: "output_text", text: "I count." }],
            duration: 3,
          },
          { type: "function_call", call_id: "1", name: "depth", arguments: "{}" },
          { type: "function_call_output", call_id: "1", output: [{ type: "input_text", text: "94" }] },
          { type: "open_webui:code_interpreter", code: "print(1)", lang: "python", output: { stdout: "1" } },
          { type: "message", content: [{ type: "output_text", text: "94 m." }] },
        ],
      },
      ["THINK:I count.", "RESPONSE:```\ndepth\n94\n```\n\n```python\nprint(1)\n```\n\n```\n1\n```\n\n94 m."],
    ],
    [
      "text in parts, as models are asked with",
      {
        content: [
          { type: "text", text: "94" },
          { type: "text", text: "metres" },
        ],
      },
      ["RESPONSE:94\n\nmetres"],
    ],
    [
      "the error in place of an answer",
      { error: { content: "No such model." } },
      ["RESPONSE:No such model."],
    ],
    [
      "what was merged of several answers",
      { merged: { status: true, content: "94 m." }, error: true },
      ["RESPONSE:94 m."],
    ],
    [
      "pictures in place of those that are at its own server, or within the text",
      {
        content: `Look: ![a sea](/api/v1/files/1/content) ![](data:image/png;base64,${"A".repeat(1000)}) ![far](https://example.com/a.png)`,
        files: [{ type: "image", url: "/cache/image/generations/1.png" }],
      },
      ["RESPONSE:Look: [Picture: a sea] [Picture] ![far](https://example.com/a.png)\n\n[Picture]"],
    ],
    [
      "sources as older versions name them",
      {
        content: "94 m [1].",
        citations: [
          {
            source: { name: "The sea" },
            document: ["94 m"],
            metadata: [{ source: "https://example.com/sea" }],
          },
        ],
      },
      ["SEARCH:null", "RESPONSE:94 m [citation:1]."],
    ],
  ])("shows %s", async (_what, answer, expected) => {
    expect(await shown(answer)).toEqual(expected);
  });
});
