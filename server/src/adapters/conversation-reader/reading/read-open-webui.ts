// A chat of Open WebUI's export: messages by their ids with their parents, thoughts and tools within the text of an answer.
import type { EndStatus, Feedback } from "@plumb/protocol/conversation/message";
import { firstCodePoints } from "@plumb/protocol/rules/code-points";
import { cleanFileName } from "@plumb/protocol/rules/upload-rules";
import type { ImportTexts } from "./import-texts.ts";
import {
  isObject,
  isTrueAt,
  type JsonObject,
  listAt,
  numberAt,
  objectAt,
  textAt,
  timeOf,
  webAddress,
} from "./json-value.ts";
import { type DetailPart, detailsIn } from "./open-webui-details.ts";
import { partsOfOutput } from "./open-webui-output.ts";
import {
  sourceConversation,
  type SourceConversation,
  sourceMessage,
  type SourceMessage,
  type SourcePage,
  type SourcePart,
} from "./source-conversation.ts";

const NAME_CHARS = 200;
const MOST_SOURCES = 200;

export function isOpenWebUi(value: unknown): boolean {
  const chat = isObject(value) && isObject(value["chat"]) ? value["chat"] : value;
  if (!isObject(chat)) return false;
  return (
    isObject(objectAt(chat, "history")["messages"]) ||
    (isObject(value) && "chat" in value && Array.isArray(chat["messages"]))
  );
}

export function readOpenWebUi(value: unknown, now: number, texts: ImportTexts): SourceConversation {
  const chat = isObject(value) && isObject(value["chat"]) ? value["chat"] : (value as JsonObject);
  const history = objectAt(chat, "history");
  const tree = Object.entries(objectAt(history, "messages"));
  const messages =
    tree.length > 0
      ? tree.map(([key, message]) =>
          readMessage(key, textAt(message, "parentId") || null, message, now, texts),
        )
      : listAt(chat, "messages").map((message, index) =>
          readMessage(String(index), index === 0 ? null : String(index - 1), message, now, texts),
        );
  return sourceConversation({
    id: textAt(value, "id") || textAt(chat, "id") || null,
    title: textAt(value, "title") || textAt(chat, "title"),
    pinned: isTrueAt(value, "pinned"),
    insertedAt: timeOf(numberAt(value, "created_at") ?? numberAt(chat, "timestamp"), now),
    updatedAt: timeOf(numberAt(value, "updated_at"), now),
    current: textAt(history, "currentId") || null,
    messages,
  });
}

function readMessage(
  key: string,
  parent: string | null,
  message: unknown,
  now: number,
  texts: ImportTexts,
): SourceMessage {
  const role = textAt(message, "role");
  const isUser = role === "user";
  const known = { key, parent, at: timeOf(numberAt(message, "timestamp"), now) };
  // Instructions were told to the model alone.
  if (role === "system") return sourceMessage({ ...known, role: "ASSISTANT", parts: [] });
  if (isUser) return sourceMessage({ ...known, role: "USER", parts: prompt(message, texts) });
  return sourceMessage({
    ...known,
    role: "ASSISTANT",
    parts: reply(message, texts),
    status: statusOf(message),
    model: textAt(message, "model"),
    feedback: feedbackOf(objectAt(message, "annotation")),
  });
}

function prompt(message: unknown, texts: ImportTexts): SourcePart[] {
  const files = listAt(message, "files").map((file) => {
    const name = firstCodePoints(
      cleanFileName(textAt(file, "name") || textAt(objectAt(objectAt(file, "file"), "meta"), "name")),
      NAME_CHARS,
    );
    return textAt(file, "type") === "image" ? texts.picture(name) : texts.file(name);
  });
  const text = [textOfContent(message, texts), ...files].filter((part) => part.trim() !== "").join("\n\n");
  return text === "" ? [] : [{ type: "prompt", text }];
}

/** A text, or parts as they are sent to models. */
function textOfContent(message: unknown, texts: ImportTexts): string {
  const parts = listAt(message, "content").map((part) =>
    textAt(part, "type") === "image_url" ? texts.picture("") : textAt(part, "text"),
  );
  return [textAt(message, "content"), ...parts].filter((part) => part.trim() !== "").join("\n\n");
}

function statusOf(message: unknown): EndStatus {
  const isBroken =
    isObject(message) &&
    message["error"] !== undefined &&
    message["error"] !== null &&
    message["error"] !== false;
  return isBroken || (isObject(message) && message["done"] === false) ? "INCOMPLETE" : "FINISHED";
}

