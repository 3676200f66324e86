// Loads what was said in a session: from the cache at once, from the server for certain.
import { getMessage, treeOf } from "@plumb/protocol/conversation/message-tree";
import { SessionRefusal, type History } from "@plumb/protocol/wire/sessions";
import type { ApiClient } from "../api-client.ts";
import type { Browser } from "../browser.ts";
import { areEqual } from "../deep-equal.ts";
import { pause } from "../pause.ts";
import type { Asked } from "../poll.ts";
import type { Branches } from "./branches.ts";
import { askEarly, askHistory, earlyAnswer, type EarlyHistory } from "./early-history.ts";
import type { ForgetSession } from "./forget-session.ts";
import type { CachedHistory, HistoryCache } from "./history-cache.ts";
import type { SessionList } from "./session-list.ts";
import { clientMessage } from "./client-message.ts";
import { agentOfNewChat, clientSession, type ClientSession } from "./client-session.ts";
import type { SessionStore } from "./session-store.ts";
import type { ShownSession } from "./shown-session.ts";
import { withUnsentOf } from "./unsent-messages.ts";

export interface HistoryDeps {
  browser: Browser;
  api: ApiClient;
  sessions: SessionStore;
  cache: HistoryCache;
  branches: Branches;
  forgetSession: ForgetSession;
  list: SessionList;
  shown: ShownSession;
  /** What was asked for before this part was here; once. */
  takeEarly(sessionId: string): EarlyHistory | null;
  /** Whoever is here signed in where another sign-in had ended: the address they were led to may be that of somebody else. */
  isNextPerson(): boolean;
  /** A history is in place; a reply in it may still run. */
  onLoaded(history: Pick<History, "chat_session" | "chat_messages">): void;
}

export interface LoadOptions {
  /** Asked for by hand: also after an error. */
  force?: boolean;
}

/** Reading so many messages, making a tree of them, drawing and storing them take a task each, or the page would stand still. */
const MANY_MESSAGES = 200;
/** By then they are on the screen (milliseconds). */
const DRAWN_MS = 100;

/** What a history shows, made when `before` was on show. */
interface Made {
  before: ClientSession["tree"] | undefined;
  tree: ClientSession["tree"];
}

const ANSWERED: Asked = { outcome: "answered" };
const NOTHING: Asked = { outcome: "nothing" };

export type HistoryLoader = ReturnType<typeof createHistory>;

