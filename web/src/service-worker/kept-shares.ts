// What was shared and waits for the page that opens for it: each by itself, under an id that nobody can guess.

/** How long a page is waited for (milliseconds). */
const KEPT_MS = 120_000;
/** So many wait at once; the oldest goes. */
const MOST_KEPT = 5;

export function createKeptShares() {
  const kept = new Map<string, { text: string; drop: () => void }>();

  /** `gone` resolves when it is kept no more. */
  function keep(text: string): { id: string; gone: Promise<void> } {
    const id = crypto.randomUUID();
    const gone = new Promise<void>((resolve) => {
      const timer = setTimeout(drop, KEPT_MS);
      function drop(): void {
        clearTimeout(timer);
        kept.delete(id);
        resolve();
      }
      kept.set(id, { text, drop });
    });
    const [oldest] = kept.values();
    if (kept.size > MOST_KEPT) oldest?.drop();
    return { id, gone };
  }

  /** Gives it out once; "" where there is none of this id. */
  function take(id: string): string {
    const share = kept.get(id);
    share?.drop();
    return share?.text ?? "";
  }

  return { keep, take };
}
