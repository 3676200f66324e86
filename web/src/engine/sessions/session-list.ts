// The list of the sidebar: pages of sessions, newest first.
import { fetchSessionPage, type Session } from "@plumb/protocol/wire/sessions";
import { createStore } from "zustand/vanilla";
import type { ApiClient } from "../api-client.ts";

export interface SessionListState {
  state: "init" | "loading" | "loaded" | "error";
  /** Greatest seq_id first; sessions without messages are not in it. */
  sessions: Session[];
  hasMore: boolean;
  loadingMore: boolean;
}

const NOTHING: SessionListState = { state: "init", sessions: [], hasMore: false, loadingMore: false };

function newestFirst(sessions: Session[]): Session[] {
  return [...sessions].sort((a, b) => b.updated_at - a.updated_at || b.seq_id - a.seq_id);
}

export type SessionList = ReturnType<typeof createSessionList>;

export function createSessionList(api: ApiClient, pageSize: () => number) {
  const store = createStore<SessionListState>(() => NOTHING);
  // The last row as it was received: rows that moved to the front meanwhile don't shift it (wire-contract.md §10.2).
  let cursor: number | null = null;
  // Raised when the list is emptied: pages of earlier calls are dropped.
  let generation = 0;
  const removed = new Set<string>();
  let refreshing = false;

  /** Adds a page. What is known of a session by now is at least as new as an older page. */
  function add(page: Session[]): void {
    store.setState(({ sessions }) => {
      const byId = new Map(page.filter(({ id }) => !removed.has(id)).map((session) => [session.id, session]));
      for (const known of sessions) {
        const received = byId.get(known.id);
        if (received === undefined || received.updated_at <= known.updated_at) byId.set(known.id, known);
      }
      return { sessions: newestFirst([...byId.values()]) };
    });
  }

  async function loadPage(): Promise<void> {
    const mine = generation;
    const first = cursor === null;
    store.setState(first ? { state: "loading" } : { loadingMore: true });
    const result = await api.call(fetchSessionPage, { count: pageSize(), before_seq_id: cursor });
    if (mine !== generation) return;
    if (!result.ok) {
      store.setState({ state: "error", loadingMore: false });
      return;
    }
    const { chat_sessions: page, has_more } = result.data;
    cursor = page.at(-1)?.seq_id ?? cursor;
    add(page);
    store.setState({ state: "loaded", hasMore: has_more && page.length > 0, loadingMore: false });
  }

  function isLoading(): boolean {
    const { state, loadingMore } = store.getState();
    return state === "loading" || loadingMore;
  }

  /** The first page as it is by now: what came or changed elsewhere is shown, what is missing from it was deleted. */
  async function reloadFirstPage(): Promise<void> {
    const mine = generation;
    const known = store.getState().sessions;
    refreshing = true;
    const result = await api.call(fetchSessionPage, { count: pageSize(), before_seq_id: null });
    if (mine === generation) refreshing = false;
    // A look behind a list that is shown already may fail in silence.
    if (mine !== generation || !result.ok) return;
    const { chat_sessions: page, has_more } = result.data;
    const present = new Set(page.map(({ id }) => id));
    if (has_more && !known.some(({ id }) => present.has(id))) {
      // So much is new that pages would be missing in between: the list begins again here.
      cursor = page.at(-1)?.seq_id ?? null;
      store.setState({ sessions: [], hasMore: true });
    }
    const oldest = has_more ? (page.at(-1)?.seq_id ?? Infinity) : -Infinity;
    // One that changed on this page meanwhile is another object: the answer may not know it yet.
    const missing = new Set(known.filter(({ id, seq_id }) => seq_id >= oldest && !present.has(id)));
    store.setState(({ sessions }) => ({ sessions: sessions.filter((session) => !missing.has(session)) }));
    add(page);
  }

  /** The page is looked at again: what other devices did is shown. */
  function refresh(): void {
    const { state } = store.getState();
    if (state === "error") retry();
    if (state === "loaded" && !isLoading() && !refreshing) void reloadFirstPage();
  }

  /** The first page; nothing where it came or is on its way. */
  function start(): void {
    if (store.getState().state === "init") void loadPage();
  }

  function loadMore(): void {
    const { state, hasMore } = store.getState();
    if (state === "loaded" && hasMore && !isLoading()) void loadPage();
  }

  /** Once more after an error: the page that failed. */
  function retry(): void {
    if (store.getState().state === "error" && !isLoading()) void loadPage();
  }

  /** A session came or changed: it is shown at the place its update time gives it. */
  function show(session: Session): void {
    if (removed.has(session.id)) return;
    store.setState(({ sessions }) => ({
      sessions: newestFirst([session, ...sessions.filter(({ id }) => id !== session.id)]),
    }));
  }

  /** Changes a listed session; others are left alone. */
  function change(id: string, part: Partial<Pick<Session, "title" | "title_type" | "updated_at">>): void {
    store.setState(({ sessions }) => ({
      sessions: newestFirst(
        sessions.map((session) => (session.id === id ? { ...session, ...part } : session)),
      ),
    }));
  }

  function remove(id: string): void {
    removed.add(id);
    store.setState(({ sessions }) => ({ sessions: sessions.filter((session) => session.id !== id) }));
  }

  function clear(): void {
    generation += 1;
    refreshing = false;
    cursor = null;
    removed.clear();
    store.setState(NOTHING);
  }

  return { store, start, loadMore, retry, refresh, show, change, remove, clear };
}
