import { useEffect, useLayoutEffect, type RefObject } from "react";

/**
 * Lets a text field grow with its text, again when it gets another width; the style sheet sets its bounds. `layout`:
 * what else its height depends on.
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
    let width = element.clientWidth;
    const resized = new ResizeObserver(() => {
      if (element.clientWidth === width) return;
      width = element.clientWidth;
      fit(element);
    });
    resized.observe(element);
    return () => resized.disconnect();
  }, [field]);
}

function fit(element: HTMLTextAreaElement): void {
  element.style.height = "auto";
  element.style.height = `${element.scrollHeight}px`;
}
