// A moment as people read it in a text: YYYY-MM-DD HH:mm, local time.

/** `secs` since the epoch. */
export function momentText(secs: number): string {
  const date = new Date(secs * 1000);
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}`;
}
