// What other devices of the user do reaches an open page without being asked for by hand.
import { describe, expect, it } from "vitest";
import { globalError } from "../testing/fake-answers.ts";
import { thinkingReply } from "../testing/fake-replies.ts";
import { createFakeServer } from "../testing/fake-server.ts";
import { openPage, type Page } from "../testing/open-page.ts";
import { shortTalk } from "../testing/wire-message.ts";

const HISTORY = "/api/v0/chat/history_messages";
const PAGE = "/api/v0/chat_session/fetch_page";
const WHOLE = "Two plus two 🧮|Four, 四.";

/** Two devices on one session: no storage of theirs is shared. */
async function twoDevices() {
  const server = createFakeServer();
  server.addSession("s1", shortTalk);
  server.addSession("s2", shortTalk);
  const [desktop, phone] = [await openPage(server), await openPage(server)];
  for (const page of [desktop, phone]) {
    page.engine.sessions.open("s1");
    await page.browser.settle();
  }
  const close = (): void => {
    desktop.close();
    phone.close();
  };
  return { server, desktop, phone, close };
}

const titles = (page: Page): unknown[] =>
  page.engine.sessions.list.getState().sessions.map(({ title }) => title);
const toasts = (page: Page): unknown[] => page.engine.site.toasts.getState().toasts.map(({ text }) => text);

describe("a session that is open", () => {
  it("is asked for every 5 s with its version, and shows and streams a reply that began elsewhere", async () => {
    const { server, desktop, phone, close } = await twoDevices();
    await phone.engine.turns.send("s1", "2+2?");
    await phone.browser.settle();
    server.produce(4);
    await phone.browser.advance(20);
    const asked = server.calls(HISTORY).length;
    await desktop.browser.advance(4900);
    expect(server.calls(HISTORY)).toHaveLength(asked);
    await desktop.browser.advance(200);
    expect(server.calls(HISTORY).at(-1)?.query.get("cache_version")).toBe("9");
    expect(desktop.state("s1")).toBe("completing");
    expect(desktop.text("s1")).toBe(phone.text("s1"));
    // While it streams, nobody asks.
    const whileStreaming = server.calls(HISTORY).length;
    await desktop.browser.advance(20_000);
    expect(server.calls(HISTORY)).toHaveLength(whileStreaming);
    server.produce(20);
    await desktop.browser.advance(20);
    expect(desktop.text("s1")).toBe(WHOLE);
    expect(desktop.state("s1")).toBe("idle");
    close();
  });

  it("keeps what is drawn while nothing changes, the objects of unchanged messages while something does", async () => {
    const { server, desktop, phone, close } = await twoDevices();
    const tree = () => desktop.engine.sessions.store.getState().byId["s1"]?.tree;
    const before = tree();
    await desktop.browser.advance(20_000);
    expect(tree()).toBe(before);
    await phone.engine.turns.send("s1", "2+2?");
    await phone.browser.settle();
    server.produce(20);
    await phone.browser.advance(20);
    await desktop.browser.advance(5000);
    expect(desktop.shown("s1")).toHaveLength(4);
    expect([1, 2].map((id) => tree()?.nodes.get(id)?.message === before?.nodes.get(id)?.message)).toEqual([
      true,
      true,
    ]);
    close();
  });

  it.each([
    ["is not fetched again after a turn that told its versions", [10, 11], "11"],
    [
      "is fetched whole where a turn's first version shows that somebody else's change is missing",
      [11, 12],
      null,
    ],
  ])("%s", async (_title, told, asked) => {
    const { server, desktop, phone, close } = await twoDevices();
    phone.close();
    const versions = [...told];
    server.setEvents((...of) =>
      thinkingReply(...of).map((event) =>
        event.type === "update_session"
          ? { ...event, data: { ...event.data, version: versions.shift() ?? 0 } }
          : event,
      ),
    );
    await desktop.engine.turns.send("s1", "2+2?");
    await desktop.browser.settle();
    server.produce(20);
    await desktop.browser.advance(20);
    await desktop.browser.advance(5000);
    expect(server.calls(HISTORY).at(-1)?.query.get("cache_version")).toBe(asked);
    close();
  });

  it("is not asked for while hidden or offline, less often while that fails, and at once when either is over", async () => {
    const { server, desktop, phone, close } = await twoDevices();
    phone.close();
    const asked = (): number => server.calls(HISTORY).length;
    let before = asked();
    desktop.browser.setVisible(false);
    await desktop.browser.advance(60_000);
    expect(asked()).toBe(before);
    desktop.browser.setVisible(true);
    await desktop.browser.settle();
    expect(asked()).toBe(before + 1);
    desktop.browser.goOffline();
    await desktop.browser.advance(60_000);
    expect(asked()).toBe(before + 1);
    desktop.browser.comeOnline();
    await desktop.browser.settle();
    expect(asked()).toBe(before + 2);
    server.answer(HISTORY, () => globalError(50000, "INTERNAL_ERROR", 500));
    before = asked();
    // After 5, 15, 35, 75 and 135 s.
    await desktop.browser.advance(140_000);
    expect(asked()).toBe(before + 5);
    expect(toasts(desktop)).toEqual([]);
    expect(desktop.state("s1")).toBe("idle");
    close();
  });

  it("deleted elsewhere takes who reads it home, with a word, and what is typed along", async () => {
    const { desktop, phone, close } = await twoDevices();
    desktop.engine.sessions.setDraft("s1", "typed");
    await phone.engine.sessions.remove("s1");
    await desktop.browser.advance(5000);
    expect(desktop.engine.site.navigation.getState()).toEqual({ to: "/", replace: true });
    expect(toasts(desktop)).toMatchObject([{ key: "chatDeleted" }]);
    expect(desktop.engine.sessions.list.getState().sessions.map(({ id }) => id)).toEqual(["s2"]);
    expect(desktop.engine.sessions.store.getState().drafts).toEqual({ "new:chat": "typed" });
    close();
  });

  it("renamed elsewhere has its new title within 5 s", async () => {
    const { desktop, phone, close } = await twoDevices();
    await phone.engine.sessions.rename("s1", "Sums");
    await desktop.browser.advance(5000);
    expect(desktop.engine.sessions.store.getState().byId["s1"]).toMatchObject({
      title: "Sums",
      titleType: "USER",
    });
    expect(titles(desktop)).toEqual(["Sums", "Old"]);
    close();
  });
});

