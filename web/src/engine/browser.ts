// What the engine asks of its host. The real one is app/real-browser.ts; tests own a fake with its own clock.

/** Takes back what the function it came from set up; calling it twice does no harm. */
export type Cancel = () => void;

/** Small values that survive a reload. Reads never throw: a host without storage forgets. */
export interface KeyedStorage {
  get(key: string): string | null;
  /** Whether it survives a reload: false where the storage is full, or may not be used. */
  set(key: string, value: string): boolean;
  remove(key: string): void;
}

/** A database of records by key; a host that has none answers undefined and keeps nothing. */
export interface RecordStore {
  get(key: string): Promise<unknown>;
  set(key: string, value: unknown): Promise<void>;
  remove(key: string): Promise<void>;
  clear(): Promise<void>;
}

/** The part of a Worker the engine uses. */
export interface WorkerPort {
  post(message: unknown): void;
  /** `onMessage` gets each answer; `onFailure` runs once, when the worker can't start or died. */
  listen(onMessage: (data: unknown) => void, onFailure: (reason: string) => void): void;
  terminate(): void;
}

/** What is posted reaches every other page that has the channel open, never the page that posts; hosts without one are alone. */
export interface TabChannel {
  /** A value of JSON. */
  post(message: unknown): void;
  listen(run: (message: unknown) => void): Cancel;
  close(): void;
}

export interface FetchInit {
  method: "GET" | "POST";
  headers: Record<string, string>;
  body?: string;
  signal?: AbortSignal;
}

/** A file its reader chose; the bytes stay with the host. */
export interface LocalFile {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
}

export interface UploadInit {
  headers: Record<string, string>;
  file: LocalFile;
  signal: AbortSignal;
  /** How much of the body is on its way, 0 to 1. */
  onProgress(part: number): void;
}

export interface Browser {
  /** `path` begins with a slash and is resolved against the page's origin. Rejects as the platform's fetch does. */
  fetch(path: string, init: FetchInit): Promise<Response>;
  /** Posts a file as the part `file` of a multipart body, told of its progress. Rejects as `fetch` does. */
  upload(path: string, init: UploadInit): Promise<Response>;
  storage: KeyedStorage;
  /** Of this tab alone: it survives a reload and ends with the tab. */
  tabStorage: KeyedStorage;
  /** Opens the channel of this name to the other pages of this origin in this browser. */
  openChannel(name: string): TabChannel;
  /** Begins to open the named database at `version`, with one store; an older or broken one is dropped. */
  openRecords(name: string, version: number): RecordStore;

  /** Milliseconds since the epoch. */
  now(): number;
  after(ms: number, run: () => void): Cancel;
  every(ms: number, run: () => void): Cancel;
  /** Runs before the next painted frame; a hidden page may never paint, see `visible`. */
  frame(run: () => void): Cancel;

  /** Whether the page was loaded again, and not opened by an address or a link. */
  isReload(): boolean;
  visible(): boolean;
  /** Runs when the page is seen again or gets the focus back. */
  onVisible(run: () => void): Cancel;
  /** Runs when the page is hidden or left: it may not come back. */
  onHidden(run: () => void): Cancel;
  /** Runs when the page is left, for another one or for good. */
  onLeave(run: () => void): Cancel;
  online(): boolean;
  onOnline(run: () => void): Cancel;
  onOffline(run: () => void): Cancel;

  /** Opens a link of another program, if there is one that takes it; the page stays as it is. */
  openProgram(link: string): void;
  /** Starts the puzzle worker, or null where the host has none. */
  startPuzzleWorker(): WorkerPort | null;
  /** Bytes from a secure random source; works in insecure contexts too. */
  randomBytes(count: number): Uint8Array;

  /** `zh-CN`, `en-US`, …: what the user reads, the most preferred first. */
  languages(): readonly string[];
  /** Runs when they change. */
  onLanguages(run: () => void): Cancel;
  /** Seconds east of UTC. */
  timezoneOffsetSecs(): number;
  /** Version of the web client, as in /version.txt. */
  appVersion: string;
  /** For developers; never shown. */
  log(message: string, detail?: unknown): void;
}
