// What a user wrote: the words of a request, and the names of its files.
import { isFragment } from "@plumb/protocol/conversation/fragment";
import { isBlankPrompt } from "@plumb/protocol/rules/prompt-rules";
import type { Queryable } from "../../platform/database/database.ts";
import { filesOfSession } from "../files/file-store.ts";
import { fileIdsOf, findMessage, presentMessage } from "../sessions/message-store.ts";
import type { ReplyRow } from "../sessions/reply-store.ts";

/** All of it, a name on each line; "" where the request is gone. */
export async function allWords(q: Queryable, reply: ReplyRow): Promise<string> {
  const { prompt, names } = await read(q, reply);
  return [prompt, ...names].join("\n").trim();
}

/** What a title is made of: the words, or the names where there are none. */
export async function titleWords(q: Queryable, reply: ReplyRow): Promise<string> {
  const { prompt, names } = await read(q, reply);
  return isBlankPrompt(prompt) ? names.join(", ") : prompt;
}

async function read(q: Queryable, reply: ReplyRow): Promise<{ prompt: string; names: string[] }> {
  const row = await findMessage(q, reply.session_id, reply.request_message_id);
  if (row === undefined) return { prompt: "", names: [] };
  const request = presentMessage(row).fragments.find((fragment) => isFragment(fragment, "REQUEST"));
  const prompt = isFragment(request, "REQUEST") ? request.content : "";
  const ids = fileIdsOf(row);
  if (ids.length === 0) return { prompt, names: [] };
  const files = await filesOfSession(q, reply.session_id);
  return { prompt, names: ids.flatMap((id) => files.get(id)?.name ?? []) };
}
