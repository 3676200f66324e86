// Which reply a send became, asked by its client_stream_id (wire-contract.md §4.9, §11.8).
import { LIMITS } from "@plumb/protocol/limits";
import { getClientStreams, type ClientStream } from "@plumb/protocol/wire/replies";
import type { ApiClient } from "../api-client.ts";
import type { ApiError } from "../api-errors.ts";
import type { Browser } from "../browser.ts";
import { pause } from "../pause.ts";

export type LookUp =
  { kind: "found"; stream: ClientStream } | { kind: "unknown" } | { kind: "failed"; error: ApiError };

/** Asks up to 3 times, 3000 ms each, 2000 ms apart. An answer without the id is an answer: unknown. */
export async function lookUpStream(
  browser: Browser,
  api: ApiClient,
  wanted: { sessionId: string; clientStreamId: string },
  signal: AbortSignal,
): Promise<LookUp> {
  const { sessionId, clientStreamId } = wanted;
  for (let tries = 1; ; tries++) {
    const result = await api.call(
      getClientStreams,
      { chat_session_id: sessionId, client_stream_ids: [clientStreamId] },
      { signal, timeoutMs: LIMITS.clientStreamLookupTimeoutMs },
    );
    if (result.ok) {
      const stream = result.data.client_streams.find(
        ({ client_stream_id }) => client_stream_id === clientStreamId,
      );
      return stream ? { kind: "found", stream } : { kind: "unknown" };
    }
    const { error } = result;
    if (error.kind === "refused" || error.kind === "aborted" || tries === LIMITS.clientStreamLookupTries) {
      return { kind: "failed", error };
    }
    await pause(browser, LIMITS.clientStreamLookupPauseMs, signal);
  }
}
