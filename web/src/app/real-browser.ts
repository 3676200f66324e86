// The engine's host in a real page: fetch, storage, clock, frames, visibility, network, worker.
// Only what plain-http origins have too is used: no crypto.randomUUID, no crypto.subtle.
import { version } from "../../package.json";
import type { Browser, Cancel, TabChannel, WorkerPort } from "../engine/browser.ts";
import { keepLog } from "../hooks/log-queue.ts";
import { takeHeadStart } from "./head-start.ts";
import { createKeyedStorage } from "./keyed-storage.ts";
import { openRecordStore } from "./record-store.ts";

function log(message: string, detail?: unknown): void {
  console.info(`[plumb] ${message}`, detail ?? "");
  keepLog(Date.now(), message, detail);
}

function startPuzzleWorker(): WorkerPort | null {
  if (typeof Worker === "undefined") return null;
  let worker: Worker;
  try {
    worker = new Worker(new URL("../engine/guard/proof-of-work.worker.ts", import.meta.url), {
      type: "module",
    });
  } catch (error) {
    log("the puzzle worker can't be started", error);
    return null;
  }
  return {
    post: (message) => worker.postMessage(message),
    listen(onMessage, onFailure) {
      worker.addEventListener("message", (event) => onMessage(event.data));
      worker.addEventListener("error", (event) => onFailure(event.message), { once: true });
    },
    terminate: () => worker.terminate(),
  };
}

function listenTo(target: EventTarget, event: string, run: () => void): Cancel {
  target.addEventListener(event, run);
  return () => target.removeEventListener(event, run);
}

function openChannel(name: string): TabChannel {
  const channel = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel(name);
  return {
    post: (message) => channel?.postMessage(message),
    listen(run) {
      const onMessage = (event: MessageEvent<unknown>): void => run(event.data);
      channel?.addEventListener("message", onMessage);
      return () => channel?.removeEventListener("message", onMessage);
    },
    close: () => channel?.close(),
  };
}

/** The host of this page. */
export function createRealBrowser(): Browser {
  return {
    fetch: (path, init) =>
      takeHeadStart(path, init) ?? fetch(path, { ...init, credentials: "same-origin", cache: "no-store" }),
    upload: async (path, init) => (await import("./send-file.ts")).sendFile(path, init),
    storage: createKeyedStorage(log, () => localStorage),
    tabStorage: createKeyedStorage(log, () => sessionStorage),
    openChannel,
    openRecords: (name, databaseVersion) => openRecordStore(name, databaseVersion, log),
    now: () => Date.now(),
    after(ms, run) {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
    every(ms, run) {
      const timer = setInterval(run, ms);
      return () => clearInterval(timer);
    },
    frame(run) {
      const frame = requestAnimationFrame(run);
      return () => cancelAnimationFrame(frame);
    },
    isReload() {
      const [load] = performance.getEntriesByType("navigation");
      return load instanceof PerformanceNavigationTiming && load.type === "reload";
    },
    visible: () => document.visibilityState === "visible",
    onVisible(run) {
      const cancels = [
        listenTo(document, "visibilitychange", () => {
          if (document.visibilityState === "visible") run();
        }),
        // Of two windows side by side neither is ever hidden.
        listenTo(window, "focus", run),
      ];
      return () => cancels.forEach((cancel) => cancel());
    },
    onHidden(run) {
      const cancels = [
        listenTo(document, "visibilitychange", () => {
          if (document.visibilityState === "hidden") run();
        }),
        listenTo(window, "pagehide", run),
      ];
      return () => cancels.forEach((cancel) => cancel());
    },
    onLeave: (run) => listenTo(window, "pagehide", run),
    online: () => navigator.onLine,
    onOnline: (run) => listenTo(window, "online", run),
    onOffline: (run) => listenTo(window, "offline", run),
    openProgram: (link) =>
      void import("./open-program.ts").then(
        ({ openProgram }) => openProgram(link),
        (error: unknown) => log("a link of another program was not opened", error),
      ),
    startPuzzleWorker,
    randomBytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
    languages: () => navigator.languages,
    onLanguages: (run) => listenTo(window, "languagechange", run),
    timezoneOffsetSecs: () => -new Date().getTimezoneOffset() * 60,
    appVersion: version,
    log,
  };
}
