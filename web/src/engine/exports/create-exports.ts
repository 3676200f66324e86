// The export of all data: begun, followed until it is there, downloaded (wire-contract.md §14, §18.9).
import { LIMITS } from "@plumb/protocol/limits";
import {
  downloadExportHistory,
  DownloadExportRefusal,
  exportAll,
  ExportAllRefusal,
  type ExportStatus,
} from "@plumb/protocol/wire/exports";
import { createStore } from "zustand/vanilla";
import type { ApiClient } from "../api-client.ts";
import { type ApiError, isPassing } from "../api-errors.ts";
import type { Browser } from "../browser.ts";
import { type Asked, createPoll } from "../poll.ts";
import type { Reactions } from "../reactions.ts";
import type { createOverlays } from "../site/overlays.ts";
import type { createPreferences } from "../site/preferences.ts";
import { refusalToast } from "../site/toast.ts";
import type { TabChannelOfNews } from "../site/tab-news.ts";
import type { Text } from "../text.ts";

/** While the server is away it is asked less and less often, at last this often. */
const SLOWEST_POLL_MS = 60_000;

export interface ExportsState {
  /** "unknown" until the server has said it; "none": there is nothing to download; "pending": it is being made. */
  phase: "unknown" | "none" | "pending" | "finished";
  /** What the server said last; null where there is none. */
  status: ExportStatus | null;
  /** One was asked for a moment ago. */
  beginning: boolean;
  /** What there is could not be asked for. Nobody has said so: it is asked again, and can be by hand. */
  failed: boolean;
}

export interface ExportsDeps {
  browser: Browser;
  api: ApiClient;
  reactions: Reactions;
  overlays: Pick<ReturnType<typeof createOverlays>, "change">;
  preferences: ReturnType<typeof createPreferences>;
  tabs: TabChannelOfNews;
  userId(): string | null;
}

const UNKNOWN: ExportsState = { phase: "unknown", status: null, beginning: false, failed: false };

