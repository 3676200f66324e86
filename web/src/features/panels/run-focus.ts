// The focus stays with the reader while HTML runs. Browsers let a frame take it at any time, out of a dialog and while it is inert,
// too, and what is typed next would go there.

export interface FocusGuard {
  /** The reader has pressed in the frame. */
  pressed(): void;
  /** Looks whether the frame has the focus without a right to it: not every way to take it is told by an event. */
  check(): void;
  close(): void;
}

/** A press gives the frame a right to the focus for so long (ms). */
const pressCountsMs = 1000;
/** The word of a press may come after the focus has moved: then it is given to the frame once more (ms). */
const lateMs = 300;

/**
 * Gives the focus back to where it was whenever the frame takes it without a press in it or the Tab key. `onTaken` hears how
 * often that was.
 */
export function guardFocus(frame: HTMLIFrameElement, onTaken: (times: number) => void): FocusGuard {
  const listening = new AbortController();
  const { signal } = listening;
  let last = document.activeElement;
  let isAllowed = false;
  let byTab = false;
  let pressedAt = Number.NEGATIVE_INFINITY;
  let returnedAt = Number.NEGATIVE_INFINITY;
  let times = 0;

  function leave(): void {
    isAllowed = false;
    byTab = false;
    pressedAt = Number.NEGATIVE_INFINITY;
  }

  function check(): void {
    if (signal.aborted || document.activeElement !== frame) return;
    isAllowed ||= byTab || performance.now() - pressedAt < pressCountsMs;
    if (isAllowed) return;
    if (last instanceof HTMLElement && last.isConnected) last.focus({ preventScroll: true });
    // What had it is gone or cannot have it now.
    if (document.activeElement === frame) frame.blur();
    returnedAt = performance.now();
    times += 1;
    onTaken(times);
  }

  function pressed(): void {
    pressedAt = performance.now();
    if (pressedAt - returnedAt > lateMs) return;
    returnedAt = Number.NEGATIVE_INFINITY;
    times -= 1;
    frame.focus({ preventScroll: true });
  }

  // Later: the focus is still on its way, and would be in two places.
  window.addEventListener("blur", () => setTimeout(check), { signal });
  document.addEventListener(
    "focusin",
    ({ target }) => {
      if (target === frame) return void setTimeout(check);
      if (target instanceof Element) last = target;
      leave();
    },
    { signal },
  );
  document.addEventListener("keydown", ({ key }) => (byTab = key === "Tab"), { signal, capture: true });
  return { pressed, check, close: () => listening.abort() };
}
