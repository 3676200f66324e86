// What the parts of a turn ask of the rest of the engine.
import type { ReceivedEvent } from "@plumb/protocol/stream/stream-event";
import type { Quota } from "@plumb/protocol/wire/accounts";
import type { ApiClient } from "../api-client.ts";
import type { Browser } from "../browser.ts";
import type { ProofOfWork } from "../guard/proof-of-work.ts";
import type { Reactions } from "../reactions.ts";
import type { FollowDeps } from "../replies/follow-reply.ts";
import type { HistoryLoader } from "../sessions/history.ts";
import type { SessionList } from "../sessions/session-list.ts";
import type { SessionStore } from "../sessions/session-store.ts";
import type { FilesPart } from "../load-files.ts";
import type { TurnModes } from "./turn-modes.ts";

export interface TurnDeps {
  browser: Browser;
  api: ApiClient;
  proofs: ProofOfWork;
  sessions: SessionStore;
  list: SessionList;
  history: HistoryLoader;
  files: Pick<FilesPart, "face" | "shown" | "bring" | "check" | "dropArrived">;
  reactions: Reactions;
  follow: Omit<FollowDeps, "browser" | "api" | "reader">;
  /** What the next turn with this agent asks for: of this model, or without one of the chosen one. */
  modes(agentId: string, model?: string): TurnModes;
  /** The persona of this id was deleted. */
  onAgentGone(agentId: string): void;
  /** The server does not offer this model any more. */
  onModelGone(model: string): void;
  /** True while the user is where the send was made: only then may the page move on by itself. */
  isOnScreen(key: string): boolean;
  /** Another branch of the session comes on show, by a turn and not by the reader's switching. */
  onBranchLeft(): void;
  /** An event of a reply came. */
  onEvent(event: ReceivedEvent): void;
  onMuted(untilSecs: number): void;
  /** A reply, or its refusal, brought the count of deep thinking that is left today. */
  onQuota(quota: Quota): void;
  /** The session can't be used any more; the notice is given by the caller. */
  onInvalidSession(sessionId: string): void;
}
