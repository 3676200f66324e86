// The list of the sidebar: pages of sessions, newest first, and those that are pinned.
import { fetchSessionPage, type Session, type SessionPage } from "@plumb/protocol/wire/sessions";
import { createStore } from "zustand/vanilla";
import type { ApiClient } from "../api-client.ts";
import type { Asked } from "../poll.ts";
import { isPassing } from "../api-errors.ts";
import type { ListedPage } from "./history-cache.ts";

export interface SessionListState {
  state: "init" | "loading" | "loaded" | "error";
  /** Greatest seq_id first; sessions without messages are not in it. */
  sessions: Session[];
  hasMore: boolean;
  loadingMore: boolean;
}

export interface SessionListDeps {
  api: ApiClient;
  pageSize(): number;
  /** A listed session came, or was changed, by what was done on this page. */
  onShown(session: Session): void;
  /** What the server said of listed sessions: theirs alone that are new here or have changed. */
  onReceived(sessions: readonly Session[]): void;
  /** What a page of the list says of all sessions whose places lie in it. */
  onPage(page: ListedPage): void;
}

const NOTHING: SessionListState = { state: "init", sessions: [], hasMore: false, loadingMore: false };

function newestFirst(sessions: readonly Session[]): Session[] {
  return [...sessions].sort((a, b) => b.updated_at - a.updated_at || b.seq_id - a.seq_id);
}

function isSame(a: Session, b: Session): boolean {
  return (Object.keys(b) as (keyof Session)[]).every((field) => a[field] === b[field]);
}

type ListedPart = Partial<Pick<Session, "title" | "title_type" | "updated_at" | "pinned">>;

export type SessionList = ReturnType<typeof createSessionList>;

