/** Milliseconds; by then the system has the link. */
const FRAME_STAYS_MS = 10_000;

/**
 * Opens a link of another program in a hidden frame. Where no program takes it, the frame fails and nobody sees it; the page
 * itself is never asked to go anywhere, so nothing it has under way ends. The page's policy lets in the scheme that the
 * operator set and no other (wire-contract.md §6.7).
 */
export function openProgram(link: string): void {
  const frame = document.createElement("iframe");
  frame.hidden = true;
  frame.src = link;
  document.body.append(frame);
  setTimeout(() => frame.remove(), FRAME_STAYS_MS);
}
