// The bounds that hold for every request and response, whoever sends it (wire-contract.md §1.9).
import { LIMITS } from "@plumb/protocol/limits";

export interface HttpLimits {
  /** A response whose reader takes nothing for so long is given up. */
  unreadMs: number;
  /** Large answers that one user, or one address without one, may have open at once. */
  largeAnswersPerCaller: number;
}

export const defaultHttpLimits: HttpLimits = {
  unreadMs: LIMITS.slowReaderMs,
  largeAnswersPerCaller: 8,
};
