// The history of the chat that the address names, asked for while the code for chats still loads.
import type { Message } from "@plumb/protocol/conversation/message";
import { historyMessages, type History } from "@plumb/protocol/wire/sessions";
import type { ApiClient } from "../api-client.ts";
import { isPassing, type CallResult } from "../api-errors.ts";
import type { CachedHistory, HistoryCache } from "./history-cache.ts";

export interface EarlyHistory {
  sessionId: string;
  cached: Promise<CachedHistory | null>;
  /** The version the server was asked about; undefined: for all. */
  version: number | undefined;
  answer: Promise<CallResult<History>>;
}

/** Asks for all of a history, or for nothing where `version` is still the newest. */
export function askHistory(
  api: ApiClient,
  sessionId: string,
  version: number | undefined,
): Promise<CallResult<History>> {
  return api.call(historyMessages, {
    chat_session_id: sessionId,
    ...(version === undefined ? {} : { cache_version: version }),
  });
}

/** Asks the server without waiting for the cache, which may only open now. */
export function askEarly(api: ApiClient, cache: HistoryCache, sessionId: string): EarlyHistory {
  const version = cache.likelyVersion(sessionId);
  return { sessionId, cached: cache.read(sessionId), version, answer: askHistory(api, sessionId, version) };
}

/**
 * What the server said early; null where that is of no use: "still the newest" to a page that shows another version, or that
 * it was away as the page began to load (`again`).
 */
export async function earlyAnswer(
  { version, answer }: EarlyHistory,
  shown: number | undefined,
  again: boolean,
): Promise<CallResult<History> | null> {
  const result = await answer;
  const isOfUse = result.ok
    ? !result.data.cache_valid || version === shown
    : !(again && isPassing(result.error));
  return isOfUse ? result : null;
}

/** The messages that are kept, else those that the server gives; none where neither can be had. */
export async function messagesOf({ cached, answer }: EarlyHistory): Promise<readonly Message[]> {
  const kept = await cached.catch(() => null);
  if (kept !== null) return kept.chat_messages;
  const result = await answer;
  return result.ok ? result.data.chat_messages : [];
}
