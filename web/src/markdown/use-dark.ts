import { useSyncExternalStore } from "react";

const systemDark = "(prefers-color-scheme: dark)";

/** Whether the page shows its dark theme: the one chosen on the document element, else the system's. */
export function useDark(): boolean {
  return useSyncExternalStore(subscribe, isDark, isDarkWithoutPage);
}

/** Markdown drawn to a string, without a document, is light. */
function isDarkWithoutPage(): boolean {
  return false;
}

function isDark(): boolean {
  const theme = document.documentElement.dataset["theme"];
  return theme === undefined ? matchMedia(systemDark).matches : theme === "dark";
}

function subscribe(changed: () => void): () => void {
  const chosen = new MutationObserver(changed);
  chosen.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  const system = matchMedia(systemDark);
  system.addEventListener("change", changed);
  return () => {
    chosen.disconnect();
    system.removeEventListener("change", changed);
  };
}