describe("the list", () => {
  it("is asked for every 30 s: new, renamed, pinned and deleted sessions show as they are", async () => {
    const { server, desktop, phone, close } = await twoDevices();
    desktop.engine.sessions.open("new:chat");
    server.addSession("s3", shortTalk, { title: "New", updatedAtSecs: 1_790_000_050 });
    await phone.engine.sessions.rename("s2", "Sums");
    phone.engine.sessions.setPinned("s2", true);
    await phone.engine.sessions.remove("s1");
    const asked = server.calls(PAGE).length;
    await desktop.browser.advance(29_000);
    expect([server.calls(PAGE).length, titles(desktop)]).toEqual([asked, ["Old", "Old"]]);
    await desktop.browser.advance(2000);
    expect(server.calls(PAGE)).toHaveLength(asked + 1);
    const { sessions } = desktop.engine.sessions.list.getState();
    expect(sessions.map(({ title, pinned }) => [title, pinned])).toEqual([
      ["New", false],
      ["Sums", true],
    ]);
    await desktop.browser.advance(30_000);
    expect(desktop.engine.sessions.list.getState().sessions).toBe(sessions);
    close();
  });

  it("that could not be loaded keeps its notice and its retry, and is asked for again when it is looked at", async () => {
    const server = createFakeServer();
    server.addSession("s1", shortTalk);
    server.answer(PAGE, () => globalError(50000, "INTERNAL_ERROR", 500));
    const page = await openPage(server);
    await page.browser.advance(90_000);
    expect(server.calls(PAGE)).toHaveLength(1);
    expect(page.engine.sessions.list.getState().state).toBe("error");
    server.answerAsUsual(PAGE);
    page.browser.setVisible(true);
    await page.browser.settle();
    expect(titles(page)).toEqual(["Old"]);
    page.close();
  });

  it("takes a title that was made elsewhere though the time of the session is the same", async () => {
    const { server, desktop, phone, close } = await twoDevices();
    desktop.engine.sessions.open("new:chat");
    server.addSession("s1", shortTalk, { title: "Made later" });
    await desktop.browser.advance(30_000);
    expect(titles(desktop)).toContain("Made later");
    expect(desktop.engine.sessions.store.getState().byId["s1"]?.title).toBe("Made later");
    phone.close();
    close();
  });
});
