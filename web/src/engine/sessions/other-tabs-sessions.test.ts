// Tabs of one browser agree on the list, on what is deleted, and on the replies that run and were not seen.
import { describe, expect, it } from "vitest";
import { ok } from "../testing/fake-answers.ts";
import { createFakeServer } from "../testing/fake-server.ts";
import { openPage, signedInDisk, type Page } from "../testing/open-page.ts";
import { shortTalk } from "../testing/wire-message.ts";
import { readTabNews } from "../site/tab-news.ts";

const PAGE = "/api/v0/chat_session/fetch_page";

async function tabsOn(...keys: string[]) {
  const server = createFakeServer();
  for (const id of ["s1", "s2"]) server.addSession(id, shortTalk);
  const disk = signedInDisk();
  const pages: Page[] = [];
  const open = async (key: string): Promise<Page> => {
    const page = await openPage(server, disk);
    page.engine.sessions.open(key);
    await page.browser.settle();
    pages.push(page);
    return page;
  };
  for (const key of keys) await open(key);
  const close = (): void => pages.forEach((page) => page.close());
  return { server, disk, pages: pages as [Page, Page], open, close };
}

const listed = (page: Page) =>
  page.engine.sessions.list.getState().sessions.map(({ id, title, pinned }) => ({ id, title, pinned }));
const elsewhere = (page: Page) => page.engine.sessions.elsewhere.getState().bySession;
const unseen = (page: Page, id: string) => page.engine.sessions.store.getState().byId[id]?.endedUnseen;

describe("the look of another tab", () => {
  const look = ({ engine: { site } }: Page) => {
    const { theme, locale, siderCollapsed } = site.preferences.getState();
    return { theme, locale, siderCollapsed, inUse: site.locale.getState().locale };
  };

  it("follows the theme and the language, and nothing else that is chosen", async () => {
    const { pages, close } = await tabsOn("s1", "s2");
    const [one, two] = pages;
    one.engine.site.setPreferences({ theme: "dark", siderCollapsed: true });
    one.engine.site.setPreferences({ locale: "zh_CN" });
    await two.browser.settle();
    expect(look(two)).toEqual({ theme: "dark", locale: "zh_CN", siderCollapsed: false, inUse: "zh_CN" });
    close();
  });

  it("follows what it is told, though what is stored is seen later, and nothing it does not know", async () => {
    const { disk, pages, close } = await tabsOn("s1");
    const [page] = pages;
    const channel = page.browser.openChannel("plumb");
    channel.post({ about: "look", theme: "dark", locale: "zh_CN" });
    channel.post({ about: "look", theme: "sepia", locale: "zh_CN" });
    await page.browser.settle();
    expect(look(page)).toMatchObject({ theme: "dark", locale: "zh_CN" });
    expect(disk.values.has("plumb.preferences")).toBe(false);
    channel.close();
    close();
  });

  it("is taken over when a page comes back that was told nothing", async () => {
    const { disk, pages, close } = await tabsOn("s1");
    const [page] = pages;
    disk.values.set("plumb.preferences", JSON.stringify({ theme: "dark" }));
    page.browser.setVisible(false);
    expect(look(page).theme).toBe("system");
    page.browser.setVisible(true);
    expect(look(page).theme).toBe("dark");
    close();
  });
});

