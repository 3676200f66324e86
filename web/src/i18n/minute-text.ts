/** A moment (unix seconds) as `2026-03-01 14:05`, by this machine's clock, in every language (requirements 1§9). */
export function minuteText(secs: number): string {
  const at = new Date(secs * 1000);
  const two = (value: number): string => String(value).padStart(2, "0");
  const day = [String(at.getFullYear()).padStart(4, "0"), two(at.getMonth() + 1), two(at.getDate())].join(
    "-",
  );
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}`;
}
