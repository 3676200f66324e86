// Searches the user's history while one types (wire-contract.md §19.5). One lives as long as its dialog is open.
import { getMessage } from "@plumb/protocol/conversation/message-tree";
import { LIMITS } from "@plumb/protocol/limits";
import { searchSessions, SearchRefusal, type SearchHit, type SearchPage } from "@plumb/protocol/wire/history";
import { createStore, type StoreApi } from "zustand/vanilla";
import type { ApiClient } from "../api-client.ts";
import type { ApiError, CallResult } from "../api-errors.ts";
import type { Browser, Cancel } from "../browser.ts";
import { sessionPath, type Reactions } from "../reactions.ts";
import { agentIdOf } from "../sessions/client-session.ts";
import type { HistoryLoader } from "../sessions/history.ts";
import type { SessionList } from "../sessions/session-list.ts";
import type { SessionStore } from "../sessions/session-store.ts";
import type { Lead, SoughtMessage } from "../sessions/sought-message.ts";
import type { Text } from "../text.ts";
import { errorText } from "../texts.ts";
import { titleMatches } from "./title-matches.ts";

/** So long nothing is typed before the server is asked (milliseconds). */
const TYPING_PAUSE_MS = 180;
/** One asking looks at a part of the history; so many are made in a row while they find nothing. */
const MOST_EMPTY_PAGES = 10;

export interface HistorySearchState {
  /** What stands in the field. */
  typed: string;
  /**
   * nothing: there is no query. searching: its answer is awaited; hits are those of the query before. found: `hits` are
   * all that is known, more may follow. failed: `failure` says why; `hits` are those found without the server.
   */
  phase: "nothing" | "searching" | "found" | "failed";
  /** Newest first. The first page of the answer has `firstPage` of them. */
  hits: readonly SearchHit[];
  firstPage: number;
  hasMore: boolean;
  isLoadingMore: boolean;
  /** Why the query, or its next page, has no answer. */
  failure: Text | null;
}

export interface HistorySearchDeps {
  browser: Browser;
  api: ApiClient;
  list: Pick<SessionList, "store">;
  sessions: Pick<SessionStore, "get">;
  history: Pick<HistoryLoader, "load">;
  sought: SoughtMessage;
  reactions: Reactions;
}

export interface HistorySearch {
  store: StoreApi<HistorySearchState>;
  /** The field holds this. What an input method is still composing is not searched for. */
  type(text: string, isComposing: boolean): void;
  /** The next hits; nothing where there are none, or while they come. */
  loadMore(): void;
  /** Asks again for what failed. */
  retry(): void;
  /** Shows the chat of a hit, at its message, and from there goes where `lead` leads. Resolves when that is there, or was said to be gone. */
  open(hit: SearchHit, lead?: Lead): Promise<void>;
  /** Asks for nothing any more. */
  stop(): void;
}

const NOTHING: HistorySearchState = {
  typed: "",
  phase: "nothing",
  hits: [],
  firstPage: 0,
  hasMore: false,
  isLoadingMore: false,
  failure: null,
};

type Pages = { ok: true; hits: SearchHit[]; cursor: string | null } | { ok: false; error: ApiError };

