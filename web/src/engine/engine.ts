// The engine's single entry: one face per feature. No React, no text: keys and params only.
import type { Message } from "@plumb/protocol/conversation/message";
import type { Accounts } from "./accounts/accounts-face.ts";
import type { OwnAccount } from "./accounts/own-account.ts";
import type { Feedback } from "./feedback/feedback-face.ts";
import type { CaptchaFace } from "./guard/captcha-face.ts";
import type { createHistorySearch } from "./history-search/create-history-search.ts";
import type { OwnData } from "./exports/own-data.ts";
import type { Agents } from "./load-agents.ts";
import type { Files } from "./load-files.ts";
import type { Queue } from "./load-queue.ts";
import type { Sharing } from "./load-sharing.ts";
import type { Sessions } from "./sessions/sessions-face.ts";
import type { Site } from "./site/site-face.ts";
import type { Turns } from "./turns/turns-face.ts";

export interface Engine {
  accounts: Accounts;
  site: Site;
  captcha: CaptchaFace;
  /** What a bot challenge asks for, over the whole page. */
  challenge: CaptchaFace;
  /** Resolves when the parts below are here; until then they throw. A token begins it. Rejects when it cannot be had. */
  loadChat(): Promise<unknown>;
  isChatHere(): boolean;
  /** As `sessions.open`, before its screen or even its code is here: the history comes meanwhile. Gives its messages, none where they come later. */
  openEarly(sessionId: string): Promise<readonly Message[]>;
  readonly sessions: Sessions;
  readonly turns: Turns;
  readonly feedback: Feedback;
  readonly files: Files;
  readonly agents: Agents;
  readonly sharing: Sharing;
  readonly queue: Queue;
  /** A search of the history, made by the code that comes with its dialog. */
  beginSearch: (create: typeof createHistorySearch) => ReturnType<typeof createHistorySearch>;
  /**
   * What the user can do with all that is theirs. Null where its code cannot be had, which was said in a toast, but for
   * whoever says it otherwise (`says` false).
   */
  ownData(options?: { says: boolean }): Promise<OwnData | null>;
  /** What the user can do with the account itself. Null likewise. */
  ownAccount(options?: { says: boolean }): Promise<OwnAccount | null>;
  /** Reads storage, checks the token, loads settings and sessions. */
  start(): void;
  /** Ends all reading and all timers; replies go on at the server. */
  stop(): void;
}
