// Which replies the user stopped in this browser, kept over reloads: the server only knows that they are INCOMPLETE.
import { parseJson } from "@plumb/protocol/wire/json";
import type { Browser } from "../browser.ts";

const STORED_AS = "plumb.stopped";
/** Those stopped longest ago are forgotten first. An id takes at most 64 characters. */
const MOST_REPLIES = 500;

function readIds(json: string | null): string[] {
  const parsed = parseJson(json ?? "");
  if (!parsed.ok || !Array.isArray(parsed.value)) return [];
  return parsed.value.filter((id) => typeof id === "string");
}

export type StoppedReplies = ReturnType<typeof createStoppedReplies>;

/** Replies by the client_stream_id of the call that began them; one without has no note. */
export function createStoppedReplies(browser: Browser) {
  /** What was read last, and the storage's text of it: a history asks once for each of its messages. */
  let known: { json: string | null; ids: ReadonlySet<string> } = { json: null, ids: new Set() };

  /** Read each time: another tab keeps its notes in the same place. */
  function ids(): ReadonlySet<string> {
    const json = browser.storage.get(STORED_AS);
    if (json !== known.json) known = { json, ids: new Set(readIds(json)) };
    return known.ids;
  }

  /** A reply has ended: by a stop, or otherwise after it had been stopped and continued. */
  function note(clientStreamId: string | null, isStopped: boolean): void {
    if (clientStreamId === null || ids().has(clientStreamId) === isStopped) return;
    const others = [...ids()].filter((id) => id !== clientStreamId);
    const kept = isStopped ? [...others, clientStreamId].slice(-MOST_REPLIES) : others;
    if (kept.length === 0) browser.storage.remove(STORED_AS);
    else browser.storage.set(STORED_AS, JSON.stringify(kept));
  }

  return {
    note,
    has: (clientStreamId: string | null): boolean => clientStreamId !== null && ids().has(clientStreamId),
    /** The account leaves. */
    clear: (): void => browser.storage.remove(STORED_AS),
  };
}
