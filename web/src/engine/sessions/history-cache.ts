// Histories kept in the browser, so that a session shows before the server answered.
import { LIMITS } from "@plumb/protocol/limits";
import { isRecord } from "@plumb/protocol/wire/json";
import type { History } from "@plumb/protocol/wire/sessions";
import type { Browser } from "../browser.ts";

/** Entries of another version are discarded: their shape may differ. */
const FRONTEND_VERSION = "fv-2";
const DATABASE = "plumb-history";

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

export type HistoryCache = ReturnType<typeof createHistoryCache>;

export function createHistoryCache(browser: Browser) {
  const records = browser.openRecords(DATABASE, LIMITS.historyCacheVersion);

  async function read(sessionId: string): Promise<CachedHistory | null> {
    const entry = await records.get(sessionId);
    if (!isEntry(entry)) return null;
    if (entry.frontend_version !== FRONTEND_VERSION) {
      await records.remove(sessionId);
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
    await records.set(chat_session.id, entry);
  }

  return {
    read,
    write,
    remove: (sessionId: string) => records.remove(sessionId),
    /** Empties the cache. A failure is only logged: an entry without its account is never read. */
    clear(): void {
      records.clear().catch((error: unknown) => browser.log("the history cache was not cleared", error));
    },
  };
}
