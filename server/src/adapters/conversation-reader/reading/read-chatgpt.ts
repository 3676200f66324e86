// A conversation of ChatGPT's export: a tree of nodes, of which one reply may be many (thoughts, tools, their answers).
import { firstCodePoints } from "@plumb/protocol/rules/code-points";
import { cleanFileName } from "@plumb/protocol/rules/upload-rules";
import { answerOf, pagesIn } from "./chatgpt-citations.ts";
import { callOfTool, queriesOfCall, reportOf } from "./chatgpt-tools.ts";
import type { ImportTexts } from "./import-texts.ts";
import {
  cleanText,
  isObject,
  isTrueAt,
  type JsonObject,
  listAt,
  numberAt,
  objectAt,
  textAt,
  textOf,
  timeOf,
} from "./json-value.ts";
import { fenced } from "./fenced.ts";
import {
  sourceConversation,
  type SourceConversation,
  sourceMessage,
  type SourceMessage,
  type SourcePart,
} from "./source-conversation.ts";
import { ConversationError } from "./upload-error.ts";

const NAME_CHARS = 200;

export function isChatGpt(value: unknown): boolean {
  return isObject(value) && isObject(value["mapping"]);
}

export function readChatGpt(value: unknown, now: number, texts: ImportTexts): SourceConversation {
  const nodes = Object.entries(objectAt(value, "mapping"));
  if (!nodes.some(([, node]) => isObject(node))) throw new ConversationError("EMPTY", "no nodes");
  return sourceConversation({
    id: textAt(value, "conversation_id") || textAt(value, "id") || null,
    title: textAt(value, "title"),
    pinned: isTrueAt(value, "is_starred"),
    insertedAt: timeOf(numberAt(value, "create_time"), now),
    updatedAt: timeOf(numberAt(value, "update_time"), now),
    current: textAt(value, "current_node") || null,
    messages: nodes.map(([key, node]) => readNode(key, node, now, texts)),
  });
}

function readNode(key: string, node: unknown, now: number, texts: ImportTexts): SourceMessage {
  const message = objectAt(node, "message");
  const metadata = objectAt(message, "metadata");
  const isUser = textAt(objectAt(message, "author"), "role") === "user";
  return sourceMessage({
    key,
    parent: textAt(node, "parent") || null,
    role: isUser ? "USER" : "ASSISTANT",
    at: timeOf(numberAt(message, "create_time"), now),
    parts: isSaid(message, metadata)
      ? isUser
        ? prompt(message, metadata, texts)
        : reply(message, metadata, texts)
      : [],
    status:
      textAt(objectAt(metadata, "finish_details"), "type") === "interrupted" ? "INCOMPLETE" : "FINISHED",
    model: isUser ? "" : textAt(metadata, "model_slug"),
  });
}

/** False for what nobody was shown: instructions, memories, what a tool was told besides. */
function isSaid(message: JsonObject, metadata: JsonObject): boolean {
  const role = textAt(objectAt(message, "author"), "role");
  if (isTrueAt(metadata, "is_visually_hidden_from_conversation")) return false;
  if (isTrueAt(metadata, "is_user_system_message")) return false;
  return role === "user" || role === "assistant" || role === "tool";
}

function prompt(message: JsonObject, metadata: JsonObject, texts: ImportTexts): SourcePart[] {
  const content = objectAt(message, "content");
  if (UNSAID.includes(textAt(content, "content_type"))) return [];
  const attached = listAt(metadata, "attachments");
  const named = attached.map((file) => {
    const name = nameOf(textAt(file, "name"));
    return isPicture(file) ? texts.picture(name) : texts.file(name);
  });
  const ids = new Set(attached.map((file) => textAt(file, "id")));
  // Of a picture without an id nobody knows which it is.
  const isAnyNamed = attached.some((file) => isPicture(file) && textAt(file, "id") === "");
  const isNamed = (pointer: string) => isAnyNamed || ids.has(idIn(pointer));
  const text = [quoteOf(metadata), ...partsOf(content, texts, { isNamed }), ...named]
    .filter((part) => part !== "")
    .join("\n\n");
  return text === "" ? [] : [{ type: "prompt", text }];
}