describe("the list of another tab", () => {
  it("follows renaming, pinning and new chats at once, without asking the server", async () => {
    const { server, pages, close } = await tabsOn("s1", "s2");
    const [one, two] = pages;
    const asked = server.calls(PAGE).length;
    await one.engine.sessions.rename("s2", "Sums");
    one.engine.sessions.setPinned("s1", true);
    await one.engine.turns.send("new:chat", "hello");
    await one.browser.settle();
    server.produce(4);
    await one.browser.advance(20);
    await two.browser.settle();
    expect(listed(two)).toEqual(listed(one));
    expect(listed(two)).toMatchObject([
      { id: "s2", title: "Sums" },
      { id: "session-1" },
      { id: "s1", pinned: true },
    ]);
    expect(two.engine.sessions.store.getState().byId["s2"]?.title).toBe("Sums");
    expect(server.calls(PAGE)).toHaveLength(asked);
    close();
  });

  it("loses what is deleted; who reads it goes home with a word and what was typed, others are left alone", async () => {
    const { disk, pages, open, close } = await tabsOn("s1", "s1");
    const [one, two] = pages;
    const three = await open("s2");
    two.engine.sessions.setDraft("s1", "typed");
    await one.engine.sessions.remove("s1");
    await two.browser.settle();
    for (const page of pages) expect(listed(page).map(({ id }) => id)).toEqual(["s2"]);
    expect(two.engine.site.navigation.getState()).toEqual({ to: "/", replace: true });
    expect(two.engine.site.toasts.getState().toasts).toMatchObject([{ text: { key: "chatDeleted" } }]);
    expect(two.engine.sessions.store.getState().drafts).toEqual({ "new:chat": "typed" });
    expect([...disk.records.keys()]).toEqual(["s2"]);
    // Neither in the tab that deleted it, nor where another chat is read.
    for (const page of [one, three]) expect(page.engine.site.toasts.getState().toasts).toEqual([]);
    expect(three.engine.site.navigation.getState().to).toBeNull();
    close();
  });

  it("of another account is not touched", async () => {
    const { server, disk, pages, close } = await tabsOn("s1");
    const [one] = pages;
    const other = { id: "user-2", token: "token-2", chat: { is_muted: 0, mute_until: null } };
    server.answer("/api/v0/users/current", () => ok(other));
    const stranger = await openPage(server, { ...disk, values: new Map([["plumb.token", "token-2"]]) });
    await one.engine.sessions.rename("s1", "Mine");
    await stranger.browser.settle();
    expect(listed(stranger).map(({ title }) => title)).toEqual(["Old", "Old"]);
    await one.engine.sessions.remove("s1");
    await stranger.browser.settle();
    expect(listed(stranger)).toHaveLength(2);
    stranger.close();
    close();
  });
});

describe("a reply that another tab reads", () => {
  async function replyElsewhere() {
    const tabs = await tabsOn("s1", "s2");
    const [one, two] = tabs.pages;
    await one.engine.turns.send("s1", "2+2?");
    await one.browser.settle();
    tabs.server.produce(4);
    await one.browser.advance(20);
    await two.browser.settle();
    const end = async (): Promise<void> => {
      tabs.server.produce(20);
      await one.browser.advance(20);
      await two.browser.settle();
    };
    return { ...tabs, one, two, end };
  }

  it("has the dot of one that runs, and none once it ended before its reader's eyes", async () => {
    const { two, end, close } = await replyElsewhere();
    expect(elsewhere(two)).toEqual({ s1: "running" });
    await end();
    expect(elsewhere(two)).toEqual({});
    close();
  });

  it("has the dot of one that was not seen, until it is looked at in any tab", async () => {
    const { one, two, open, end, close } = await replyElsewhere();
    one.browser.setVisible(false);
    const late = await open("s2");
    expect(elsewhere(late)).toEqual({ s1: "running" });
    await end();
    expect([elsewhere(two), elsewhere(late)]).toEqual([{ s1: "unseen" }, { s1: "unseen" }]);
    late.engine.sessions.open("s1");
    await two.browser.settle();
    expect([elsewhere(two), elsewhere(late)]).toEqual([{}, {}]);
    close();
  });

  it("that ended in a chat one had left is seen where the other tab shows it", async () => {
    const { server, one, two, close } = await replyElsewhere();
    two.engine.sessions.open("s1");
    await two.browser.advance(20);
    expect(two.state("s1")).toBe("completing");
    two.engine.sessions.open("s2");
    await two.browser.settle();
    server.produce(20);
    await two.browser.advance(20);
    await one.browser.advance(20);
    expect(unseen(two, "s1")).toBe(false);
    one.engine.sessions.open("s2");
    close();
  });

  it("is forgotten with a tab that is closed, and with one that is silent for long", async () => {
    const { one, two, close } = await replyElsewhere();
    one.browser.leave();
    await two.browser.settle();
    expect(elsewhere(two)).toEqual({});
    close();
    const { one: silent, two: other, close: closeBoth } = await replyElsewhere();
    await silent.browser.advance(120_000);
    await other.browser.advance(60_000);
    expect(elsewhere(other)).toEqual({ s1: "running" });
    await other.browser.advance(180_000);
    expect(elsewhere(other)).toEqual({});
    closeBoth();
  });
});

it.each([
  null,
  "hello",
  {},
  { about: "toString" },
  { about: "presence", tab: "a", userId: "u", shows: 7, running: [] },
  { about: "presence", tab: "a", userId: "u", shows: null, running: [1] },
  { about: "removed", userId: "u" },
  { about: "exportNoticed", userId: "u", exportAt: "now" },
  { about: "session", userId: "u", session: { id: "s", title: 3 } },
])("news of another version that can't be read is passed over: %j", (message) => {
  expect(readTabNews(message)).toBeNull();
});
