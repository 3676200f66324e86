// Sizes of files in words.

const UNITS = ["B", "KB", "MB", "GB", "TB", "PB", "EB", "ZB", "YB"] as const;
const STEP = 1024;

/** Bytes with the unit in which they read best: at most three digits before the point, one after it below 10. */
export function formatFileSize(bytes: number): string {
  let value = bytes;
  let unit = 0;
  // 1023.6 would be shown as 1024.
  while (unit < UNITS.length - 1 && Math.round(value) >= STEP) {
    value /= STEP;
    unit += 1;
  }
  const shown = unit > 0 && value < 9.95 ? value.toFixed(1).replace(/\.0$/, "") : String(Math.round(value));
  return `${shown} ${UNITS[unit] ?? ""}`;
}
