// Whether a hand can have moved a piece so (wire-contract.md §7.3). Pure.
import { SLIDE_STEPS, type TrackPoint } from "@plumb/protocol/wire/captcha";
import { SLIDE_WIDTH } from "./slide-picture.ts";
import { PIECE_SIZE } from "./slide-shape.ts";

/** Of a drawn track: a hand's way is told in many. */
const LEAST_POINTS = 5;
/** Nobody looks, grips and moves in less; a puzzle lives for two minutes. */
const LEAST_MS = 200;
const MOST_MS = 120_000;
/** How far the first and the last point may lie from the start and from where the piece was left, pixels. */
const SLACK = 12;
/** A hand does not jump over more of its way than this between two points. */
const LONGEST_STEP = 0.6;

interface Step {
  way: number;
  time: number;
  /** Where it led. */
  to: number;
}

/** `x`: where the piece was left. By a hand on its handle, or by keys: whoever sees no picture or holds no pointer has those. */
export function isPlausibleTrack(track: readonly TrackPoint[], x: number): boolean {
  const [first, last] = [track[0], track.at(-1)];
  if (first === undefined || last === undefined) return false;
  if (track.some(({ x: left, y, t }) => ![left, y, t].every(Number.isFinite))) return false;
  const lasted = last.t - first.t;
  if (first.t < 0 || lasted < LEAST_MS || lasted > MOST_MS) return false;
  if (Math.abs(first.x) > SLACK || Math.abs(last.x - x) > SLACK) return false;
  const steps = track.slice(1).map((point, index): Step => {
    const before = track[index] ?? first;
    return { way: point.x - before.x, time: point.t - before.t, to: point.x };
  });
  if (steps.some(({ time }) => time < 0)) return false;
  return isKeyed(track, steps) || isDrawn(steps, x);
}

/**
 * Each step is that of a key, or ended where there was no further. Few of them may do, a held key makes them in even times, and
 * one may be most of the way: what a hand could not have done is no sign against keys.
 */
function isKeyed(track: readonly TrackPoint[], steps: readonly Step[]): boolean {
  const { short, long } = SLIDE_STEPS;
  const ends = [0, SLIDE_WIDTH - PIECE_SIZE];
  return (
    track.every(({ y }) => y === 0) &&
    steps.every(
      ({ way, to }) =>
        [short, long].some((step) => step === Math.abs(way)) || (Math.abs(way) < long && ends.includes(to)),
    )
  );
}

function isDrawn(steps: readonly Step[], x: number): boolean {
  if (steps.length + 1 < LEAST_POINTS) return false;
  if (steps.some(({ way }) => Math.abs(way) > Math.abs(x) * LONGEST_STEP)) return false;
  const [one] = steps;
  return !steps.every(({ way, time }) => way === one?.way && time === one.time);
}
