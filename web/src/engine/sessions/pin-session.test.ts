import { describe, expect, it } from "vitest";
// Loaded here, so that it is there in a moment when it is asked for.
import "./create-changes.ts";
import { globalError, ok, refused } from "../testing/fake-answers.ts";
import { createFakeServer } from "../testing/fake-server.ts";
import { openPage, signedInDisk, type Page } from "../testing/open-page.ts";
import { shortTalk } from "../testing/wire-message.ts";

const PIN = "/api/v0/chat_session/update_pinned";
const PAGE = "/api/v0/chat_session/fetch_page";

async function openThree(ids = ["s1", "s2", "s3"]) {
  const server = createFakeServer();
  for (const id of ids) server.addSession(id, shortTalk);
  const disk = signedInDisk();
  const page = await openPage(server, disk);
  await touch(page);
  return { server, disk, page };
}

/** Brings the code of what a hand on the page may do. */
async function touch(page: Page): Promise<void> {
  page.engine.turns.prepare();
  await page.browser.settle();
}

const pinned = (page: Page): string[] =>
  page.engine.sessions.list.getState().sessions.flatMap(({ id, pinned: isPinned }) => (isPinned ? id : []));
const listed = (page: Page): string[] => page.engine.sessions.list.getState().sessions.map(({ id }) => id);
const toasts = (page: Page) => page.engine.site.toasts.getState().toasts.map(({ text }) => text);

describe("pinning", () => {
  it("shows at once, is saved, and is there after a reload", async () => {
    const { server, disk, page } = await openThree();
    page.engine.sessions.setPinned("s1", true);
    expect(pinned(page)).toEqual(["s1"]);
    await page.browser.settle();
    expect(server.calls(PIN).map(({ body }) => body)).toEqual([{ chat_session_id: "s1", pinned: true }]);
    page.close();
    const again = await openPage(server, disk);
    expect(pinned(again)).toEqual(["s1"]);
    again.engine.sessions.setPinned("s1", true);
    await again.browser.settle();
    expect(server.calls(PIN)).toHaveLength(1);
    again.close();
  });

  it.each([
    ["too many", () => refused(2, "TOO_MANY_PINNED"), "tooManyPinned"],
    ["a fault", () => globalError(50000, "INTERNAL_ERROR", 500), "pinFailed"],
    ["a limit", () => globalError(42903, "OPERATION_TOO_FREQUENT", 429), "operationTooFrequent"],
  ])("that fails by %s is shown as it was, with a word", async (_title, answer, key) => {
    const { server, page } = await openThree();
    server.answer(PIN, answer);
    page.engine.sessions.setPinned("s2", true);
    expect(pinned(page)).toEqual(["s2"]);
    await page.browser.settle();
    expect(pinned(page)).toEqual([]);
    expect(toasts(page)).toMatchObject([{ key }]);
    page.close();
  });

  it("of a session that is gone takes it off the list", async () => {
    const { server, page } = await openThree();
    server.answer(PIN, () => refused(1, "CHAT_SESSION_DELETED"));
    page.engine.sessions.setDraft("s2", "2+2?");
    page.engine.sessions.setPinned("s2", true);
    await page.browser.settle();
    expect(listed(page)).toEqual(["s3", "s1"]);
    expect(page.engine.sessions.store.getState().drafts).toEqual({ "new:chat": "2+2?" });
    expect(toasts(page)).toMatchObject([{ key: "chatDeleted" }]);
    page.close();
  });

  it("pressed again and again ends as the last press said, with one call at a time", async () => {
    const { server, page } = await openThree();
    let answerFirst = (): void => {};
    server.answer(PIN, () => new Promise<Response>((resolve) => (answerFirst = () => resolve(ok(null)))));
    for (const wish of [true, false, true, false]) page.engine.sessions.setPinned("s1", wish);
    expect(pinned(page)).toEqual([]);
    await page.browser.settle();
    expect(server.calls(PIN)).toHaveLength(1);
    server.answerAsUsual(PIN);
    answerFirst();
    await page.browser.settle();
    expect(server.calls(PIN).map(({ body }) => body["pinned"])).toEqual([true, false]);
    expect(pinned(page)).toEqual([]);
    page.close();
  });

  it("under way is not undone by a list that comes meanwhile", async () => {
    const { server, page } = await openThree();
    let answerPin = (): void => {};
    server.answer(PIN, () => new Promise<Response>((resolve) => (answerPin = () => resolve(ok(null)))));
    page.engine.sessions.setPinned("s1", true);
    page.browser.setVisible(true);
    await page.browser.settle();
    expect(server.calls(PAGE)).toHaveLength(2);
    expect(pinned(page)).toEqual(["s1"]);
    answerPin();
    await page.browser.settle();
    expect(pinned(page)).toEqual(["s1"]);
    page.close();
  });
});

describe("what is pinned", () => {
  const many = Array.from({ length: 9 }, (_, at) => `s${at + 1}`);

  it("is listed with the first page however old, and follows what other devices do", async () => {
    const { server, disk, page: desktop } = await openThree(many);
    desktop.engine.sessions.setPinned("s1", true);
    await desktop.browser.settle();
    desktop.close();
    disk.values.set("plumb.sessionPageSize", "3");
    const page = await openPage(server, disk);
    expect(listed(page)).toEqual(["s9", "s8", "s7", "s1"]);
    expect(pinned(page)).toEqual(["s1"]);

    const phone = await openPage(server);
    phone.engine.sessions.setPinned("s1", false);
    phone.engine.sessions.setPinned("s8", true);
    await phone.browser.settle();
    page.browser.setVisible(true);
    await page.browser.settle();
    // What lies behind the loaded pages is only known while it is pinned.
    expect(listed(page)).toEqual(["s9", "s8", "s7"]);
    expect(pinned(page)).toEqual(["s8"]);
    phone.close();
    page.close();
  });

  it("behind the first page is listed once, and more pages come as if it were not there", async () => {
    const { server, disk, page: before } = await openThree(many);
    before.engine.sessions.setPinned("s2", true);
    await before.browser.settle();
    before.close();
    disk.values.set("plumb.sessionPageSize", "4");
    const page = await openPage(server, disk);
    for (let n = 0; n < 2; n++) {
      page.engine.sessions.loadMore();
      await page.browser.settle();
    }
    expect(listed(page)).toEqual(many.toReversed());
    expect(page.engine.sessions.list.getState().hasMore).toBe(false);
    page.browser.setVisible(true);
    await page.browser.settle();
    expect(listed(page)).toEqual(many.toReversed());
    page.close();
  });
});

describe("the page size", () => {
  it("[SESS-012] is the installation's, unless this browser keeps another one", async () => {
    const { server, disk, page } = await openThree();
    disk.values.set("plumb.sessionPageSize", "2");
    page.engine.sessions.retryList();
    page.close();
    const again = await openPage(server, disk);
    again.engine.sessions.loadMore();
    await again.browser.settle();
    expect(server.calls(PAGE).map(({ query }) => query.get("count"))).toEqual(["50", "2", "2"]);
    expect(listed(again)).toEqual(["s3", "s2", "s1"]);
    again.close();
  });

  it.each(["0", "101", "2.5", "many", ""])("of %j is none", async (kept) => {
    const { server, disk, page } = await openThree();
    page.close();
    disk.values.set("plumb.sessionPageSize", kept);
    const again = await openPage(server, disk);
    expect(server.calls(PAGE).at(-1)?.query.get("count")).toBe("50");
    again.close();
  });
});
