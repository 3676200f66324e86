// What ChatGPT's answers ask of tools: of that people see the code that was run and the documents that were written beside the
// chat. The rest is between the model and the tool.
import { fenced } from "./fenced.ts";
import { isObject, jsonIn, listAt, objectAt, textAt } from "./json-value.ts";

const CALL_CHARS = 20_000;

/** The call of a tool as Markdown; "" for one that tells a reader nothing. `language` is what the call says of itself. */
export function callOfTool(recipient: string, text: string, language: string): string {
  const asked = jsonIn(text);
  if (recipient.startsWith("canmore.")) return canvas(recipient, asked, text);
  const isCode = recipient.startsWith("python");
  // What is asked of a tool in its own form, a memory, a picture to be drawn, a search.
  if (!isCode && (asked !== null || NOT_SHOWN.test(recipient))) return "";
  return fenced(text, isCode && language === "" ? "python" : language);
}

const NOT_SHOWN = /^(?:web|browser|search|file_search|myfiles_browser|bio|dalle|image_gen)/u;

/** A document that is written beside the chat ("canvas"), and what is changed in it. */
function canvas(recipient: string, asked: unknown, text: string): string {
  switch (recipient) {
    case "canmore.create_textdoc": {
      const content = textAt(asked, "content");
      if (content === "") return fenced(text, "");
      const [kind, language = ""] = textAt(asked, "type").split("/");
      const name = textAt(asked, "name");
      const document = kind === "code" ? fenced(content, language) : content;
      return name === "" ? document : `**${name}**\n\n${document}`;
    }
    case "canmore.update_textdoc":
      return shown(listAt(asked, "updates").map((update) => fenced(textAt(update, "replacement"), "")));
    default:
      return shown(listAt(asked, "comments").map((comment) => listItem(textAt(comment, "comment"))));
  }
}

const listItem = (text: string): string => (text === "" ? "" : `- ${text.replaceAll("\n", "\n  ")}`);

function shown(parts: readonly string[]): string {
  return parts.filter((part) => part.trim() !== "").join("\n\n");
}

/** What a search was asked for, in the forms its calls have had. */
export function queriesOfCall(text: string): string[] {
  const asked = jsonIn(text);
  const inJson = [...listAt(asked, "search_query"), ...listAt(asked, "queries")].map((query) =>
    typeof query === "string" ? query : textAt(query, "q"),
  );
  const called = text.slice(0, CALL_CHARS).matchAll(/^(?:search|browser)\("([^\n]{1,500}?)"[^"\n]*\)$/gmu);
  return [...inJson, ...[...called].map(([, query]) => query ?? "")];
}

/** The report of a research that a tool has written: it stands in the state of its widget alone. */
export function reportOf(metadata: unknown): { text: string; metadata: Record<string, unknown> } | null {
  const state = jsonIn(textAt(objectAt(metadata, "chatgpt_sdk"), "widget_state"));
  const report = objectAt(state, "report_message");
  const [text] = listAt(objectAt(report, "content"), "parts");
  return typeof text === "string" && text.trim() !== "" && isObject(state)
    ? { text, metadata: objectAt(report, "metadata") }
    : null;
}
