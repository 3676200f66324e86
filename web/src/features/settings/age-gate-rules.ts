// What the age gate offers (requirements 0§5).
import { LIMITS } from "@plumb/protocol/limits";

/** A clock that is wrong by years still offers so many. */
const LAST_YEAR_AT_LEAST = 2025;

/** Years to choose from, the latest first. */
export function ageGateYears(thisYear: number): number[] {
  const last = Math.max(thisYear, LAST_YEAR_AT_LEAST);
  return Array.from({ length: last - LIMITS.ageGateFirstYear + 1 }, (_none, index) => last - index);
}

export const ageGateMonths = Array.from({ length: 12 }, (_none, index) => index + 1);
