import { useEffect, type RefObject } from "react";

/** Gives the field the focus before a character is typed that would otherwise be lost: nothing on the page has it. */
export function useComposerTyping(field: RefObject<HTMLTextAreaElement | null>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (isText(event) && isIdle(document.activeElement)) field.current?.focus({ preventScroll: true });
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [field]);
}

/** A blank is no text here: on a page it scrolls. */
function isText({ key, ctrlKey, metaKey, altKey, defaultPrevented }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey || defaultPrevented) return false;
  // "Process": the first key of an input method.
  return key === "Process" || ([...key].length === 1 && key !== " ");
}

/** Where typing means nothing: the page itself, and the conversation, which has the focus to be scrolled by keys. */
function isIdle(focused: Element | null): boolean {
  return focused === null || focused === document.body || focused.matches("main [role=region]");
}
