// What extensions and page translators do to the page: they take nodes away that are still to be moved.
const DONE = "plumb.reset-after-dom-fault";

/** How long the notice shows before the page loads again (requirements 0§9). */
export const RESET_AFTER_MS = 500;

/** Whether an error is the browser's refusal to insert or remove a node that is not where it was. */
export function isDomFault(error: unknown): boolean {
  return (
    error instanceof Error &&
    error.name === "NotFoundError" &&
    /insertBefore|removeChild|appendChild|replaceChild|^The object can not be found here/.test(error.message)
  );
}

/** True the first time in this tab: the page may load itself again, once. */
export function takeReset(open: () => Pick<Storage, "getItem" | "setItem">): boolean {
  try {
    const storage = open();
    if (storage.getItem(DONE) !== null) return false;
    storage.setItem(DONE, "1");
    return true;
  } catch {
    // Without a memory the page might load itself again for ever.
    return false;
  }
}
