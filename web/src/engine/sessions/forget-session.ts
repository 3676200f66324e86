// A session that does not exist any more leaves the page.
import { SessionRefusal } from "@plumb/protocol/wire/sessions";
import type { ApiError } from "../api-errors.ts";
import { HOME, type Reactions } from "../reactions.ts";
import { HOME_KEY } from "./client-session.ts";
import { editDraftsOf, nextDraftKey } from "./edit-drafts.ts";
import type { Branches } from "./branches.ts";
import type { HistoryCache } from "./history-cache.ts";
import type { SessionList } from "./session-list.ts";
import type { SessionStore } from "./session-store.ts";
import type { ShownSession } from "./shown-session.ts";

export interface ForgetSessionDeps {
  sessions: SessionStore;
  list: SessionList;
  cache: HistoryCache;
  branches: Branches;
  shown: ShownSession;
  reactions: Reactions;
  /** Stops reading a running reply of the session. */
  abandonReply(sessionId: string): void;
  /** Closes the dialogs that are about the session: there is nothing left that they could do. */
  closeDialogs(sessionId: string): void;
  /** The session is gone by what was done or learned here: other tabs are told. */
  onForgotten(sessionId: string): void;
  log(message: string, detail: unknown): void;
}

export type ForgetSession = ReturnType<typeof createForgetSession>;

/** True for the two answers of any call that its session is unknown or deleted (wire-contract.md §10). */
export function isInvalidSession(error: ApiError): boolean {
  return (
    error.kind === "refused" &&
    error.scope === "call" &&
    error.code === SessionRefusal.IllegalChatSessionId.code
  );
}

export function createForgetSession(deps: ForgetSessionDeps) {
  /** Removes all this page and its storage hold of the session, and leaves its page. */
  function drop(sessionId: string): void {
    deps.abandonReply(sessionId);
    deps.closeDialogs(sessionId);
    deps.sessions.remove(sessionId);
    deps.branches.remove(sessionId);
    deps.list.remove(sessionId);
    deps.cache.remove(sessionId).catch((error: unknown) => deps.log("a history was not removed", error));
    if (!deps.shown.is(sessionId)) return;
    deps.shown.clear();
    deps.reactions.go(HOME, { replace: true });
  }

  /** As `drop`, and the other tabs do the same. */
  function forget(sessionId: string): void {
    drop(sessionId);
    deps.onForgotten(sessionId);
  }

  /** What is typed in it, or queued, and was not sent stands in a new chat, below what is typed there. */
  function keepTyped(sessionId: string): void {
    const { drafts } = deps.sessions.store.getState();
    const box = Object.keys(drafts).find((key) => key.startsWith(editDraftsOf(sessionId)));
    const typed = [drafts[nextDraftKey(sessionId)], drafts[sessionId]].filter(Boolean);
    const kept = typed.length > 0 ? typed : [drafts[box ?? ""]].filter(Boolean);
    if (kept.length === 0) return;
    deps.sessions.storeDraft(HOME_KEY, [drafts[HOME_KEY], ...kept].filter(Boolean).join("\n\n"));
  }

  /** As `forget`, where others deleted it: what is typed in it is kept. */
  function lose(sessionId: string): void {
    keepTyped(sessionId);
    forget(sessionId);
  }

  /** Another tab says that it is gone; who looks at it is told. */
  function loseElsewhere(sessionId: string): void {
    if (deps.shown.is(sessionId)) {
      keepTyped(sessionId);
      notifyInvalid(SessionRefusal.ChatSessionDeleted.msg);
    }
    drop(sessionId);
  }

  /** Shows a notice that the session is deleted or unknown; `msg` is the refusal's constant. */
  function notifyInvalid(msg: string): void {
    const deleted = msg === SessionRefusal.ChatSessionDeleted.msg;
    const text = deleted ? { key: "chatDeleted" } : { key: "chatNotFound" };
    deps.reactions.toast({ type: "error", text, dedupeKey: "invalid-session" });
  }

  return { forget, lose, loseElsewhere, notifyInvalid };
}
