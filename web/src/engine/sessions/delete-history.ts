// Deletes the whole history, here and at the server (wire-contract.md §10.5).
import { deleteAllSessions } from "@plumb/protocol/wire/history";
import type { AccountPart } from "../accounts/account-lifecycle.ts";
import type { ApiClient } from "../api-client.ts";
import type { Browser } from "../browser.ts";
import { HOME, type Reactions } from "../reactions.ts";
import type { TabChannelOfNews } from "../site/tab-news.ts";
import { agentOfNewChat } from "./client-session.ts";
import type { SessionList } from "./session-list.ts";
import type { SessionStore } from "./session-store.ts";
import type { ShownSession } from "./shown-session.ts";

/** It is answered when all are gone. */
const DELETION_MS = 5 * 60_000;

/** Other tabs are told of so many sessions: those that they are likely to show. They ask for their lists again by themselves. */
const MOST_TOLD = 100;

export interface DeleteHistoryDeps {
  browser: Browser;
  api: ApiClient;
  reactions: Reactions;
  sessions: SessionStore;
  list: SessionList;
  shown: ShownSession;
  tabs: TabChannelOfNews;
  userId(): string | null;
  /** Stops reading a running reply of the session. */
  abandonReply(sessionId: string): void;
  /** Histories kept in the browser. */
  cache: AccountPart;
  /** What is kept of sessions as a whole, `cache` among it: which branch is shown, where one was reading, which replies were stopped, links to them. */
  keptOfSessions: readonly AccountPart[];
  onDeleted(): void;
}

export function createDeleteHistory(deps: DeleteHistoryDeps) {
  const { browser, api, reactions, sessions, list, shown } = deps;

  /** The sessions this page has something of. A draft of an edit box stands under a key that begins with its session's. */
  function held(): Set<string> {
    const { byId, drafts } = sessions.store.getState();
    const keys = [...Object.keys(byId), ...Object.keys(drafts)].map((key) => key.split("#")[0] ?? key);
    return new Set(keys.filter((key) => agentOfNewChat(key) === null));
  }

  /** The list is asked for anew: no row of it is of a session that is gone. */
  function listAnew(): void {
    list.clear();
    list.start();
  }

  function forget(known: ReadonlySet<string>): void {
    for (const id of known) {
      deps.abandonReply(id);
      sessions.remove(id);
    }
    for (const part of deps.keptOfSessions) part.clear({ drafts: "remove" });
    listAnew();
    const key = shown.key();
    if (key === null || !known.has(key)) return;
    shown.clear();
    reactions.go(HOME, { replace: true });
  }

  /** True when all is gone; otherwise it was said that it failed, and what there is now is shown. */
  async function deleteAll(): Promise<boolean> {
    const owner = deps.userId();
    // Those made while the call is under way are not among them, and stay.
    const [known, listed] = [held(), list.store.getState().sessions.map(({ id }) => id)];
    const result = await api.call(deleteAllSessions, {}, { timeoutMs: DELETION_MS });
    // Another account has come meanwhile: nothing here is of the one that asked.
    if (owner === null || deps.userId() !== owner) return false;
    if (result.ok) {
      forget(known);
      deps.onDeleted();
      for (const sessionId of [...new Set([...known, ...listed])].slice(0, MOST_TOLD))
        deps.tabs.tell({ about: "removed", userId: owner, sessionId });
      reactions.toast({ type: "success", text: { key: "deleteAllHistoryOkToast" } });
      return true;
    }
    browser.log("the history was not deleted", result.error);
    if (result.error.kind === "refused" && result.error.scope === "global") return false;
    // Some of it may be gone, and the rest may follow.
    deps.cache.clear({ drafts: "remove" });
    listAnew();
    reactions.toast({
      type: "error",
      text: { key: "deletAllHistoryFailedToast" },
      dedupeKey: "delete-history",
    });
    return false;
  }

  return { deleteAll };
}
