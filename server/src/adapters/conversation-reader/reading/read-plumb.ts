// A conversation of an own export: what `history_messages` answered of it (wire-contract.md §3, §14).
import type { Fragment, SearchQuery, SearchResult } from "@plumb/protocol/conversation/fragment";
import type { EndStatus, Feedback } from "@plumb/protocol/conversation/message";
import { LIMITS } from "@plumb/protocol/limits";
import { firstCodePoints } from "@plumb/protocol/rules/code-points";
import { cleanFileName } from "@plumb/protocol/rules/upload-rules";
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
import {
  type SourceConversation,
  type SourceFile,
  sourceMessage,
  type SourceMessage,
  type SourcePart,
} from "./source-conversation.ts";

const ENDS: readonly string[] = [
  "FINISHED",
  "INCOMPLETE",
  "CONTENT_FILTER",
  "CONTEXT_LENGTH_EXCEEDED",
  "TIMEOUT",
] satisfies EndStatus[];
const CATEGORIES: readonly string[] = ["GENERAL", "FINANCE", "LEGAL", "MEDICAL", "PROFANITY"];
const FILE_ID = /^file-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u;
const ICON = /^data:image\/[a-z0-9.+-]{1,40};base64,[A-Za-z0-9+/=]*$/u;
const MOST_RESULTS = 200;
/** Far more than a session has been changed, and far from a number to which none can be added. */
const MOST_VERSION = 1_000_000_000;

export function isPlumb(value: unknown): boolean {
  return isObject(value) && isObject(value["chat_session"]) && Array.isArray(value["chat_messages"]);
}

export function readPlumb(value: unknown, now: number): SourceConversation {
  const session = objectAt(value, "chat_session");
  const type = textAt(session, "title_type");
  return {
    id: textAt(session, "id") || null,
    title: textAt(session, "title"),
    titleType: type === "USER" || type === "SYSTEM" || type === "WIP" ? type : null,
    agent: textAt(session, "agent") || null,
    character: textAt(session, "character_id") || null,
    version: versionOf(numberAt(session, "version")),
    pinned: isTrueAt(session, "pinned"),
    insertedAt: timeOf(numberAt(session, "inserted_at"), now),
    updatedAt: timeOf(numberAt(session, "updated_at"), now),
    current: keyOf(numberAt(session, "current_message_id")),
    messages: listAt(value, "chat_messages").flatMap((message) => readMessage(message, now) ?? []),
  };
}

function versionOf(version: number | null): number | null {
  return version !== null && Number.isInteger(version) && version > 0 && version <= MOST_VERSION
    ? version
    : null;
}

function keyOf(id: number | null): string | null {
  return id === null ? null : String(id);
}

function readMessage(value: unknown, now: number): SourceMessage | null {
  const key = keyOf(numberAt(value, "message_id"));
  const role = textAt(value, "role");
  if (!isObject(value) || key === null || (role !== "USER" && role !== "ASSISTANT")) return null;
  const status = textAt(value, "status");
  return sourceMessage({
    key,
    parent: keyOf(numberAt(value, "parent_id")),
    role,
    at: timeOf(numberAt(value, "inserted_at"), now),
    parts: listAt(value, "fragments").flatMap((fragment) => readFragment(fragment, role, now) ?? []),
    // One that ran is as it was when the export was written.
    status: ENDS.includes(status) ? (status as EndStatus) : "INCOMPLETE",
    stopped: role === "ASSISTANT" && status === "INCOMPLETE" && isTrueAt(value, "stopped"),
    model: textAt(value, "model"),
    thinking: isTrueAt(value, "thinking_enabled"),
    search: isTrueAt(value, "search_enabled"),
    banRegenerate: isTrueAt(value, "ban_regenerate"),
    banEdit: isTrueAt(value, "ban_edit"),
    feedback: readFeedback(objectAt(value, "feedback")),
    files: listAt(value, "files").flatMap((file) => readFile(file, now) ?? []),
    mayBeEmpty: true,
  });
}

