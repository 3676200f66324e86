// How a day of Excel, and a length of time, is written.

/** What the number of a cell says of time; null: nothing. */
export type TimeKind = "day" | "length" | null;

/** The text of a number that is one of them; null where it can be none. */
export function timeText(value: number, kind: TimeKind, from1904: boolean): string | null {
  if (kind === null) return null;
  return kind === "day" ? dateText(value, from1904) : lengthText(value);
}

/** Whether a format such as [h]:mm shows hours, minutes or seconds that go on beyond a day. */
export function isOfLength(format: string): boolean {
  return /\[(?:h+|m+|s+)\]/i.test(format.replaceAll(/"[^"]*"|\\./g, ""));
}

/** Days as hours, minutes and seconds: 1.5 → "36:00:00". */
function lengthText(days: number): string | null {
  const secs = Math.round(Math.abs(days) * 86_400);
  if (!Number.isSafeInteger(secs)) return null;
  const parts = [Math.floor(secs / 3600), Math.floor(secs / 60) % 60, secs % 60];
  return `${days < 0 ? "-" : ""}${parts.map((part) => String(part).padStart(2, "0")).join(":")}`;
}

const dayMs = 24 * 60 * 60 * 1000;

/** A day of Excel as ISO 8601: 45292.5 → "2024-01-01 12:00:00"; parts of one day alone → a time. */
function dateText(serial: number, from1904: boolean): string | null {
  if (!Number.isFinite(serial) || serial < 0 || serial > 2_958_466) return null;
  // Excel has a 29 February 1900.
  const days = from1904 ? serial + 1462 : serial;
  const iso = new Date(Date.UTC(1899, 11, 30) + Math.round(days * dayMs)).toISOString();
  const [day = "", time = ""] = iso.slice(0, 19).split("T");
  if (serial < 1) return time;
  return time === "00:00:00" ? day : `${day} ${time}`;
}
