import { useImperativeHandle, type Ref } from "react";

/**
 * Stands where a primitive wants its trigger and hands it an element that is on the page already, so that the code of
 * the primitive can come after the trigger without mounting the trigger again. Draws nothing, and drops the props that the
 * primitive adds: the real trigger has its own.
 */
export function StandIn({ element, ref }: { element: HTMLElement; ref?: Ref<HTMLElement> }) {
  useImperativeHandle(ref, () => element, [element]);
  return null;
}
