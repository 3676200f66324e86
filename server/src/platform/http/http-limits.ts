// The bounds that hold for every request and response, whoever sends it (wire-contract.md §1.9).
import { LIMITS } from "@plumb/protocol/limits";

export interface HttpLimits {
  /** A response whose reader takes nothing for so long is given up. */
  unreadMs: number;
  /** Large answers that one user, or one address without one, may have open at once. */
  largeAnswersPerCaller: number;
  /** Requests without an end that one network may have open (UNFINISHED_REQUESTS_PER_ADDRESS). */
  unfinishedPerNetwork: number;
  /** Connections that one network may have open (CONNECTIONS_PER_ADDRESS). */
  connectionsPerNetwork: number;
  /** From when a request without an end counts. */
  unfinishedGraceMs: number;
  /** What all bodies on their way may hold together. */
  bodyBudgetBytes: number;
  /** How long headers may take. */
  headersMs: number;
  /** How long a connection may wait for its next request. Longer than proxies keep theirs, so that they close first. */
  betweenRequestsMs: number;
  /** How long the rest of a body is taken in and dropped after its request has been answered. */
  lingerMs: number;
}

export const defaultHttpLimits: HttpLimits = {
  unreadMs: LIMITS.slowReaderMs,
  largeAnswersPerCaller: 8,
  unfinishedPerNetwork: 200,
  connectionsPerNetwork: 1000,
  unfinishedGraceMs: 1000,
  bodyBudgetBytes: 64 * 1024 * 1024,
  headersMs: 10_000,
  betweenRequestsMs: 72_000,
  lingerMs: 2000,
};
