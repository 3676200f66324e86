// A share as its reader sees it, and its continuation as a chat of the reader's own (requirements 1§4, wire-contract.md
// §13.4, §13.5, §18.8). On the page it is a session under a key of its own that nobody else asks the server about.
import { treeOf } from "@plumb/protocol/conversation/message-tree";
import {
  forkShare,
  ForkShareRefusal,
  shareContent,
  type ShareContent,
  ShareContentRefusal,
} from "@plumb/protocol/wire/sharing";
import { createStore } from "zustand/vanilla";
import type { ApiClient } from "../api-client.ts";
import type { ApiError } from "../api-errors.ts";
import type { Browser } from "../browser.ts";
import { DEFAULT_AGENT, type Reactions, sessionPath } from "../reactions.ts";
import { clientMessage } from "../sessions/client-message.ts";
import { emptySession, HOME_KEY, shareKey } from "../sessions/client-session.ts";
import { storageFullText } from "../files/storage-full.ts";
import type { HistoryLoader } from "../sessions/history.ts";
import type { SessionList } from "../sessions/session-list.ts";
import type { SessionStore } from "../sessions/session-store.ts";
import type { ShownSession } from "../sessions/shown-session.ts";
import { refusalToast } from "../site/toast.ts";
import type { Text } from "../text.ts";
import { checkSubmit } from "../turns/composer-rules.ts";
import { createForkNames } from "./fork-names.ts";

const SHARE_MISSING = "/share/missing";
const SHARE_INVALID = "/share/invalid";

export interface SharedChatState {
  /** The share that its reader wants to continue, also while they sign in for it; null for none. */
  continuing: string | null;
  /** The share that was opened last, where it is its reader's own; null where not. */
  own: string | null;
}

export interface SharedChatDeps {
  browser: Browser;
  api: ApiClient;
  reactions: Reactions;
  sessions: SessionStore;
  list: Pick<SessionList, "refresh">;
  history: Pick<HistoryLoader, "load">;
  shown: ShownSession;
  /** Sends from a session of the reader's; false = refused before anything was sent. */
  send(sessionId: string, prompt: string): Promise<boolean>;
  /** Whether files stand with the draft under this key. */
  hasFiles(key: string): boolean;
  /** Asks the server about the account once more. */
  checkAccount(): void;
}

const FORK_TEXTS: ReadonlyMap<number, Text> = new Map([
  [ForkShareRefusal.RateLimitReached.code, { key: "operationTooFastToast" }],
]);

/** The number of a call's own refusal; null for every other failure. */
function refusalCode(error: ApiError): number | null {
  return error.kind === "refused" && error.scope === "call" ? error.code : null;
}

export type SharedChat = ReturnType<typeof createSharedChat>;