export function createSessionList({ api, pageSize, onShown, onReceived, onPage }: SessionListDeps) {
  const store = createStore<SessionListState>(() => NOTHING);
  // The last row as it was received: rows that moved to the front meanwhile don't shift it (wire-contract.md §10.2).
  let cursor: number | null = null;
  // Raised when the list is emptied: pages of earlier calls are dropped.
  let generation = 0;
  const removed = new Set<string>();
  /** Whether they are pinned is being saved: what the server says of it meanwhile is out of date. */
  const pinning = new Set<string>();
  let refreshing = false;

  function find(id: string): Session | undefined {
    return store.getState().sessions.find((session) => session.id === id);
  }

  /**
   * Takes over a page that was asked for while the list was `before`. One that changed on this page meanwhile is
   * another object since, and stays: the answer may not know it yet.
   */
  function add(before: readonly Session[], page: readonly Session[]): void {
    const asked = new Map(before.map((session) => [session.id, session]));
    const received: Session[] = [];
    store.setState(({ sessions }) => {
      const byId = new Map(sessions.map((session) => [session.id, session]));
      for (let session of page) {
        const known = byId.get(session.id);
        if (removed.has(session.id)) continue;
        if (known !== undefined) {
          const isOlder = session.updated_at < known.updated_at;
          if (isOlder || (known !== asked.get(known.id) && session.updated_at === known.updated_at)) continue;
          if (pinning.has(known.id)) session = { ...session, pinned: known.pinned };
          if (isSame(known, session)) continue;
        }
        byId.set(session.id, session);
        received.push(session);
      }
      return received.length === 0 ? {} : { sessions: newestFirst([...byId.values()]) };
    });
    if (received.length > 0) onReceived(received);
  }

  /** Those that the server doesn't name as pinned any more; of what lies behind the loaded pages nothing else is known. */
  function letUnpinnedGo(before: readonly Session[], pinned: readonly Session[]): void {
    const named = new Set(pinned.map(({ id }) => id));
    const gone = new Set(before.filter((one) => one.pinned && !named.has(one.id) && !pinning.has(one.id)));
    if (gone.size === 0) return;
    const loadedTo = cursor ?? -Infinity;
    store.setState(({ sessions, hasMore }) => ({
      sessions: sessions
        .filter((session) => !gone.has(session) || !hasMore || session.seq_id >= loadedTo)
        .map((session) => (gone.has(session) ? { ...session, pinned: false } : session)),
    }));
  }

  /** `before`: the cursor it was asked for with. */
  function tellPage(answer: SessionPage, before: number | null): void {
    const { chat_sessions: page, pinned_sessions: pinned = [], has_more } = answer;
    const from = has_more ? (page.at(-1)?.seq_id ?? Infinity) : -Infinity;
    const ids = new Set([...store.getState().sessions, ...page, ...pinned].map(({ id }) => id));
    onPage({ from, before: before ?? Infinity, ids });
  }

  function fetchPage(beforeSeqId: number | null) {
    return api.call(fetchSessionPage, { count: pageSize(), before_seq_id: beforeSeqId });
  }

  async function loadPage(): Promise<void> {
    const mine = generation;
    const first = cursor === null;
    const before = store.getState().sessions;
    store.setState(first ? { state: "loading" } : { loadingMore: true });
    const asked = cursor;
    const result = await fetchPage(asked);
    if (mine !== generation) return;
    if (!result.ok) {
      store.setState({ state: "error", loadingMore: false });
      return;
    }
    const { chat_sessions: page, pinned_sessions: pinned = [], has_more } = result.data;
    cursor = page.at(-1)?.seq_id ?? cursor;
    add(before, [...page, ...pinned]);
    tellPage(result.data, asked);
    store.setState({ state: "loaded", hasMore: has_more && page.length > 0, loadingMore: false });
  }

  function isLoading(): boolean {
    const { state, loadingMore } = store.getState();
    return state === "loading" || loadingMore;
  }

  /** The first page as it is by now: what came or changed elsewhere is shown, what is missing from it was deleted. */
  function takeFirstPage(known: readonly Session[], answer: SessionPage): void {
    const { chat_sessions: page, pinned_sessions: pinned = [], has_more } = answer;
    const present = new Set([...page, ...pinned].map(({ id }) => id));
    if (has_more && !known.some(({ id }) => present.has(id))) {
      // So much is new that pages would be missing in between: the list begins again here.
      cursor = page.at(-1)?.seq_id ?? null;
      store.setState({ sessions: [], hasMore: true });
    }
    const oldest = has_more ? (page.at(-1)?.seq_id ?? Infinity) : -Infinity;
    const missing = new Set(known.filter(({ id, seq_id }) => seq_id >= oldest && !present.has(id)));
    if (missing.size > 0) {
      store.setState(({ sessions }) => ({ sessions: sessions.filter((session) => !missing.has(session)) }));
    }
    letUnpinnedGo(known, pinned);
    add(known, [...page, ...pinned]);
    tellPage(answer, null);
  }

  /**
   * What other devices did is shown. A look behind a list that is shown already may fail in silence; one
   * that could not be loaded keeps its notice until it is retried.
   */
  async function refresh(): Promise<Asked> {
    const { state, sessions: known } = store.getState();
    if (state !== "loaded" || isLoading() || refreshing) return { outcome: "nothing" };
    const mine = generation;
    refreshing = true;
    const result = await fetchPage(null);
    if (mine !== generation) return { outcome: "nothing" };
    refreshing = false;
    if (!result.ok)
      return isPassing(result.error) ? { outcome: "failed", error: result.error } : { outcome: "nothing" };
    takeFirstPage(known, result.data);
    return { outcome: "answered" };
  }

  /** Sessions came at any place of the list: it begins again with its first page. */
  async function reload(): Promise<void> {
    const mine = generation;
    const result = await fetchPage(null);
    if (mine === generation && result.ok && store.getState().state === "loaded")
      takeFirstPage([], result.data);
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

  function place(session: Session): void {
    if (removed.has(session.id)) return;
    store.setState(({ sessions }) => ({
      sessions: newestFirst([session, ...sessions.filter(({ id }) => id !== session.id)]),
    }));
  }

  /** A session came or changed: it is shown at the place its update time gives it. */
  function show(session: Session): void {
    place(session);
    onShown(session);
  }

  /** Changes a listed session; others are left alone. */
  function change(id: string, part: ListedPart): void {
    const known = find(id);
    if (known !== undefined && !isSame(known, { ...known, ...part })) show({ ...known, ...part });
  }

  /** As `change`, by what the server or another tab says: what is older than what is listed is not taken. */
  function take(id: string, part: Required<ListedPart>): void {
    const known = find(id);
    if (known === undefined || part.updated_at < known.updated_at) return;
    const session = { ...known, ...part, pinned: pinning.has(id) ? known.pinned : part.pinned };
    if (!isSame(known, session)) place(session);
  }

  /** A session that another tab shows, or has changed. */
  function takeWhole(session: Session): void {
    if (find(session.id) === undefined) place(session);
    else take(session.id, session);
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
    pinning.clear();
    store.setState(NOTHING);
  }

  return {
    store,
    find,
    start,
    loadMore,
    retry,
    refresh,
    reload,
    show,
    change,
    take,
    takeWhole,
    remove,
    clear,
    pinning,
  };
}