function readFeedback(value: JsonObject): Feedback | null {
  const type = textAt(value, "feedback_type");
  if (type !== "GOOD" && type !== "BAD") return null;
  const tag = firstCodePoints(textAt(value, "feedback_tag"), LIMITS.feedbackTagChars);
  const description = firstCodePoints(textAt(value, "description"), LIMITS.feedbackDescriptionChars);
  return { feedback_type: type, feedback_tag: tag || null, description: description || null };
}

function readFile(value: unknown, now: number): SourceFile | null {
  const ref = textAt(value, "id");
  const name = firstCodePoints(cleanFileName(textAt(value, "file_name")), LIMITS.fileNameChars);
  if (!FILE_ID.test(ref) || name === "") return null;
  const size = numberAt(value, "file_size") ?? 0;
  return {
    ref,
    name,
    size: Number.isSafeInteger(size) && size > 0 && size <= LIMITS.fileBytes ? size : 1,
    insertedAt: timeOf(numberAt(value, "inserted_at"), now) ?? now,
  };
}

function readFragment(value: unknown, role: string, now: number): SourcePart | null {
  const content = textAt(value, "content");
  if (role === "USER") return textAt(value, "type") === "REQUEST" ? { type: "prompt", text: content } : null;
  switch (textAt(value, "type")) {
    case "THINK":
      return { type: "thought", text: content, secs: durationAt(value, "elapsed_secs") };
    case "RESPONSE":
      return { type: "answer", text: [content] };
    case "TEMPLATE_RESPONSE":
      return { type: "fragment", fragment: { id: 0, type: "TEMPLATE_RESPONSE", content } };
    case "TIP":
      return { type: "fragment", fragment: readTip(value, content) };
    case "SEARCH":
      return { type: "fragment", fragment: readSearch(value, now) };
    default:
      return null;
  }
}

function durationAt(value: unknown, key: string): number | null {
  const secs = numberAt(value, key);
  return secs === null || secs < 0 ? null : secs;
}

function readTip(value: unknown, content: string): Fragment {
  const category = textAt(value, "category");
  return {
    id: 0,
    type: "TIP",
    content,
    style: textAt(value, "style") === "WARNING" ? "WARNING" : "INFO",
    hide_on_wip: isTrueAt(value, "hide_on_wip"),
    category: CATEGORIES.includes(category) ? category : null,
  };
}

function readSearch(value: unknown, now: number): Fragment {
  return {
    id: 0,
    type: "SEARCH",
    status: textAt(value, "status") === "FAILED" ? "FAILED" : "FINISHED",
    content: null,
    queries: listAt(value, "queries")
      .slice(0, MOST_RESULTS)
      .map((query): SearchQuery => ({
        query: textAt(query, "query"),
        status: textAt(query, "status") === "FAILED" ? "FAILED" : "FINISHED",
        results: readResults(query, now),
      })),
    results: readResults(value, now),
    stage_id: 1,
    references: [],
  };
}

function readResults(value: unknown, now: number): SearchResult[] {
  return listAt(value, "results")
    .slice(0, MOST_RESULTS)
    .flatMap((result) => {
      const url = isObject(result) ? webAddress(result["url"]) : null;
      if (url === null) return [];
      const icon = textAt(result, "site_icon");
      const publishedAt = timeOf(numberAt(result, "published_at"), now);
      return [
        {
          url,
          title: textAt(result, "title"),
          snippet: textAt(result, "snippet"),
          cite_index: countAt(result, "cite_index"),
          site_name: textAt(result, "site_name") || null,
          site_icon: ICON.test(icon) && icon.length <= (LIMITS.siteIconBytes * 4) / 3 + 64 ? icon : null,
          published_at: publishedAt === null ? null : Math.floor(publishedAt / 1000),
          query_indexes: listAt(result, "query_indexes").flatMap((index) =>
            typeof index === "number" && Number.isSafeInteger(index) && index >= 0 ? [index] : [],
          ),
        },
      ];
    });
}

function countAt(value: unknown, key: string): number | null {
  const count = numberAt(value, key);
  return count !== null && Number.isSafeInteger(count) && count > 0 ? count : null;
}
