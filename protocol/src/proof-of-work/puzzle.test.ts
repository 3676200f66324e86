import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { puzzleText } from "./challenge.ts";
import { solve, verify } from "./puzzle.ts";

const sha256 = (ascii: string) => createHash("sha256").update(ascii, "ascii").digest("hex");
const vector = {
  challenge: "dc76a7c0e92ae86b45a3d89258ded3732508e0857bad437fdb9411ef727b9643",
  salt: "a1b2c300c3506b49d32c",
  difficulty: 50_000,
  expire_at: 1_800_000_300_000,
};

describe("puzzle", () => {
  it("[POW-006] solves the contract's vector to its answer", () => {
    expect(solve(vector, sha256)).toBe(31_337);
    expect(verify(vector, 31_337, sha256)).toBe(true);
  });

  it.each([31_336, -1, 50_000, 0.5, Number.NaN, Infinity])("does not verify %j", (answer) => {
    expect(verify(vector, answer, sha256)).toBe(false);
  });

  it("refuses the right number beyond the difficulty without hashing", () => {
    let hashed = 0;
    const counting = (ascii: string) => {
      hashed++;
      return sha256(ascii);
    };
    expect(verify({ ...vector, difficulty: 31_337 }, 31_337, counting)).toBe(false);
    expect(hashed).toBe(0);
  });

  it("finds every answer below the difficulty, and null when there is none", () => {
    fc.assert(
      fc.property(fc.nat({ max: 300 }), fc.integer({ min: 1, max: 300 }), (answer, difficulty) => {
        const puzzle = {
          ...vector,
          difficulty,
          challenge: sha256(puzzleText(vector.salt, vector.expire_at, answer)),
        };
        expect(solve(puzzle, sha256)).toBe(answer < difficulty ? answer : null);
      }),
      { numRuns: 30 },
    );
  });

  it("tells its progress and stops when asked", () => {
    const tried: number[] = [];
    const answer = solve(vector, sha256, {
      onProgress: (count) => tried.push(count),
      shouldStop: () => tried.length === 3,
    });
    expect(answer).toBeNull();
    expect(tried).toEqual([0, 1000, 2000]);
  });
});
