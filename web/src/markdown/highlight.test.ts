import { afterEach, expect, test, vi } from "vitest";
import type { HighlightAnswer, HighlightRequest } from "./highlight-messages.ts";

afterEach(() => vi.unstubAllGlobals());

/** Workers as the page makes them: what each was asked, and the way to let it fail or answer. */
class FakeWorker extends EventTarget {
  static readonly made: FakeWorker[] = [];
  readonly asked: HighlightRequest[] = [];
  isGone = false;
  constructor() {
    super();
    FakeWorker.made.push(this);
  }
  postMessage(request: HighlightRequest): void {
    this.asked.push(request);
  }
  terminate(): void {
    this.isGone = true;
  }
  answer(data: HighlightAnswer): void {
    this.dispatchEvent(new MessageEvent("message", { data }));
  }
}

test("where the worker could not be loaded, the colours of all code come when the network is back", async () => {
  const page = new EventTarget();
  vi.stubGlobal("window", page);
  vi.stubGlobal("Worker", FakeWorker);
  vi.stubGlobal("requestIdleCallback", (work: () => void) => (work(), 0));
  vi.stubGlobal("cancelIdleCallback", () => undefined);
  const { highlight } = await import("./highlight.ts");
  const coloured: string[] = [];
  const ask = (name: string) => highlight("sql", [name], () => coloured.push(name));

  ask("first");
  ask("second");
  const forget = ask("forgotten");
  const [lost] = FakeWorker.made;
  expect(lost?.asked.map(({ chunks }) => chunks[0])).toEqual(["first", "second", "forgotten"]);
  forget();
  lost?.dispatchEvent(new Event("error"));
  expect(lost?.isGone).toBe(true);
  expect(FakeWorker.made).toHaveLength(1);

  page.dispatchEvent(new Event("online"));
  const [, found] = FakeWorker.made;
  expect(found?.asked.map(({ chunks }) => chunks[0])).toEqual(["first", "second"]);
  for (const { id } of found?.asked ?? []) found?.answer({ id, runs: [[]] });
  expect(coloured).toEqual(["first", "second"]);
  page.dispatchEvent(new Event("online"));
  expect(FakeWorker.made).toHaveLength(2);
});

test("all code that waits for its colours takes one turn of the idle page, and a few of it go to the worker in each", async () => {
  vi.resetModules();
  FakeWorker.made.length = 0;
  const turns: (() => void)[] = [];
  vi.stubGlobal("window", new EventTarget());
  vi.stubGlobal("Worker", FakeWorker);
  vi.stubGlobal("requestIdleCallback", (work: () => void) => turns.push(work));
  const { highlight } = await import("./highlight.ts");
  const forget = highlight("sql", ["forgotten"], () => undefined);
  for (let block = 0; block < 40; block++) highlight("sql", [`${block}`], () => undefined);
  forget();
  const asked = () =>
    FakeWorker.made.flatMap((worker) => worker.asked.map(({ chunks }) => Number(chunks[0])));
  for (const count of [16, 32, 40]) {
    expect(turns).toHaveLength(1);
    turns.pop()?.();
    expect(asked()).toEqual(Array.from({ length: count }, (_, block) => block));
  }
  expect(turns).toEqual([]);
  expect(FakeWorker.made).toHaveLength(1);
});
