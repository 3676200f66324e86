import { afterEach, describe, expect, it } from "vitest";
import { createFakeBrowser } from "../testing/fake-browser.ts";
import { createFakeServer } from "../testing/fake-server.ts";
import { openPage, type Page } from "../testing/open-page.ts";
import { wireMessage } from "../testing/wire-message.ts";
import { createNewVersion, isAtWork } from "./new-version.ts";
import type { ToastInput } from "./toast.ts";

function setUp() {
  const browser = createFakeBrowser(() => new Response());
  const toasts: ToastInput[] = [];
  const state = { busy: false, reloads: 0 };
  const version = createNewVersion({
    browser,
    isAtWork: () => state.busy,
    showToast: (toast) => void toasts.push(toast),
    reload: () => void (state.reloads += 1),
  });
  return { browser, toasts, state, found: version.found };
}

describe("a newer version", () => {
  it("is told of once, with a press that reloads, and stays until then", () => {
    const { toasts, state, found } = setUp();
    found("b");
    found("b");
    expect(toasts).toHaveLength(1);
    expect(state.reloads).toBe(0);
    toasts[0]?.action?.run();
    expect(state.reloads).toBe(1);
    found("c");
    expect(toasts).toHaveLength(2);
    // While servers of several builds answer by turns.
    found("b");
    expect(toasts).toHaveLength(2);
  });

  it("comes by itself when the page has been hidden for a minute", async () => {
    const { browser, state, found } = setUp();
    found("b");
    await browser.advance(600_000);
    expect(state.reloads).toBe(0);
    browser.setVisible(false);
    await browser.advance(59_000);
    browser.setVisible(true);
    await browser.advance(60_000);
    expect(state.reloads).toBe(0);
    browser.setVisible(false);
    await browser.advance(60_000);
    expect(state.reloads).toBe(1);
  });

  it("comes to a page that is hidden already, but not before what goes on there has ended", async () => {
    const { browser, state, found } = setUp();
    browser.setVisible(false);
    state.busy = true;
    found("b");
    await browser.advance(300_000);
    expect(state.reloads).toBe(0);
    state.busy = false;
    await browser.advance(60_000);
    expect(state.reloads).toBe(1);
  });
});

describe("something goes on", () => {
  const cleanUps: (() => void)[] = [];
  afterEach(() => cleanUps.splice(0).forEach((cleanUp) => cleanUp()));

  async function restingPage(): Promise<Page> {
    const server = createFakeServer();
    server.addSession("s1", [wireMessage({ message_id: 1, parent_id: null, role: "USER" })]);
    const page = await openPage(server);
    cleanUps.push(page.close);
    page.engine.sessions.open("s1");
    await page.browser.settle();
    return page;
  }

  it("does not on a page at rest", async () => {
    expect(isAtWork((await restingPage()).engine)).toBe(false);
  });

  it.each<[string, (page: Page) => void]>([
    ["where a text is not sent", ({ engine }) => engine.sessions.setDraft("new:chat", "x")],
    ["where an edit is open", ({ engine }) => engine.sessions.setDraft("s1#1", "x")],
    ["while a reply is asked for or comes", ({ engine }) => void engine.turns.send("s1", "hello")],
    [
      "where a file is attached",
      ({ engine }) => engine.files.store.setState({ byKey: { s1: [{} as never] } }),
    ],
    ["while a dialog is open", ({ engine }) => engine.site.setOverlays({ settings: "general" })],
    [
      "while a panel is open",
      ({ engine }) => void engine.site.openPanel({ kind: "html", language: "html", code: "" }),
    ],
    ["while nobody is signed in", ({ engine }) => void engine.accounts.signOut()],
  ])("%s", async (_what, begin) => {
    const page = await restingPage();
    begin(page);
    expect(isAtWork(page.engine)).toBe(true);
  });
});
