import { beforeEach, expect, test, vi } from "vitest";
import { createFakeServer } from "../engine/testing/fake-server.ts";
import { openPage } from "../engine/testing/open-page.ts";
import type { ToWorker } from "../service-worker/worker-messages.ts";
import { takeShared } from "./take-shared.ts";

/** What the worker keeps, and what the tab does. */
let kept: Record<string, string>;
let tab: Map<string, string>;
const focus = vi.fn<() => void>();
const log = vi.fn<(message: string, detail?: unknown) => void>();

beforeEach(() => {
  kept = {};
  tab = new Map();
  focus.mockClear();
  log.mockClear();
  vi.stubGlobal("window", {
    location: { search: "", pathname: "/" },
    history: { state: null, replaceState: () => {} },
    sessionStorage: {
      getItem: (key: string) => tab.get(key) ?? null,
      setItem: (key: string, value: string) => tab.set(key, value),
      removeItem: (key: string) => tab.delete(key),
    },
  });
  const controller = {
    postMessage(message: ToWorker, [port]: [MessagePort]) {
      port.postMessage(message.kind === "take-shared" ? (kept[message.id] ?? "") : null);
    },
  };
  vi.stubGlobal("navigator", { serviceWorker: { controller } });
  vi.stubGlobal("document", { getElementById: () => ({ focus }) });
  return () => vi.unstubAllGlobals();
});

/** The page of somebody who is signed in, as it opens with this query. */
async function openedWith(search: string) {
  const page = await openPage(createFakeServer());
  const { engine, browser } = page;
  await takeShared(engine, search, log);
  await browser.settle();
  const { auth } = engine.accounts;
  const { toasts } = engine.site;
  const ofKey = (sought: string) =>
    toasts.getState().toasts.filter(({ text }) => "key" in text && text.key === sought);
  const offers = () => ofKey("share.offer");
  const texts = () => offers().map(({ text }) => "key" in text && text.params?.["text"]);
  const me = auth.getState().user;
  if (me === null) throw new Error("nobody is signed in");
  return { engine, browser, auth, ofKey, offers, texts, me };
}

test("each share is a notice of its own, through reloads and the next share, three at most", async () => {
  Object.assign(kept, { a: "first", b: "second", c: "third", d: "fourth" });
  expect((await openedWith("?shared=a")).texts()).toEqual(["first"]);
  expect((await openedWith("?shared=b")).texts()).toEqual(["first", "second"]);
  expect((await openedWith("")).texts()).toEqual(["first", "second"]);
  await openedWith("?shared=c");
  expect((await openedWith("?shared=d")).texts()).toEqual(["second", "third", "fourth"]);
});

test("what is inserted or closed is proposed no more; the focus is where it can be written on", async () => {
  Object.assign(kept, { a: "first", b: "second" });
  await openedWith("?shared=a");
  const { engine, offers, texts } = await openedWith("?shared=b");
  const [first, second] = offers();
  // As the notice does it.
  engine.site.dismissToast(second?.id ?? 0);
  second?.action?.run();
  expect(engine.sessions.store.getState().drafts["new:chat"]).toBe("second");
  expect(focus).toHaveBeenCalledOnce();
  expect(texts()).toEqual(["first"]);
  expect([...tab.values()].join()).not.toContain("second");
  engine.site.dismissToast(first?.id ?? 0);
  expect(tab.size).toBe(0);
});

test("it goes when whoever was asked leaves, and is for no next person", async () => {
  kept["a"] = "of the first";
  const { auth, browser, texts, me } = await openedWith("?shared=a");
  auth.setState({ status: "no", user: null, reason: "expired" });
  expect([texts(), tab.size]).toEqual([[], 0]);
  auth.setState({ status: "yes", user: { ...me, id: "another" }, reason: "none" });
  await browser.settle();
  expect(texts()).toEqual([]);
});

test("what another person of this tab was asked is gone when the next one is signed in", async () => {
  tab.set("plumb.shared", JSON.stringify([{ text: "of another", of: "another" }, { text: 3 }]));
  expect((await openedWith("")).texts()).toEqual([]);
  expect(tab.size).toBe(0);
});

test("60 characters of it are shown", async () => {
  kept["a"] = "😀".repeat(61);
  expect((await openedWith("?shared=a")).texts()).toEqual([`${"😀".repeat(60)}…`]);
});

test("a tab without storage proposes it all the same, and says so in the log", async () => {
  kept["a"] = "first";
  vi.stubGlobal("window", { location: { search: "", pathname: "/" }, history: {} });
  expect((await openedWith("?shared=a")).texts()).toEqual(["first"]);
  expect(log).toHaveBeenCalled();
});

test.each(["?shared=lost", "?shared=gone"])("%s: says that nothing came", async (search) => {
  const { ofKey, texts } = await openedWith(search);
  expect(texts()).toEqual([]);
  expect(ofKey("share.lost")).toHaveLength(1);
});
