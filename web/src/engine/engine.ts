// The engine's single entry: what the screen may read and ask for. No React, no text: keys and params only.
import type { Quota, User } from "@plumb/protocol/wire/accounts";
import type { ClientSettings } from "@plumb/protocol/wire/site";
import type { Message } from "@plumb/protocol/conversation/message";
import type { MessageTree } from "@plumb/protocol/conversation/message-tree";
import type { Session } from "@plumb/protocol/wire/sessions";
import type { StoreApi } from "zustand/vanilla";

/** A time of which the screen makes words (unix seconds). */
export interface Moment {
  moment: number;
}

/** A visible text: a key of the locale files with its params, or text the server made. */
export type Text = { key: string; params?: Record<string, string | number | Moment> } | { content: string };

export interface AuthState {
  /** pending until the stored token was checked. */
  status: "pending" | "no" | "yes";
  user: User | null;
  /** Why we became unauthenticated: "banned" leads to /banned. */
  reason: "none" | "signed-out" | "expired" | "banned";
}

/** Result of a form's call: ok, or the text and, where known, the field it belongs to. */
export type FormResult =
  { ok: true } | { ok: false; field: "email" | "code" | "password" | null; text: Text };

export interface Preferences {
  theme: "light" | "dark" | "system";
  locale: "zh_CN" | "en_US" | "system";
  thinkingEnabled: boolean;
  searchEnabled: boolean;
  siderCollapsed: boolean;
}

export interface SessionListState {
  state: "init" | "loading" | "loaded" | "error";
  /** Greatest seq_id first; sessions without messages are not in it. */
  sessions: Session[];
  hasMore: boolean;
  loadingMore: boolean;
}

export type GenerateState = "INITIALIZING" | "AWAITING_FIRST_CHANGE" | "GENERATING";

/** The lasting notice of a message. `traceId`: of a fault on the server's side, for whoever runs it to find. */
export interface MessageHint {
  text: Text;
  type: "error" | "warning";
  clickBehavior: "retry" | "none";
  traceId?: string;
}

/** A message as the screen knows it: the wire message and its run-time fields. Unsent ones have ids from -2 downwards. */
export interface ClientMessage extends Message {
  generateState: GenerateState | null;
  hint: MessageHint | null;
}

export interface ClientSession {
  id: string;
  title: string | null;
  titleType: "WIP" | "SYSTEM" | "USER";
  /** True once, when a generated title just arrived and shall be animated. */
  titleIsNew: boolean;
  /** Milliseconds. */
  updatedAt: number;
  agentId: string;
  state: "idleWithNoHistory" | "fetchingHistory" | "historyError" | "sending" | "completing" | "idle";
  /** "reconnecting" while attempts to resume go on: the screen says so. */
  connection: "live" | "reconnecting";
  tree: MessageTree<ClientMessage>;
}

export interface SessionsState {
  /** Keyed by session id; a new chat that has no session yet lives under `new:<agentId>`. */
  byId: Readonly<Record<string, ClientSession>>;
  /** What is typed and not sent, by the same keys; survives reloads. */
  drafts: Readonly<Record<string, string>>;
}

export interface Toast {
  id: number;
  type: "info" | "success" | "warning" | "error";
  text: Text;
  /** Milliseconds; 5000 by default. */
  duration: number;
  /** A toast with this key is not added while one with the same key shows. */
  dedupeKey?: string;
}

export interface OverlaysState {
  settings: null | "general";
  shortcuts: boolean;
  /** Session ids whose rename or delete dialog is open. */
  renaming: string | null;
  deleting: string | null;
}

export interface Engine {
  auth: StoreApi<AuthState>;
  /** GET client/settings; null until it came. */
  clientSettings: StoreApi<{ settings: ClientSettings | null; failed: boolean }>;
  preferences: StoreApi<Preferences>;
  sessionList: StoreApi<SessionListState>;
  sessions: StoreApi<SessionsState>;
  toasts: StoreApi<{ toasts: Toast[] }>;
  overlays: StoreApi<OverlaysState>;
  /** Seconds left until another code may be sent, by kind. */
  codeTimer: StoreApi<{ email: number }>;
  /** Today's messages with deep thinking; null until the server told. */
  thinkingQuota: StoreApi<{ quota: Quota | null }>;
  /** Path the screen shall go to, set by the engine (new session, invalid session, sign-out); the router consumes it. */
  navigation: StoreApi<{ to: string | null; replace: boolean }>;

  /** Reads storage, checks the token, loads settings and sessions. */
  start(): void;
  stop(): void;

  setPreferences(change: Partial<Preferences>): void;
  signIn(input: { identifier: string; password: string }): Promise<FormResult>;
  signUp(input: { email: string; password: string; code: string }): Promise<FormResult>;
  sendEmailCode(input: { email: string; scenario: "register" }): Promise<FormResult>;
  signOut(): Promise<void>;

  loadMoreSessions(): void;
  retrySessionList(): void;
  renameSession(sessionId: string, title: string): Promise<boolean>;
  deleteSession(sessionId: string): Promise<boolean>;

  /** Called by the session screen: fetches history when needed and resumes a running reply. */
  openSession(sessionId: string): void;
  /** Loads the history again after an error, by hand. */
  retryHistory(sessionId: string): void;
  setDraft(key: string, text: string): void;
  /** Sends the prompt from `key` (a session id or `new:<agentId>`). False = refused before anything was sent; the text is kept. */
  send(key: string, prompt: string): Promise<boolean>;
  /** Stops the running reply of the session. */
  stopReply(key: string): void;
  /** The click on a hint with click_behavior retry: resends the failed message. */
  retryMessage(key: string, messageId: number): void;
  /** The last prompt sent in this session, for arrow-up in an empty composer. */
  lastPrompt(key: string): string | null;

  showToast(toast: { type: Toast["type"]; text: Text; dedupeKey?: string }): void;
  dismissToast(id: number): void;
  setOverlays(change: Partial<OverlaysState>): void;
}

export { createEngine } from "./create-engine.ts";
