import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canBeShared } from "./can-be-shared.ts";
import {
  shareChains,
  shareProblem,
  sharePairs,
  toggleAllPairs,
  togglePair,
} from "./share-selection-rules.ts";

interface Made {
  message_id: number;
  parent_id: number | null;
  role: string;
  status: string;
  accumulated_token_usage: number | null;
}

/** Ids in order, each with its parent, alternating roles: U under null, A under U, U under A. */
function session(...rows: [id: number, parent: number | null, status?: string, used?: number][]): Made[] {
  const made: Made[] = [];
  for (const [message_id, parent_id, status = "FINISHED", used = message_id * 10] of rows) {
    const above = made.find((one) => one.message_id === parent_id);
    const role = above?.role === "USER" ? "ASSISTANT" : "USER";
    made.push({ message_id, parent_id, role, status, accumulated_token_usage: used });
  }
  return made;
}

/** Any tree of a session: every message under a random older one of the other role. */
const anySession = fc
  .array(
    fc.record({ at: fc.nat(), status: fc.constantFrom("FINISHED", "INCOMPLETE", "WIP", "CONTENT_FILTER") }),
    {
      minLength: 1,
      maxLength: 30,
    },
  )
  .map((steps) => {
    const made: Made[] = [];
    for (const { at, status } of steps) {
      const message_id = made.length + 1;
      const above = made[at % (made.length + 1)];
      const role = above?.role === "USER" ? "ASSISTANT" : "USER";
      made.push({
        message_id,
        parent_id: above?.message_id ?? null,
        role,
        status: role === "USER" ? "FINISHED" : status,
        accumulated_token_usage: (above?.accumulated_token_usage ?? 0) + message_id,
      });
    }
    return made;
  });

/** A session with a choice of its messages, each once. */
const anyChoice = anySession.chain((messages) =>
  fc.record({
    messages: fc.constant(messages),
    ids: fc.shuffledSubarray(messages.map((message) => message.message_id)),
  }),
);

const branchTo = (messages: readonly Made[], leaf: number): Made[] => {
  const found = messages.find((message) => message.message_id === leaf);
  if (found === undefined) return [];
  return [...(found.parent_id === null ? [] : branchTo(messages, found.parent_id)), found];
};

describe("what can be chosen", () => {
  it.each([
    ["FINISHED", 1, true],
    ["INCOMPLETE", 1, true],
    ["TIMEOUT", 1, true],
    ["CONTEXT_LENGTH_EXCEEDED", 1, true],
    ["WIP", 1, false],
    ["CONTENT_FILTER", 1, false],
    ["FINISHED", -1, false],
  ])("a message that is %s with the id %i: %s", (status, message_id, can) => {
    expect(canBeShared({ message_id, status })).toBe(can);
  });

  it("goes in pairs that are ticked and unticked as one, all of them by one more", () => {
    const branch = session([1, null], [2, 1], [3, 2], [4, 3, "WIP"], [5, 4], [6, 5, "INCOMPLETE"], [7, 6]);
    const pairs = sharePairs(branch);
    expect(pairs).toEqual([
      { request: 1, reply: 2 },
      { request: 5, reply: 6 },
    ]);
    let chosen: ReadonlySet<number> = new Set();
    chosen = togglePair(chosen, pairs, 6);
    expect([...chosen]).toEqual([5, 6]);
    for (const none of [3, 4, 7, 99]) expect(togglePair(chosen, pairs, none)).toBe(chosen);
    chosen = togglePair(chosen, pairs, 5);
    expect([...chosen]).toEqual([]);
    chosen = toggleAllPairs(togglePair(chosen, pairs, 1), pairs);
    expect(chosen).toEqual(new Set([1, 2, 5, 6]));
    expect([...toggleAllPairs(chosen, pairs)]).toEqual([]);
  });

  it("whatever is ticked on any branch can be shared, unless nothing is", () => {
    fc.assert(
      fc.property(anySession, fc.nat(), fc.array(fc.nat(40)), (messages, leaf, ticks) => {
        const branch = branchTo(messages, 1 + (leaf % messages.length));
        const pairs = sharePairs(branch);
        const chosen = ticks.reduce<ReadonlySet<number>>((so, id) => togglePair(so, pairs, id), new Set());
        expect(shareProblem(messages, [...chosen])).toBe(chosen.size === 0 ? "cannot-be-shared" : null);
        expect(chosen.size % 2).toBe(0);
        const all = toggleAllPairs(new Set(), pairs);
        expect(all.size).toBe(2 * pairs.length);
      }),
    );
  });
});

