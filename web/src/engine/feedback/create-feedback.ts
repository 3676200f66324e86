// Like, dislike or none on a reply: shown at once, sent in the order given, and taken back where it cannot be stored.
import { updateMessage } from "@plumb/protocol/conversation/message-tree";
import { FeedbackRefusal, messageFeedback } from "@plumb/protocol/wire/feedback";
import type { ApiClient } from "../api-client.ts";
import type { ApiError } from "../api-errors.ts";
import type { Browser } from "../browser.ts";
import type { Reactions } from "../reactions.ts";
import { type ForgetSession, isInvalidSession } from "../sessions/forget-session.ts";
import type { SessionStore } from "../sessions/session-store.ts";
import { failureText } from "../texts.ts";
import { type Feedback, type GivenFeedback, storedFeedback } from "./feedback-face.ts";

export interface FeedbackDeps {
  browser: Browser;
  api: ApiClient;
  sessions: SessionStore;
  reactions: Reactions;
  forgetSession: ForgetSession;
}

export function createFeedback(deps: FeedbackDeps): Feedback {
  const { browser, api, sessions, reactions, forgetSession } = deps;
  /** The last call of each message that has one under way. */
  const sending = new Map<string, Promise<unknown>>();

  function show(sessionId: string, messageId: number, given: GivenFeedback): void {
    const feedback = storedFeedback(given);
    sessions.update(sessionId, ({ tree }) => ({
      tree: updateMessage(tree, messageId, (message) => ({ ...message, feedback })),
    }));
  }

  /** What a failure means besides that nothing was stored. */
  function onFailure(sessionId: string, error: ApiError): void {
    browser.log("feedback failed", error);
    // The account has left meanwhile, or what there is to say was said for every call.
    if (error.kind === "aborted" || sessions.get(sessionId) === undefined) return;
    if (error.kind === "refused" && error.scope === "global") return;
    if (error.kind === "refused" && isInvalidSession(error)) {
      forgetSession.notifyInvalid(error.msg);
      forgetSession.lose(sessionId);
      return;
    }
    reactions.toast({
      type: "error",
      text: failureText(error, "feedback", FeedbackRefusal),
      dedupeKey: "feedback-failed",
    });
  }

  async function give(sessionId: string, messageId: number, given: GivenFeedback): Promise<boolean> {
    show(sessionId, messageId, given);
    const place = `${sessionId} ${messageId}`;
    const call = (sending.get(place) ?? Promise.resolve()).then(() =>
      api.call(messageFeedback, {
        chat_session_id: sessionId,
        message_id: messageId,
        ...(storedFeedback(given) ?? { feedback_type: "" }),
      }),
    );
    sending.set(place, call);
    const result = await call;
    const isLast = sending.get(place) === call;
    if (isLast) sending.delete(place);
    // A history that came meanwhile may have brought what was stored before.
    if (isLast) show(sessionId, messageId, result.ok ? given : { kind: "none" });
    if (!result.ok) onFailure(sessionId, result.error);
    return result.ok;
  }

  return { give };
}
