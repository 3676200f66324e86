// Whether a hand can have moved a piece so (wire-contract.md §7.3). Pure.
import type { TrackPoint } from "@plumb/protocol/wire/captcha";

const LEAST_POINTS = 5;
/** Nobody looks, grips and moves in less; a puzzle lives for two minutes. */
const LEAST_MS = 200;
const MOST_MS = 120_000;
/** How far the first and the last point may lie from the start and from where the piece was left, pixels. */
const SLACK = 12;
/** A hand does not jump over more of its way than this between two points. */
const LONGEST_STEP = 0.6;

/** `x`: where the piece was left. Keys move it too: their steps are alike, but the times between them are not. */
export function isPlausibleTrack(track: readonly TrackPoint[], x: number): boolean {
  const [first, last] = [track[0], track.at(-1)];
  if (first === undefined || last === undefined || track.length < LEAST_POINTS) return false;
  if (track.some(({ x: left, y, t }) => ![left, y, t].every(Number.isFinite))) return false;
  const lasted = last.t - first.t;
  if (first.t < 0 || lasted < LEAST_MS || lasted > MOST_MS) return false;
  if (Math.abs(first.x) > SLACK || Math.abs(last.x - x) > SLACK) return false;
  const steps = track.slice(1).map((point, index) => {
    const before = track[index] ?? first;
    return { way: point.x - before.x, time: point.t - before.t };
  });
  if (steps.some(({ time }) => time < 0)) return false;
  if (steps.some(({ way }) => Math.abs(way) > Math.abs(x) * LONGEST_STEP)) return false;
  const [one] = steps;
  return !steps.every(({ way, time }) => way === one?.way && time === one.time);
}