function feedbackOf(annotation: JsonObject): Feedback | null {
  const rating = numberAt(annotation, "rating");
  if (rating === null || rating === 0) return null;
  return {
    feedback_type: rating > 0 ? "GOOD" : "BAD",
    feedback_tag: null,
    description: firstCodePoints(textAt(annotation, "comment"), 1000) || null,
  };
}

/** What an answer says; where it says nothing, what its page showed in its place. */
function saidIn(message: unknown, texts: ImportTexts): DetailPart[] {
  const text = textOfContent(message, texts);
  const said = text.trim() === "" ? partsOfOutput(listAt(message, "output")) : detailsIn(text);
  if (said.length > 0) return said;
  const instead = ["merged", "error"].map((name) => textAt(objectAt(message, name), "content").trim());
  return instead.filter((part) => part !== "").map((part) => ({ type: "answer", text: part }));
}

function reply(message: unknown, texts: ImportTexts): SourcePart[] {
  const pages = pagesOf(message);
  const said = saidIn(message, texts);
  const drawn = listAt(message, "files").filter((file) => textAt(file, "type") === "image");
  const pictures = drawn.map((): DetailPart => ({ type: "answer", text: texts.picture("") }));
  const parts = [...said, ...pictures].map((part): SourcePart => {
    if (part.type === "thought") return part;
    const answer = withoutOwnPictures(part.text, texts);
    return { type: "answer", text: pages.length === 0 ? [answer] : cited(answer, pages) };
  });
  const queries = listAt(message, "statusHistory")
    .flatMap((status) => [textAt(status, "query"), ...listAt(status, "queries")])
    .filter((query) => typeof query === "string")
    .filter((query) => query.trim() !== "" && query.length <= 500)
    .slice(0, 50);
  const found = pages.flatMap((page) => page ?? []);
  return queries.length + found.length === 0 ? parts : [{ type: "search", queries, pages: found }, ...parts];
}

/** Pictures within the text, and at addresses of the server it comes from. */
function withoutOwnPictures(text: string, texts: ImportTexts): string {
  return text.replace(
    /!\[([^\]\n]{0,300})\]\((?:data:image\/[^)\s[]*|\/(?:cache|api)\/[^)\s]{0,2000})\)/gu,
    (_picture, name: string) => texts.picture(name.trim()),
  );
}

/** Sources in the order of their numbers, from 1; null for one that is no page. */
function pagesOf(message: unknown): (SourcePage | null)[] {
  const numbers = new Map<string, SourcePage | null>();
  const sources = listAt(message, "sources");
  const entries = sources.length === 0 ? listAt(message, "citations") : sources;
  for (const entry of entries.slice(0, MOST_SOURCES)) {
    const source = objectAt(entry, "source");
    const documents = listAt(entry, "document");
    for (const [index, about] of listAt(entry, "metadata").slice(0, MOST_SOURCES).entries()) {
      const id = textAt(about, "source") || textAt(source, "id") || textAt(source, "name");
      if (numbers.has(id) || numbers.size >= MOST_SOURCES) continue;
      const url =
        webAddress(textAt(about, "source")) ??
        webAddress(textAt(source, "url")) ??
        webAddress(textAt(source, "name"));
      const said = documents[index];
      numbers.set(
        id,
        url === null
          ? null
          : {
              url,
              title: (textAt(about, "title") || textAt(source, "name")).slice(0, 300).toWellFormed(),
              snippet: (typeof said === "string" ? said : "")
                .replaceAll("\0", "")
                .slice(0, 1000)
                .toWellFormed(),
              site_name: null,
              published_at: null,
            },
      );
    }
  }
  return [...numbers.values()];
}

/** `[1]`, `[1, 2]` and `[1#part]` in an answer name sources by their numbers. */
function cited(text: string, pages: readonly (SourcePage | null)[]): (string | SourcePage[])[] {
  const pieces: (string | SourcePage[])[] = [];
  let from = 0;
  for (const found of text.matchAll(
    /\[(\d{1,3}(?:#[\w-]{1,40})?(?:, ?\d{1,3}(?:#[\w-]{1,40})?){0,20})\](?!\()/gu,
  )) {
    const named = (found[1] ?? "")
      .split(",")
      .flatMap((number) => pages[Number.parseInt(number, 10) - 1] ?? []);
    if (named.length === 0) continue;
    pieces.push(text.slice(from, found.index), named);
    from = found.index + found[0].length;
  }
  return [...pieces, text.slice(from)];
}
