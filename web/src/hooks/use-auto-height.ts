import { useEffect, useLayoutEffect, type RefObject } from "react";

/**
 * Lets a text field grow with its text, again when it gets another width or the browser another size of text; the style sheet
 * sets its bounds. `layout`: what else its height depends on.
 */
export function useAutoHeight(
  field: RefObject<HTMLTextAreaElement | null>,
  text: string,
  layout: boolean,
): void {
  useLayoutEffect(() => {
    if (field.current !== null) fit(field.current);
  }, [field, text, layout]);

  useEffect(() => {
    const element = field.current;
    if (element === null) return;
    // As wide as letters are high: of their size nothing else tells.
    const letter = document.createElement("div");
    letter.style.cssText = "position:fixed;width:1rem;visibility:hidden";
    document.body.append(letter);
    const sizes = () => `${element.clientWidth} ${letter.getBoundingClientRect().width}`;
    let fitted = sizes();
    const resized = new ResizeObserver(() => {
      const now = sizes();
      if (now === fitted) return;
      fitted = now;
      fit(element);
    });
    resized.observe(element);
    resized.observe(letter);
    return () => {
      resized.disconnect();
      letter.remove();
    };
  }, [field]);
}

interface Styled {
  style: Pick<CSSStyleDeclaration, "height" | "overflowY">;
}

/** Texts of more characters fill the field to its bounds at any width. */
const SURELY_FULL = 20_000;

/** A long text is not measured: to lay all of it out again at each key takes a second for a million characters. */
export function fit(element: Pick<HTMLTextAreaElement, "value" | "scrollHeight"> & Styled): void {
  if (element.value.length > SURELY_FULL) {
    element.style.height = "100dvh";
    return;
  }
  // A scrollbar of the small field would take room from its lines, and make more of them.
  element.style.overflowY = "hidden";
  element.style.height = "auto";
  element.style.height = `${element.scrollHeight}px`;
  element.style.overflowY = "";
}
