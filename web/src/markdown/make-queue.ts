/** What a page may make at once before it lets the browser breathe, in characters of plain text. */
export const costOfOneTask = 4000;
/** What is being written may take this much, since its place would flicker; at usual speeds it takes a tenth of it. */
const costOfWritten = 8000;
const taskMilliseconds = 8;
const windowMilliseconds = 48;
/** What draws itself may take this much of the time between two frames. */
const drawingMilliseconds = 16;
/** The browser takes some 15 milliseconds to style, lay out and paint so many elements of formulas. */
const elementsOfFrame = 450;

interface Part {
  make: () => void;
  block: Element | null;
  /** Where it stands. */
  element: Element | null;
  wanted: boolean;
}

let windowStart = -Infinity;
let spent = 0;
/** What drew itself since the last frame: the browser lays it all out in one task, however late that comes. */
let drawingTime = 0;
let drawnElements = 0;
let awaitsFrame = false;
/** The block that was made since the last frame. */
let growing: Element | null = null;
let made = 0;
let isUnseen = false;
/** Those no longer wanted stay until they are met. */
const urgent: Part[] = [];
const idle: Part[] = [];
const fills: (() => void)[] = [];
let scheduled = false;
let idleScheduled = false;
let isHurried = false;

/**
 * Whether something of this cost may be made now: not more than a task's worth in the time of three frames. `isWritten`:
 * it is part of a reply that is being written.
 */
export function mayMakeNow(cost: number, isWritten: boolean): boolean {
  if (typeof window === "undefined") return true;
  const now = performance.now();
  if (now - windowStart > windowMilliseconds) {
    windowStart = now;
    spent = 0;
  }
  spent += cost;
  return spent <= (isWritten ? costOfWritten : costOfOneTask) || spent === cost;
}

/**
 * Calls `draw` now; or soon, a few in each frame, when such calls since the last frame have taken long or made much.
 * `draw` tells how many elements it has made more. `block` as in `makeSoon`. Returns the way to lose interest.
 */
export function drawInTime(draw: () => number, block: Element | null = null): () => void {
  let wanted = true;
  const run = () => {
    if (!wanted) return;
    const started = performance.now();
    made += 1;
    drawnElements += draw();
    drawingTime += performance.now() - started;
    if (awaitsFrame) return;
    awaitsFrame = true;
    afterFrame(() => {
      awaitsFrame = false;
      drawingTime = drawnElements = 0;
    });
  };
  let forget: (() => void) | undefined;
  if (hasRoom()) run();
  else forget = makeSoon(run, block);
  return () => {
    wanted = false;
    forget?.();
  };
}

function hasRoom(): boolean {
  return isHurried || (drawingTime < drawingMilliseconds && drawnElements < elementsOfFrame);
}

/** Another number than before tells that parts were made or drawn meanwhile. */
export function madeSoFar(): number {
  return made;
}

/** Does at once all that was to be done soon: what is printed is all there, whatever it takes. */
export function hurry(): void {
  isHurried = true;
  made += 1;
  try {
    while (urgent.length > 0) makeNext(urgent.shift());
  } finally {
    isHurried = false;
  }
}

/**
 * Calls `make` soon, a few calls in each frame: what they made is laid out before more is made. `block`: what gets another
 * height by it, one block in each frame. Where two above the screen grow at once, what encloses them both moves by one and
 * grows by the other; that looks still, but the browser counts it as a shift of all that is in view. `element`: where it
 * stands, what is on the screen comes first. Returns the way to lose interest.
 */
export function makeSoon(
  make: () => void,
  block: Element | null = null,
  element: Element | null = block,
): () => void {
  const part = { make, block, element, wanted: true };
  urgent.push(part);
  if (!scheduled) setTimeout(makeSome);
  scheduled = true;
  return () => {
    part.wanted = false;
  };
}

/**
 * Calls `make` when the page has nothing else to do, for the last that was told first: what stands below a part as it is
 * made moves, which costs little once it is made and left out of layout. `block` as in `makeSoon`. Returns the way to lose
 * interest.
 */
