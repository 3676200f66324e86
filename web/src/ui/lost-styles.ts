// Style sheets that failed to load with the part they belong to. The loader of parts takes a sheet whose link is in the page
// for loaded, so that a part that is loaded again after a drop would come without its looks (dev/ask-again-for-styles.ts).

/** Takes the link of each sheet that fails from the page: the next try of its part asks for it again, and no other part does. */
export function watchStyles(): void {
  // The error of a link does not bubble; it can be captured.
  window.addEventListener("error", ({ target }) => drop(target), { capture: true });
}

function drop(target: EventTarget | null): void {
  if (target instanceof HTMLLinkElement && target.rel === "stylesheet") target.remove();
}
