import { useImperativeHandle, type Ref } from "react";

/**
 * Stands where a primitive wants its trigger and hands it an element that is on the page already, so that the code of
 * the primitive can come after the trigger without building it anew. Draws nothing; the props the primitive adds are
 * the affair of the real trigger.
 */
export function StandIn({ element, ref }: { element: HTMLElement; ref?: Ref<HTMLElement> }) {
  useImperativeHandle(ref, () => element, [element]);
  return null;
}
