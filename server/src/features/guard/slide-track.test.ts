import { expect, it } from "vitest";
import { isPlausibleTrack } from "./slide-track.ts";

/** As a hand draws it: slow, fast, slow, with a little shake. */
const drawn = (x: number, points = 20, ms = 600) =>
  Array.from({ length: points }, (_, index) => {
    const part = index / (points - 1);
    const eased = part * part * (3 - 2 * part);
    return { x: x * eased, y: Math.sin(index) * 2, t: Math.round(ms * part + (index % 3)) };
  });
const keyed = (x: number) =>
  Array.from({ length: x / 5 + 1 }, (_, index) => ({ x: index * 5, y: 0, t: index * 33 + (index % 4) }));

it.each([
  ["a drawn one", drawn(150), 150],
  ["a quick one", drawn(120, 14, 220), 120],
  ["keys that are held", keyed(150), 150],
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
