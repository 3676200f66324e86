import { expect, it } from "vitest";
import { isPlausibleTrack } from "./slide-track.ts";

/** As a hand draws it: slow, fast, slow, with a little shake. */
const drawn = (x: number, points = 20, ms = 600) =>
  Array.from({ length: points }, (_, index) => {
    const part = index / (points - 1);
    const eased = part * part * (3 - 2 * part);
    return { x: x * eased, y: Math.sin(index) * 2, t: Math.round(ms * part + (index % 3)) };
  });
/** Keys, as the page tells them: the first press is the beginning. */
const keyed = (places: readonly number[], pauseMs = 130) =>
  [0, ...places].map((x, index) => ({ x, y: 0, t: Math.max(0, index - 1) * pauseMs }));
const arrows = (x: number) => Array.from({ length: x / 4 }, (_, index) => (index + 1) * 4);

it.each([
  ["a drawn one", drawn(150), 150],
  ["a quick one", drawn(120, 14, 220), 120],
  ["an arrow key that is held", keyed(arrows(148), 33), 148],
  ["three page keys", keyed([20, 40, 60]), 60],
  ["page keys and arrows back", keyed([20, 40, 60, 80, 76, 72]), 72],
  ["keys against the end and back", keyed([...arrows(268), 272, 274, 254, 234]), 234],
  ["one that went too far and came back", [...drawn(170), { x: 152, y: 0, t: 900 }], 152],
])("%s is a hand's", (_title, track, x) => {
  expect(isPlausibleTrack(track, x)).toBe(true);
});

it.each([
  ["none", [], 150],
  [
    "a jump",
    [
      { x: 0, y: 0, t: 0 },
      { x: 150, y: 0, t: 300 },
    ],
    150,
  ],
  ["a jump that two keys would have made", keyed([40, 60]), 60],
  ["keys in no time", keyed([20, 40, 60], 40), 60],
  ["keys that end elsewhere", keyed([20, 40, 60]), 80],
  ["the steps of keys off their line", keyed([20, 40, 60]).map((point) => ({ ...point, y: 2 })), 60],
  ["a jump among points", [0, 0, 0, 150, 150, 150].map((x, index) => ({ x, y: 0, t: index * 70 })), 150],
  ["one in no time", drawn(150, 20, 100), 150],
  ["one without end", drawn(150, 20, 200_000), 150],
  ["one that ends elsewhere", drawn(150), 180],
  ["one that begins elsewhere", drawn(150).map((point) => ({ ...point, x: point.x + 40 })), 190],
  ["one back in time", drawn(150).map((point, index) => (index === 9 ? { ...point, t: 1 } : point)), 150],
  ["even steps in even times", Array.from({ length: 31 }, (_, at) => ({ x: at * 5, y: 0, t: at * 16 })), 150],
  ["no numbers", drawn(150).map((point) => ({ ...point, x: Number.NaN })), 150],
  ["a start before its start", drawn(150).map((point) => ({ ...point, t: point.t - 50 })), 150],
])("%s is not", (_title, track, x) => {
  expect(isPlausibleTrack(track, x)).toBe(false);
});
