// The history of the chat that the address names, asked for while the code for chats still loads.
import { historyMessages, type History } from "@plumb/protocol/wire/sessions";
import type { ApiClient } from "../api-client.ts";
import type { CallResult } from "../api-errors.ts";
import type { CachedHistory, HistoryCache } from "./history-cache.ts";

export interface EarlyHistory {
  sessionId: string;
  cached: Promise<CachedHistory | null>;
  /** What the server says to the version that is cached. */
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

export function askEarly(api: ApiClient, cache: HistoryCache, sessionId: string): EarlyHistory {
  const cached = cache.read(sessionId);
  const answer = cached.then((history) => askHistory(api, sessionId, history?.chat_session.version));
  return { sessionId, cached, answer };
}