export function makeWhenIdle(make: () => void, block: Element | null = null): () => void {
  const part = { make, block, element: block, wanted: true };
  idle.push(part);
  scheduleIdle();
  return () => {
    part.wanted = false;
  };
}

/** Calls `fill` soon, many calls in a task: what they make moves nothing, and is not laid out. */
export function fillSoon(fill: () => void): void {
  if (fills.push(fill) === 1) afterFrame(fillSome);
}

function fillSome(): void {
  const started = performance.now();
  let done = 0;
  for (; done < fills.length && performance.now() - started < taskMilliseconds; done += 1) fills[done]?.();
  fills.splice(0, done);
  if (fills.length > 0) afterFrame(fillSome);
}

/** Told while all that is drawn is hidden: any number of blocks may grow in a frame. */
export function drawUnseen(isHidden: boolean): void {
  isUnseen = isHidden;
}

function mayGrow(block: Element | null): boolean {
  return isUnseen || block === null || growing === null || block === growing;
}

function noteGrowth(block: Element | null): void {
  if (block === null || growing !== null) return;
  growing = block;
  afterFrame(() => {
    growing = null;
  });
}

function makeNext(part: Part | undefined): void {
  if (part?.wanted !== true) return;
  made += 1;
  noteGrowth(part.block);
  part.make();
}

/** How far something is above or below the screen; 0 for what is on it. */
export function distanceFromScreen({ top, bottom }: Pick<DOMRect, "top" | "bottom">): number {
  return Math.max(0, -bottom, top - innerHeight);
}

/** What came near the screen may have left it meanwhile, as the end of an answer whose text is still taken in. */
function sortUrgent(): void {
  // Many formulas stand in one block.
  const distances = new Map<Element | null, number>([[null, 0]]);
  const distanceOf = ({ element }: Part): number => {
    let distance = distances.get(element);
    if (distance === undefined && element !== null)
      distances.set(element, (distance = distanceFromScreen(element.getBoundingClientRect())));
    return distance ?? 0;
  };
  const wanted = urgent.splice(0).filter((part) => part.wanted);
  urgent.push(...wanted.sort((a, b) => distanceOf(a) - distanceOf(b)));
}

/** What was made is laid out: asking where things are takes no time. */
function makeSomeMore(): void {
  sortUrgent();
  makeSome();
}

function makeSome(): void {
  const started = performance.now();
  while (hasRoom() && performance.now() - started < taskMilliseconds) {
    // What may not grow now holds up nothing behind it.
    const next = urgent.findIndex(({ block, wanted }) => !wanted || mayGrow(block));
    if (next < 0) break;
    makeNext(urgent.splice(next, 1)[0]);
  }
  scheduled = urgent.length > 0;
  if (scheduled) afterFrame(makeSomeMore);
}

/** A page that is not seen has no frames, nor one that is hidden while it waits for them. */
function afterFrame(work: () => void): void {
  if (typeof requestAnimationFrame === "undefined" || document.hidden) {
    setTimeout(work);
    return;
  }
  const goOn = () => {
    cancelAnimationFrame(frame);
    document.removeEventListener("visibilitychange", goOn);
    setTimeout(work);
  };
  const frame = requestAnimationFrame(goOn);
  document.addEventListener("visibilitychange", goOn);
}

function scheduleIdle(): void {
  if (idleScheduled || idle.length === 0) return;
  idleScheduled = true;
  const work = () => {
    let next: Part | undefined;
    do next = idle.pop();
    while (next?.wanted === false);
    // What is urgent grows first.
    const waits = next !== undefined && next.block !== null && (scheduled || !mayGrow(next.block));
    if (next !== undefined && waits) idle.push(next);
    else makeNext(next);
    // The page is idle, too, while the browser is late with its frame.
    afterFrame(() => {
      idleScheduled = false;
      scheduleIdle();
    });
  };
  if (typeof requestIdleCallback === "undefined") setTimeout(work, 50);
  else requestIdleCallback(work);
}
