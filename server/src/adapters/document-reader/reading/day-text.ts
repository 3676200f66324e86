// How a day of Excel is written.
const dayMs = 24 * 60 * 60 * 1000;

/** A day of Excel as ISO 8601: 45292.5 → "2024-01-01 12:00:00"; parts of one day alone → a time. */
export function dateText(serial: number, from1904: boolean): string | null {
  if (!Number.isFinite(serial) || serial < 0 || serial > 2_958_466) return null;
  // Excel has a 29 February 1900.
  const days = from1904 ? serial + 1462 : serial;
  const iso = new Date(Date.UTC(1899, 11, 30) + Math.round(days * dayMs)).toISOString();
  const [day = "", time = ""] = iso.slice(0, 19).split("T");
  if (days < 1) return time;
  return time === "00:00:00" ? day : `${day} ${time}`;
}
