/** The id of the place to write. */
export const composerElementId = "composer";

/** The place to write, if it is on the page. */
export function findComposer(): HTMLElement | null {
  return document.getElementById(composerElementId);
}