export function createSharedChat(deps: SharedChatDeps) {
  const { browser, api, reactions, sessions, shown } = deps;
  const store = createStore<SharedChatState>(() => ({ continuing: null, own: null }));
  const names = createForkNames(browser);
  const asking = new Set<string>();
  let account = new AbortController();
  /** The share that was opened last. */
  let opened: string | null = null;
  /** Asked for before its page was on show, which is not to ask once more then. */
  let ahead: string | null = null;

  /** Whoever has gone on to a chat meanwhile is not led away from it. */
  const isOnShow = (shareId: string): boolean => opened === shareId && shown.key() === null;

  /** The share is not to be read any more, or never was: nothing of it stays, but for what was typed under it. */
  function lose(shareId: string, path: string): void {
    const key = shareKey(shareId);
    const wasOnShow = isOnShow(shareId);
    const typed = sessions.store.getState().drafts[key] ?? "";
    sessions.remove(key);
    names.drop(shareId);
    if (typed !== "") sessions.restoreDraft(HOME_KEY, typed);
    store.setState({ continuing: null });
    if (wasOnShow) reactions.go(path, { replace: true });
  }

  /** Leaves for the page that says so where the share cannot be read: true then. */
  function isLost(shareId: string, code: number | null): boolean {
    switch (code) {
      case ShareContentRefusal.ShareDoesNotExist.code:
        lose(shareId, SHARE_MISSING);
        return true;
      case ShareContentRefusal.ShareIsDeletedOrBanned.code:
      case ShareContentRefusal.OriginalSessionDeleted.code:
        lose(shareId, SHARE_INVALID);
        return true;
      default:
        return false;
    }
  }

  function show(shareId: string, { title, messages, created_at: createdAt }: ShareContent): void {
    const last = messages.at(-1)?.message_id ?? 0;
    sessions.put(shareKey(shareId), {
      ...emptySession(shareKey(shareId)),
      title: title === "" ? null : title,
      titleType: "USER",
      updatedAt: createdAt * 1000,
      agentId: DEFAULT_AGENT,
      state: "idle",
      tree: treeOf(
        messages.map((message) => clientMessage(message)),
        last,
      ),
      lastMessageId: last,
    });
  }

  async function ask(shareId: string): Promise<void> {
    const key = shareKey(shareId);
    const isFresh = sessions.ensure(key).tree.nodes.size === 0;
    if (isFresh) sessions.update(key, () => ({ state: "fetchingHistory" }));
    const result = await api.call(shareContent, { share_id: shareId });
    // Whoever read it has left, or it is being continued.
    const now = sessions.get(key);
    if (now === undefined || now.state === "sending") return;
    if (result.ok) {
      store.setState({ own: result.data.own === true ? shareId : null });
      // It is a copy: what is on show stays as it is.
      return isFresh ? show(shareId, result.data) : undefined;
    }
    if (isLost(shareId, refusalCode(result.error)) || !isFresh) return;
    browser.log("a share could not be had", result.error);
    sessions.update(key, () => ({ state: "historyError" }));
    reactions.toast({ type: "error", text: { key: "networkError" }, dedupeKey: "share-content" });
  }

  /** The page of a share is on show: asks for it, and where it is known whether it can still be read. */
  function open(shareId: string): void {
    shown.clear();
    opened = shareId;
    const isAhead = ahead === shareId;
    ahead = null;
    if (isAhead || asking.has(shareId) || sessions.get(shareKey(shareId))?.state === "sending") return;
    asking.add(shareId);
    void ask(shareId).finally(() => asking.delete(shareId));
  }

  /** As `open`, for a page that will be on show in a moment and then opens it. */
  function openAhead(shareId: string): void {
    open(shareId);
    ahead = shareId;
  }

  /** The reader wants to continue the share; also after signing in. */
  const wantToContinue = (shareId: string): void => store.setState({ continuing: shareId });

  function failFork(shareId: string, error: ApiError): void {
    browser.log("a share was not continued", error);
    const code = refusalCode(error);
    sessions.update(shareKey(shareId), () => ({ state: "idle" }));
    const wasOnShow = isOnShow(shareId);
    if (isLost(shareId, code) && wasOnShow) return;
    const isFull = code === ForkShareRefusal.StorageQuotaExceeded.code;
    const full = isFull && error.kind === "refused" ? storageFullText(error.data) : null;
    const text = full ?? FORK_TEXTS.get(code ?? 0) ?? { key: "shareNetworkError" };
    reactions.toast({ type: "error", text, dedupeKey: "share-fork" });
    if (code === ForkShareRefusal.UserIsMuted.code) deps.checkAccount();
  }

  /** The copy is there: its history comes, what was typed is sent in it, and it is shown. */
  async function goOn(shareId: string, sessionId: string, prompt: string): Promise<void> {
    const key = shareKey(shareId);
    const { signal } = account;
    const isLoaded = await deps.history.load(sessionId);
    if (signal.aborted) return;
    sessions.moveFiles(key, sessionId);
    const isSent = isLoaded && (await deps.send(sessionId, prompt));
    if (signal.aborted) return;
    // Not sent, it waits there: a second copy would be one too many.
    if (!isSent) sessions.restoreDraft(sessionId, prompt);
    const agentId = sessions.get(sessionId)?.agentId ?? DEFAULT_AGENT;
    if (isOnShow(shareId)) reactions.go(sessionPath(agentId, sessionId));
    sessions.dropDraft(key, prompt);
    names.drop(shareId);
    sessions.update(key, () => ({ state: "idle" }));
    store.setState({ continuing: null });
    void deps.list.refresh();
  }

  /** Sends what was typed under a share: in a copy of it that is the reader's own. False: nothing was sent, and it stands where it was. */
  async function send(shareId: string, prompt: string): Promise<boolean> {
    const key = shareKey(shareId);
    const check = checkSubmit(key, sessions.get(key), prompt, { hasFiles: deps.hasFiles(key) });
    if (!check.ok) {
      const { type, text } = check;
      if (text !== null) reactions.toast(refusalToast(type, text));
      return false;
    }
    sessions.update(key, () => ({ state: "sending" }));
    const { signal } = account;
    const wanted = { share_id: shareId, client_fork_id: names.nameFor(shareId) };
    const result = await api.call(forkShare, wanted, { signal });
    if (signal.aborted) return false;
    if (!result.ok) {
      failFork(shareId, result.error);
      return false;
    }
    await goOn(shareId, result.data.chat_session_id, prompt);
    return true;
  }

  /** The account leaves: what it was doing ends. */
  function clear(): void {
    account.abort();
    account = new AbortController();
    ahead = null;
    store.setState({ continuing: null, own: null });
  }

  return { store, open, openAhead, wantToContinue, send, clear };
}
