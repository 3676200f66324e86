// The messages above a reply as the model is given them: before the words of a message stands what its files say.
import { isFragment } from "@plumb/protocol/conversation/fragment";
import type { Message } from "@plumb/protocol/conversation/message";
import type { Queryable } from "../../platform/database/database.ts";
import type { ObjectStore } from "../../ports/object-store.ts";
import { type FileRow, filesOfSession } from "../files/file-store.ts";
import { filesAsPrompt } from "../files/prompt-files.ts";
import { fileIdsOf, type MessageRow, presentMessage } from "../sessions/message-store.ts";

/** `rows` are of one session. Together their texts are within the budget of a branch. */
export async function promptBranch(
  q: Queryable,
  store: ObjectStore,
  rows: readonly MessageRow[],
): Promise<Message[]> {
  const carrier = rows.find((row) => fileIdsOf(row).length > 0);
  const files =
    carrier === undefined ? new Map<string, FileRow>() : await filesOfSession(q, carrier.session_id);
  const branch: Message[] = [];
  for (const row of rows) {
    const carried = fileIdsOf(row).flatMap((id) => files.get(id) ?? []);
    branch.push(withText(presentMessage(row), await filesAsPrompt(store, carried)));
  }
  return branch;
}

function withText(message: Message, text: string): Message {
  if (text === "") return message;
  const fragments = message.fragments.map((fragment) =>
    isFragment(fragment, "REQUEST") ? { ...fragment, content: text + fragment.content } : fragment,
  );
  return { ...message, fragments };
}
