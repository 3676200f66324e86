// The user's shared links, as the settings show them.
import { describe, expect, it } from "vitest";
import { globalError, ok, refused } from "../testing/fake-answers.ts";
import { createFakeServer } from "../testing/fake-server.ts";
import { openPage } from "../testing/open-page.ts";

const LIST = "/api/v0/share/list";
const DELETE = "/api/v0/share/delete";
const SECS = 1_790_000_000;

const share = (number: number, createdAt = SECS - number) => ({
  share_id: `share${String(number).padStart(13, "0")}`,
  created_at: createdAt,
  chat_session_id: "s1",
  hint: `Chat ${number}`,
  disabled: false,
});

/** A server with these links, the newest first, that pages as wire-contract.md §13.2 says. */
async function open(links: ReturnType<typeof share>[]) {
  const server = createFakeServer();
  let left = links;
  server.answer(LIST, ({ query }) => {
    const most = Number(query.get("lte_date") ?? Infinity);
    const behind = left.filter(({ created_at: at }) => at <= most);
    return ok({ shares: behind.slice(0, Number(query.get("count"))) });
  });
  server.answer(DELETE, ({ body }) => {
    const before = left.length;
    left = left.filter(({ share_id: id }) => id !== body["share_id"]);
    return left.length < before ? ok(null) : refused(1, "SHARE_NOT_FOUND");
  });
  const page = await openPage(server);
  const { links: shown } = await page.engine.sharing.load();
  const hints = () => shown.store.getState().links.map(({ hint }) => hint);
  const toasts = () => page.engine.site.toasts.getState().toasts.map(({ type, text }) => ({ type, text }));
  async function settled<T>(work: Promise<T>): Promise<T> {
    await page.browser.settle();
    return work;
  }
  return { server, page, shown, hints, toasts, settled };
}

const many = (count: number) => Array.from({ length: count }, (_, index) => share(index));

describe("the list of shared links", () => {
  it("comes by pages of 20, each behind the second of the last link, and none twice [SHARE-033]", async () => {
    const { server, page, shown, hints } = await open(many(45));
    shown.load();
    await page.browser.settle();
    expect(hints()).toHaveLength(20);
    expect(shown.store.getState()).toMatchObject({ state: "loaded", hasMore: true });
    shown.loadMore();
    await page.browser.settle();
    shown.loadMore();
    await page.browser.settle();
    const asked = server.calls(LIST).map(({ query }) => [query.get("count"), query.get("lte_date")]);
    expect(asked.slice(0, 2)).toEqual([
      ["20", null],
      ["20", String(SECS - 19)],
    ]);
    expect(new Set(hints()).size).toBe(hints().length);
    shown.loadMore();
    await page.browser.settle();
    expect(hints()).toEqual(many(45).map(({ hint }) => hint));
    expect(shown.store.getState().hasMore).toBe(false);
    page.close();
  });

  it("comes whole where more links than a page has are of one second", async () => {
    const { page, shown, hints } = await open(Array.from({ length: 30 }, (_, index) => share(index, SECS)));
    shown.load();
    await page.browser.settle();
    shown.loadMore();
    await page.browser.settle();
    expect(hints()).toHaveLength(30);
    expect(shown.store.getState().hasMore).toBe(false);
    page.close();
  });

  it("that could not be had says so and can be asked for again [SHARE-037]", async () => {
    const { server, page, shown, hints } = await open(many(2));
    server.answer(LIST, () => globalError(50000, "INTERNAL_ERROR", 500));
    shown.load();
    await page.browser.settle();
    expect(shown.store.getState().state).toBe("error");
    expect(page.engine.site.toasts.getState().toasts).toEqual([]);
    server.answer(LIST, () => ok({ shares: many(2) }));
    shown.retry();
    await page.browser.settle();
    expect(hints()).toEqual(["Chat 0", "Chat 1"]);
    page.close();
  });

  it("is nobody's once the account has left", async () => {
    const { page, shown, hints } = await open(many(2));
    shown.load();
    await page.browser.settle();
    await page.engine.accounts.signOut();
    expect(hints()).toEqual([]);
    page.close();
  });
});

describe("a shared link", () => {
  it("that is revoked leaves the list, with a toast [SHARE-041]", async () => {
    const { page, shown, hints, toasts, settled } = await open(many(2));
    shown.load();
    await page.browser.settle();
    expect(await settled(shown.revoke(share(0).share_id))).toBe(true);
    expect(hints()).toEqual(["Chat 1"]);
    expect(toasts()).toEqual([{ type: "success", text: { key: "shareLinksManageDeleteOkToast" } }]);
    page.close();
  });

  it("that is the last one listed brings those behind it: nothing is said to be shared only where nothing is", async () => {
    const { page, shown, hints, settled } = await open(many(22));
    shown.load();
    await page.browser.settle();
    for (const { share_id: id } of many(20)) await settled(shown.revoke(id));
    expect(hints()).toEqual(["Chat 20", "Chat 21"]);
    expect(shown.store.getState()).toMatchObject({ state: "loaded", hasMore: false });
    page.close();
  });

  it("that was there twice counts as revoked, and is logged [SHARE-040]", async () => {
    const { server, page, shown, hints, toasts, settled } = await open(many(1));
    shown.load();
    await page.browser.settle();
    server.answer(DELETE, () => refused(2, "MULTIPLE_DELETED"));
    expect(await settled(shown.revoke(share(0).share_id))).toBe(true);
    expect(hints()).toEqual([]);
    expect(toasts()).toEqual([{ type: "success", text: { key: "shareLinksManageDeleteOkToast" } }]);
    expect(page.browser.logged).toHaveLength(1);
    page.close();
  });

  it.each([
    ["unknown", () => refused(1, "SHARE_NOT_FOUND"), true],
    ["not to be deleted now", () => globalError(50000, "INTERNAL_ERROR", 500), false],
    ["refused by a number nobody knows", () => refused(77, "NEW"), false],
  ])("that is %s says that it was not deleted [SHARE-042]", async (_why, answer, leaves) => {
    const { server, page, shown, hints, toasts, settled } = await open(many(2));
    shown.load();
    await page.browser.settle();
    server.answer(DELETE, answer);
    expect(await settled(shown.revoke(share(0).share_id))).toBe(leaves);
    expect(hints()).toHaveLength(leaves ? 1 : 2);
    expect(toasts()).toEqual([{ type: "error", text: { key: "shareLinksManageDeleteFailedToast" } }]);
    page.close();
  });

  it("that was revoked while the list was on its way does not come back", async () => {
    const { server, page, shown, hints, settled } = await open(many(2));
    let answer!: (response: Response) => void;
    server.answer(LIST, () => new Promise((resolve) => (answer = resolve)));
    shown.load();
    await page.browser.settle();
    await settled(shown.revoke(share(0).share_id));
    answer(ok({ shares: many(2) }));
    await page.browser.settle();
    expect(hints()).toEqual(["Chat 1"]);
    page.close();
  });
});
