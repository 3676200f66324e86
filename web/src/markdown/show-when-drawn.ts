import { drawUnseen } from "./make-queue.ts";
import { unmadeParts } from "./use-near.ts";

/** What is not there by then, since its drawer comes over a slow network, is drawn in sight. */
const longestWaitMs = 600;
/** On a slow machine so many frames take longer than that: it is the drawing itself that is waited for. */
const framesOfDrawing = 24;
const longestDrawingMs = 2500;

/**
 * Hides a page of answers that was just opened while parts on its screen wait to be made, or formulas to be drawn: what
 * stands in for them takes other room, so the page would jump. To be called in a frame; returns what ends it. `onShown`: no
 * longer hidden, unless it was ended before.
 */
export function showWhenDrawn(scroller: Element, content: HTMLElement, onShown = () => {}): () => void {
  const started = performance.now();
  let frame = 0;
  let frames = 0;
  const hide = (isHidden: boolean) => {
    content.style.visibility = isHidden ? "hidden" : "";
    drawUnseen(isHidden);
  };
  const look = () => {
    const waited = performance.now() - started;
    frames += 1;
    const isDrawing = frames < framesOfDrawing && waited < longestDrawingMs;
    const hasTime = isDrawing || waited < longestWaitMs;
    const waits = hasTime && waitsInView(scroller);
    hide(waits);
    if (waits) frame = requestAnimationFrame(look);
    else onShown();
  };
  look();
  return () => {
    cancelAnimationFrame(frame);
    hide(false);
  };
}

function waitsInView(scroller: Element): boolean {
  const screen = scroller.getBoundingClientRect();
  return [...scroller.querySelectorAll("[data-waits]"), ...unmadeParts()].some((part) => {
    const { top, bottom } = part.getBoundingClientRect();
    return bottom > screen.top && top < screen.bottom;
  });
}
