/** The server takes what stands in the page's address for ten minutes (wire-contract.md §8.7, §8.9): this leaves time to scan. */
const FRESH_MS = 9 * 60_000;
/** A machine that slept notices so soon that the time has come. */
const LOOK_EVERY_MS = 30_000;

/**
 * Shows the address that `ask` gives, null for none, and another one before it is good no more, while somebody looks. Gives
 * back the way to stop.
 */
export function showFreshPage(
  ask: () => Promise<string | null>,
  show: (address: string | null) => void,
): () => void {
  let askedAt = 0;
  const stopped = new AbortController();
  const { signal } = stopped;

  async function askNow(): Promise<void> {
    askedAt = Date.now();
    const address = await ask();
    if (!signal.aborted) show(address);
  }
  const look = (): void => {
    if (!document.hidden && Date.now() - askedAt >= FRESH_MS) void askNow();
  };
  void askNow();
  const timer = setInterval(look, LOOK_EVERY_MS);
  document.addEventListener("visibilitychange", look, { signal });
  return () => {
    clearInterval(timer);
    stopped.abort();
  };
}
