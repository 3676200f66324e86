import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  emptyTree,
  getMessage,
  insertMessage,
  leafOf,
  type MessageTree,
  pathTo,
  removeMessage,
  replaceMessage,
  selectSibling,
  showDeepest,
  shownBranch,
  siblingsOf,
  treeOf,
  updateMessage,
  withChoicesOf,
} from "./message-tree.ts";

interface Note {
  message_id: number;
  parent_id: number | null;
  text?: string;
}

function note(message_id: number, parent_id: number | null): Note {
  return { message_id, parent_id };
}

/** 1 → 2, 3 (two replies); 3 → 4 → 5; 4 has a sibling 6 → 7; 8 is a second root. */
const NOTES = [
  note(5, 4),
  note(1, null),
  note(3, 1),
  note(2, 1),
  note(4, 3),
  note(6, 3),
  note(7, 6),
  note(8, null),
];

/** Fails unless the tree is one: every node reached once from the roots, links agree both ways, indexes in bounds. */
function expectTree(tree: MessageTree<Note>): void {
  const seen = new Set<number>();
  const visit = (ids: readonly number[], index: number, parentId: number | null): void => {
    expect(index).toBeGreaterThanOrEqual(0);
    expect(index).toBeLessThan(Math.max(1, ids.length));
    for (const id of ids) {
      expect(seen.has(id)).toBe(false);
      seen.add(id);
      const node = tree.nodes.get(id);
      expect(node?.message).toMatchObject({ message_id: id, parent_id: parentId });
      if (node) visit(node.childIds, node.currentChildIndex, id);
    }
  };
  visit(tree.rootIds, tree.rootIndex, null);
  expect(seen.size).toBe(tree.nodes.size);

  const branch = shownBranch(tree);
  const leaf = leafOf(tree);
  expect(leaf === null).toBe(tree.nodes.size === 0);
  if (leaf === null) return;
  expect(tree.nodes.get(leaf)?.childIds).toEqual([]);
  expect(pathTo(tree, leaf)).toEqual(branch);
}

