/** The newest groups change, and what will stand below them is not known: they are always laid out. */
const newestGroups = 3;
/** What is nearer than this the browser would lay out again at once, and count all that is in view as moved. */
const farMargin = "150%";
/** One group at a time: the browser undoes the layout of all that is in it, for formulas a thousand elements and more. */
const sweepMilliseconds = 20;

/** A group as it was laid out with all its blocks. */
interface LaidOut {
  height: number;
  marginAbove: string;
  marginBelow: string;
}

/**
 * Lets the browser leave out the groups of an answer's blocks that are far from the screen: neither laid out nor painted,
 * while a search in the page, a selection and a reader aloud still have them. A group is left out only after it was laid
 * out once with all its blocks and formulas, and is far from the screen. It keeps the height and the distances it had, so
 * nothing moves. Returns the way to stop.
 */
export function skipFarGroups(root: HTMLElement): () => void {
  if (typeof ResizeObserver === "undefined") return () => undefined;
  const watched = new WeakSet<Element>();
  const laidOut = new Map<HTMLElement, LaidOut>();
  const far = new Set<Element>();
  let timer: ReturnType<typeof setTimeout> | null = null;

  const sizes = new ResizeObserver((entries) => {
    for (const { target, contentRect } of entries) {
      // In a turn that is itself left out, or in a hidden page.
      if (contentRect.height === 0) continue;
      laidOut.set(target as HTMLElement, { height: contentRect.height, ...outerMargins(target) });
      sweepSoon();
    }
  });

  const places = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) far.delete(target);
        else far.add(target);
      }
      sweepSoon();
    },
    // The second counts within the page's own scroller.
    { rootMargin: farMargin, scrollMargin: farMargin } as IntersectionObserverInit,
  );

  function sweep(): void {
    timer = null;
    // Not when its size is told: the page, just laid out, would be once more for the same frame.
    const [done, ...further] = [...laidOut].filter(([group]) => far.has(group));
    if (done !== undefined) {
      const [group, as] = done;
      laidOut.delete(group);
      far.delete(group);
      sizes.unobserve(group);
      places.unobserve(group);
      makeSkippable(group, as);
      // The counters of the whole page are numbered anew for it, ten milliseconds for 6,000 elements: here, not in the frame.
      void getComputedStyle(group).contentVisibility;
    }
    const { children } = root;
    const waiting = [...children].slice(0, -newestGroups).filter((group) => !watched.has(group));
    const next = waiting.find((group) => group.querySelector(":scope > [data-place], [data-waits]") === null);
    if (next !== undefined) {
      // Groups that may be left out do not count for those below: what they number has no number from here on.
      root.dataset["long"] = "";
      watched.add(next);
      sizes.observe(next);
      places.observe(next);
    }
    if (further.length > 0 || waiting.length > (next === undefined ? 0 : 1)) sweepSoon();
  }

  function sweepSoon(): void {
    timer ??= setTimeout(sweep, sweepMilliseconds);
  }

  const groups = new MutationObserver(sweepSoon);
  groups.observe(root, { childList: true });
  sweepSoon();
  return () => {
    groups.disconnect();
    sizes.disconnect();
    places.disconnect();
    if (timer !== null) clearTimeout(timer);
  };
}

/** The margins of its first and last block. */
function outerMargins(group: Element): Omit<LaidOut, "height"> {
  const [first, last] = [group.firstElementChild, group.lastElementChild];
  return {
    marginAbove: first === null ? "" : getComputedStyle(first).marginBlockStart,
    marginBelow: last === null ? "" : getComputedStyle(last).marginBlockEnd,
  };
}

/** What is left out lays out by itself, so the margins of its first and last block no longer reach out of it. */
function makeSkippable(group: HTMLElement, { height, marginAbove, marginBelow }: LaidOut): void {
  Object.assign(group.style, {
    containIntrinsicBlockSize: `auto ${height}px`,
    marginBlockStart: marginAbove,
    marginBlockEnd: marginBelow,
  });
  group.dataset["skippable"] = "";
}
