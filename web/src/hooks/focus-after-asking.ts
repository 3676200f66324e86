import { findComposer } from "./composer-element.ts";
import { isTouch } from "./use-media.ts";

/**
 * What asks the model for something goes away with its press. The focus goes on to the place to write, or, where that
 * would bring up a keyboard, to the conversation; nothing is scrolled.
 */
export function focusAfterAsking(): void {
  const next =
    (isTouch() ? null : findComposer()) ?? document.querySelector<HTMLElement>("main [role=region]");
  next?.focus({ preventScroll: true });
}
