// `engine.sessions`: the list of chats, what was said in them, and what is typed.
import type { StoreApi } from "zustand/vanilla";
import type { ReadingPlace } from "./reading-places.ts";
import type { RepliesElsewhereState } from "./replies-elsewhere.ts";
import type { SessionListState } from "./session-list.ts";
import type { SessionsState } from "./session-store.ts";
import type { SoughtMessage } from "./sought-message.ts";

export interface Sessions {
  /** Sessions by key, and the drafts. */
  store: StoreApi<SessionsState>;
  /** Replies that other tabs of this browser read. */
  elsewhere: StoreApi<RepliesElsewhereState>;
  /** The list of the sidebar. */
  list: StoreApi<SessionListState>;
  loadMore(): void;
  retryList(): void;
  /**
   * Called by the chat screen with a session id or `new:<agentId>`: fetches the history when needed and resumes a
   * running reply. A new chat whose question had arrived before a reload leads to its session.
   */
  open(key: string): void;
  /** Loads the history again after an error, by hand. */
  retryHistory(sessionId: string): void;
  /** Shows this message instead of its sibling on show; what the user looks at is kept. */
  switchBranch(sessionId: string, messageId: number): void;
  /** True when the session has the title; a failure was shown. */
  rename(sessionId: string, title: string): Promise<boolean>;
  /** Keeps a listed session on top of the list, or lets it go: shown at once, and taken back when it can't be saved. */
  setPinned(sessionId: string, pinned: boolean): void;
  /** True when the session is gone; a failure was shown. */
  remove(sessionId: string): Promise<boolean>;
  /** Where the user was reading in a session; null: show its end. */
  readingPlace(sessionId: string): ReadingPlace | null;
  /** Keeps where the user reads now; null at the end. */
  keepReadingPlace(sessionId: string, place: ReadingPlace | null): void;
  /** The message that the conversation is to go to, and to mark; `soughtShown` says that it did. */
  sought: SoughtMessage["store"];
  soughtShown(): void;
  /** What is typed under `key`: a session id or `new:<agentId>`. */
  setDraft(key: string, text: string): void;
}
