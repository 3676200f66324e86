// The outline of a puzzle's piece: a square with knobs and dents. Pure.

export type Side = "knob" | "dent" | "flat";
/** Left, top, right, bottom. */
export type PieceShape = readonly [Side, Side, Side, Side];

/** Of the whole piece, knobs included, in pixels. */
export const PIECE_SIZE = 46;
const CORE_START = 8;
const CORE_END = PIECE_SIZE - CORE_START;
const KNOB_RADIUS = 7;
const MIDDLE = PIECE_SIZE / 2;
/** Knobs and dents sit a little over the edge, so that they have a neck. */
const KNOB_DEPTH = 3;
/** Points asked per pixel and direction: edges are smooth. */
const SAMPLES = 3;

const centres: readonly (readonly [number, number])[] = [
  [CORE_START, MIDDLE],
  [MIDDLE, CORE_START],
  [CORE_END, MIDDLE],
  [MIDDLE, CORE_END],
];
const outwards: readonly (readonly [number, number])[] = [
  [-1, 0],
  [0, -1],
  [1, 0],
  [0, 1],
];

function isInside(shape: PieceShape, x: number, y: number): boolean {
  let inside = x >= CORE_START && x < CORE_END && y >= CORE_START && y < CORE_END;
  shape.forEach((side, index) => {
    if (side === "flat") return;
    const [centreX = 0, centreY = 0] = centres[index] ?? [];
    const [outX = 0, outY = 0] = outwards[index] ?? [];
    const sign = side === "knob" ? 1 : -1;
    const distance = Math.hypot(
      x - centreX + outX * sign * (KNOB_DEPTH - KNOB_RADIUS / 2),
      y - centreY + outY * sign * (KNOB_DEPTH - KNOB_RADIUS / 2),
    );
    if (distance < KNOB_RADIUS) inside = side === "knob";
  });
  return inside;
}

/** How much of each pixel the piece covers, 0 to 1, row by row over PIECE_SIZE × PIECE_SIZE. */
export function coverOf(shape: PieceShape): Float32Array {
  const cover = new Float32Array(PIECE_SIZE * PIECE_SIZE);
  for (let y = 0; y < PIECE_SIZE; y++) {
    for (let x = 0; x < PIECE_SIZE; x++) {
      let hits = 0;
      for (let sample = 0; sample < SAMPLES * SAMPLES; sample++) {
        const partX = ((sample % SAMPLES) + 0.5) / SAMPLES;
        const partY = (Math.floor(sample / SAMPLES) + 0.5) / SAMPLES;
        if (isInside(shape, x + partX, y + partY)) hits += 1;
      }
      cover[y * PIECE_SIZE + x] = hits / (SAMPLES * SAMPLES);
    }
  }
  return cover;
}
