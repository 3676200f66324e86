// The user's shared links: listed page by page, the newest first, and revoked (wire-contract.md §13.2, §13.3).
import { LIMITS } from "@plumb/protocol/limits";
import { deleteShare, DeleteShareRefusal, listShares, type Share } from "@plumb/protocol/wire/sharing";
import { createStore } from "zustand/vanilla";
import type { ApiClient } from "../api-client.ts";
import type { Browser } from "../browser.ts";
import type { Reactions } from "../reactions.ts";

export interface SharedLinksState {
  /** "error": the first page, or the next one, could not be had. */
  state: "init" | "loading" | "loaded" | "error";
  links: readonly Share[];
  hasMore: boolean;
}

export interface SharedLinksDeps {
  browser: Browser;
  api: ApiClient;
  reactions: Reactions;
  /** How many links a page has. */
  pageSize(): number;
}

const NOTHING: SharedLinksState = { state: "init", links: [], hasMore: false };

export type SharedLinks = ReturnType<typeof createSharedLinks>;

export function createSharedLinks({ browser, api, reactions, pageSize }: SharedLinksDeps) {
  const store = createStore<SharedLinksState>(() => NOTHING);
  let account = new AbortController();
  /** An answer that was under way may still have them. */
  const revoked = new Set<string>();

  /**
   * The links that stand behind `known` ones, and whether there are more. The cursor is a second, and all links of that
   * second come again: a page that brings nothing new is asked for once more, larger.
   */
  async function nextPage(known: readonly Share[], count: number): Promise<SharedLinksState | null> {
    const lteDate = known.at(-1)?.created_at ?? null;
    const result = await api.call(listShares, { count, lte_date: lteDate }, { signal: account.signal });
    if (!result.ok) {
      browser.log("the shared links could not be had", result.error);
      return null;
    }
    const { shares } = result.data;
    const ids = new Set(known.map(({ share_id: id }) => id));
    const added = shares.filter(({ share_id: id }) => !ids.has(id));
    const isFull = shares.length >= count;
    if (isFull && added.length === 0 && count < LIMITS.sharePageMax)
      return nextPage(known, LIMITS.sharePageMax);
    return { state: "loaded", links: [...known, ...added], hasMore: isFull && added.length > 0 };
  }

  /** Asks for what stands behind these; what is listed stays on show until that came. */
  async function ask(known: readonly Share[]): Promise<void> {
    const { signal } = account;
    store.setState({ state: "loading" });
    const next = await nextPage(known, pageSize());
    if (signal.aborted) return;
    if (next === null) return store.setState({ state: "error" });
    store.setState({ ...next, links: next.links.filter(({ share_id: id }) => !revoked.has(id)) });
  }

  /** The first page, as it is by now. */
  function load(): void {
    if (store.getState().state !== "loading") void ask([]);
  }

  function loadMore(): void {
    const { state, links, hasMore } = store.getState();
    if (state === "loaded" && hasMore) void ask(links);
  }

  /** Asks once more, for the page that could not be had. */
  function retry(): void {
    const { state, links, hasMore } = store.getState();
    if (state === "error") void ask(hasMore ? links : []);
  }

  /** Ends a link. True when it is gone, by this or before; what became of it is said in a toast. */
  async function revoke(shareId: string): Promise<boolean> {
    const { signal } = account;
    const result = await api.call(deleteShare, { share_id: shareId }, { signal });
    if (signal.aborted) return false;
    const error = result.ok ? null : result.error;
    const code = error?.kind === "refused" && error.scope === "call" ? error.code : null;
    if (error !== null) browser.log("a link was not deleted, or more than one", error);
    const isDone = error === null || code === DeleteShareRefusal.MultipleDeleted.code;
    const isGone = isDone || code === DeleteShareRefusal.ShareNotFound.code;
    if (isGone) {
      revoked.add(shareId);
      store.setState(({ links }) => ({ links: links.filter((link) => link.share_id !== shareId) }));
      const { state, links, hasMore } = store.getState();
      // An empty list would say that nothing is shared, while links of the next page can still be read.
      if (state === "loaded" && links.length === 0 && hasMore) void ask([]);
    }
    reactions.toast(
      isDone
        ? { type: "success", text: { key: "shareLinksManageDeleteOkToast" }, dedupeKey: "share-deleted" }
        : {
            type: "error",
            text: { key: "shareLinksManageDeleteFailedToast" },
            dedupeKey: "share-not-deleted",
          },
    );
    return isGone;
  }

  /** The account leaves. */
  function clear(): void {
    account.abort();
    account = new AbortController();
    revoked.clear();
    store.setState(NOTHING);
  }

  return { store, load, loadMore, retry, revoke, clear };
}
