// The export of all data as the page follows it: begun, polled, told of, downloaded.
import type { ExportStatus } from "@plumb/protocol/wire/exports";
import { describe, expect, it } from "vitest";
import { globalError, ok, refused } from "../testing/fake-answers.ts";
import { createFakeServer } from "../testing/fake-server.ts";
import { openPage, signedInDisk, type Page } from "../testing/open-page.ts";
import type { OwnData } from "./own-data.ts";

const BEGIN = "/api/v0/export_all";
const ASK = "/api/v0/download_export_history";
const POLL_MS = 5000;
const SECS = 1_790_000_000;

function status(part: Partial<ExportStatus>): ExportStatus {
  return {
    status: "INIT",
    history_download_url: null,
    legacy_history_download_url: null,
    export_at: null,
    expire_at: null,
    bytes: null,
    sessions_done: 0,
    sessions_total: 0,
    historyDownloadUrl: null,
    legacyHistoryDownloadUrl: null,
    exportAt: null,
    expireAt: null,
    ...part,
  };
}
const finished = status({
  status: "FINISHED",
  history_download_url: "http://plumb.test/zip",
  export_at: SECS,
  expire_at: SECS + 7 * 24 * 3600,
  bytes: 5000,
});
const written = (done: number) => status({ status: "CREATED", sessions_done: done, sessions_total: 9 });
const none = () => refused(1, "NO_EXPORT_TASK", status({ status: "EMPTY" }));
const expired = () => refused(2, "EXPORT_EXPIRED", status({ status: "EMPTY" }));

async function open(disk = signedInDisk()) {
  const server = createFakeServer();
  server.answer(ASK, none);
  server.answer(BEGIN, () => ok(status({})));
  const page = await openPage(server, disk);
  const data = (await page.engine.ownData()) as OwnData;
  const { exports } = data;
  /** Once nothing is under way. */
  async function done(work: Promise<unknown>): Promise<void> {
    await page.browser.settle();
    await work;
  }
  return { server, page, exports, done, disk };
}
const down = () => Promise.reject(new TypeError("failed to fetch"));
const told = (page: Page) => page.engine.site.toasts.getState().toasts.map(({ text }) => text);
const notice = (page: Page) => page.engine.site.overlays.getState().exported;
const closed = (page: Page) => page.engine.site.preferences.getState().exportedHistoryClosed;

