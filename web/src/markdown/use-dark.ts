import { useSyncExternalStore } from "react";

const systemDark = "(prefers-color-scheme: dark)";
const systemColours = "(forced-colors: active)";

/**
 * Whether the page shows its dark theme: the one chosen on the document element, else the system's, as where the system forces
 * its colours.
 */
export function useDark(): boolean {
  return useSyncExternalStore(subscribe, isDark, isDarkWithoutPage);
}

/** Markdown drawn to a string, without a document, is light. */
function isDarkWithoutPage(): boolean {
  return false;
}

function isDark(): boolean {
  const theme = document.documentElement.dataset["theme"];
  const isSystems = theme === undefined || matchMedia(systemColours).matches;
  return isSystems ? matchMedia(systemDark).matches : theme === "dark";
}

function subscribe(changed: () => void): () => void {
  const chosen = new MutationObserver(changed);
  chosen.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  const system = [matchMedia(systemDark), matchMedia(systemColours)];
  for (const query of system) query.addEventListener("change", changed);
  return () => {
    chosen.disconnect();
    for (const query of system) query.removeEventListener("change", changed);
  };
}
