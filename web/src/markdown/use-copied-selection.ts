import { useEffect } from "react";
import { onFirstTouch, patiently } from "../ui/lazy-part.tsx";

let users = 0;
let copy: ((event: ClipboardEvent) => void) | null = null;
let stopWaiting: () => void = () => undefined;

/**
 * While an answer is on the page, selected text is copied as copy-selection.ts says. Its code loads when the page is first
 * touched: nothing is selected before. Where it can't be had, the browser copies.
 */
export function useCopiedSelection(): void {
  useEffect(() => {
    if (users++ === 0) {
      document.addEventListener("copy", copied);
      if (copy === null) stopWaiting = onFirstTouch(() => void load());
    }
    return () => {
      if (--users > 0) return;
      document.removeEventListener("copy", copied);
      stopWaiting();
    };
  }, []);
}

function copied(event: ClipboardEvent): void {
  copy?.(event);
}

async function load(): Promise<void> {
  try {
    copy = (await patiently(() => import("./copy-selection.ts"))).copySelection;
  } catch (error) {
    console.warn("what copies selected text could not be loaded", error);
  }
}
