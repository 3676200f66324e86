// Draws a slide puzzle: a picture with a hole, and the piece that fits in it. A few milliseconds of arithmetic; pure over its
// source of chance.
//
// Machines find holes by their edge, by their darkness, or by laying the piece over the picture. So two more holes of other
// shapes lie on the same height, all are shaded unevenly, and the piece is lit otherwise than the picture it was cut from.
// That raises the price; it does not make it impossible. What limits a machine is how often it may try.
import type { Pixels } from "../../platform/pictures/png.ts";
import { coverOf, PIECE_SIZE, type PieceShape, type Side } from "./slide-shape.ts";

export const SLIDE_WIDTH = 320;
export const SLIDE_HEIGHT = 160;
const MARGIN = 4;
/** A hole nearer to the start would be covered by the piece. */
const FIRST_PLACE = 30;
const LAST_PLACE = SLIDE_WIDTH - PIECE_SIZE - MARGIN;
/** Holes on the height of the true one: in a picture with one hole alone its place is where the picture is darkest. */
const DECOYS = 2;
/** Between two holes, so that people do not take one for the other. Wherever the true one lies, two more find room. */
const APART = PIECE_SIZE + 4;

/** Numbers in [0, 1). */
export type Chance = () => number;

/** Where the holes of a puzzle lie, all on one height. */
export interface SlidePlan {
  /** Where the piece's left edge belongs, pixels. Each of 241 places is equally likely. */
  x: number;
  y: number;
  decoys: readonly number[];
}

export interface SlidePuzzle extends Pick<SlidePlan, "x" | "y"> {
  background: Pixels;
  piece: Pixels;
}

/** How much brighter or darker neighbouring points may be by chance, of 255. */
const GRAIN = 20;

type Colour = readonly [number, number, number];

/** Chooses the true place first, so that no place is likelier than another whatever room the decoys need. */
export function planSlidePuzzle(chance: Chance): SlidePlan {
  const whole = (from: number, to: number) => from + Math.floor(chance() * (to - from + 1));
  const y = whole(MARGIN, SLIDE_HEIGHT - PIECE_SIZE - MARGIN);
  const x = whole(FIRST_PLACE, LAST_PLACE);
  const decoys: number[] = [];
  while (decoys.length < DECOYS) {
    const free = range(FIRST_PLACE, LAST_PLACE).filter((place) =>
      [x, ...decoys].every((taken) => Math.abs(place - taken) >= APART),
    );
    const decoy = free[Math.floor(chance() * free.length)];
    if (decoy === undefined) throw new Error("no room for a decoy");
    decoys.push(decoy);
  }
  return { x, y, decoys };
}

export function drawSlidePuzzle(chance: Chance): SlidePuzzle {
  const { x, y, decoys } = planSlidePuzzle(chance);
  const shape = anyShape(chance);
  const scene = drawScene(chance);
  const cover = coverOf(shape);
  const piece = cutPiece(scene, cover, { x, y }, chance);
  digHole(scene, cover, { x, y }, chance);
  for (const decoy of decoys) digHole(scene, coverOf(otherShape(shape, chance)), { x: decoy, y }, chance);
  return { background: scene, piece, x, y };
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
}

function anyShape(chance: Chance): PieceShape {
  const side = (): Side => (["knob", "dent", "flat"] as const)[Math.floor(chance() * 3)] ?? "flat";
  const shape: PieceShape = [side(), side(), side(), side()];
  return shape.every((one) => one === "flat") ? ["flat", "knob", "dent", "flat"] : shape;
}

/** One that differs on every side. */
function otherShape(shape: PieceShape, chance: Chance): PieceShape {
  const others: Record<Side, readonly [Side, Side]> = {
    knob: ["dent", "flat"],
    dent: ["knob", "flat"],
    flat: ["knob", "dent"],
  };
  return shape.map((side) => others[side][chance() < 0.5 ? 0 : 1]) as unknown as PieceShape;
}

