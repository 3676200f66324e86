import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, expect, test, vi } from "vitest";
import {
  lazyPart,
  loadOnTouch,
  patiently,
  preloadInTurn,
  waitFor,
  WhenHere,
  whenIdle,
} from "./lazy-part.tsx";

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

/** A page whose server answers every question about a file with `status`, and whose network may be away. */
function openPage(status: number) {
  vi.useFakeTimers();
  const page = Object.assign(new EventTarget(), { requestIdleCallback: (run: () => void) => run() });
  const network = { onLine: true };
  vi.stubGlobal("window", page);
  vi.stubGlobal("navigator", network);
  vi.stubGlobal("fetch", async () => new Response(null, { status }));
  return { page, network };
}
const failedAt = (file: string) =>
  new TypeError(`Failed to fetch dynamically imported module: http://plumb.test/static/${file}`);

test("a part whose file the server has no more breaks within seconds with its address, and preloads of it ask no more [ERR-044]", async () => {
  openPage(404);
  let asked = 0;
  const part = lazyPart<object>(() => {
    asked += 1;
    return Promise.reject(failedAt("menu-1.js"));
  });
  const ahead = part.preload();
  await vi.advanceTimersByTimeAsync(5000);
  expect(await ahead).toBe(false);
  const after = asked;
  expect(after).toBeLessThanOrEqual(2);
  expect(await part.preload()).toBe(false);
  expect(asked).toBe(after);

  // Whoever waits for it has it tried again.
  const waited = part.load().catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(5000);
  expect(await waited).toMatchObject({ failure: "missing", address: "http://plumb.test/static/menu-1.js" });
  expect(asked).toBe(after * 2);
});

test("a part is waited for while the network is away, and comes when it is back", async () => {
  const { page, network } = openPage(404);
  network.onLine = false;
  const loading = patiently(async () => {
    if (!network.onLine) throw failedAt("menu-1.js");
    return "here";
  });
  await vi.advanceTimersByTimeAsync(60_000);
  network.onLine = true;
  page.dispatchEvent(new Event("online"));
  expect(await loading).toBe("here");
});

test("a part that fails though the server has its file is tried four times", async () => {
  openPage(200);
  let asked = 0;
  const outcome = patiently(() => {
    asked += 1;
    return Promise.reject(failedAt("menu-1.js"));
  }).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await outcome).toMatchObject({ failure: "other" });
  expect(asked).toBe(4);
});

test("a part is waited for while the server is started again", async () => {
  openPage(502);
  let asked = 0;
  const coming = patiently(() => {
    asked += 1;
    return asked < 9 ? Promise.reject(failedAt("menu-1.js")) : Promise.resolve("here");
  });
  await vi.advanceTimersByTimeAsync(15_000);
  expect(await coming).toBe("here");
});

test.each([
  ["the network failed is tried again by a later touch", 200, 2],
  ["the server has no more is not asked for again", 404, 1],
])("on a touch, what %s", async (_title, status, times) => {
  const { page } = openPage(status);
  const loads: string[] = [];
  const stop = loadOnTouch(
    () =>
      patiently(() => {
        loads.push("menu");
        return Promise.reject(failedAt("menu-1.js"));
      }),
    () => {},
  );
  page.dispatchEvent(new Event("pointermove"));
  await vi.advanceTimersByTimeAsync(10_000);
  const once = loads.length;
  page.dispatchEvent(new Event("pointermove"));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(loads).toHaveLength(once * times);
  stop();
});
