import { expect, test } from "vitest";
import { turnModes } from "./turn-modes.ts";

const offers = (search: boolean, thinking: boolean) => ({
  search: { available: search },
  thinking: { available: thinking, quota: 50 },
});

test.each([
  [true, false, null, { thinking: true, search: false }],
  [false, true, null, { thinking: false, search: true }],
  [true, true, offers(true, true), { thinking: false, search: true }],
  [true, true, offers(false, true), { thinking: true, search: false }],
  [true, false, offers(true, false), { thinking: false, search: false }],
  [false, true, offers(false, true), { thinking: false, search: false }],
  [false, false, offers(true, true), { thinking: false, search: false }],
] as const)(
  "thinking %s and search %s, where %j is offered, send %j",
  (thinkingEnabled, searchEnabled, offered, modes) => {
    expect(turnModes({ thinkingEnabled, searchEnabled }, offered)).toEqual(modes);
  },
);