export function createHistorySearch(deps: HistorySearchDeps): HistorySearch {
  const { browser, api, sessions, history, sought, reactions } = deps;
  const store = createStore<HistorySearchState>(() => NOTHING);
  /** Trimmed; of what is on show or on its way. */
  let query = "";
  let cursor: string | null = null;
  let asking = new AbortController();
  let cancelWait: Cancel = () => {};
  const stopListening = browser.onOnline(retry);

  /** Ends what is on its way; its answer is not looked at. */
  function renew(): AbortSignal {
    cancelWait();
    asking.abort();
    asking = new AbortController();
    return asking.signal;
  }

  function ask(from: string | null, signal: AbortSignal): Promise<CallResult<SearchPage>> {
    return api.call(searchSessions, { q: query, count: LIMITS.searchPageDefault, cursor: from }, { signal });
  }

  /** Asks on until something is found, within bounds. */
  async function nextPages(signal: AbortSignal, from: string | null): Promise<Pages> {
    let next = from;
    for (let asked = 1; ; asked += 1) {
      const result = await ask(next, signal);
      if (!result.ok) {
        const { error } = result;
        const isEmptyQuery =
          error.kind === "refused" && error.scope === "call" && error.code === SearchRefusal.EmptyQuery.code;
        return isEmptyQuery ? { ok: true, hits: [], cursor: null } : { ok: false, error };
      }
      const { hits } = result.data;
      next = result.data.next_cursor;
      if (hits.length > 0 || next === null || asked === MOST_EMPTY_PAGES)
        return { ok: true, hits, cursor: next };
    }
  }

  function failureOf(error: ApiError): Text {
    if (error.kind === "network" && !browser.online()) return { key: "historySearchOffline" };
    return errorText(error) ?? { key: "historySearchFailed" };
  }

  /** A limit says when it is over: then the same is asked again. */
  function askAgainWhenMeant(error: ApiError): void {
    if (error.kind === "http" && error.retryAfterSecs !== null)
      cancelWait = browser.after(error.retryAfterSecs * 1000, retry);
  }

  async function searchAnew(): Promise<void> {
    const signal = renew();
    store.setState({ phase: "searching", isLoadingMore: false, failure: null });
    const pages = await nextPages(signal, null);
    if (signal.aborted) return;
    if (!pages.ok) {
      const hits = titleMatches(deps.list.store.getState().sessions, query);
      const failure = failureOf(pages.error);
      store.setState({ phase: "failed", hits, firstPage: hits.length, hasMore: false, failure });
      return askAgainWhenMeant(pages.error);
    }
    const { hits } = pages;
    cursor = pages.cursor;
    store.setState({ phase: "found", hits, firstPage: hits.length, hasMore: cursor !== null });
  }

  function type(typed: string, isComposing: boolean): void {
    store.setState({ typed });
    if (isComposing) return;
    // No text has the sign that ends texts elsewhere: with it the server would refuse the rest.
    const wanted = typed.replaceAll("\0", "").trim();
    if (wanted === query) return;
    query = wanted;
    renew();
    if (query === "") return store.setState({ ...NOTHING, typed });
    store.setState({ phase: "searching", isLoadingMore: false, failure: null });
    cancelWait = browser.after(TYPING_PAUSE_MS, () => void searchAnew());
  }

  async function loadNext(): Promise<void> {
    const { phase, hasMore, isLoadingMore } = store.getState();
    if (phase !== "found" || !hasMore || isLoadingMore) return;
    const signal = renew();
    store.setState({ isLoadingMore: true, failure: null });
    const pages = await nextPages(signal, cursor);
    if (signal.aborted) return;
    if (!pages.ok) {
      store.setState({ isLoadingMore: false, failure: failureOf(pages.error) });
      return askAgainWhenMeant(pages.error);
    }
    cursor = pages.cursor;
    store.setState(({ hits }) => ({
      hits: [...hits, ...pages.hits],
      // What was found in none of the pages so far comes in the place of the first.
      firstPage: hits.length === 0 ? pages.hits.length : store.getState().firstPage,
      hasMore: cursor !== null,
      isLoadingMore: false,
    }));
  }

  function retry(): void {
    const { phase, failure } = store.getState();
    if (phase === "failed") void searchAnew();
    else if (failure !== null) void loadNext();
  }

  function hasMessage(sessionId: string, messageId: number): boolean {
    const tree = sessions.get(sessionId)?.tree;
    return tree !== undefined && getMessage(tree, messageId) !== undefined;
  }

  async function open(
    { chat_session: session, message_id: messageId }: SearchHit,
    lead?: Lead,
  ): Promise<void> {
    if (messageId !== null) sought.seek(session.id, messageId, lead);
    reactions.go(sessionPath(agentIdOf(session), session.id));
    if (messageId === null || hasMessage(session.id, messageId)) return;
    const isNewest = await history.load(session.id);
    // A chat that is gone, or could not be loaded, says so itself.
    if (!isNewest || hasMessage(session.id, messageId)) return;
    sought.lose(session.id);
    reactions.toast({ type: "info", text: { key: "messageGone" }, dedupeKey: "message-gone" });
  }

  return {
    store,
    type,
    loadMore: () => {
      // After a failure a hand asks, or the time that the server named.
      if (store.getState().failure === null) void loadNext();
    },
    retry,
    open,
    stop(): void {
      renew();
      stopListening();
    },
  };
}
