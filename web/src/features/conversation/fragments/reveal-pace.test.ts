import fc from "fast-check";
import { expect, test } from "vitest";
import { createReveal, cutText } from "./reveal-pace.ts";

const frameMs = 16;

/** Shows a text whose chunks come at these times, frame by frame: what was shown at each frame. */
function play(chunks: readonly { at: number; end: number }[], untilMs: number, from = 0) {
  const reveal = createReveal(from, 0);
  const frames: { at: number; shown: number; come: number }[] = [];
  let next = 0;
  let come = from;
  for (let at = 0; at <= untilMs; at += frameMs) {
    for (let chunk = chunks[next]; chunk !== undefined && chunk.at <= at; chunk = chunks[++next]) {
      come = chunk.end;
      reveal.take(come, chunk.at);
    }
    frames.push({ at, shown: reveal.shown(at), come });
  }
  return frames;
}
const even = (count: number, everyMs: number, length: number) =>
  Array.from({ length: count }, (_, index) => ({ at: index * everyMs, end: (index + 1) * length }));

test("chunks of an even pace are written at that pace, frame by frame [REND-016]", () => {
  const frames = play(even(40, 160, 40), 6000).filter(({ at }) => at > 2000);
  const steps = frames.map(({ shown }, index) => shown - (frames[index - 1]?.shown ?? shown)).slice(1);
  // 40 characters in 160 ms are 4 a frame; together they would be 40 and then nothing.
  expect(Math.max(...steps)).toBeLessThanOrEqual(6);
  expect(Math.min(...steps)).toBeGreaterThanOrEqual(2);
});

test("a pace that changes is followed by a fifth with each chunk: 0.8 of the one before is preserved [REND-016]", () => {
  const reveal = createReveal(0, 0);
  const slow = even(20, 100, 10);
  for (const { at, end } of slow) reveal.take(end, at);
  const { at, end } = slow.at(-1) ?? { at: 0, end: 0 };
  expect(reveal.shown(at + 101)).toBe(end);
  // 28 characters where 10 came each time before: the window of ten says 0.12 a millisecond, and before it was 0.1.
  reveal.take(end + 28, at + 101);
  const written = reveal.shown(at + 301) - end;
  expect(written).toBeGreaterThanOrEqual(20);
  expect(written).toBeLessThanOrEqual(22);
});

test("never more than has come, never back, and nothing waits over 300 ms or beyond ten chunks", () => {
  const chunk = fc.record({
    wait: fc.integer({ min: 0, max: 400 }),
    length: fc.integer({ min: 1, max: 600 }),
  });
  fc.assert(
    fc.property(fc.array(chunk, { minLength: 1, maxLength: 60 }), (parts) => {
      let at = 0;
      let end = 0;
      const chunks = parts.map(({ wait, length }) => ({ at: (at += wait), end: (end += length) }));
      const frames = play(chunks, at + 400);
      for (const [index, frame] of frames.entries()) {
        expect(frame.shown).toBeLessThanOrEqual(frame.come);
        expect(frame.shown).toBeGreaterThanOrEqual(frames[index - 1]?.shown ?? 0);
        const due = chunks.findLast((one) => one.at <= frame.at - 300 - frameMs)?.end ?? 0;
        expect(frame.shown).toBeGreaterThanOrEqual(due);
        const come = chunks.filter((one) => one.at <= frame.at);
        expect(frame.shown).toBeGreaterThanOrEqual(come.at(-10)?.end ?? 0);
      }
      expect(frames.at(-1)?.shown).toBe(end);
    }),
  );
});

test("what was there, the first words, and what was missed are shown at once", () => {
  expect(createReveal(8000, 0).shown(0)).toBe(8000);
  const reveal = createReveal(0, 0);
  reveal.take(12, 5);
  expect(reveal.shown(5)).toBe(12);
  reveal.take(20, 60);
  expect(reveal.shown(60)).toBeLessThan(20);
  reveal.take(2020, 100);
  expect(reveal.shown(100)).toBe(2020);
  reveal.take(2030, 150);
  reveal.catchUp(151);
  expect(reveal.shown(151)).toBe(2030);
});

test("a text that begins anew is shown as it is", () => {
  const reveal = createReveal(100, 0);
  reveal.take(40, 10);
  expect(reveal.shown(10)).toBe(40);
});

test.each([
  ["abc", 2, "ab"],
  ["a😀b", 2, "a😀"],
  ["👩‍👩‍👧x", 1, "👩‍👩‍👧"],
  ["👍🏽x", 2, "👍🏽"],
  ["e\u0301x", 1, "e\u0301"],
  ["1️⃣x", 1, "1️⃣"],
  ["ab", 9, "ab"],
])("no letter is cut: %j at %d", (text, length, shown) => {
  expect(cutText(text, length)).toBe(shown);
});
