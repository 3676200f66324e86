// Pinning a session: shown at once, then saved, and taken back where that fails.
import { SessionRefusal, updateSessionPinned, UpdatePinnedRefusal } from "@plumb/protocol/wire/sessions";
import type { ApiClient } from "../api-client.ts";
import type { ApiError } from "../api-errors.ts";
import type { Browser } from "../browser.ts";
import type { Reactions } from "../reactions.ts";
import { failureText } from "../texts.ts";
import type { ForgetSession } from "./forget-session.ts";
import type { SessionList } from "./session-list.ts";

export interface PinSessionDeps {
  browser: Browser;
  api: ApiClient;
  list: SessionList;
  reactions: Reactions;
  forgetSession: ForgetSession;
}

export function createPinSession({ browser, api, list, reactions, forgetSession }: PinSessionDeps) {
  /** What is wanted of the sessions that a call is under way for. */
  const wanted = new Map<string, boolean>();

  function showFailure(sessionId: string, error: ApiError): void {
    browser.log("pinning failed", error);
    if (error.kind === "refused" && error.scope === "global") return;
    if (error.kind === "refused" && error.code === SessionRefusal.IllegalChatSessionId.code) {
      forgetSession.notifyInvalid(error.msg);
      forgetSession.lose(sessionId);
      return;
    }
    const isTooMany = error.kind === "refused" && error.code === UpdatePinnedRefusal.TooManyPinned.code;
    const text = isTooMany ? { key: "tooManyPinned" } : failureText(error, "pin", UpdatePinnedRefusal);
    reactions.toast({ type: isTooMany ? "info" : "error", text });
  }

  /** Saves what is wanted, one call at a time, until that is what is stored. */
  async function save(sessionId: string, stored: boolean): Promise<void> {
    for (let next = wanted.get(sessionId); next !== undefined && next !== stored;) {
      const result = await api.call(updateSessionPinned, { chat_session_id: sessionId, pinned: next });
      if (!result.ok) {
        list.change(sessionId, { pinned: stored });
        return showFailure(sessionId, result.error);
      }
      stored = next;
      next = wanted.get(sessionId);
    }
  }

  /** Keeps a listed session on top of the list, or lets it go. Resolves when it is saved, or shown as it was. */
  return async function setPinned(sessionId: string, pinned: boolean): Promise<void> {
    const known = list.find(sessionId);
    if (known === undefined || known.pinned === pinned) return;
    const isUnderWay = wanted.has(sessionId);
    wanted.set(sessionId, pinned);
    list.pinning.add(sessionId);
    list.change(sessionId, { pinned });
    if (isUnderWay) return;
    try {
      await save(sessionId, known.pinned);
    } finally {
      wanted.delete(sessionId);
      list.pinning.delete(sessionId);
    }
  };
}
