/** The id of the place to write. */
export const composerElementId = "composer";

/** The place to write, if it is on the page. */
export function findComposer(): HTMLElement | null {
  return document.getElementById(composerElementId);
}

/**
 * A button goes away with its press. Where a key pressed it, which has no `detail`, the next one would be lost: the focus goes
 * on to the place to write, or, on a page without one, to its heading, which takes it by its tabIndex.
 */
export function passKeyFocus({ detail }: { detail: number }): void {
  if (detail === 0) (findComposer() ?? document.querySelector("h1"))?.focus({ preventScroll: true });
}
