// All history goes: from this page and its storage, from other tabs, and from what comes back late.
import { describe, expect, it } from "vitest";
import { globalError, ok, refused } from "../testing/fake-answers.ts";
import { createFakeServer } from "../testing/fake-server.ts";
import { openPage, signedInDisk, type Page } from "../testing/open-page.ts";
import { shortTalk } from "../testing/wire-message.ts";
import { keepList } from "./kept-list.ts";

const DELETE_ALL = "/api/v0/chat_session/delete_all";
const COMPLETION = "/api/v0/chat/completion";
const EXPORT = "/api/v0/download_export_history";

async function open(...opened: string[]) {
  const server = createFakeServer();
  for (const id of ["s1", "s2", "s3"]) server.addSession(id, shortTalk);
  const disk = signedInDisk();
  const page = await openPage(server, disk);
  for (const id of opened) {
    page.engine.sessions.open(id);
    await page.browser.settle();
    page.engine.sessions.setDraft(id, `a secret typed in ${id}`);
  }
  await page.browser.advance(2000);
  async function deleteAll(): Promise<boolean | undefined> {
    const data = await page.engine.ownData();
    const done = data?.history.deleteAll();
    await page.browser.settle();
    return done;
  }
  return { server, disk, page, deleteAll };
}
const listed = (page: Page) => page.engine.sessions.list.getState().sessions.map(({ id }) => id);
const told = (page: Page) => page.engine.site.toasts.getState().toasts.map(({ type, text }) => [type, text]);

describe("deleting all history", () => {
  it("empties the page and its storage, leads home, and says so [EXP-020]", async () => {
    const { server, disk, page, deleteAll } = await open("s1", "s2");
    page.engine.sessions.setDraft("new:chat", "kept");
    await page.browser.advance(2000);
    expect([...disk.records.keys()]).toEqual(["s1", "s2"]);
    expect(await deleteAll()).toBe(true);
    await page.browser.advance(2000);
    expect(listed(page)).toEqual([]);
    expect(page.engine.sessions.list.getState().state).toBe("loaded");
    expect(page.engine.sessions.store.getState()).toEqual({
      byId: {},
      drafts: { "new:chat": "kept" },
      unkept: [],
    });
    expect(page.engine.site.navigation.getState()).toEqual({ to: "/", replace: true });
    expect(told(page)).toEqual([["success", { key: "deleteAllHistoryOkToast" }]]);
    expect([...disk.records.keys()]).toEqual([]);
    const stored = JSON.stringify([...disk.values]);
    expect(stored).not.toMatch(/secret|s1|s2/);
    expect(stored).toContain("kept");
    expect(server.calls(DELETE_ALL)).toHaveLength(1);
    page.close();
  });

  it("takes along the list that a page without a server would show, at once", async () => {
    const { disk, page, deleteAll } = await open("s1");
    const stop = keepList(page.browser, page.engine);
    await page.browser.advance(2000);
    expect(disk.values.get("plumb.list")).toContain("s1");
    await deleteAll();
    // As if the browser ended now.
    expect(JSON.stringify([...disk.values])).not.toMatch(/"s[123]"/);
    await page.browser.advance(2000);
    expect(disk.values.get("plumb.list") ?? "").not.toMatch(/"s[123]"/);
    stop();
    page.close();
  });

  it("leaves a page that is no chat where it is, and ends the export that was told of", async () => {
    const { server, page, deleteAll } = await open();
    page.engine.sessions.open("new:chat");
    const data = await page.engine.ownData();
    server.answer(EXPORT, () => ok({ status: "FINISHED", history_download_url: "http://plumb.test/zip" }));
    page.engine.site.setPreferences({ exportedHistoryClosed: false });
    await data?.exports.look();
    expect(page.engine.site.overlays.getState().exported).toBe(true);
    expect(await deleteAll()).toBe(true);
    expect(page.engine.site.navigation.getState().to).toBeNull();
    expect(page.engine.site.overlays.getState().exported).toBe(false);
    expect(data?.exports.store.getState().phase).toBe("none");
    page.close();
  });

  it("takes along the session that a new chat was to begin with: the next send makes another", async () => {
    const { server, page, deleteAll } = await open();
    server.answer(COMPLETION, () => globalError(42900, "RATE_LIMIT_REACHED", 429));
    await page.engine.turns.send("new:chat", "2+2?");
    await page.browser.settle();
    expect(await deleteAll()).toBe(true);
    server.answerAsUsual(COMPLETION);
    await page.engine.turns.send("new:chat", "2+2?");
    await page.browser.settle();
    expect(server.calls(COMPLETION).map(({ body }) => body["chat_session_id"])).toEqual([
      "session-1",
      "session-2",
    ]);
    expect(page.state("new:chat")).toBe("sending");
    page.close();
  });

  it("reads no reply any more that was running, and drops a page of the list that comes late", async () => {
    const { server, page, deleteAll } = await open("s1");
    await page.engine.turns.send("s1", "go on");
    await page.browser.settle();
    server.produce(5);
    await page.browser.advance(50);
    expect(await deleteAll()).toBe(true);
    server.produce(20);
    await page.browser.advance(5000);
    expect(page.engine.sessions.store.getState().byId).toEqual({});
    expect(listed(page)).toEqual([]);
    page.close();
  });

  it("is followed by other tabs, where what is typed is kept; what is new since stays", async () => {
    const { server, disk, page, deleteAll } = await open("s1");
    const other = await openPage(server, disk);
    expect(Object.keys(other.engine.sessions.store.getState().drafts)).toEqual(["s1"]);
    other.engine.sessions.open("s2");
    await other.browser.settle();
    other.engine.sessions.setDraft("s2", "typed");
    server.answer(DELETE_ALL, () => {
      for (const id of ["s1", "s2", "s3"]) server.removeSession(id);
      server.addSession("new", shortTalk);
      return ok(null);
    });
    expect(await deleteAll()).toBe(true);
    await other.browser.settle();
    expect(told(other)).toEqual([["error", { key: "chatDeleted" }]]);
    expect(listed(other)).toEqual([]);
    await other.browser.advance(30_000);
    expect(listed(other)).toEqual(["new"]);
    expect(other.engine.sessions.store.getState().drafts).toEqual({ "new:chat": "typed" });
    expect(other.engine.site.navigation.getState().to).toBe("/");

    other.close();
    page.close();
  });

  it.each([
    ["refused", () => refused(1, "DELETE_ALL_FAILED")],
    ["with a number of tomorrow", () => refused(9, "TOMORROW")],
    ["not answered", () => globalError(50000, "INTERNAL_ERROR", 500)],
  ])("that is %s says so, and shows what there is by now [EXP-021]", async (_title, answer) => {
    const { server, page, deleteAll } = await open("s1");
    server.answer(DELETE_ALL, () => {
      server.removeSession("s3");
      return answer();
    });
    expect(await deleteAll()).toBe(false);
    await page.browser.settle();
    expect(told(page)).toEqual([["error", { key: "deletAllHistoryFailedToast" }]]);
    expect(listed(page).toSorted()).toEqual(["s1", "s2"]);
    expect(page.shown("s1")).toHaveLength(2);
    expect(page.engine.site.navigation.getState().to).toBeNull();
    page.close();
  });
});
