import { useState, type SyntheticEvent } from "react";

/**
 * The landmark or dialog around a trigger: what the trigger opens is put in there, so that it belongs to a named part
 * of the page and to the dialog it was opened from. Looked up when the trigger is approached, since most never are.
 */
export function useLandmark() {
  const [landmark, setLandmark] = useState<Element | null>(null);
  const approach = (event: SyntheticEvent<HTMLElement>) =>
    setLandmark(event.currentTarget.closest("[role=dialog], nav, main"));
  return { landmark, onApproach: { onPointerEnter: approach, onFocus: approach } };
}
