import fc from "fast-check";
import { expect, test } from "vitest";
import { cutIntoBands } from "./picture-bands.ts";

test("bands cover all rows once, and none is higher than it may be", () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 1, maxLength: 400 }),
      fc.integer({ min: 2, max: 90 }),
      (rows, most) => {
        const bands = cutIntoBands(rows, most);
        let next = 0;
        for (const { top, height } of bands) {
          expect(top).toBe(next);
          expect(height).toBeGreaterThan(0);
          expect(height).toBeLessThanOrEqual(most);
          next += height;
        }
        expect(next).toBe(rows.length);
      },
    ),
  );
});

test("no cut goes through a line of words where an empty row is near", () => {
  // Lines of 20 rows with 10 empty ones between them.
  const rows = Uint8Array.from({ length: 1000 }, (_, row) => (row % 30 < 20 ? 200 : 0));
  for (const { top } of cutIntoBands(rows, 100)) expect(rows[top] === 0 || top === 0).toBe(true);
});
