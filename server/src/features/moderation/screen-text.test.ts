// What a reply has said before its run is looked at first; an end of the run does not wait for all of it.
import type { Fragment } from "@plumb/protocol/conversation/fragment";
import { expect, it } from "vitest";
import type { ContentFilter } from "../../ports/content-filter.ts";
import { systemClock } from "../../ports/clock.ts";
import { ReplyScreen, type WhenUnknown } from "./screen-text.ts";

const said: Fragment[] = [
  { id: 2, type: "RESPONSE", content: "word ".repeat(100_000), references: [], stage_id: 1 },
];

/** Allows all; `onPush` is called with each piece that it takes. */
function filterOf(onPush: () => void): ContentFilter {
  return {
    open: () => ({
      push: onPush,
      pace: () => Promise.resolve(),
      end: async () => "allowed",
      abort: () => {},
    }),
    close: async () => {},
  };
}

it.each<[WhenUnknown, boolean]>([
  ["allow", true],
  ["block", false],
])(
  "a run that ends meanwhile looks no further, and the rest counts as unknown: %s",
  async (unknown, stays) => {
    const run = new AbortController();
    let pieces = 0;
    const filter = filterOf(() => {
      pieces += 1;
      if (pieces === 2) run.abort();
    });
    const screen = new ReplyScreen(filter, systemClock, unknown, () => {});
    await screen.begin(said, run.signal);
    expect(pieces).toBe(2);
    expect(await screen.mayStay(1000)).toBe(stays);
  },
);

it("a run that goes on looks at all of it", async () => {
  let pieces = 0;
  const screen = new ReplyScreen(
    filterOf(() => (pieces += 1)),
    systemClock,
    "block",
    () => {},
  );
  await screen.begin(said, new AbortController().signal);
  expect(pieces).toBeGreaterThan(10);
  expect(await screen.mayStay(1000)).toBe(true);
});
