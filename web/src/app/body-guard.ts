/** At most so many times in a second the body is put back: who removes it that often means it (requirements 0§9). */
const RESTORES = 5;
const WITHIN_MS = 1000;

/** Puts the page's body back when a script of somebody else removes it, and logs it. Gives back the way to stop. */
export function guardBody(
  document: Document,
  log: (message: string) => void,
  now: () => number = () => performance.now(),
): () => void {
  const { body, documentElement: root } = document;
  let times: number[] = [];
  const observer = new MutationObserver(() => {
    if (body.isConnected) return;
    times = times.filter((time) => now() - time < WITHIN_MS);
    if (times.length >= RESTORES) return log("the page's body was removed too often, it stays away");
    times.push(now());
    // Another body in its place would leave two.
    document.body?.remove();
    root.append(body);
    log("the page's body was removed and is put back");
  });
  observer.observe(root, { childList: true });
  return () => observer.disconnect();
}
