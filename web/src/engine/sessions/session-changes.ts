// What the user does to a session as a whole: naming and deleting it.
import { checkTitle } from "@plumb/protocol/rules/title-rules";
import {
  deleteSession,
  SessionRefusal,
  updateSessionTitle,
  UpdateTitleRefusal,
} from "@plumb/protocol/wire/sessions";
import type { ApiClient } from "../api-client.ts";
import type { Browser } from "../browser.ts";
import type { Reactions } from "../reactions.ts";
import type { Text } from "../text.ts";
import { failureText } from "../texts.ts";
import { type ForgetSession, isInvalidSession } from "./forget-session.ts";
import type { SessionList } from "./session-list.ts";
import type { SessionStore } from "./session-store.ts";

export interface SessionChangesDeps {
  browser: Browser;
  api: ApiClient;
  sessions: SessionStore;
  list: SessionList;
  reactions: Reactions;
  /** Ends a running reply of the session; resolves when that is done or has taken too long. */
  stopRunning(sessionId: string): Promise<void>;
  forgetSession: ForgetSession;
}

export function createSessionChanges(deps: SessionChangesDeps) {
  const { browser, api, sessions, list, reactions } = deps;
  const { forget, lose, notifyInvalid } = deps.forgetSession;

  /** Gives the session a title of the user's. True when it has it; a failure was shown. */
  async function rename(sessionId: string, title: string): Promise<boolean> {
    const check = checkTitle(title);
    // An empty title cancels; an unchanged one is not sent again.
    if (!check.ok && check.problem === "empty") return false;
    const known =
      sessions.get(sessionId)?.title ??
      list.store.getState().sessions.find(({ id }) => id === sessionId)?.title;
    if (check.ok && check.title === known) return true;
    let text: Text = { key: "renameFailed" };
    if (check.ok) {
      const result = await api.call(updateSessionTitle, { chat_session_id: sessionId, title: check.title });
      if (result.ok) {
        const { title: saved, chat_session_updated_at: updatedAt } = result.data;
        sessions.update(sessionId, () => ({
          title: saved,
          titleType: "USER",
          titleIsNew: false,
          updatedAt: updatedAt * 1000,
        }));
        list.change(sessionId, { title: saved, title_type: "USER", updated_at: updatedAt });
        return true;
      }
      const { error } = result;
      browser.log("rename failed", error);
      if (error.kind === "refused" && error.scope === "global") return false;
      if (error.kind === "refused" && isInvalidSession(error)) {
        notifyInvalid(error.msg);
        lose(sessionId);
        return false;
      }
      text = failureText(error, "rename", UpdateTitleRefusal);
    }
    reactions.toast({ type: "error", text });
    return false;
  }

  /**
   * Deletes the session, after its running reply was stopped. True when it is gone; a failure was shown. Nothing more where the
   * account has left meanwhile.
   */
  async function remove(sessionId: string): Promise<boolean> {
    const wasKnown = sessions.get(sessionId) !== undefined;
    await deps.stopRunning(sessionId);
    if (wasKnown && sessions.get(sessionId) === undefined) return false;
    const result = await api.call(deleteSession, { chat_session_id: sessionId });
    if (result.ok) {
      forget(sessionId);
      return true;
    }
    browser.log("delete failed", result.error);
    if (result.error.kind === "refused" && result.error.scope === "global") return false;
    reactions.toast({ type: "error", text: failureText(result.error, "delete", SessionRefusal) });
    if (isInvalidSession(result.error)) forget(sessionId);
    return false;
  }

  return { rename, remove };
}