/** Soft hills of colour, with discs and strokes over them and grain over all. */
function drawScene(chance: Chance): Pixels {
  const data = new Uint8Array(SLIDE_WIDTH * SLIDE_HEIGHT * 3);
  const hue = chance() * 360;
  const corners = [0, 40, 80, 150].map((turn) =>
    colourOf(hue + turn + chance() * 40, 0.35 + chance() * 0.3, chance),
  );
  const waves = Array.from({ length: 4 }, () => drawWave(chance));
  for (let y = 0; y < SLIDE_HEIGHT; y++) {
    const down = y / SLIDE_HEIGHT;
    const left = between(corners[0], corners[2], down);
    const right = between(corners[1], corners[3], down);
    for (let x = 0; x < SLIDE_WIDTH; x++) {
      let lift = 0;
      for (const wave of waves) lift += wave(x, y);
      const part = x / SLIDE_WIDTH;
      const at = (y * SLIDE_WIDTH + x) * 3;
      for (let channel = 0; channel < 3; channel++) {
        const from = left[channel] ?? 0;
        data[at + channel] = clamp(from + ((right[channel] ?? 0) - from) * part + lift);
      }
    }
  }
  const scene: Pixels = { width: SLIDE_WIDTH, height: SLIDE_HEIGHT, channels: 3, data };
  for (let count = 0; count < 14; count++) drawDisc(scene, chance);
  for (let count = 0; count < 6; count++) drawStroke(scene, chance);
  for (let at = 0; at < data.length; at += 3) {
    const grain = Math.round((chance() - 0.5) * GRAIN);
    for (let channel = 0; channel < 3; channel++)
      data[at + channel] = clamp((data[at + channel] ?? 0) + grain);
  }
  return scene;
}

function between(one: Colour | undefined, other: Colour | undefined, part: number): Colour {
  const at = (channel: 0 | 1 | 2) => {
    const from = one?.[channel] ?? 0;
    return from + ((other?.[channel] ?? 0) - from) * part;
  };
  return [at(0), at(1), at(2)];
}

/** A wave over the picture, as a function of the point: its sines are taken once for each row and column. */
function drawWave(chance: Chance): (x: number, y: number) => number {
  const [stepX, stepY] = [(chance() - 0.5) * 0.12, (chance() - 0.5) * 0.12];
  const phase = chance() * Math.PI * 2;
  const height = 8 + chance() * 18;
  const table = (count: number, of: (at: number) => number) =>
    Float64Array.from({ length: count }, (_, at) => of(at));
  const [sinX, cosX] = [Math.sin, Math.cos].map((of) =>
    table(SLIDE_WIDTH, (x) => of(x * stepX + phase) * height),
  );
  const [sinY, cosY] = [Math.sin, Math.cos].map((of) => table(SLIDE_HEIGHT, (y) => of(y * stepY)));
  return (x, y) => (sinX?.[x] ?? 0) * (cosY?.[y] ?? 0) + (cosX?.[x] ?? 0) * (sinY?.[y] ?? 0);
}

function colourOf(hue: number, lightness: number, chance: Chance): Colour {
  const chroma = (1 - Math.abs(2 * lightness - 1)) * (0.35 + chance() * 0.4);
  const channel = (offset: number): number => {
    const turn = (offset + (hue % 360) / 30) % 12;
    return 255 * (lightness - (chroma / 2) * Math.max(-1, Math.min(turn - 3, 9 - turn, 1)));
  };
  return [channel(0), channel(8), channel(4)];
}

function drawDisc(scene: Pixels, chance: Chance): void {
  const [centreX, centreY] = [chance() * SLIDE_WIDTH, chance() * SLIDE_HEIGHT];
  const radius = 6 + chance() * 26;
  const stretch = 0.5 + chance();
  const colour = colourOf(chance() * 360, 0.3 + chance() * 0.4, chance);
  const strength = 0.25 + chance() * 0.4;
  const top = Math.max(0, Math.floor(centreY - radius * stretch));
  const bottom = Math.min(SLIDE_HEIGHT, Math.ceil(centreY + radius * stretch));
  for (let y = top; y < bottom; y++) {
    for (
      let x = Math.max(0, Math.floor(centreX - radius));
      x < Math.min(SLIDE_WIDTH, centreX + radius);
      x++
    ) {
      const edge = radius - Math.hypot(x - centreX, (y - centreY) / stretch);
      if (edge > 0) mix(scene, x, y, colour, strength * Math.min(1, edge / 2));
    }
  }
}

