// The installation's own settings (GET client/settings), asked for until they come; those of the last visit until then.
import { LIMITS } from "@plumb/protocol/limits";
import { clientSettings, type ClientSettings } from "@plumb/protocol/wire/site";
import { createStore } from "zustand/vanilla";
import type { ApiClient } from "../api-client.ts";
import type { Browser } from "../browser.ts";
import { pause } from "../pause.ts";
import { keepSettings, readKeptSettings } from "./kept-settings.ts";

const FIRST_RETRY_MS = 1000;
const LAST_RETRY_MS = 16_000;
/** How many chats a page of the list has, for who wants another number than the installation's (requirements 1§7). */
const PAGE_SIZE_STORED_AS = "plumb.sessionPageSize";

export interface ChunkLimits {
  /** Longest silence, milliseconds. */
  gapMs: number;
  /** How often silence is looked for, milliseconds. */
  checkMs: number;
}

export interface SettingsState {
  /** null until they came, on a browser that has not kept any. */
  settings: ClientSettings | null;
  /** They are of an earlier visit: from elsewhere, perhaps, and from before a change. */
  isKept: boolean;
  failed: boolean;
}

export function createSettingsStore(browser: Browser, api: ApiClient) {
  const store = createStore<SettingsState>(() => {
    const settings = readKeptSettings(browser);
    return { settings, isKept: settings !== null, failed: false };
  });
  let running = new AbortController();

  function start(): void {
    running.abort();
    running = new AbortController();
    const { signal } = running;
    void (async () => {
      for (let wait = FIRST_RETRY_MS; !signal.aborted; wait = Math.min(wait * 2, LAST_RETRY_MS)) {
        const result = await api.call(clientSettings, {}, { signal, duringChallenge: true });
        if (signal.aborted) return;
        if (result.ok) {
          keepSettings(browser, result.data);
          return store.setState({ settings: result.data, isKept: false, failed: false });
        }
        store.setState({ failed: true });
        await pause(browser, wait, signal);
      }
    })();
  }

  /** The network is back: asks at once for what has not come. */
  function retry(): void {
    if (store.getState().failed) start();
  }

  /** How long a stream may be silent: settings where they came, the product's numbers until then. */
  function chunkLimits(): ChunkLimits {
    const { settings } = store.getState();
    const less = settings?.flags["enableLessMaxChunkInterval"] === true;
    const gapMs = less
      ? (settings.limits.chunk_gap_less_ms ?? LIMITS.chunkGapLessMs)
      : (settings?.limits.chunk_gap_ms ?? LIMITS.chunkGapMs);
    return { gapMs, checkMs: settings?.limits.chunk_check_ms ?? LIMITS.chunkCheckMs };
  }

  /** How long a resumed stream may take to its ready (milliseconds); an experiment sets it. */
  function readyTimeoutMs(): number {
    const value = store.getState().settings?.ab_tests["auto_resume_timeout_ms"];
    return typeof value === "number" && value > 0 ? value : LIMITS.resumeReadyMs;
  }

  /** A number that is kept in this browser goes before the installation's. */
  function sessionPageSize(): number {
    const local = Number(browser.storage.get(PAGE_SIZE_STORED_AS) ?? Number.NaN);
    if (Number.isInteger(local) && local >= 1 && local <= LIMITS.sessionPageMax) return local;
    return store.getState().settings?.limits.session_page_size ?? LIMITS.sessionPageDefault;
  }

  const sharePageSize = (): number =>
    store.getState().settings?.limits.share_page_size ?? LIMITS.sharePageDefault;

  return {
    store,
    start,
    retry,
    stop: (): void => running.abort(),
    chunkLimits,
    readyTimeoutMs,
    sessionPageSize,
    sharePageSize,
  };
}
