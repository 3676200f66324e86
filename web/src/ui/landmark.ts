/**
 * The landmark or dialog around a trigger: what the trigger opens is put in there, so that it belongs to a named part
 * of the page and to the dialog it was opened from.
 */
export function landmarkOf(trigger: HTMLElement): HTMLElement | null {
  return trigger.closest<HTMLElement>("[role=dialog], nav, main");
}
