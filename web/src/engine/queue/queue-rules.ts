// What becomes of a queued message as its chat goes on. Pure.
import { getMessage, leafOf } from "@plumb/protocol/conversation/message-tree";
import type { ClientMessage } from "../sessions/client-message.ts";
import type { ClientSession } from "../sessions/client-session.ts";
import type { Text } from "../text.ts";
import type { TurnModes } from "../turns/turn-modes.ts";

/** What is sent with a queued text, kept apart from it and its files, which are a draft. */
export interface Queued {
  /** waiting: for the reply `awaits`. sending: its request is on the way. kept: it stays until a hand sends it, `why` says so. */
  phase: "waiting" | "sending" | "kept";
  /** Id of the reply after which it is sent; the page's own, below 0, until the server has named it. */
  awaits: number;
  why: WhyKept | null;
  modes: TurnModes;
  /** How many files go with it. */
  files: number;
  /** The same in every tab: however many send it, it is one message (wire-contract.md §11.2). */
  clientStreamId: string;
}

export interface QueueState {
  /** The next message of each chat that has one; its text and files are the draft under `nextDraftKey`. */
  byKey: Readonly<Record<string, Queued>>;
}

/** Between two texts that become one. */
export const BETWEEN_TEXTS = "\n\n";

/** Why it was not sent by itself: how the reply ended, that the chat went on otherwise, or that a send had failed. */
export type WhyKept = "stopped" | "incomplete" | "filtered" | "failed" | "changed" | "unsent";

export const WHY_TEXTS: Record<WhyKept, Text> = {
  stopped: { key: "queuedStopped" },
  incomplete: { key: "queuedIncomplete" },
  filtered: { key: "queuedFiltered" },
  failed: { key: "queuedFailed" },
  changed: { key: "queuedChanged" },
  unsent: { key: "queuedUnsent" },
};

/** again: the reply goes on after all, and is waited for as before. open: how its chat stands has to be asked first. */
export type QueueStep = "wait" | "again" | "open" | "send" | "done" | WhyKept;

/** What a reply can be continued after. */
const CONTINUED: readonly (WhyKept | null)[] = ["stopped", "incomplete", "failed"];

/** How a chat and the draft of a queued message stand. */
export interface QueueView {
  session: Pick<ClientSession, "state" | "tree"> | undefined;
  /** The text or the files are on show; not those that are on their way. */
  isDrafted: boolean;
  /** A request with them is noted that has not been answered. */
  isOnTheWay: boolean;
}

/** The reply after which a message is sent that is queued now; null where none is asked for or written. */
export function awaitedReply(session: Pick<ClientSession, "state" | "tree"> | undefined): number | null {
  if (session?.state !== "completing" && session?.state !== "sending") return null;
  const leaf = getMessage(session.tree, leafOf(session.tree) ?? 0);
  return leaf?.role === "ASSISTANT" ? (leaf.responseMessageId ?? leaf.message_id) : null;
}

/** The next step of a queued message. One that nobody sees any more, and that is not on its way, is done with. */
export function queueStep(
  { phase, awaits, why }: Queued,
  { session, isDrafted, isOnTheWay }: QueueView,
): QueueStep {
  const isAtRest = session?.state === "idle" || session?.state === "idleWithNoHistory";
  if (session === undefined && phase === "sending") return "open";
  if (phase === "sending") {
    if (!isDrafted) return (isAtRest || session?.state === "completing") && !isOnTheWay ? "done" : "wait";
    return isAtRest ? "unsent" : "wait";
  }
  if (!isDrafted) return "done";
  if (session === undefined) return phase === "waiting" ? "open" : "wait";
  if (phase === "kept") return CONTINUED.includes(why) && awaitedReply(session) === awaits ? "again" : "wait";
  if (!isAtRest) return "wait";
  const leaf = getMessage(session.tree, leafOf(session.tree) ?? 0);
  // The answer that was awaited is not on show: another branch is, or somebody else's message came below it. Where it never
  // got a name, the prompt before did not arrive.
  if (leaf?.message_id !== awaits) return awaits < 0 ? "unsent" : "changed";
  return endOf(leaf);
}

function endOf({ status, hint, isStopped }: ClientMessage): QueueStep {
  switch (status) {
    case "FINISHED":
      return hint === null ? "send" : "failed";
    case "INCOMPLETE":
      return isStopped ? "stopped" : hint === null ? "incomplete" : "failed";
    case "CONTENT_FILTER":
      return "filtered";
    default:
      return "failed";
  }
}
