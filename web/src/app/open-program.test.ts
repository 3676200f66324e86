import { afterEach, expect, test, vi } from "vitest";
import { openProgram } from "./open-program.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test("a link of another program is opened in a frame that nobody sees and that goes again", () => {
  vi.useFakeTimers();
  const shown = new Set<object>();
  const frame = { hidden: false, src: "", remove: () => void shown.delete(frame) };
  const made: string[] = [];
  vi.stubGlobal("document", {
    createElement(name: string) {
      made.push(name);
      return frame;
    },
    body: { append: (one: object) => void shown.add(one) },
  });
  openProgram("plumb-app://signed_in");
  expect(made).toEqual(["iframe"]);
  expect(frame).toMatchObject({ hidden: true, src: "plumb-app://signed_in" });
  expect([...shown]).toEqual([frame]);
  vi.advanceTimersByTime(60_000);
  expect([...shown]).toEqual([]);
});
