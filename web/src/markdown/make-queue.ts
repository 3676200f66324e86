/** What a page may make at once before it lets the browser breathe, in characters of plain text. */
export const costOfOneTask = 4000;
/** What is being written may take this much, since its place would flicker; at usual speeds it takes a tenth of it. */
const costOfWritten = 8000;
const taskMilliseconds = 8;
const windowMilliseconds = 48;
/** What draws itself may take this much of the time of three frames before it is drawn. */
const drawingMilliseconds = 16;

let windowStart = -Infinity;
let spent = 0;
let drawingStart = -Infinity;
let drawingTime = 0;
const urgent: (() => void)[] = [];
const idle = new Set<() => void>();
let scheduled = false;
let idleScheduled = false;

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

/** Calls `draw` now; or soon, a few in each frame, when such calls have just taken long. Returns the way to lose interest. */
export function drawInTime(draw: () => void): () => void {
  let wanted = true;
  const run = () => {
    if (!wanted) return;
    const started = performance.now();
    if (started - drawingStart > windowMilliseconds) {
      drawingStart = started;
      drawingTime = 0;
    }
    draw();
    drawingTime += performance.now() - started;
  };
  if (performance.now() - drawingStart > windowMilliseconds || drawingTime < drawingMilliseconds) run();
  else makeSoon(run);
  return () => {
    wanted = false;
  };
}

/** Calls `make` soon, a few calls in each frame: what they made is laid out before more is made. */
export function makeSoon(make: () => void): void {
  urgent.push(make);
  if (scheduled) return;
  scheduled = true;
  setTimeout(makeSome);
}

/** Calls `make` when the page has nothing else to do. Returns the way to lose interest. */
export function makeWhenIdle(make: () => void): () => void {
  idle.add(make);
  scheduleIdle();
  return () => {
    idle.delete(make);
  };
}

function makeSome(): void {
  const started = performance.now();
  do urgent.shift()?.();
  while (urgent.length > 0 && performance.now() - started < taskMilliseconds);
  scheduled = urgent.length > 0;
  if (scheduled) afterFrame(makeSome);
}

function afterFrame(work: () => void): void {
  // A page that is not seen has no frames.
  if (typeof requestAnimationFrame === "undefined" || document.hidden) setTimeout(work);
  else requestAnimationFrame(() => setTimeout(work));
}

function scheduleIdle(): void {
  if (idleScheduled || idle.size === 0) return;
  idleScheduled = true;
  const work = () => {
    idleScheduled = false;
    const [first] = idle;
    if (first !== undefined) {
      idle.delete(first);
      first();
    }
    scheduleIdle();
  };
  if (typeof requestIdleCallback === "undefined") setTimeout(work, 50);
  else requestIdleCallback(work);
}
