// Histories kept in the browser, so that a session shows before the server answered.
import { LIMITS } from "@plumb/protocol/limits";
import { isRecord, parseJson } from "@plumb/protocol/wire/json";
import type { History } from "@plumb/protocol/wire/sessions";
import type { Browser } from "../browser.ts";
import { KEPT_LIST } from "./kept-under.ts";

/** Entries of another version are discarded: their shape may differ. */
const FRONTEND_VERSION = "fv-2";
const DATABASE = "plumb-history";
/** Version and seq_id of what is kept, by session: those are known at once, while a database takes its time to open. */
const NOTED_AS = "plumb.histories";
/** Of those kept longest ago the versions are forgotten first. */
const MOST_NOTED = 200;

export type CachedHistory = Pick<History, "chat_session" | "chat_messages">;

interface Entry extends CachedHistory {
  frontend_version: string;
  /** Milliseconds. */
  timestamp: number;
}

/** False for what would break the screen at every reload: the history is then asked from the server. */
function isEntry(value: unknown): value is Entry {
  if (!isRecord(value) || !isRecord(value["chat_session"])) return false;
  const messages = value["chat_messages"];
  return Array.isArray(messages) && messages.every((one) => isRecord(one) && Array.isArray(one["fragments"]));
}

/** A page of the list: what it says of the sessions whose seq_id is at least `from`, and smaller than `before`. */
export interface ListedPage {
  from: number;
  before: number;
  /** Those that are listed, there or elsewhere. */
  ids: ReadonlySet<string>;
}

export type HistoryCache = ReturnType<typeof createHistoryCache>;

export function createHistoryCache(browser: Browser) {
  const records = browser.openRecords(DATABASE, LIMITS.historyCacheVersion);

  /** Read each time: another tab keeps its notes in the same place. */
  function noted(): Record<string, unknown> {
    const parsed = parseJson(browser.storage.get(NOTED_AS) ?? "");
    return parsed.ok && isRecord(parsed.value) ? parsed.value : {};
  }

  /** `kept` null: nothing is kept any more. */
  function note(sessionId: string, kept: [version: number, seqId: number] | null): void {
    const others = Object.entries(noted()).filter(([id]) => id !== sessionId);
    const all = kept === null ? others : [...others, [sessionId, kept] as const];
    browser.storage.set(NOTED_AS, JSON.stringify(Object.fromEntries(all.slice(-MOST_NOTED))));
  }

  /**
   * The version that is probably kept, undefined where none is: what is read from the database says for certain.
   */
  function likelyVersion(sessionId: string): number | undefined {
    const kept = noted()[sessionId];
    const version: unknown = Array.isArray(kept) ? kept[0] : undefined;
    return typeof version === "number" ? version : undefined;
  }

  /**
   * What is kept of a session that should stand in this page of the list, and does not, is removed: it was deleted elsewhere. Its
   * seq_id has only grown since (wire-contract.md §1.8).
   */
  async function forgetMissing({ from, before, ids }: ListedPage): Promise<void> {
    const missing = Object.entries(noted()).filter(([id, kept]) => {
      const seqId = Array.isArray(kept) ? Number(kept[1]) : Number.NaN;
      return !ids.has(id) && seqId >= from && seqId < before;
    });
    try {
      for (const [id] of missing) await remove(id);
    } catch (error) {
      browser.log("histories were not removed", error);
    }
  }

  async function remove(sessionId: string): Promise<void> {
    note(sessionId, null);
    await records.remove(sessionId);
  }

  async function read(sessionId: string): Promise<CachedHistory | null> {
    const entry = await records.get(sessionId);
    if (!isEntry(entry)) return null;
    if (entry.frontend_version !== FRONTEND_VERSION) {
      await remove(sessionId);
      return null;
    }
    return entry;
  }

  /** Keeps a history at rest; one with a running reply is out of date at once and not kept. */
  async function write(history: CachedHistory): Promise<void> {
    const { chat_session, chat_messages } = history;
    if (chat_messages.some(({ status }) => status === "WIP")) return;
    const entry: Entry = {
      chat_session,
      chat_messages,
      frontend_version: FRONTEND_VERSION,
      timestamp: browser.now(),
    };
    // At once, so that an account that leaves meanwhile takes it along.
    note(chat_session.id, [chat_session.version, chat_session.seq_id]);
    await records.set(chat_session.id, entry);
  }

  return {
    read,
    likelyVersion,
    write,
    remove,
    forgetMissing,
    /** Empties the cache, and takes away what is kept of the list. A failure is only logged: an entry without its account is never read. */
    clear(): void {
      browser.storage.remove(NOTED_AS);
      browser.storage.remove(KEPT_LIST);
      records.clear().catch((error: unknown) => browser.log("the history cache was not cleared", error));
    },
  };
}
