// Which branch of each session its reader looks at, kept over reloads: the server knows only the leaf last sent to.
import {
  selectSibling,
  shownBranch,
  showDeepest,
  showMessage,
  withChoicesOf,
} from "@plumb/protocol/conversation/message-tree";
import { isRecord, parseJson } from "@plumb/protocol/wire/json";
import type { DraftsOnLeaving } from "../accounts/account-lifecycle.ts";
import type { Browser, KeyedStorage } from "../browser.ts";
import { createSlowWriter } from "../slow-writer.ts";
import { type ClientSession, isStoredSession } from "./client-session.ts";
import { idsOf, rangesOf } from "./id-ranges.ts";
import type { SessionStore } from "./session-store.ts";

const STORED_AS = "plumb.branches";
const WRITE_EVERY_MS = 500;
/** The sessions whose branch changed longest ago are forgotten first. */
const MOST_SESSIONS = 200;
/** Of all branches together (UTF-16 units); a branch that runs straight on takes about 50. */
const MOST_CHARS = 100_000;
/** Of one branch, its deepest messages; by these it is found again. */
const MOST_IDS = 2000;

type Tree = ClientSession["tree"];

/** By session; the one that changed last stands last. */
function readKept(json: string | null): Map<string, string> {
  const parsed = parseJson(json ?? "");
  if (!parsed.ok || !isRecord(parsed.value)) return new Map();
  return new Map(
    Object.entries(parsed.value).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

/** The entries that changed last, as many as fit. */
function withinBounds(kept: Map<string, string>): Map<string, string> {
  let room = MOST_CHARS;
  const fitting = [...kept]
    .slice(-MOST_SESSIONS)
    .toReversed()
    .filter(([id, ranges]) => (room -= id.length + ranges.length) >= 0);
  return new Map(fitting.toReversed());
}

function areEqual(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((id, index) => id === b[index]);
}

export type Branches = ReturnType<typeof createBranches>;

/** Follows the sessions of the page; every change of what one shows is kept. */
export function createBranches(browser: Browser, sessions: SessionStore) {
  /** Of the sessions this page has shown. */
  const branches = new Map<string, readonly number[]>();
  /** Their tree changed since the branch was looked at. */
  const changed = new Set<string>();
  const unwritten = new Set<string>();
  /** What cached histories show until the server's come: they can be older than what is kept. */
  const standIns = new Map<string, readonly number[]>();
  /** That of the tab, which its own reload reads, and that of all tabs, for one that is opened later. */
  const places = [browser.tabStorage, browser.storage];
  const writer = createSlowWriter(browser, WRITE_EVERY_MS, write);
  const unsubscribe = sessions.store.subscribe(({ byId }, { byId: before }) => {
    if (byId === before) return;
    for (const [key, { tree }] of Object.entries(byId)) {
      if (tree === before[key]?.tree || !isStoredSession(key)) continue;
      changed.add(key);
      writer.changed();
    }
  });

  /** Read each time: another tab keeps its branches in the same place. */
  function stored(storage: KeyedStorage): Map<string, string> {
    return readKept(storage.get(STORED_AS));
  }

  /** What this tab showed last, or where it has not shown the session, what any tab did. */
  function storedBranch(sessionId: string): string {
    return stored(browser.tabStorage).get(sessionId) ?? stored(browser.storage).get(sessionId) ?? "";
  }

  function branchOf(sessionId: string): readonly number[] {
    let branch = branches.get(sessionId) ?? idsOf(storedBranch(sessionId), MOST_IDS);
    const tree = changed.delete(sessionId) ? sessions.get(sessionId)?.tree : undefined;
    const shown = tree === undefined ? [] : shownBranch(tree);
    if (shown.length > 0 && !areEqual(shown, standIns.get(sessionId) ?? [])) {
      standIns.delete(sessionId);
      // Under an unsent message comes what the server makes of it.
      branch = shown.filter((id) => id > 0);
      unwritten.add(sessionId);
    }
    branches.set(sessionId, branch);
    return branch;
  }

  function write(): void {
    for (const sessionId of [...changed]) branchOf(sessionId);
    if (unwritten.size === 0) return;
    for (const storage of places) {
      const kept = stored(storage);
      for (const sessionId of unwritten) {
        kept.delete(sessionId);
        kept.set(sessionId, rangesOf((branches.get(sessionId) ?? []).slice(-MOST_IDS)));
      }
      storage.set(STORED_AS, JSON.stringify(Object.fromEntries(withinBounds(kept))));
    }
    unwritten.clear();
  }

  /**
   * Shows in a tree that just came what the reader of the session looks at; where that is gone, what the tree itself
   * shows under the last message that is left of it. `isCached`: the tree stands in for the one of the server.
   */
  function show(sessionId: string, tree: Tree, { isCached }: { isCached: boolean }): Tree {
    const branch = branchOf(sessionId);
    const before = standIns.has(sessionId) ? undefined : sessions.get(sessionId)?.tree;
    const shown = showDeepest(before === undefined ? tree : withChoicesOf(tree, before), branch);
    if (isCached) standIns.set(sessionId, shownBranch(shown));
    else standIns.delete(sessionId);
    return shown;
  }

  /** Shows this message instead of its sibling, and under it what was shown there last. */
  function switchTo(sessionId: string, messageId: number): void {
    sessions.update(sessionId, ({ tree }) => ({ tree: selectSibling(tree, messageId) }));
  }

  /** Shows the branch of this message; where the tree that has it is still to come, when it comes. */
  function seek(sessionId: string, messageId: number): void {
    if (sessions.get(sessionId)?.tree.nodes.has(messageId) === true)
      return sessions.update(sessionId, ({ tree }) => ({ tree: showMessage(tree, messageId) }));
    if (branchOf(sessionId).includes(messageId)) return;
    branches.set(sessionId, [messageId]);
    unwritten.add(sessionId);
    writer.changed();
  }

  /** The session is gone. */
  function remove(sessionId: string): void {
    branches.delete(sessionId);
    standIns.delete(sessionId);
    changed.delete(sessionId);
    unwritten.delete(sessionId);
    for (const storage of places) {
      const kept = stored(storage);
      if (kept.delete(sessionId)) storage.set(STORED_AS, JSON.stringify(Object.fromEntries(kept)));
    }
  }

  /** The account leaves; where another tab has decided about what is stored, that stays. */
  function clear({ drafts }: { drafts: DraftsOnLeaving }): void {
    writer.drop();
    branches.clear();
    standIns.clear();
    changed.clear();
    unwritten.clear();
    browser.tabStorage.remove(STORED_AS);
    if (drafts !== "leave") browser.storage.remove(STORED_AS);
  }

  function stop(): void {
    unsubscribe();
    writer.stop();
  }

  return { shownIn: branchOf, show, switchTo, seek, remove, clear, stop };
}
