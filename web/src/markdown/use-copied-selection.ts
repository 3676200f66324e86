import { useEffect, useLayoutEffect, type RefObject } from "react";
import { onFirstTouch, patiently } from "../ui/lazy-part.tsx";
import type { copySelection } from "./copy-selection.ts";
import { useMarkdownLabels, type MarkdownLabels } from "./markdown-labels.ts";
import { shownTexts, type ShownText } from "./undrawn.ts";

let users = 0;
let labels: MarkdownLabels;
let copy: typeof copySelection | null = null;
let stopWaiting: () => void = () => undefined;

/**
 * While an answer is on the page, selected text is copied as copy-selection.ts says. Its code loads when the page is first
 * touched: nothing is selected before. Where it can't be had, the browser copies. `shown`: what is drawn in `root`.
 */
export function useCopiedSelection(root: RefObject<Element | null>, shown: ShownText): void {
  const inUse = useMarkdownLabels();
  useLayoutEffect(() => {
    labels = inUse;
    if (root.current !== null) shownTexts.set(root.current, shown);
  });
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
  copy?.(event, labels);
}

async function load(): Promise<void> {
  try {
    copy = (await patiently(() => import("./copy-selection.ts"))).copySelection;
  } catch (error) {
    console.warn("what copies selected text could not be loaded", error);
  }
}
