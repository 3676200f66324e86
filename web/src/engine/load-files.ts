// The engine's part for files loads with the first file: most chats do without it. What is here says which files there are.
import { isRecord, parseJson } from "@plumb/protocol/wire/json";
import { createStore, type StoreApi } from "zustand/vanilla";
import type { AccountPart } from "./accounts/account-lifecycle.ts";
import type { LocalFile } from "./browser.ts";
import type { FilesCheck } from "./files/check-files.ts";
import type { FilesDeps, FileWork } from "./files/create-files.ts";
import type { DraftFile } from "./files/draft-file.ts";
import type { DraftFileMoves, FilesState } from "./files/draft-files.ts";
import type { PreviewResult } from "./files/preview-urls.ts";
import { KEPT_FILES } from "./sessions/kept-under.ts";
import type { Text } from "./text.ts";
import { composerAction } from "./turns/composer-rules.ts";

/** How many files each draft of this user has in what kept-files.ts wrote; null for none. */
function keptPlaces(stored: string | null, userId: string): FilesState["places"] | null {
  const parsed = parseJson(stored ?? "");
  const { owner, byKey } = (parsed.ok && isRecord(parsed.value) ? parsed.value : {}) as Record<
    string,
    unknown
  >;
  if (owner !== userId || !isRecord(byKey)) return null;
  return Object.fromEntries(
    Object.entries(byKey).map(([key, files]) => [key, Array.isArray(files) ? files.length : 0]),
  );
}

const load = () => import("./files/create-files.ts");
const NONE: readonly DraftFile[] = [];

type LoadedDeps = Omit<FilesDeps, "busyBlock"> & { isSearching(key: string): boolean };

/** `engine.files`: what is attached to messages that are not sent yet, and links to what files hold. */
export interface Files {
  /** The files of drafts, by the keys of those; those whose `sent` is "now" are not shown. */
  store: StoreApi<FilesState>;
  /** Why nothing can be attached to the draft under `key` now; null where it can. */
  attachBlock(key: string): Text | null;
  /** Whether these files of the draft may go with a message now. */
  check(key: string, files: readonly DraftFile[]): FilesCheck;
  /** Brings what says more exactly why nothing can be attached, ahead of the first file. */
  prepare(): void;
  /** Adds files to a draft and uploads them. What cannot be added is said in toasts. */
  add(key: string, files: readonly LocalFile[]): void;
  /** Takes a file from a draft; its upload ends. */
  remove(key: string, renderKey: string): void;
  /** Uploads a file once more. */
  retry(renderKey: string): void;
  /** A link to what a file holds. A refusal is said in a toast, too. `fresh`: the one used before has ended. Rejects where the code for it cannot be had. */
  preview(fileId: string, options?: { fresh?: boolean }): Promise<PreviewResult>;
}

export type FilesPart = ReturnType<typeof createFilesPart>;

export function createFilesPart(deps: LoadedDeps) {
  const store = createStore<FilesState>(() => ({ byKey: {}, places: {} }));
  let work: FileWork | null = null;
  let loading: Promise<FileWork> | null = null;
  let openFor: string | null = null;
  /** Whose files are to be brought out of storage once the code for it is here. */
  let toBring: string | null = null;

  function whenHere(): Promise<FileWork> {
    loading ??= load().then(
      ({ createFileWork }) => {
        work = createFileWork({ ...deps, store, busyBlock });
        bringKept(work);
        return work;
      },
      (error: unknown) => {
        loading = null;
        throw error;
      },
    );
    return loading;
  }

  function bringKept(here: FileWork): void {
    if (toBring !== null) here.open(toBring);
    toBring = null;
  }

  /** Does something with the part; where it cannot be had, that is said. */
  function withWork(run: (here: FileWork) => void): void {
    if (work !== null) return run(work);
    whenHere().then(run, (error: unknown) => {
      logLost(error);
      deps.reactions.toast({ type: "error", text: { key: "networkError" }, dedupeKey: "files" });
    });
  }

  function logLost(error: unknown): void {
    deps.browser.log("the part for files was not loaded", error);
  }

  /** The files of a draft that are on show. */
  function shown(key: string): readonly DraftFile[] {
    const files = store.getState().byKey[key] ?? NONE;
    return files.some(({ sent }) => sent === "now") ? files.filter(({ sent }) => sent !== "now") : files;
  }

  function busyBlock(key: string): Text | null {
    if (deps.isSearching(key)) return { key: "attachWhileSearch" };
    return composerAction(key, deps.session(key)) === "send" ? null : { key: "attachWhileBusy" };
  }

  /** Where there are no files of a draft, nothing becomes of them. */
  function onMoves(key: string, run: (moves: DraftFileMoves) => void): void {
    if ((store.getState().byKey[key] ?? NONE).length > 0) withWork(({ moves }) => run(moves));
  }
  const moves: DraftFileMoves = {
    hide: (key, ids) => onMoves(key, (to) => to.hide(key, ids)),
    release: (key) => onMoves(key, (to) => to.release(key)),
    restore: (key) => onMoves(key, (to) => to.restore(key)),
    dropSent: (key) => onMoves(key, (to) => to.dropSent(key)),
    move: (from, to) => onMoves(from, (through) => through.move(from, to)),
    drop: (key) => onMoves(key, (to) => to.drop(key)),
  };

  /** Whether files of this draft are still on their way out of storage. */
  const isAwaited = (key: string): boolean => (store.getState().places[key] ?? 0) > 0;

  /** `draft`: the key of the draft that the files are of, where it is not that of the chat. */
  const check = (key: string, files: readonly DraftFile[], draft = key): FilesCheck =>
    (isAwaited(draft) ? null : work?.check(key, files)) ?? { kind: "block", text: { key: "filesNotReady" } };

  const face: Files = {
    store,
    attachBlock: (key) => (work === null ? busyBlock(key) : work.block(key)),
    prepare: () => void whenHere().catch(logLost),
    check,
    add: (key, files) => withWork((here) => here.add(key, files)),
    remove: (key, renderKey) => withWork((here) => here.remove(key, renderKey)),
    retry: (renderKey) => withWork((here) => here.retry(renderKey)),
    preview: async (fileId, options) => (await whenHere()).preview(fileId, options),
  };

  return {
    face,
    shown,
    check,
    areAwaited: isAwaited,
    /** Whether files of this draft are still on their way out of storage; what brings them is then tried again. */
    bring(key: string): boolean {
      if (!isAwaited(key)) return false;
      withWork(bringKept);
      return true;
    },
    moves,
    dropArrived: (key: string): void => work?.dropArrived(key),
    /** What this user had attached shows again. */
    open(userId: string | null): void {
      if (userId === null || userId === openFor) return;
      openFor = userId;
      const places = keptPlaces(deps.browser.storage.get(KEPT_FILES), userId);
      if (places === null) return;
      store.setState({ places });
      toBring = userId;
      withWork(bringKept);
    },
    clear(options: Parameters<AccountPart["clear"]>[0]): void {
      openFor = toBring = null;
      work?.clear(options);
      if (options.drafts === "remove") deps.browser.storage.remove(KEPT_FILES);
      store.setState({ byKey: {}, places: {} });
    },
    stop: (): void => work?.stop(),
  };
}