describe("an export", () => {
  it("is there to be begun where there is none, without a word", async () => {
    const { page, exports, done } = await open();
    await done(exports.look());
    expect(exports.store.getState()).toMatchObject({ phase: "none", status: null });
    expect(told(page)).toEqual([]);
    page.close();
  });

  it("is not known of without a network: nothing is said, nothing offered, and it is found when that is back", async () => {
    const { server, page, exports, done } = await open();
    server.answer(ASK, down);
    page.browser.goOffline();
    await done(exports.look());
    expect(exports.store.getState()).toMatchObject({ phase: "unknown", failed: true });
    expect(told(page)).toEqual([]);
    const asked = server.calls(ASK).length;
    await page.browser.advance(10 * 60_000);
    expect(server.calls(ASK)).toHaveLength(asked);
    server.answer(ASK, () => ok(finished));
    page.browser.comeOnline();
    await page.browser.advance(POLL_MS);
    expect(exports.store.getState()).toMatchObject({ phase: "finished", failed: false });
    expect(told(page)).toEqual([]);
    page.close();
  });

  it("that is there stays so where it is looked at without a network", async () => {
    const { server, page, exports, done } = await open();
    server.answer(ASK, () => ok(finished));
    await done(exports.look());
    server.answer(ASK, down);
    await done(exports.look());
    expect(exports.store.getState()).toMatchObject({ phase: "finished", failed: false });
    expect(told(page)).toEqual([]);
    page.close();
  });

  it("is followed every 5 seconds while it is made, with its numbers, and no longer [EXP-005] [EXP-008]", async () => {
    const { server, page, exports, done } = await open();
    await done(exports.look());
    await done(exports.begin());
    expect(server.calls(BEGIN)).toHaveLength(1);
    expect(exports.store.getState().phase).toBe("pending");
    for (const wire of [status({ status: "INIT" }), written(3), status({ status: "PENDING" })]) {
      server.answer(ASK, () => ok(wire));
      const asked = server.calls(ASK).length;
      await page.browser.advance(POLL_MS - 1);
      expect(server.calls(ASK)).toHaveLength(asked);
      await page.browser.advance(1);
      expect(server.calls(ASK)).toHaveLength(asked + 1);
      expect(exports.store.getState()).toMatchObject({ phase: "pending", status: wire });
    }
    server.answer(ASK, () => ok(finished));
    await page.browser.advance(POLL_MS);
    expect(exports.store.getState()).toMatchObject({ phase: "finished", status: finished });
    const asked = server.calls(ASK).length;
    await page.browser.advance(10 * POLL_MS);
    expect(server.calls(ASK)).toHaveLength(asked);
    page.close();
  });

  it("is asked about less and less often while the server is away, and goes on", async () => {
    const { server, page, exports, done } = await open();
    await done(exports.begin());
    server.answer(ASK, () => globalError(50300, "SERVICE_UNAVAILABLE", 503));
    const before = server.calls(ASK).length;
    await page.browser.advance(5 * 60_000);
    const tries = server.calls(ASK).length - before;
    expect(tries).toBeGreaterThan(4);
    expect(tries).toBeLessThan(12);
    expect(told(page)).toEqual([]);
    expect(exports.store.getState().phase).toBe("pending");
    server.answer(ASK, () => ok(finished));
    await page.browser.advance(60_000);
    expect(exports.store.getState().phase).toBe("finished");
    page.close();
  });

  it("that is there is told of, also by a later load of the page, until the notice is closed [EXP-012]", async () => {
    const { server, page, exports, done, disk } = await open();
    await done(exports.begin());
    expect(notice(page)).toBe(false);
    page.close();

    server.answer(ASK, () => ok(finished));
    const later = await openPage(server, disk);
    await expect.poll(() => notice(later)).toBe(true);
    later.close();
    const again = await openPage(server, disk);
    await expect.poll(() => notice(again)).toBe(true);
    const data = (await again.engine.ownData()) as OwnData;
    data.exports.closeNotice();
    expect(notice(again)).toBe(false);
    again.close();

    const asked = server.calls(ASK).length;
    const last = await openPage(server, disk);
    await last.browser.advance(60_000);
    expect(notice(last)).toBe(false);
    expect(closed(last)).toBe(true);
    expect(server.calls(ASK)).toHaveLength(asked);
    // A new one is told of again.
    const lastData = (await last.engine.ownData()) as OwnData;
    void lastData.exports.begin();
    await last.browser.advance(POLL_MS);
    expect(notice(last)).toBe(true);
    last.close();
  });

  describe("that is there, in two tabs", () => {
    /** The notice shows in both; the disk remembers that it is awaited. */
    async function twoTabs() {
      const { server, page, exports, done, disk } = await open();
      await done(exports.begin());
      page.close();
      server.answer(ASK, () => ok(finished));
      const tabs = [await openPage(server, disk), await openPage(server, disk)] as const;
      for (const tab of tabs) await expect.poll(() => notice(tab)).toBe(true);
      const parts = tabs.map(async (tab) => ((await tab.engine.ownData()) as OwnData).exports);
      const [one, two] = (await Promise.all(parts)) as [OwnData["exports"], OwnData["exports"]];
      const close = () => tabs.forEach((tab) => tab.close());
      return { server, disk, tabs, one, two, close };
    }

    it.each(["closed", "downloaded"])("is told of in neither once it is %s in one", async (how) => {
      const { server, tabs, one, two, close } = await twoTabs();
      if (how === "closed") one.closeNotice();
      else void one.download(() => {});
      for (const tab of tabs) await tab.browser.settle();
      expect(tabs.map(notice)).toEqual([false, false]);
      await Promise.all([two.look(), tabs[1].browser.settle()]);
      expect(notice(tabs[1])).toBe(false);
      expect(closed(tabs[1])).toBe(true);
      // The other tab writes nothing by itself, and nothing old over it later.
      tabs[1].engine.site.setPreferences({ siderCollapsed: true });
      close();
      const later = await openPage(server, tabs[0].disk);
      await later.browser.settle();
      expect(notice(later)).toBe(false);
      later.close();
    });

    it("leaves alone what the other tab chose meanwhile", async () => {
      const { disk, tabs, one, close } = await twoTabs();
      tabs[0].engine.site.setPreferences({ theme: "dark" });
      one.closeNotice();
      await tabs[1].browser.settle();
      expect(JSON.parse(disk.values.get("plumb.preferences") ?? "")).toMatchObject({
        theme: "dark",
        exportedHistoryClosed: true,
      });
      close();
    });

    it("is closed in one while the other awaits a newer one: that is told of there", async () => {
      const { server, tabs, one, two, close } = await twoTabs();
      server.answer(ASK, () => ok(written(3)));
      await Promise.all([two.begin(), tabs[1].browser.settle()]);
      one.closeNotice();
      await tabs[1].browser.settle();
      expect(closed(tabs[1])).toBe(false);
      server.answer(ASK, () => ok({ ...finished, export_at: SECS + 60 }));
      await tabs[1].browser.advance(POLL_MS);
      expect(notice(tabs[1])).toBe(true);
      close();
    });

    it("is closed in one before the other has learned that it is there: it is not told of there", async () => {
      const { server, tabs, one, two, close } = await twoTabs();
      server.answer(ASK, () => ok(written(3)));
      await Promise.all([two.begin(), tabs[1].browser.settle()]);
      server.answer(ASK, () => ok({ ...finished, export_at: SECS + 60 }));
      await Promise.all([one.look(), tabs[0].browser.settle()]);
      one.closeNotice();
      await tabs[1].browser.advance(POLL_MS);
      expect(two.store.getState().phase).toBe("finished");
      expect([notice(tabs[1]), closed(tabs[1])]).toEqual([false, true]);
      close();
    });

    it("stays where another account's reader has closed theirs", async () => {
      const { tabs, close } = await twoTabs();
      const channel = tabs[0].browser.openChannel("plumb");
      channel.post({ about: "exportNoticed", userId: "somebody else", exportAt: SECS });
      await tabs[1].browser.settle();
      expect(tabs.map(notice)).toEqual([true, true]);
      channel.close();
      close();
    });
  });

  it("is nobody's matter on a page where none was begun", async () => {
    const server = createFakeServer();
    const page = await openPage(server);
    await page.browser.advance(60_000);
    expect(server.calls(ASK)).toEqual([]);
    page.close();
  });

  it("opens its address, and a second later the one of the older format [EXP-009]", async () => {
    const { server, page, exports, done } = await open();
    server.answer(ASK, () => ok({ ...finished, legacy_history_download_url: "http://plumb.test/old" }));
    await done(exports.look());
    const opened: string[] = [];
    await done(exports.download((address) => opened.push(address)));
    expect(opened).toEqual(["http://plumb.test/zip"]);
    await page.browser.advance(999);
    expect(opened).toHaveLength(1);
    await page.browser.advance(1);
    expect(opened).toEqual(["http://plumb.test/zip", "http://plumb.test/old"]);
    expect(closed(page)).toBe(true);
    page.close();
  });

  it("opens the address that is good now; one that has expired is told of once [EXP-017]", async () => {
    const { server, page, exports, done } = await open();
    server.answer(ASK, () => ok(finished));
    await done(exports.look());
    server.answer(ASK, expired);
    const opened: string[] = [];
    await done(exports.download((address) => opened.push(address)));
    expect(opened).toEqual([]);
    expect(told(page)).toEqual([{ key: "exportExpired" }]);
    expect(exports.store.getState()).toMatchObject({ phase: "none", status: null });
    await page.browser.advance(10_000);
    await done(exports.look());
    expect(told(page)).toEqual([]);
    page.close();
  });

  it("that is gone by now is said to be so to whoever wants it, as after its deletion in another tab", async () => {
    const { server, page, exports, done } = await open();
    server.answer(ASK, () => ok(finished));
    await done(exports.look());
    server.answer(ASK, none);
    const opened: string[] = [];
    await done(exports.download((address) => opened.push(address)));
    expect(opened).toEqual([]);
    expect(told(page)).toEqual([{ key: "exportExpired" }]);
    expect(exports.store.getState()).toMatchObject({ phase: "none", status: null });
    page.close();
  });

  it("that has nothing in it says so", async () => {
    const { server, page, exports, done } = await open();
    await done(exports.begin());
    server.answer(ASK, () => ok(status({ status: "EMPTY" })));
    await page.browser.advance(POLL_MS);
    expect(told(page)).toEqual([{ key: "exportNothing" }]);
    expect(exports.store.getState().phase).toBe("none");
    page.close();
  });

  it.each([
    ["too soon after the last one [EXP-014]", () => refused(1, "RATE_LIMIT"), "exportAllRateLimit"],
    ["refused otherwise [EXP-015]", () => refused(2, "EXPORT_FAILED"), "exportAllFailed"],
    ["with a number of tomorrow [EXP-015]", () => refused(77, "TOMORROW"), "exportAllFailed"],
    [
      "with the server away [EXP-015]",
      () => globalError(50300, "SERVICE_UNAVAILABLE", 503),
      "exportAllFailed",
    ],
  ])("%s is not begun, which is said", async (_title, answer, key) => {
    const { server, page, exports, done } = await open();
    await done(exports.look());
    server.answer(BEGIN, answer);
    await done(exports.begin());
    expect(told(page)).toEqual([{ key }]);
    expect(exports.store.getState()).toMatchObject({ phase: "none", beginning: false });
    page.close();
  });

  it("is not begun for another reason than a moment ago: that is said, too, and each once", async () => {
    const { server, page, exports, done } = await open();
    await done(exports.look());
    server.answer(BEGIN, down);
    await done(exports.begin());
    server.answer(BEGIN, () => refused(1, "RATE_LIMIT"));
    await done(exports.begin());
    await done(exports.begin());
    expect(told(page)).toEqual([{ key: "exportAllFailed" }, { key: "exportAllRateLimit" }]);
    page.close();
  });

  it("that went with the history is not shown again by an answer that was on its way", async () => {
    const { server, page, exports, done } = await open();
    let answer: (response: Response) => void = () => {};
    server.answer(ASK, () => new Promise<Response>((resolve) => (answer = resolve)));
    const looking = exports.look();
    await page.browser.settle();
    exports.forget();
    answer(ok(finished));
    await done(looking);
    expect(exports.store.getState()).toMatchObject({ phase: "none", status: null });
    expect(notice(page)).toBe(false);
    server.answer(ASK, () => ok(finished));
    await done(exports.look());
    expect(exports.store.getState().phase).toBe("finished");
    page.close();
  });

  it("that was given up says that it failed, and can be begun again [EXP-015]", async () => {
    const { server, page, exports, done } = await open();
    await done(exports.begin());
    server.answer(ASK, () => refused(3, "EXPORT_FAILED"));
    await page.browser.advance(POLL_MS);
    expect(told(page)).toEqual([{ key: "exportAllFailed" }]);
    expect(exports.store.getState().phase).toBe("none");
    expect(closed(page)).toBe(true);
    page.close();
  });

  it("is begun once by two presses", async () => {
    const { server, page, exports, done } = await open();
    await done(Promise.all([exports.begin(), exports.begin()]));
    expect(server.calls(BEGIN)).toHaveLength(1);
    page.close();
  });

  it("is followed no longer when its account leaves", async () => {
    const { server, page, exports, done } = await open();
    await done(exports.begin());
    await done(page.engine.accounts.signOut());
    const asked = server.calls(ASK).length;
    await page.browser.advance(60_000);
    expect(server.calls(ASK)).toHaveLength(asked);
    expect(exports.store.getState()).toMatchObject({ phase: "unknown", status: null });
    page.close();
  });
});