describe("what is refused", () => {
  const messages = session(
    [1, null],
    [2, 1],
    [3, 1],
    [4, 2],
    [5, 4, "CONTENT_FILTER"],
    [6, 4, "WIP"],
    [7, 2],
    [8, 7],
  );
  it.each([
    [[], "cannot-be-shared"],
    [[9], "cannot-be-shared"],
    [[-1], "cannot-be-shared"],
    [[1, 2, 9], "cannot-be-shared"],
    [[4, 5], "cannot-be-shared"],
    [[4, 6], "cannot-be-shared"],
    [[5, 5], "cannot-be-shared"],
    [[1], "not-in-pairs"],
    [[2], "not-in-pairs"],
    [[1, 1], "not-in-pairs"],
    [[1, 2, 3], "not-in-pairs"],
    [[1, 8], "not-in-pairs"],
    [[1, 2, 4], "not-in-pairs"],
    [[1, 2, 2], "duplicate"],
    [[1, 2], null],
    [[3, 1], null],
    [[8, 7, 2, 1], null],
    [[7, 8], null],
  ])("%j: %s", (ids, problem) => {
    expect(shareProblem(messages, ids)).toBe(problem);
  });

  it("is every choice that is not whole pairs of what can be shared, and no other", () => {
    fc.assert(
      fc.property(anyChoice, ({ messages: all, ids }) => {
        const chosen = all.filter((message) => ids.includes(message.message_id));
        const isWhole =
          chosen.length > 0 &&
          chosen.every(canBeShared) &&
          chosen.every((message) =>
            message.role === "USER"
              ? chosen.filter((other) => other.parent_id === message.message_id && other.role !== "USER")
                  .length === 1
              : ids.includes(message.parent_id ?? 0),
          );
        expect(shareProblem(all, ids) === null).toBe(isWhole);
        if (isWhole) expect(shareProblem(all, [...ids, ids[0] as number])).toBe("duplicate");
      }),
    );
  });
});

describe("chains", () => {
  it("are numbered from 1, each message under the nearest chosen one above it", () => {
    const messages = session([1, null], [2, 1], [3, 2], [4, 3], [5, 4], [6, 5], [9, null], [10, 9]);
    expect(shareChains(messages, [10, 6, 9, 5, 2, 1])).toEqual([
      { message_id: 1, parent_id: null, source: 1, accumulated_token_usage: 10 },
      { message_id: 2, parent_id: 1, source: 2, accumulated_token_usage: 20 },
      { message_id: 3, parent_id: 2, source: 5, accumulated_token_usage: 30 },
      { message_id: 4, parent_id: 3, source: 6, accumulated_token_usage: 40 },
      { message_id: 5, parent_id: null, source: 9, accumulated_token_usage: 90 },
      { message_id: 6, parent_id: 5, source: 10, accumulated_token_usage: 100 },
    ]);
  });

  it("hold the chosen ones alone, keep who stands above whom, and count each message's own tokens", () => {
    fc.assert(
      fc.property(anyChoice, ({ messages, ids }) => {
        const places = shareChains(messages, ids);
        expect(places.map((place) => place.message_id)).toEqual(places.map((_place, index) => index + 1));
        expect(places.map((place) => place.source)).toEqual([...ids].sort((a, b) => a - b));
        const placeOf = new Map(places.map((place) => [place.source, place]));
        for (const { source, parent_id, accumulated_token_usage } of places) {
          const above = branchTo(messages, source)
            .slice(0, -1)
            .findLast(({ message_id }) => placeOf.has(message_id));
          expect(parent_id).toBe(above === undefined ? null : placeOf.get(above.message_id)?.message_id);
          const used =
            above === undefined ? 0 : (placeOf.get(above.message_id)?.accumulated_token_usage ?? 0);
          expect(accumulated_token_usage).toBe(used + source);
        }
      }),
    );
  });
});
