import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { skipFarGroups } from "./skip-far-groups.ts";

type Resized = (entries: { target: Group; contentRect: { height: number } }[]) => void;

/** What the code asks of an element, and no more. */
class Group {
  dataset: Record<string, string> = {};
  style: Record<string, string> = {};
  isMade = true;
  isDrawn = true;
  isNear = false;
  firstElementChild = { marginBlockStart: "24px", marginBlockEnd: "12px" };
  lastElementChild = { marginBlockStart: "4px", marginBlockEnd: "16px" };
  querySelector(selector: string) {
    const finds = { ":scope > [data-place]": !this.isMade, "[data-waits]": !this.isDrawn };
    return selector.split(", ").some((part) => finds[part as keyof typeof finds]) ? {} : null;
  }
}

let observed: Set<Group>;
/** Of the answer's element. */
let dataset: Record<string, string>;
let resized: Resized;
let placed: (entries: { target: Group; isIntersecting: boolean }[]) => void;
let childrenChanged: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  observed = new Set();
  dataset = {};
  vi.stubGlobal(
    "ResizeObserver",
    class {
      constructor(callback: Resized) {
        resized = callback;
      }
      observe = (group: Group) => observed.add(group);
      unobserve = (group: Group) => observed.delete(group);
      disconnect = () => observed.clear();
    },
  );
  vi.stubGlobal(
    "IntersectionObserver",
    class {
      constructor(callback: typeof placed) {
        placed = callback;
      }
      observe = (group: Group) => placed([{ target: group, isIntersecting: group.isNear }]);
      unobserve = () => undefined;
      disconnect = () => undefined;
    },
  );
  vi.stubGlobal(
    "MutationObserver",
    class {
      constructor(callback: () => void) {
        childrenChanged = callback;
      }
      observe = () => undefined;
      disconnect = () => undefined;
    },
  );
  vi.stubGlobal("getComputedStyle", (element: object) => element);
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function start(children: Group[]): () => void {
  const stop = skipFarGroups({ children, dataset } as unknown as HTMLElement);
  vi.runAllTimers();
  return stop;
}

const layOut = (group: Group, height: number) => resized([{ target: group, contentRect: { height } }]);
const groupsOf = (count: number) => Array.from({ length: count }, () => new Group());

test("the newest three groups are never left out, those before them as soon as more come", () => {
  const groups = groupsOf(4);
  start(groups);
  expect([...observed]).toEqual([groups[0]]);
  groups.push(new Group());
  childrenChanged();
  vi.runAllTimers();
  expect([...observed]).toEqual([groups[0], groups[1]]);
});

test("an answer of which groups may be left out is told from a short one", () => {
  start(groupsOf(3));
  expect(dataset).not.toHaveProperty("long");
  start(groupsOf(4));
  expect(dataset).toHaveProperty("long");
});

test("a group left out keeps the height it was laid out with, and its margins", () => {
  const groups = groupsOf(4);
  start(groups);
  const [group] = groups as [Group];
  layOut(group, 1234.5);
  vi.runAllTimers();
  expect(group.dataset).toHaveProperty("skippable");
  expect(group.style).toEqual({
    containIntrinsicBlockSize: "auto 1234.5px",
    marginBlockStart: "24px",
    marginBlockEnd: "16px",
  });
  expect(observed.has(group)).toBe(false);
});

test("a group near the screen stays as it is until it is far", () => {
  const groups = groupsOf(4);
  const [group] = groups as [Group];
  group.isNear = true;
  start(groups);
  layOut(group, 100);
  vi.runAllTimers();
  expect(group.dataset).not.toHaveProperty("skippable");
  placed([{ target: group, isIntersecting: false }]);
  placed([{ target: group, isIntersecting: true }]);
  vi.runAllTimers();
  expect(group.dataset).not.toHaveProperty("skippable");
  layOut(group, 120);
  placed([{ target: group, isIntersecting: false }]);
  vi.runAllTimers();
  expect(group.style["containIntrinsicBlockSize"]).toBe("auto 120px");
});

test("groups laid out in one frame change one by one, none of them in that frame", () => {
  const groups = groupsOf(6);
  start(groups);
  const skipped = () => groups.filter((group) => "skippable" in group.dataset).length;
  groups.slice(0, 3).forEach((group) => layOut(group, 100));
  expect(skipped()).toBe(0);
  for (const count of [1, 2, 3]) {
    vi.advanceTimersToNextTimer();
    expect(skipped()).toBe(count);
  }
});

test("what the page needs anew for a group left out is done at once, and not in the next frame", () => {
  const groups = groupsOf(4);
  start(groups);
  const [group] = groups as [Group];
  const asked: boolean[] = [];
  vi.stubGlobal("getComputedStyle", (element: Group) => ({
    ...element,
    get contentVisibility() {
      asked.push(element === group && "skippable" in group.dataset);
      return "auto";
    },
  }));
  layOut(group, 100);
  vi.advanceTimersToNextTimer();
  expect(asked).toEqual([true]);
});

test("a group keeps the last height it had before it is left out", () => {
  const groups = groupsOf(4);
  start(groups);
  const [group] = groups as [Group];
  layOut(group, 100);
  layOut(group, 120);
  vi.runAllTimers();
  expect(group.style["containIntrinsicBlockSize"]).toBe("auto 120px");
});

test("a group that has not been laid out is waited for", () => {
  const groups = groupsOf(4);
  start(groups);
  const [group] = groups as [Group];
  layOut(group, 0);
  vi.runAllTimers();
  expect(group.dataset).not.toHaveProperty("skippable");
  expect(observed.has(group)).toBe(true);
});

test.each(["isMade", "isDrawn"] as const)("a group is not left out before each of its parts %s", (done) => {
  const groups = groupsOf(5);
  const [first, second] = groups as [Group, Group];
  first[done] = false;
  skipFarGroups({ children: groups, dataset } as unknown as HTMLElement);
  vi.advanceTimersByTime(1000);
  expect([...observed]).toEqual([second]);
  first[done] = true;
  vi.advanceTimersByTime(1000);
  expect([...observed]).toEqual([second, first]);
});

test("of a long answer the groups are left out one by one", () => {
  const groups = groupsOf(30);
  skipFarGroups({ children: groups, dataset } as unknown as HTMLElement);
  vi.advanceTimersToNextTimer();
  expect([...observed]).toEqual([groups[0]]);
  vi.advanceTimersToNextTimer();
  expect([...observed]).toEqual([groups[0], groups[1]]);
  vi.runAllTimers();
  expect([...observed]).toEqual(groups.slice(0, -3));
});

test("nothing is watched after the answer is gone", () => {
  const groups = groupsOf(4);
  const stop = start(groups);
  childrenChanged();
  stop();
  vi.runAllTimers();
  expect(observed.size).toBe(0);
});
