// Style sheets that failed to load with the part they belong to. Vite's loader asks for each only once in the life of the
// page, so that a part that is loaded again after a drop would come without its looks.

/** Where the sheets that failed should have come from. */
const lost = new Set<string>();

/** Takes the link of each sheet that fails from the page, and remembers it. */
export function watchStyles(): void {
  // The error of a link does not bubble; it can be captured.
  window.addEventListener("error", ({ target }) => remember(target), { capture: true });
}

function remember(target: EventTarget | null): void {
  if (!(target instanceof HTMLLinkElement) || target.rel !== "stylesheet") return;
  lost.add(target.href);
  target.remove();
}

/** Loads again what was lost, for all parts; rejects when one fails once more. */
export async function loadLostStyles(): Promise<void> {
  await Promise.all([...lost].map(loadStyle));
}

function loadStyle(href: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = href;
    link.addEventListener("load", () => {
      lost.delete(href);
      resolve();
    });
    link.addEventListener("error", () => reject(new Error(`Unable to load the style sheet ${href}`)));
    document.head.append(link);
  });
}
