/**
 * Calls back when a page that was left comes back as it was, by the browser's Back button: whatever it was waiting for then
 * will not happen any more. Returns how to stop listening.
 */
export function onPageRestored(page: EventTarget, restored: () => void): () => void {
  const shown = (event: Event): void => {
    if ((event as PageTransitionEvent).persisted) restored();
  };
  page.addEventListener("pageshow", shown);
  return () => page.removeEventListener("pageshow", shown);
}