export function createHistory(deps: HistoryDeps) {
  const { api, sessions, cache, branches, shown } = deps;
  // The version of what is shown, by session; a turn that is cut off leaves it behind that of the server.
  const versions = new Map<string, number>();
  const loading = new Map<string, Promise<Asked>>();
  // What a sign-in led to; "" once that is over.
  let ledTo: string | null = null;

  function mayLoad(session: ClientSession, { force = false }: LoadOptions): boolean {
    switch (session.state) {
      case "completing":
      case "fetchingHistory":
      case "sending":
        return false;
      case "historyError":
        return force;
      default:
        return true;
    }
  }

  /** The messages of a history; those that are on show already stay the same. */
  function madeOf({ chat_session, chat_messages }: CachedHistory): Made {
    const before = sessions.get(chat_session.id)?.tree;
    const messages = chat_messages.map((message) => {
      const shown = before && getMessage(before, message.message_id);
      // The server keeps no hints: why a reply failed, and its retry, stay as long as the page shows that failure.
      const keepsHint = message.role === "ASSISTANT" && shown?.status === message.status;
      const { hint, resendInfo } = keepsHint ? shown : { hint: null, resendInfo: null };
      const next = { ...clientMessage(message, shown), hint, resendInfo };
      // One that is the same object wakes nobody who draws it.
      return shown !== undefined && areEqual(next, shown) ? shown : next;
    });
    return { before, tree: treeOf(messages, chat_session.current_message_id) };
  }

  /** Null where there are not so many that it would be worth a task. */
  async function madeEarly(history: CachedHistory): Promise<Made | null> {
    if (history.chat_messages.length < MANY_MESSAGES) return null;
    await pause(deps.browser, 0);
    const made = madeOf(history);
    await pause(deps.browser, 0);
    return made;
  }

  /** Puts a history on show in place of the messages shown before, but for those that were never stored. */
  function show(
    history: CachedHistory,
    { isCached, early }: { isCached: boolean; early: Made | null },
  ): void {
    const { chat_session, chat_messages } = history;
    const before = sessions.get(chat_session.id);
    // What was on show may have changed since.
    const made = early !== null && early.before === before?.tree ? early : madeOf(history);
    const stored = branches.show(chat_session.id, made.tree, { isCached });
    const tree = before === undefined ? stored : withUnsentOf(stored, before.tree);
    const lastMessageId = chat_messages.reduce(
      (last, { message_id }) => Math.max(last, message_id),
      before?.lastMessageId ?? 0,
    );
    const endedUnseen = before?.endedUnseen ?? false;
    sessions.put(chat_session.id, {
      ...clientSession(chat_session),
      // A stored copy is on show while the server is asked.
      state: isCached ? "fetchingHistory" : "idle",
      tree,
      lastMessageId,
      endedUnseen,
    });
    versions.set(chat_session.id, chat_session.version);
  }

  /** "answered" when the server's history is in place. */
  async function fetchAndShow(sessionId: string, fresh: boolean): Promise<Asked> {
    const taken = fresh ? deps.takeEarly(sessionId) : null;
    const early = fresh ? (taken ?? askEarly(api, cache, sessionId)) : null;
    if (early !== null) {
      const cached = await early.cached;
      const made = cached && (await madeEarly(cached));
      const state = sessions.get(sessionId)?.state;
      if (cached !== null && state === "fetchingHistory") show(cached, { isCached: true, early: made });
    }
    const known = sessions.get(sessionId);
    if (known === undefined) return NOTHING;
    const version = versions.get(sessionId);
    const answer = early === null ? null : await earlyAnswer(early, version, taken !== null);
    const result = answer ?? (await askHistory(api, sessionId, version));
    const made = result.ok ? await madeEarly(result.data) : null;
    const now = sessions.get(sessionId);
    // A send began, or the session is gone: this answer is out of date.
    if (now === undefined || now.state === "sending" || now.state === "completing") return NOTHING;
    // A whole turn came and ended during this call, whose answer doesn't have it.
    if (!fresh && now.tree !== known.tree) return NOTHING;
    if (!result.ok) {
      const { error } = result;
      if (error.kind === "aborted") return NOTHING;
      if (
        error.kind === "refused" &&
        error.scope === "call" &&
        error.code === SessionRefusal.IllegalChatSessionId.code
      ) {
        const isOthers = sessionId === ledTo && deps.isNextPerson();
        ledTo = "";
        if (!isOthers || error.msg === SessionRefusal.ChatSessionDeleted.msg)
          deps.forgetSession.notifyInvalid(error.msg);
        deps.forgetSession.lose(sessionId);
        return NOTHING;
      }
      // Where a history is shown already, a failed check of it shows nothing.
      sessions.update(sessionId, ({ state }) => ({
        state: state === "fetchingHistory" ? "historyError" : state,
      }));
      return { outcome: "failed", error };
    }
    const history = result.data;
    const { title, title_type, updated_at, pinned } = history.chat_session;
    deps.list.take(sessionId, { title, title_type, updated_at, pinned });
    if (history.cache_valid) {
      sessions.takeListed(history.chat_session);
      sessions.update(sessionId, ({ state }) => (state === "idle" ? {} : { state: "idle" }));
      if (fresh) deps.onLoaded(history);
      return ANSWERED;
    }
    show(history, { isCached: false, early: made });
    deps.onLoaded(history);
    if (made !== null) await pause(deps.browser, DRAWN_MS);
    // Meanwhile the account may have left, the session be gone, or a turn have begun.
    const isNewest = versions.get(sessionId) === history.chat_session.version;
    if (isNewest && sessions.get(sessionId) !== undefined) await cache.write(history);
    return ANSWERED;
  }

  /** Fetches the history unless a rule forbids it now ([SESS-042], [SESS-043]). */
  function ask(sessionId: string, options: LoadOptions = {}): Promise<Asked> {
    const session = sessions.ensure(sessionId);
    const running = loading.get(sessionId);
    if (running !== undefined) return running;
    if (!mayLoad(session, options)) return Promise.resolve(NOTHING);
    const fresh = session.state === "idleWithNoHistory" || session.state === "historyError";
    if (fresh) sessions.update(sessionId, () => ({ state: "fetchingHistory" }));
    const done = fetchAndShow(sessionId, fresh)
      .catch((error: unknown) => {
        deps.browser.log("history", error);
        sessions.update(sessionId, ({ state }) => ({
          state: state === "fetchingHistory" ? "historyError" : state,
        }));
        return { outcome: "failed" } as const;
      })
      .finally(() => {
        if (loading.get(sessionId) === done) loading.delete(sessionId);
      });
    loading.set(sessionId, done);
    return done;
  }

  /** Resolves when no answer is on its way that may be older than now. */
  async function rest(sessionId: string): Promise<void> {
    await loading.get(sessionId);
    // Who asked has it, too.
    await pause(deps.browser, 0);
  }

  /** As `ask`; resolves true when the server's history is in place. */
  async function load(sessionId: string, options?: LoadOptions): Promise<boolean> {
    return (await ask(sessionId, options)).outcome === "answered";
  }

  /** The screen shows what is under this key; a new chat has no history. */
  function open(key: string): void {
    shown.show(key);
    ledTo ??= key;
    sessions.update(key, () => ({ endedUnseen: false }));
    if (agentOfNewChat(key) === null) void load(key);
  }

  /** Loads once more after an error, by hand. */
  function retry(sessionId: string): void {
    void load(sessionId, { force: true });
  }

  /** Asks again for the history on show; a new chat has none. */
  async function checkShown(): Promise<Asked> {
    const key = shown.key();
    return key === null || agentOfNewChat(key) !== null ? NOTHING : ask(key);
  }

  /** Loads the history on show where that had failed. */
  function loadFailed(): void {
    const key = shown.key();
    if (key !== null && sessions.get(key)?.state === "historyError") retry(key);
  }

  /**
   * A turn that is read here brought the session to this version. What is shown has it, where it had the one before;
   * otherwise somebody else's change is missing, and the next load fetches all.
   */
  function advance(sessionId: string, version: number): void {
    const known = versions.get(sessionId) ?? 0;
    if (known === version) return;
    if (known === version - 1) versions.set(sessionId, version);
    else versions.delete(sessionId);
  }

  function clear(): void {
    versions.clear();
    loading.clear();
    ledTo = null;
  }

  return { load, open, retry, rest, checkShown, loadFailed, advance, clear };
}
