// Like, dislike or none on a reply: shown at once, sent in the order given, and taken back where it cannot be stored.
import type { Feedback as StoredFeedback } from "@plumb/protocol/conversation/message";
import { getMessage, updateMessage } from "@plumb/protocol/conversation/message-tree";
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
  /** The last call of each message that has one under way, with what the server has of it after that. */
  const sending = new Map<string, Promise<{ error: ApiError | null; stored: StoredFeedback | null }>>();

  function show(sessionId: string, messageId: number, feedback: StoredFeedback | null): void {
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

  async function send(
    sessionId: string,
    messageId: number,
    { asked, stored }: Record<"asked" | "stored", StoredFeedback | null>,
  ) {
    const result = await api.call(messageFeedback, {
      chat_session_id: sessionId,
      message_id: messageId,
      ...(asked ?? { feedback_type: "" }),
    });
    return result.ok ? { error: null, stored: asked } : { error: result.error, stored };
  }

  async function give(sessionId: string, messageId: number, given: GivenFeedback): Promise<boolean> {
    const asked = storedFeedback(given);
    const tree = sessions.get(sessionId)?.tree;
    const before = (tree === undefined ? undefined : getMessage(tree, messageId)?.feedback) ?? null;
    show(sessionId, messageId, asked);
    const place = `${sessionId} ${messageId}`;
    const call = (sending.get(place) ?? Promise.resolve({ stored: before })).then(({ stored }) =>
      send(sessionId, messageId, { asked, stored }),
    );
    sending.set(place, call);
    const { error, stored } = await call;
    const isLast = sending.get(place) === call;
    if (isLast) sending.delete(place);
    // A history that came meanwhile may have brought what was stored before. Reasons that failed leave their rating.
    if (isLast) show(sessionId, messageId, stored?.feedback_type === asked?.feedback_type ? stored : null);
    if (error !== null) onFailure(sessionId, error);
    return error === null;
  }

  return { give };
}
