// A host for tests: its own clock, storage that outlives a "reload", and a network that is a function.
import type { Browser, Cancel, FetchInit, LocalFile, RecordStore, TabChannel } from "../browser.ts";

/** What a request brings; an upload has a file. */
export interface NetworkInit extends FetchInit {
  file?: LocalFile;
  progress?: (part: number) => void;
}

export type Network = (path: string, init: NetworkInit) => Promise<Response> | Response;

interface Timer {
  at: number;
  every: number | null;
  run: () => void;
}

export interface FakeBrowser extends Browser {
  /** Moves the clock, running what is due on the way and letting promises settle in between. */
  advance(ms: number): Promise<void>;
  /** The machine sleeps: its clock goes on, its timers stand still. */
  sleep(ms: number): void;
  /** Lets promises and stream reads settle without moving the clock. */
  settle(): Promise<void>;
  setVisible(visible: boolean): void;
  /** The page is closed by its reader: nothing of it runs any more. */
  leave(): void;
  /** The network goes; requests are the test's own affair. */
  goOffline(): void;
  comeOnline(): void;
  setLanguages(languages: readonly string[]): void;
  /** What survives a reload of the page: hand it to the next fake. */
  disk: Disk;
  logged: string[];
  /** Links of other programs, in the order in which they were opened. */
  programLinks: string[];
}

export interface Disk {
  values: Map<string, string>;
  /** What the tab keeps for itself. */
  tabValues: Map<string, string>;
  /** No value is taken any more. */
  full: boolean;
  records: Map<string, unknown>;
  /** Milliseconds. */
  now: number;
  /** Open channels of the pages, by their name. */
  channels: Map<string, Set<Set<(message: unknown) => void>>>;
}

export function emptyDisk(): Disk {
  return {
    values: new Map(),
    tabValues: new Map(),
    full: false,
    records: new Map(),
    now: 1_790_000_000_000,
    channels: new Map(),
  };
}

const FRAME_MS = 16;

/** Each makes its own random bytes, as devices do. */
let browsers = 0;

export function createFakeBrowser(
  network: Network,
  disk: Disk = emptyDisk(),
  languages: readonly string[] = ["en-US"],
): FakeBrowser {
  const timers = new Map<number, Timer>();
  const onVisible = new Set<() => void>();
  const onHidden = new Set<() => void>();
  const onLeave = new Set<() => void>();
  const onOnline = new Set<() => void>();
  const onOffline = new Set<() => void>();
  const onLanguages = new Set<() => void>();
  const logged: string[] = [];
  const programLinks: string[] = [];
  let lastTimer = 0;
  let visible = true;
  let online = true;
  let randomState = ++browsers;

  function addTimer(ms: number, run: () => void, every: number | null): Cancel {
    const id = ++lastTimer;
    timers.set(id, { at: disk.now + Math.max(0, ms), every, run });
    return () => void timers.delete(id);
  }

  async function settle(): Promise<void> {
    // Streams hop through several tasks; each turn of the real event loop empties what is queued.
    for (let turn = 0; turn < 6; turn++) await new Promise((resolve) => setTimeout(resolve, 0));
  }

  async function advance(ms: number): Promise<void> {
    const end = disk.now + ms;
    await settle();
    for (;;) {
      let nextId: number | null = null;
      let next: Timer | null = null;
      for (const [id, timer] of timers) {
        if (timer.at <= end && (next === null || timer.at < next.at)) [nextId, next] = [id, timer];
      }
      if (next === null || nextId === null) break;
      disk.now = Math.max(disk.now, next.at);
      if (next.every === null) timers.delete(nextId);
      else next.at = disk.now + next.every;
      next.run();
      await settle();
    }
    disk.now = end;
  }

  function sleep(ms: number): void {
    disk.now += ms;
    for (const timer of timers.values()) timer.at += ms;
  }

  function listen(listeners: Set<() => void>, run: () => void): Cancel {
    listeners.add(run);
    return () => void listeners.delete(run);
  }

  /** As in a browser: the page that posts hears nothing, and the others hear it later, a copy each. */
  function openChannel(name: string): TabChannel {
    const pages = disk.channels.get(name) ?? new Set();
    disk.channels.set(name, pages);
    const own = new Set<(message: unknown) => void>();
    pages.add(own);
    return {
      post(message) {
        for (const page of pages) {
          if (page === own) continue;
          const copy: unknown = structuredClone(message);
          setTimeout(() => [...page].forEach((run) => run(copy)), 0);
        }
      },
      listen(run) {
        own.add(run);
        return () => void own.delete(run);
      },
      close() {
        own.clear();
        pages.delete(own);
      },
    };
  }

  const records: RecordStore = {
    get: async (key) => structuredClone(disk.records.get(key)),
    set: async (key, value) => void disk.records.set(key, structuredClone(value)),
    remove: async (key) => void disk.records.delete(key),
    clear: async () => disk.records.clear(),
  };

  async function send(path: string, init: NetworkInit): Promise<Response> {
    const { signal } = init;
    if (signal?.aborted) throw new DOMException("aborted", "AbortError");
    const aborted = new Promise<never>((_resolve, reject) => {
      signal?.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError")), {
        once: true,
      });
    });
    return Promise.race([Promise.resolve(network(path, init)), aborted]);
  }

  return {
    fetch: send,
    upload: (path, { headers, file, signal, onProgress }) =>
      send(path, { method: "POST", headers, file, signal, progress: onProgress }),
    storage: {
      get: (key) => disk.values.get(key) ?? null,
      set: (key, value) => !disk.full && disk.values.set(key, value) === disk.values,
      remove: (key) => void disk.values.delete(key),
    },
    tabStorage: {
      get: (key) => disk.tabValues.get(key) ?? null,
      set: (key, value) => !disk.full && disk.tabValues.set(key, value) === disk.tabValues,
      remove: (key) => void disk.tabValues.delete(key),
    },
    openChannel,
    openRecords: () => records,
    now: () => disk.now,
    after: (ms, run) => addTimer(ms, run, null),
    every: (ms, run) => addTimer(ms, run, ms),
    frame: (run) => addTimer(FRAME_MS, run, null),
    // A second page on one disk is one.
    isReload: () => true,
    visible: () => visible,
    onVisible: (run) => listen(onVisible, run),
    onHidden: (run) => listen(onHidden, run),
    onLeave: (run) => listen(onLeave, run),
    online: () => online,
    onOnline: (run) => listen(onOnline, run),
    onOffline: (run) => listen(onOffline, run),
    openProgram: (link) => void programLinks.push(link),
    startPuzzleWorker: () => null,
    randomBytes: (count) =>
      Uint8Array.from({ length: count }, () => (randomState = (randomState * 75 + 74) % 65_537) % 256),
    languages: () => languages,
    onLanguages: (run) => listen(onLanguages, run),
    timezoneOffsetSecs: () => 0,
    appVersion: "1.0.0",
    log: (message) => void logged.push(message),
    advance,
    sleep,
    settle,
    setVisible(value) {
      visible = value;
      for (const run of [...(value ? onVisible : onHidden)]) run();
    },
    leave() {
      for (const run of [...onHidden, ...onLeave]) run();
      timers.clear();
    },
    setLanguages(value) {
      languages = value;
      for (const run of [...onLanguages]) run();
    },
    goOffline() {
      online = false;
      for (const run of [...onOffline]) run();
    },
    comeOnline() {
      online = true;
      for (const run of [...onOnline]) run();
    },
    disk,
    logged,
    programLinks,
  };
}
