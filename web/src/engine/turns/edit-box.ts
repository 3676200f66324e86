// The edit boxes of questions: opened and closed here, their texts are drafts (edit-drafts.ts).
import {
  getMessage,
  removeMessage,
  showMessage,
  updateMessage,
} from "@plumb/protocol/conversation/message-tree";
import { editDraftKey } from "../sessions/edit-drafts.ts";
import type { SessionStore } from "../sessions/session-store.ts";
import { editBlock } from "./message-rules.ts";
import { promptOf } from "./placeholders.ts";

function setEditing(sessions: SessionStore, key: string, messageId: number, isEditing: boolean): void {
  sessions.update(key, ({ tree }) => ({
    tree: updateMessage(tree, messageId, (message) => ({ ...message, isEditing })),
  }));
}

/** Opens the box of a question with its text, or with what was typed in it before. False: it can't be edited now. */
export function openEditBox(sessions: SessionStore, key: string, messageId: number): boolean {
  const session = sessions.get(key);
  const message = session && getMessage(session.tree, messageId);
  if (session === undefined || message?.role !== "USER") return false;
  if (editBlock({ state: session.state, mutedUntil: null, isReadOnly: false }, message) !== null)
    return false;
  const { resendInfo } = message;
  if (messageId < 0 && resendInfo?.scene === "edit") {
    // What was not sent has its text in the box of the message that it was to replace.
    const { editMessageId } = resendInfo;
    sessions.update(key, ({ tree }) => ({
      tree: showMessage(removeMessage(tree, messageId), editMessageId),
    }));
    return openEditBox(sessions, key, editMessageId);
  }
  if (messageId < 0) return false;
  const draft = editDraftKey(key, messageId);
  if ((sessions.store.getState().drafts[draft] ?? "") === "") sessions.storeDraft(draft, promptOf(message));
  setEditing(sessions, key, messageId, true);
  return true;
}

/** Closes the box of a question and keeps what is typed in it. */
export function closeEditBox(sessions: SessionStore, key: string, messageId: number): void {
  setEditing(sessions, key, messageId, false);
}

/** Closes the box of a question and gives up what is typed in it. */
export function cancelEdit(sessions: SessionStore, key: string, messageId: number): void {
  closeEditBox(sessions, key, messageId);
  sessions.storeDraft(editDraftKey(key, messageId), "");
}