function drawStroke(scene: Pixels, chance: Chance): void {
  const colour = colourOf(chance() * 360, 0.25 + chance() * 0.5, chance);
  const thickness = 1 + chance() * 2.5;
  const [base, slope, bend] = [chance() * SLIDE_HEIGHT, (chance() - 0.5) * 0.6, chance() * 24];
  const frequency = 0.01 + chance() * 0.05;
  for (let x = 0; x < SLIDE_WIDTH; x++) {
    const centre = base + slope * (x - SLIDE_WIDTH / 2) + Math.sin(x * frequency) * bend;
    for (let y = Math.max(0, Math.floor(centre - 4)); y < Math.min(SLIDE_HEIGHT, centre + 4); y++)
      mix(scene, x, y, colour, Math.max(0, Math.min(1, thickness - Math.abs(y - centre))) * 0.7);
  }
}

function cutPiece(
  scene: Pixels,
  cover: Float32Array,
  place: { x: number; y: number },
  chance: Chance,
): Pixels {
  const data = new Uint8Array(PIECE_SIZE * PIECE_SIZE * 4);
  const light = 1.04 + chance() * 0.12;
  const tint = [0, 1, 2].map(() => (chance() - 0.5) * 18);
  for (let at = 0; at < cover.length; at++) {
    const [pieceX, pieceY] = [at % PIECE_SIZE, Math.floor(at / PIECE_SIZE)];
    const from = ((place.y + pieceY) * SLIDE_WIDTH + place.x + pieceX) * 3;
    // A bright rim, so that the piece is seen where its colours are those of the picture.
    const rim = isRim(cover, pieceX, pieceY) ? 70 : 0;
    for (let channel = 0; channel < 3; channel++) {
      const value =
        (scene.data[from + channel] ?? 0) * light + (tint[channel] ?? 0) + rim + (chance() - 0.5) * 24;
      data[at * 4 + channel] = clamp(value);
    }
    data[at * 4 + 3] = Math.round((cover[at] ?? 0) * 255);
  }
  return { width: PIECE_SIZE, height: PIECE_SIZE, channels: 4, data };
}

function isRim(cover: Float32Array, x: number, y: number): boolean {
  const at = (left: number, top: number) =>
    left < 0 || top < 0 || left >= PIECE_SIZE || top >= PIECE_SIZE
      ? 0
      : (cover[top * PIECE_SIZE + left] ?? 0);
  return at(x, y) > 0 && Math.min(at(x - 2, y), at(x + 2, y), at(x, y - 2), at(x, y + 2)) < 0.5;
}

function digHole(scene: Pixels, cover: Float32Array, place: { x: number; y: number }, chance: Chance): void {
  const depth = 0.42 + chance() * 0.14;
  const [slopeX, slopeY] = [(chance() - 0.5) * 0.24, (chance() - 0.5) * 0.24];
  for (let at = 0; at < cover.length; at++) {
    const [x, y] = [at % PIECE_SIZE, Math.floor(at / PIECE_SIZE)];
    const part = cover[at] ?? 0;
    if (part === 0) continue;
    const shade =
      depth + slopeX * (x / PIECE_SIZE - 0.5) + slopeY * (y / PIECE_SIZE - 0.5) + (chance() - 0.5) * 0.16;
    const to = ((place.y + y) * SLIDE_WIDTH + place.x + x) * 3;
    for (let channel = 0; channel < 3; channel++)
      scene.data[to + channel] = clamp((scene.data[to + channel] ?? 0) * (1 - part * shade));
  }
}

function mix(scene: Pixels, x: number, y: number, colour: Colour, part: number): void {
  const at = (y * SLIDE_WIDTH + x) * 3;
  for (let channel = 0; channel < 3; channel++) {
    const value = scene.data[at + channel] ?? 0;
    scene.data[at + channel] = clamp(value + ((colour[channel] ?? 0) - value) * part);
  }
}

function clamp(value: number): number {
  return value < 0 ? 0 : value > 255 ? 255 : Math.round(value);
}
