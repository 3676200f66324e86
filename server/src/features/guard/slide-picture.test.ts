import { inflateSync } from "node:zlib";
import { expect, it } from "vitest";
import { encodePng } from "../../platform/pictures/png.ts";
import { fastChance } from "./fast-chance.ts";
import { drawSlidePuzzle, SLIDE_HEIGHT, SLIDE_WIDTH } from "./slide-picture.ts";
import { coverOf, PIECE_SIZE } from "./slide-shape.ts";

const seeded = (seed: number) =>
  fastChance(Buffer.from(Array.from({ length: 16 }, (_, at) => (seed * 31 + at * 7) % 256)));
const puzzles = Array.from({ length: 60 }, (_, seed) => drawSlidePuzzle(seeded(seed)));

/** How much darker the place at `x` is than what lies left and right of it. */
function darkness({ background, y }: (typeof puzzles)[number], x: number): number {
  const meanOf = (from: number, to: number) => {
    let sum = 0;
    for (let row = y + 12; row < y + PIECE_SIZE - 12; row++)
      for (let column = from; column < to; column++)
        for (let channel = 0; channel < 3; channel++)
          sum += background.data[(row * SLIDE_WIDTH + column) * 3 + channel] ?? 0;
    return sum / ((to - from) * (PIECE_SIZE - 24) * 3);
  };
  const around =
    (meanOf(Math.max(0, x - 20), x) + meanOf(x + PIECE_SIZE, Math.min(SLIDE_WIDTH, x + PIECE_SIZE + 20))) / 2;
  return around - meanOf(x + 12, x + PIECE_SIZE - 12);
}

it("lies inside of the picture, never where a hand begins, and all over it", () => {
  for (const { x, y } of puzzles) {
    expect([x >= 30, x + PIECE_SIZE < SLIDE_WIDTH, y >= 4, y + PIECE_SIZE < SLIDE_HEIGHT]).not.toContain(
      false,
    );
  }
  expect(new Set(puzzles.map(({ x }) => x)).size).toBeGreaterThan(30);
  expect(new Set(puzzles.map(({ y }) => y)).size).toBeGreaterThan(20);
});

it("shows its hole to people: it is darker than what lies around it", () => {
  const seen = puzzles.filter((puzzle) => darkness(puzzle, puzzle.x) > 15);
  expect(seen.length).toBeGreaterThan(puzzles.length * 0.9);
});

it("is not given away by the darkest place of its row", () => {
  const found = puzzles.filter((puzzle) => {
    let [best, at] = [-Infinity, 0];
    for (let x = 30; x < SLIDE_WIDTH - PIECE_SIZE; x++) {
      const dark = darkness(puzzle, x);
      if (dark > best) [best, at] = [dark, x];
    }
    return Math.abs(at - puzzle.x) <= 6;
  });
  expect(found.length).toBeLessThan(puzzles.length * 0.5);
});

it("has a piece whose colours are found nowhere in the picture as they are", () => {
  for (const { piece, background, x, y } of puzzles) {
    let same = 0;
    for (let at = 0; at < PIECE_SIZE * PIECE_SIZE; at++) {
      if (piece.data[at * 4 + 3] !== 255) continue;
      const to = ((y + Math.floor(at / PIECE_SIZE)) * SLIDE_WIDTH + x + (at % PIECE_SIZE)) * 3;
      if ([0, 1, 2].every((channel) => piece.data[at * 4 + channel] === background.data[to + channel]))
        same += 1;
    }
    expect(same).toBeLessThan(20);
  }
});

it("knobs stand out of the square and dents go into it", () => {
  const at = (shape: Parameters<typeof coverOf>[0], x: number, y: number) =>
    coverOf(shape)[y * PIECE_SIZE + x];
  expect(at(["knob", "flat", "flat", "flat"], 4, 23)).toBe(1);
  expect(at(["flat", "flat", "flat", "flat"], 4, 23)).toBe(0);
  expect(at(["dent", "flat", "flat", "flat"], 11, 23)).toBe(0);
  expect(at(["dent", "flat", "flat", "knob"], 23, 41)).toBe(1);
});

it("is a PNG that says nothing but its pixels", async () => {
  const { piece } = puzzles[0] as (typeof puzzles)[number];
  const png = await encodePng(piece);
  const types: string[] = [];
  let data: Uint8Array = Buffer.alloc(0);
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at);
    const type = png.toString("latin1", at + 4, at + 8);
    types.push(type);
    if (type === "IDAT") data = png.subarray(at + 8, at + 8 + length);
    at += length + 12;
  }
  expect(types).toEqual(["IHDR", "IDAT", "IEND"]);
  const rows = inflateSync(data);
  const stride = PIECE_SIZE * 4;
  expect(rows).toHaveLength((stride + 1) * PIECE_SIZE);
  for (let y = 0; y < PIECE_SIZE; y++)
    expect(rows.subarray(y * (stride + 1) + 1, (y + 1) * (stride + 1))).toEqual(
      Buffer.from(piece.data.subarray(y * stride, (y + 1) * stride)),
    );
});