export function createExports(deps: ExportsDeps) {
  const { browser, api, reactions, overlays, preferences, tabs } = deps;
  const store = createStore<ExportsState>(() => UNKNOWN);
  const poll = createPoll({
    browser,
    everyMs: LIMITS.exportPollMs,
    slowestMs: SLOWEST_POLL_MS,
    ask: () => ask({ says: false }),
  });
  let account = new AbortController();
  /** How many times the history went: what was asked for before that is told of no more. */
  let forgotten = 0;
  /** That a link has expired is said once. */
  let expiryTold = false;
  /** When the export was finished whose notice another tab has closed; this one may learn of it later. */
  let noticedElsewhere: number | null = null;

  const toast = (text: Text, type: "error" | "info" = "error") => reactions.toast(refusalToast(type, text));

  /** The notice that one is there shows, or is over: nothing is awaited any more. */
  function setNotice(shown: boolean): void {
    preferences.change({ exportedHistoryClosed: !shown });
    overlays.change({ exported: shown && store.getState().phase === "finished" });
  }

  /** The reader has taken note of it: the notice closes here and in the other tabs. */
  function endNotice(): void {
    setNotice(false);
    const userId = deps.userId();
    const exportAt = store.getState().status?.export_at ?? null;
    if (userId !== null && exportAt !== null) tabs.tell({ about: "exportNoticed", userId, exportAt });
  }

  /** Another tab has closed the notice of this export, and has stored that. */
  function followNoticed(): void {
    preferences.adopt({ exportedHistoryClosed: true });
    overlays.change({ exported: false });
  }

  const isNoticedElsewhere = ({ export_at: at }: ExportStatus): boolean =>
    noticedElsewhere !== null && at !== null && at <= noticedElsewhere;

  tabs.listen((news) => {
    if (news.about !== "exportNoticed" || news.userId !== deps.userId()) return;
    noticedElsewhere = Math.max(noticedElsewhere ?? 0, news.exportAt);
    const { phase, status } = store.getState();
    if (phase === "finished" && status !== null && isNoticedElsewhere(status)) followNoticed();
  });

  function show(phase: ExportsState["phase"], status: ExportStatus | null): void {
    store.setState({ phase, status, failed: false });
    if (phase === "pending") poll.start();
    else poll.stop();
  }

  function take(status: ExportStatus): void {
    const wasPending = store.getState().phase === "pending";
    if (status.status === "FINISHED") {
      show("finished", status);
      if (isNoticedElsewhere(status)) followNoticed();
      else if (!preferences.store.getState().exportedHistoryClosed) setNotice(true);
    } else if (status.status === "EMPTY") {
      show("none", null);
      setNotice(false);
      if (wasPending) toast({ key: "exportNothing" }, "info");
    } else show("pending", status);
  }

  function refused(error: ApiError, says: boolean): Asked {
    if (isPassing(error)) {
      if (says) toast({ key: "exportAllFailed" });
      // There may be one: a button that begins another would replace it.
      if (store.getState().phase === "unknown") {
        store.setState({ failed: true });
        poll.start();
      }
      return { outcome: "failed", error };
    }
    browser.log("the export could not be asked for", error);
    if (error.kind === "aborted" || (error.kind === "refused" && error.scope === "global"))
      return { outcome: "nothing" };
    const code = error.kind === "refused" ? error.code : null;
    show("none", null);
    setNotice(false);
    const isGone = code === DownloadExportRefusal.NoExportTask.code;
    if (code === DownloadExportRefusal.ExportExpired.code || (isGone && says)) {
      if (!expiryTold) toast({ key: "exportExpired" });
      expiryTold = true;
    } else if (!isGone) toast({ key: "exportAllFailed" });
    return { outcome: "nothing" };
  }

  /** `says`: that the server is away, or the export gone, is said, as to somebody who waits for more than a look. */
  async function ask({ says }: { says: boolean }): Promise<Asked> {
    const { signal } = account;
    const before = forgotten;
    const result = await api.call(downloadExportHistory, {}, { signal });
    if (signal.aborted || before !== forgotten) return { outcome: "nothing" };
    if (!result.ok) return refused(result.error, says);
    take(result.data);
    return { outcome: "answered" };
  }

  /** Begins one, in place of the one before; what becomes of it is followed. */
  async function begin(): Promise<void> {
    if (store.getState().beginning) return;
    const { signal } = account;
    store.setState({ beginning: true });
    const result = await api.call(exportAll, {}, { signal });
    if (signal.aborted) return;
    store.setState({ beginning: false });
    if (result.ok) {
      expiryTold = false;
      // Nothing is there to be told of yet, but it is waited for.
      preferences.change({ exportedHistoryClosed: false });
      overlays.change({ exported: false });
      take(result.data);
      return;
    }
    const { error } = result;
    browser.log("an export was not begun", error);
    if (error.kind === "aborted" || (error.kind === "refused" && error.scope === "global")) return;
    const isTooSoon = error.kind === "refused" && error.code === ExportAllRefusal.RateLimit.code;
    toast(isTooSoon ? { key: "exportAllRateLimit" } : { key: "exportAllFailed" });
  }

  return {
    store,
    /** Asks what there is. While the server is away that goes on by itself. */
    async look(): Promise<void> {
      store.setState({ failed: false });
      await ask({ says: false });
    },
    begin,
    /** Downloads it. `open` is called with each address: another device may have begun a new export meanwhile, so it is asked for. */
    async download(open: (address: string) => void): Promise<void> {
      const { outcome } = await ask({ says: true });
      const { phase, status } = store.getState();
      if (outcome !== "answered" || phase !== "finished" || status === null) return;
      endNotice();
      const { history_download_url: history, legacy_history_download_url: legacy } = status;
      if (history !== null) open(history);
      if (legacy !== null) browser.after(LIMITS.legacyExportDelayMs, () => open(legacy));
    },
    /** The notice that one is there is not wanted any more, also by later loads of the page. */
    closeNotice: endNotice,
    /** There is none any more: it went with the history. */
    forget(): void {
      forgotten += 1;
      show("none", null);
      setNotice(false);
    },
    clear(): void {
      account.abort();
      account = new AbortController();
      poll.stop();
      expiryTold = false;
      noticedElsewhere = null;
      store.setState(UNKNOWN);
    },
  };
}
