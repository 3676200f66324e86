// `engine.feedback`: what the user thinks of replies.
import type { Feedback as StoredFeedback, Message } from "@plumb/protocol/conversation/message";

export type FeedbackKind = "like" | "dislike" | "none";

export interface GivenFeedback {
  kind: FeedbackKind;
  /** One of FEEDBACK_REASONS; null where none was picked. */
  tag?: string | null;
  description?: string | null;
}

export interface Feedback {
  /**
   * Shows the feedback on a reply at once and sends it. True when the server has it; else a failure was shown, and the
   * reply has no feedback any more (FDBK-008). Where only reasons failed, for a rating that the server has, that rating stays.
   */
  give(sessionId: string, messageId: number, given: GivenFeedback): Promise<boolean>;
}

/** Tags of the reasons that the dialog lists, in its order (FDBK-006). */
export const FEEDBACK_REASONS = [
  "harmful_unsafe",
  "illegal",
  "porn_violence",
  "misinformation",
  "fake",
  "infringed",
  "unhelpful",
  "other",
] as const;

/** Like, dislike or none, as the message has it. */
export function feedbackKind({ feedback }: Pick<Message, "feedback">): FeedbackKind {
  if (feedback === null) return "none";
  return feedback.feedback_type === "GOOD" ? "like" : "dislike";
}

/** As the wire has it; null for none. */
export function storedFeedback({ kind, tag, description }: GivenFeedback): StoredFeedback | null {
  if (kind === "none") return null;
  return {
    feedback_type: kind === "like" ? "GOOD" : "BAD",
    feedback_tag: tag ?? null,
    description: description ?? null,
  };
}
