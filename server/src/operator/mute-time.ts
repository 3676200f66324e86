// The end of a mute as an operator writes it.
import { StartError } from "../platform/start-error.ts";

const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };
/** A day, or a time of it, by ISO 8601; without a zone it is UTC, as all times of the operator are. */
const MOMENT = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)?)?$/u;

/**
 * Unix milliseconds of "90m", "12h", "7d" from now, or of a moment such as 2027-01-31 or 2027-01-31T18:00Z. Throws a
 * StartError for anything else, and for what is not in the future.
 */
export function muteTime(text: string, nowMs: number): number {
  const until = spanFrom(text, nowMs) ?? momentOf(text);
  if (until === null || Number.isNaN(until)) {
    throw new StartError(
      `--until ${text} is no time: give a span such as 90m, 12h or 7d, or a moment such as 2027-01-31T18:00Z.`,
    );
  }
  if (until <= nowMs) throw new StartError(`--until ${text} is not in the future.`);
  return until;
}

function spanFrom(text: string, nowMs: number): number | null {
  const [, count, unit] = /^(\d{1,5})([mhd])$/u.exec(text) ?? [];
  return count === undefined ? null : nowMs + Number(count) * (UNIT_MS[unit ?? ""] ?? Number.NaN);
}

/** No 31st of February: it would be read as a day of March. */
function isDay(text: string): boolean {
  const ms = Date.parse(text);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
}

function momentOf(text: string): number | null {
  const found = MOMENT.exec(text);
  if (found === null || !isDay(text.slice(0, 10))) return null;
  return Date.parse(text.includes("T") && found[1] === undefined ? `${text}Z` : text);
}