function isPicture(file: unknown): boolean {
  return (textAt(file, "mime_type") || textAt(file, "mimeType")).startsWith("image/");
}

/** The id in `file-service://file-abc`, or in `sediment://file_abc#…` of a part of a file. */
function idIn(pointer: string): string {
  return pointer.slice(pointer.indexOf("://") + 3).split("#", 1)[0] ?? "";
}

/** What of an answer the prompt is about, where its writer had marked that. */
function quoteOf(metadata: JsonObject): string {
  const quote = textAt(metadata, "targeted_reply").trim();
  return quote === "" ? "" : quote.replaceAll(/^/gmu, "> ");
}

/** What accounts for a conversation and was never said in it. */
const UNSAID = ["user_editable_context", "model_editable_context", "app_pairing_content"];

function reply(message: JsonObject, metadata: JsonObject, texts: ImportTexts): SourcePart[] {
  const content = objectAt(message, "content");
  const type = textAt(content, "content_type");
  if (UNSAID.includes(type)) return [];
  if (type === "thoughts") return thoughts(content, metadata);
  if (type === "reasoning_recap")
    return [{ type: "thought", text: "", secs: secondsIn(textAt(content, "content")) }];
  const queries = queriesOf(message, metadata);
  const pages = pagesIn(metadata);
  const search: SourcePart[] =
    queries.length + pages.length === 0 ? [] : [{ type: "search", queries, pages }];
  if (type === "tether_browsing_display" || type === "tether_quote" || type === "sonic_webpage")
    return search;
  const said = words(message, content, metadata, texts);
  return [...search, ...(isThinking(metadata) ? said.flatMap(asThought) : said)];
}

/** Code that was run while the model thought, and what came of it, was shown with its thoughts. */
function isThinking(metadata: JsonObject): boolean {
  return textAt(metadata, "reasoning_status") === "is_reasoning";
}

function asThought(part: SourcePart): SourcePart[] {
  if (part.type !== "answer") return [part];
  const text = part.text.filter((piece) => typeof piece === "string").join("");
  return [{ type: "thought", text, secs: null }];
}

function thoughts(content: JsonObject, metadata: JsonObject): SourcePart[] {
  const text = listAt(content, "thoughts")
    .map((thought) => {
      const [summary, body] = [textAt(thought, "summary"), textAt(thought, "content")];
      return summary === "" || body.startsWith(summary) ? body : `**${summary}**\n\n${body}`;
    })
    .filter((thought) => thought.trim() !== "")
    .join("\n\n");
  return text === "" ? [] : [{ type: "thought", text, secs: numberAt(metadata, "finished_duration_sec") }];
}

/** Text, code, what running it gave, pictures. */
function words(
  message: JsonObject,
  content: JsonObject,
  metadata: JsonObject,
  texts: ImportTexts,
): SourcePart[] {
  const isTool = textAt(objectAt(message, "author"), "role") === "tool";
  const recipient = textAt(message, "recipient");
  const toTool = recipient !== "" && recipient !== "all";
  const report = isTool ? reportOf(metadata) : null;
  if (report !== null) return [{ type: "answer", text: answerOf(cleanText(report.text), report.metadata) }];
  switch (textAt(content, "content_type")) {
    case "code": {
      const code = textAt(content, "text") || partsOf(content, texts).join("\n");
      return said(
        toTool ? callOfTool(recipient, code, languageOf(content)) : fenced(code, languageOf(content)),
      );
    }
    case "execution_output": {
      const drawn = listAt(objectAt(metadata, "aggregate_result"), "messages").filter(
        (one) => textAt(one, "message_type") === "image",
      );
      return said(
        [fenced(textAt(content, "text"), ""), ...drawn.map(() => texts.picture(""))]
          .filter(Boolean)
          .join("\n\n"),
      );
    }
    case "system_error":
      // Of other tools it tells the model what to say.
      if (!textAt(objectAt(message, "author"), "name").startsWith("python")) return [];
      return said(
        [textAt(content, "name"), textAt(content, "text")].filter((text) => text !== "").join(": "),
      );
    default: {
      const title = nameOf(textAt(metadata, "image_gen_title"));
      const parts = partsOf(content, texts, { pictureName: title });
      // A tool's own words are for the model; its pictures are for people.
      const shown = isTool ? parts.filter((part) => part === texts.picture(title)) : parts;
      const text = shown.join("\n\n");
      if (text === "") return [];
      return toTool && !isTool
        ? said(callOfTool(recipient, text, ""))
        : [{ type: "answer", text: answerOf(withoutDirectives(text), metadata) }];
    }
  }
}

