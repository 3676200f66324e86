import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, expect, test, vi } from "vitest";
import { lazyPart, preloadInTurn, waitFor, WhenHere, whenIdle } from "./lazy-part.tsx";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const Words = () => <p>Words</p>;
const standIn = <p>Wait</p>;

test("a part whose code is here is drawn at once, one that is not is stood in for", async () => {
  const loaded = lazyPart(async () => Words);
  const draw = () =>
    renderToStaticMarkup(
      <WhenHere part={loaded} standIn={standIn}>
        <loaded.Part />
      </WhenHere>,
    );
  expect(loaded.isHere()).toBe(false);
  expect(draw()).toContain("Wait");
  expect(await loaded.preload()).toBe(true);
  expect(loaded.isHere()).toBe(true);
  expect(draw()).toBe("<p>Words</p>");
});

test("of parts that are loaded in turn one is on its way at a time, and one that cannot be had holds up no other", async () => {
  const asked: string[] = [];
  let come: (isHere: boolean) => void = () => {};
  const part = (name: string) => ({
    preload: () => {
      asked.push(name);
      return new Promise<boolean>((resolve) => (come = resolve));
    },
  });
  const all = preloadInTurn([part("menu"), part("dialog"), part("panel")]);
  expect(asked).toEqual(["menu"]);
  come(false);
  await vi.waitFor(() => expect(asked).toEqual(["menu", "dialog"]));
  come(true);
  await vi.waitFor(() => expect(asked).toEqual(["menu", "dialog", "panel"]));
  come(true);
  await all;
});

test("a quiet moment comes when what the screen waits for has come, or does not come for long", async () => {
  vi.useFakeTimers();
  vi.stubGlobal("window", { requestIdleCallback: (run: () => void) => setTimeout(run, 1) });
  let come = (): void => {};
  let fail = (): void => {};
  waitFor(new Promise<void>((resolve) => (come = resolve)));
  waitFor(new Promise((_, reject) => (fail = () => reject(new Error("gone")))));
  const ran: string[] = [];
  whenIdle(() => ran.push("after both"));
  await vi.advanceTimersByTimeAsync(1000);
  come();
  await vi.advanceTimersByTimeAsync(1000);
  expect(ran).toEqual([]);
  fail();
  await vi.advanceTimersByTimeAsync(200);
  expect(ran).toEqual(["after both"]);

  waitFor(new Promise(() => {}));
  whenIdle(() => ran.push("in spite of it"));
  await vi.advanceTimersByTimeAsync(4000);
  expect(ran).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(2000);
  expect(ran).toEqual(["after both", "in spite of it"]);
});