describe("treeOf", () => {
  it.each([
    [5, [1, 3, 4, 5]],
    [7, [1, 3, 6, 7]],
    [3, [1, 3, 6, 7]],
    [2, [1, 2]],
    [1, [1, 3, 6, 7]],
    [8, [8]],
    [null, [8]],
    [99, [8]],
  ])("[ENG-002] with current message %s shows %j", (current, branch) => {
    const tree = treeOf(NOTES, current);
    expectTree(tree);
    expect(shownBranch(tree)).toEqual(branch);
  });

  it("[ENG-002] orders siblings by id, unsent ones last as they were made", () => {
    const tree = treeOf([note(1, null), note(-3, 1), note(12, 1), note(-2, 1), note(3, 1)], null);
    expect(siblingsOf(tree, 12)).toEqual({ ids: [3, 12, -2, -3], index: 1 });
  });

  it("leaves out what hangs on no root: orphans, cycles, a message that is its own parent", () => {
    const tree = treeOf([...NOTES, note(20, 19), note(21, 20), note(30, 31), note(31, 30), note(40, 40)], 31);
    expect([...tree.nodes.keys()].sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expectTree(tree);
  });

  it("of any messages at all is a tree", () => {
    const id = fc.integer({ min: -4, max: 12 });
    const messages = fc.array(fc.record({ message_id: id, parent_id: fc.option(id) }), { maxLength: 30 });
    fc.assert(
      fc.property(messages, fc.option(id), (notes, current) => {
        const tree = treeOf(notes, current);
        expectTree(tree);
        if (current !== null && tree.nodes.has(current)) expect(shownBranch(tree)).toContain(current);
      }),
    );
  });

  it("of a chain of 100000 does not overflow the stack", () => {
    const chain = Array.from({ length: 100_000 }, (_, at) => note(at + 1, at === 0 ? null : at));
    const tree = treeOf(chain, 100_000);
    expect(leafOf(tree)).toBe(100_000);
    expect(removeMessage(tree, 1).nodes.size).toBe(0);
  });
});

describe("changes", () => {
  const tree = treeOf(NOTES, 5);

  it("a new reply becomes a sibling and is shown", () => {
    const grown = insertMessage(tree, note(9, 1));
    expect(siblingsOf(grown, 9)).toEqual({ ids: [2, 3, 9], index: 2 });
    expect(shownBranch(grown)).toEqual([1, 9]);
    expect(shownBranch(tree)).toEqual([1, 3, 4, 5]);
  });

  it("a message inserted on a hidden branch brings the branch to show", () => {
    expect(shownBranch(insertMessage(tree, note(9, 8)))).toEqual([8, 9]);
  });

  it("inserting refuses a taken id and a missing parent", () => {
    expect(() => insertMessage(tree, note(4, 1))).toThrow(RangeError);
    expect(() => insertMessage(tree, note(9, 77))).toThrow(RangeError);
    expect(() => insertMessage(tree, note(9, 9))).toThrow(RangeError);
  });

  it("an update changes one message and shares all other nodes", () => {
    const updated = updateMessage(tree, 4, (message) => ({ ...message, text: "x" }));
    expect(getMessage(updated, 4)).toEqual({ ...note(4, 3), text: "x" });
    for (const [id, node] of tree.nodes) if (id !== 4) expect(updated.nodes.get(id)).toBe(node);
    expect(updateMessage(tree, 4, (message) => message)).toBe(tree);
    expect(updateMessage(tree, 77, () => note(77, null))).toBe(tree);
    expect(() => updateMessage(tree, 4, () => note(4, 1))).toThrow(RangeError);
  });

  it.each([
    ["user first", [-2, -3]],
    ["reply first", [-3, -2]],
  ] as const)("placeholders give way to the real ids, %s", (_name, order) => {
    let sent = insertMessage(insertMessage(tree, note(-2, 5)), note(-3, -2));
    const real = new Map([
      [-2, note(9, 5)],
      [-3, note(10, 9)],
    ]);
    for (const id of order) sent = replaceMessage(sent, id, real.get(id) ?? note(0, null));
    expectTree(sent);
    expect(sent).toEqual(insertMessage(insertMessage(tree, note(9, 5)), note(10, 9)));
  });

  it("a replaced message keeps its position, its children and what is shown", () => {
    const replaced = replaceMessage(tree, 3, { ...note(33, 77), text: "x" });
    expectTree(replaced);
    expect(siblingsOf(replaced, 33)).toEqual({ ids: [2, 33], index: 1 });
    expect(shownBranch(replaced)).toEqual([1, 33, 4, 5]);
    expect(getMessage(replaced, 6)?.parent_id).toBe(33);
    expect(replaceMessage(tree, 77, note(78, 1))).toBe(tree);
    expect(() => replaceMessage(tree, 3, note(4, 1))).toThrow(RangeError);
  });

  it.each([
    [2, 3, [1, 3, 4, 5]],
    [3, 2, [1, 2]],
    [1, 8, [8]],
    [8, 1, [1, 3, 4, 5]],
  ])("removing %i takes all below it and shows the branch with %i", (id, _shown, branch) => {
    const smaller = removeMessage(tree, id);
    expectTree(smaller);
    expect(pathTo(smaller, id)).toEqual([]);
    expect(shownBranch(smaller)).toEqual(branch);
  });

  it("removing a sibling that is not on show leaves the shown branch as it was", () => {
    const three = selectSibling(insertMessage(tree, note(9, 1)), 3);
    for (const hidden of [2, 9]) {
      const smaller = removeMessage(three, hidden);
      expectTree(smaller);
      expect(shownBranch(smaller)).toEqual([1, 3, 4, 5]);
    }
  });

  it("the branch index moves between siblings; other levels keep theirs", () => {
    const other = selectSibling(tree, 2);
    expect(shownBranch(other)).toEqual([1, 2]);
    expect(shownBranch(selectSibling(other, 3))).toEqual([1, 3, 4, 5]);
    expect(shownBranch(selectSibling(tree, 8))).toEqual([8]);
    expect(selectSibling(tree, 3)).toBe(tree);
    expect(selectSibling(tree, 77)).toBe(tree);
    expect(siblingsOf(tree, 77)).toEqual({ ids: [], index: -1 });
  });

  it("in any order keep the tree a tree, and its shown branch ends in a leaf", () => {
    const step = fc.record({
      kind: fc.constantFrom("insert", "insert", "insert", "root", "remove", "select", "replace", "update"),
      at: fc.nat(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        let state = emptyTree<Note>();
        let id = 0;
        for (const { kind, at } of steps) {
          const ids = [...state.nodes.keys()];
          const target = ids[at % Math.max(1, ids.length)] ?? 777;
          const before = state;
          id += 1;
          if (kind === "root" || (kind === "insert" && ids.length === 0))
            state = insertMessage(state, note(-id, null));
          else if (kind === "insert") state = insertMessage(state, note(id, target));
          else if (kind === "remove") state = removeMessage(state, target);
          else if (kind === "select") state = selectSibling(state, target);
          else if (kind === "replace") state = replaceMessage(state, target, note(id, null));
          else state = updateMessage(state, target, (message) => ({ ...message, text: `${id}` }));
          expectTree(state);
          expectTree(before);
          if (kind === "insert" || kind === "root")
            expect(leafOf(state)).toBe(ids.length === 0 || kind === "root" ? -id : id);
        }
        expect(
          shownBranch(
            treeOf(
              [...state.nodes.values()].map(({ message }) => message),
              leafOf(state),
            ),
          ),
        ).toEqual(shownBranch(state));
      }),
    );
  });
});

describe("a tree that comes anew", () => {
  it("shows what was chosen before, at the levels off the branch too", () => {
    const before = selectSibling(selectSibling(treeOf(NOTES, 5), 6), 1);
    const anew = withChoicesOf(treeOf([...NOTES, note(9, 1), note(10, null)], 10), before);
    expectTree(anew);
    expect(shownBranch(anew)).toEqual([1, 3, 6, 7]);
    expect(shownBranch(selectSibling(withChoicesOf(treeOf(NOTES, 8), treeOf(NOTES, 5)), 1))).toEqual([
      1, 3, 4, 5,
    ]);
  });

  it("keeps its own choice where the one of before is gone, and under a leaf that has grown", () => {
    const before = treeOf(NOTES, 5);
    const without4 = NOTES.filter(({ message_id: id }) => id !== 4 && id !== 5);
    expect(shownBranch(withChoicesOf(treeOf(without4, 8), before))).toEqual([1, 3, 6, 7]);
    const grown = [...NOTES, note(9, 5), note(10, 5)];
    expect(shownBranch(withChoicesOf(treeOf(grown, 9), before))).toEqual([1, 3, 4, 5, 9]);
  });

  it.each([
    [
      [1, 3, 4, 5],
      [1, 3, 4, 5],
    ],
    [
      [1, 2],
      [1, 2],
    ],
    [
      [1, 3, 6, 20, 21],
      [1, 3, 6, 7],
    ],
    [[8, 30], [8]],
    [[40], [8]],
    [[], [8]],
  ])("of the path %j shows %j", (path, branch) => {
    const tree = showDeepest(treeOf(NOTES, 8), path);
    expectTree(tree);
    expect(shownBranch(tree)).toEqual(branch);
  });
});
