// The files of what is being written, by the key of its draft: they go with its text through a send, and survive reloads.
import type { StoreApi } from "zustand/vanilla";
import type { DraftsOnLeaving } from "../accounts/account-lifecycle.ts";
import type { Browser } from "../browser.ts";
import type { DraftFile } from "./draft-file.ts";
import { writeKeptFiles } from "./kept-files.ts";

export interface FilesState {
  /** Keyed as drafts are. */
  byKey: Readonly<Record<string, readonly DraftFile[]>>;
  /** How many files of drafts were kept and are not shown yet, by the same keys. */
  places: Readonly<Record<string, number>>;
}

/** What becomes of the files of a draft when its text is sent, arrives, or does not (session-store.ts). */
export interface DraftFileMoves {
  /** These are on their way with their message. */
  hide(key: string, ids: readonly string[]): void;
  /** The server has those that were on their way. */
  release(key: string): void;
  /** Nothing was sent: they show again. */
  restore(key: string): void;
  /** What an earlier load of the page sent has arrived. */
  dropSent(key: string): void;
  /** What is there belongs to another draft by now. */
  move(from: string, to: string): void;
  /** The draft is given up. */
  drop(key: string): void;
}

interface DraftFilesDeps {
  browser: Browser;
  store: StoreApi<FilesState>;
  /** Whose files are kept; null while nobody is known to be signed in. */
  userId(): string | null;
  /** The file is on no draft any more. */
  onGone(renderKey: string): void;
}

export function createDraftFiles({ browser, store, userId, onGone }: DraftFilesDeps) {
  function of(key: string): readonly DraftFile[] {
    return store.getState().byKey[key] ?? [];
  }

  function keep(changed: FilesState["byKey"], leaving = false): void {
    const owner = userId();
    if (owner !== null) writeKeptFiles(browser, owner, changed, { leaving });
  }
  const stopListening = browser.onLeave(() => keep(store.getState().byKey, true));

  function put(key: string, files: readonly DraftFile[], isKept = true): void {
    if (of(key).length + files.length === 0) return;
    const left = new Set(files.map(({ renderKey }) => renderKey));
    const gone = of(key).filter(({ renderKey }) => !left.has(renderKey));
    store.setState(({ byKey: { [key]: _old, ...others } }) => ({
      byKey: files.length === 0 ? others : { ...others, [key]: files },
    }));
    if (isKept) keep({ [key]: files });
    gone.forEach(({ renderKey }) => onGone(renderKey));
  }

  /** The key of the draft that holds the file. */
  function keyOf(renderKey: string): string | undefined {
    const { byKey } = store.getState();
    return Object.keys(byKey).find((key) => byKey[key]?.some((file) => file.renderKey === renderKey));
  }

  /** Changes a file wherever it is by now; one that is gone stays so. */
  function change(renderKey: string, part: Partial<DraftFile>): void {
    const key = keyOf(renderKey);
    if (key === undefined) return;
    put(
      key,
      of(key).map((file) => (file.renderKey === renderKey ? { ...file, ...part } : file)),
      // How far an upload is, is not kept.
      part.stored !== undefined,
    );
  }

  const moves: DraftFileMoves = {
    hide(key, ids) {
      const onTheWay = ({ stored }: DraftFile): boolean => stored !== null && ids.includes(stored.id);
      put(
        key,
        of(key).map((file) => (onTheWay(file) ? { ...file, sent: "now" as const } : file)),
      );
    },
    release(key) {
      put(
        key,
        of(key).filter(({ sent }) => sent !== "now"),
      );
    },
    restore(key) {
      put(
        key,
        of(key).map((file) => ({ ...file, sent: "no" as const })),
      );
    },
    dropSent(key) {
      put(
        key,
        of(key).filter(({ sent }) => sent === "no"),
      );
    },
    move(from, to) {
      const files = of(from);
      if (files.length === 0) return;
      put(to, [...of(to), ...files]);
      // Not gone: they stand under the other key.
      store.setState(({ byKey: { [from]: _moved, ...others } }) => ({ byKey: others }));
      keep({ [from]: [] });
    },
    drop: (key) => put(key, []),
  };

  return {
    moves,
    of,
    put,
    change,
    keyOf,
    /** Takes what belongs to the account off the page. */
    clear({ drafts }: { drafts: DraftsOnLeaving }): void {
      if (drafts === "keep") keep(store.getState().byKey, true);
      const all = Object.values(store.getState().byKey).flat();
      store.setState({ byKey: {}, places: {} });
      all.forEach(({ renderKey }) => onGone(renderKey));
    },
    stop: stopListening,
  };
}
