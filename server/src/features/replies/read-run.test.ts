// How long a run took, read from a log whose times are those of a wall clock that may be set.
import type { Message } from "@plumb/protocol/conversation/message";
import { emptyReply } from "@plumb/protocol/stream/reply-state";
import { describe, expect, it } from "vitest";
import { readRun } from "./read-run.ts";
import { fragmentEvent, textEvent } from "./reply-events.ts";

const MINUTE = 60_000;
const thought = {
  id: 2,
  type: "THINK",
  content: "Hm",
  elapsed_secs: null,
  references: [],
  stage_id: 1,
} as const;

/** A log whose groups were written at these times, by the processes of these epochs. The thought begins with the second. */
function read(...times: readonly { at: number; epoch?: number }[]) {
  const groups = times.map(({ at, epoch = 1 }, index) => ({
    firstId: index + 1,
    epoch,
    at,
    events: [index === 1 ? fragmentEvent(thought) : textEvent("so")],
  }));
  const message = { status: "WIP", fragments: [thought] } as unknown as Message;
  const { producedMs, growingMs } = readRun({ ...emptyReply(), message }, groups);
  return { producedMs, growingMs };
}

describe("the time of a run", () => {
  it("is that between its events", () => {
    expect(read({ at: 5000 }, { at: 5400 }, { at: 8000 })).toEqual({ producedMs: 3000, growingMs: 2600 });
  });

  it("holds no pause between one process and the next", () => {
    const times = [{ at: 0 }, { at: 100 }, { at: 400 }, { at: 9000, epoch: 2 }, { at: 9050, epoch: 2 }];
    expect(read(...times)).toEqual({ producedMs: 450, growingMs: 350 });
  });

  it("holds the silence of a local model that reads a long prompt", () => {
    expect(read({ at: 0 }, { at: 400 }, { at: 4 * MINUTE })).toMatchObject({ producedMs: 4 * MINUTE });
  });

  it("holds no step of the clock, forward or back", () => {
    const hour = 60 * MINUTE;
    const forward = [{ at: 0 }, { at: 100 }, { at: hour + 300 }, { at: hour + 800 }];
    expect(read(...forward)).toEqual({ producedMs: 600, growingMs: 500 });
    const back = [{ at: hour }, { at: hour + 100 }, { at: 300 }, { at: 800 }];
    expect(read(...back)).toEqual({ producedMs: 600, growingMs: 500 });
  });
});