function said(text: string): SourcePart[] {
  return text.trim() === "" ? [] : [{ type: "answer", text: [text] }];
}

function languageOf(content: JsonObject): string {
  const language = textAt(content, "language");
  return language === "unknown" ? "" : language;
}

/** A block of text to be copied stands between two lines of signs; what it is called stands in the first. */
function withoutDirectives(text: string): string {
  if (!text.includes(":::")) return text;
  return text
    .replace(/^:::writing\{([^}\n]{0,1000})\}[ \t]*$/gmu, (_line, attributes: string) => {
      const name = /(?:subject|title)="([^"]{1,300})"/u.exec(attributes)?.[1];
      return name === undefined ? "" : `**${name}**\n`;
    })
    .replace(/^:::[ \t]*$/gmu, "");
}

/** Each part as text; pictures that are named elsewhere are told there. */
function partsOf(
  content: JsonObject,
  texts: ImportTexts,
  {
    isNamed = () => false,
    pictureName = "",
  }: { isNamed?: (pointer: string) => boolean; pictureName?: string } = {},
): string[] {
  const whole = textAt(content, "text");
  const isHeard = listAt(content, "parts").some(
    (part) => textAt(part, "content_type") === "audio_transcription",
  );
  const parts = listAt(content, "parts").map((part) => {
    if (typeof part === "string") return textOf(part);
    const type = textAt(part, "content_type");
    if (type === "audio_transcription") return textAt(part, "text");
    if (type === "image_asset_pointer")
      return isNamed(textAt(part, "asset_pointer")) ? "" : texts.picture(pictureName);
    if (type.includes("audio") || type.includes("video"))
      return type.includes("pointer") && !isHeard ? texts.recording : "";
    return textAt(part, "text");
  });
  return [whole, ...parts].filter((text) => text.trim() !== "");
}

function partsText(content: JsonObject): string {
  const [first] = listAt(content, "parts");
  return textOf(first);
}

function nameOf(name: string): string {
  return firstCodePoints(cleanFileName(name), NAME_CHARS);
}

function queriesOf(message: JsonObject, metadata: JsonObject): string[] {
  const content = objectAt(message, "content");
  const asked = listAt(metadata, "search_queries").map((query) => textAt(query, "q"));
  const isCall = /^(?:web|browser|search)/u.test(textAt(message, "recipient"));
  const called = isCall ? queriesOfCall(textAt(content, "text") || partsText(content)) : [];
  return [...asked, ...called].filter((query) => query !== "" && query.length <= 500).slice(0, 50);
}

/** Of "Thought for 1m 12s", "Thought for 12 seconds" or "已思考 12 秒"; null where no time is told. */
function secondsIn(text: string): number | null {
  const short = text.slice(0, 200);
  const minutes = /(\d{1,4})\s*(?:m\b|min|分)/u.exec(short)?.[1];
  const seconds = /(\d{1,5}(?:\.\d{1,3})?)\s*(?:s\b|sec|秒)/u.exec(short)?.[1];
  if (minutes === undefined && seconds === undefined) return null;
  return Number(minutes ?? 0) * 60 + Number(seconds ?? 0);
}
