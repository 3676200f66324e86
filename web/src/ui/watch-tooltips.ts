// When which tooltip shows. The times are those of requirements 0§9.
import type { TooltipSize } from "./tooltip-place.ts";

const DELAY_MS = 300;
/** From when the pointer leaves to when it goes. */
const LEAVE_MS = 300;
/** So soon after one tooltip the next shows at once. */
const FOLLOW_MS = 300;

export interface WantedTooltip {
  /** Another number for another showing. */
  showing: number;
  trigger: HTMLElement;
  text: string;
  /** As the element has it. */
  placement: string | undefined;
  size: TooltipSize;
  hasArrow: boolean;
}

export interface TooltipWatch {
  close: () => void;
  stop: () => void;
}

/**
 * Calls `show` with the tooltip that the pointer or the keyboard asks for, null for none. Touch asks for none, and neither
 * does what a pointer just pressed.
 */
export function watchTooltips(show: (wanted: WantedTooltip | null) => void): TooltipWatch {
  let shown: HTMLElement | null = null;
  let hovered: HTMLElement | null = null;
  let pressed = false;
  let timer = 0;
  let showings = 0;
  let closedAt = -FOLLOW_MS;

  function open(trigger: HTMLElement): void {
    clearTimeout(timer);
    if (isCovered(trigger)) return;
    if (shown !== trigger) showings += 1;
    shown = trigger;
    showText(trigger);
    changes.observe(document.body, {
      subtree: true,
      childList: true,
      attributes: true,
      attributeFilter: ["data-tooltip"],
    });
  }
  function showText(trigger: HTMLElement): void {
    const { tooltip: text = "", tooltipSide: placement, tooltipSize, tooltipArrow } = trigger.dataset;
    const size = tooltipSize === "s" ? "s" : "m";
    show({ showing: showings, trigger, text, placement, size, hasArrow: tooltipArrow !== undefined });
  }
  function close(): void {
    clearTimeout(timer);
    if (shown === null) return;
    shown = null;
    closedAt = performance.now();
    changes.disconnect();
    show(null);
  }
  function hover(trigger: HTMLElement | null): void {
    if (trigger === hovered) return;
    if (trigger !== null && !isWanted(trigger)) return hover(null);
    hovered = trigger;
    if (trigger === null && shown !== null) {
      clearTimeout(timer);
      timer = window.setTimeout(close, LEAVE_MS);
      return;
    }
    // Back before it was gone: it stays.
    if (shown === trigger) return clearTimeout(timer);
    close();
    if (trigger === null) return;
    const soon = performance.now() - closedAt < FOLLOW_MS;
    timer = window.setTimeout(() => open(trigger), soon ? 0 : delayOf(trigger));
  }

  // A trigger may leave the page or get another text while its tooltip shows.
  const changes = new MutationObserver((records) => {
    if (shown === null) return;
    if (!shown.isConnected) close();
    else if (records.some(({ type, target }) => type === "attributes" && target === shown)) showText(shown);
  });

  const stopped = new AbortController();
  const on = <K extends keyof DocumentEventMap>(type: K, run: (event: DocumentEventMap[K]) => void) =>
    document.addEventListener(type, run, { capture: true, passive: true, signal: stopped.signal });
  // What comes under a pointer that rests, as by scrolling, was not pointed at.
  let rests = { x: NaN, y: NaN };
  on("pointermove", ({ pointerType, target, screenX, screenY }) => {
    if (pointerType === "touch" || (screenX === rests.x && screenY === rests.y)) return;
    rests = { x: screenX, y: screenY };
    hover(triggerAround(target));
  });
  on("pointerover", ({ target }) => triggerAround(target) !== hovered && hover(null));
  on("pointerout", ({ relatedTarget }) => relatedTarget === null && hover(null));
  on("pointerdown", () => {
    pressed = true;
    close();
  });
  for (const type of ["pointerup", "pointercancel"] as const) on(type, () => (pressed = false));
  on("click", close);
  // Escape is for the tooltip alone, and closes it there.
  on("keydown", ({ key }) => key !== "Escape" && close());
  on("focusin", ({ target }) => {
    const trigger = triggerAround(target);
    if (trigger !== null && !pressed && isExplained(trigger) && trigger.matches(":focus-visible"))
      open(trigger);
  });
  on("focusout", ({ target }) => {
    const trigger = triggerAround(target);
    if (trigger !== null && (trigger === shown || trigger === hovered)) close();
  });

  // What was pointed at or had the focus before anybody watched.
  hover(triggerAround([...document.querySelectorAll(":hover")].at(-1) ?? null));
  const focused = triggerAround(document.activeElement);
  if (focused !== null && isExplained(focused) && focused.matches(":focus-visible")) open(focused);

  return {
    close,
    stop: () => {
      close();
      stopped.abort();
    },
  };
}

function triggerAround(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>("[data-tooltip]") : null;
}

/** Below a dialog: the pointer that rests there points at nothing, and Escape is the dialog's. */
function isCovered(trigger: HTMLElement): boolean {
  return trigger.closest("[aria-hidden=true], [inert]") !== null;
}

/** Its tooltip says more than its text, so that it shows for the focus too. */
function isExplained({ dataset }: HTMLElement): boolean {
  return dataset["tooltipCut"] === undefined;
}

/** One that only repeats its text is wanted while that is cut off. */
function isWanted(trigger: HTMLElement): boolean {
  if (isExplained(trigger)) return true;
  return [...trigger.querySelectorAll("*")].some(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth);
}

function delayOf({ dataset }: HTMLElement): number {
  return dataset["tooltipDelay"] === undefined ? DELAY_MS : Number(dataset["tooltipDelay"]);
}
