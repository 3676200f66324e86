import { describe, expect, it } from "vitest";
import { globalError, ok } from "../testing/fake-answers.ts";
import { createFakeServer } from "../testing/fake-server.ts";
import { thinkingReply } from "../testing/fake-replies.ts";
import { shortTalk } from "../testing/wire-message.ts";
import { openPage, signedInDisk } from "../testing/open-page.ts";

const HISTORY = "/api/v0/chat/history_messages";
const CURRENT = "/api/v0/users/current";
const RENAME = "/api/v0/chat_session/update_title";
const LOGIN = "/api/v0/users/login";
const WHOLE = "Two plus two 🧮|Four, 四.";
const EVENTS = thinkingReply(1, 2, "x").length;

async function twoTabs() {
  const server = createFakeServer();
  server.addSession("s1", shortTalk);
  const disk = signedInDisk();
  const [one, two] = [await openPage(server, disk), await openPage(server, disk)];
  for (const page of [one, two]) {
    page.engine.sessions.open("s1");
    await page.browser.settle();
  }
  const close = (): void => {
    one.close();
    two.close();
  };
  return { server, disk, one, two, close };
}

describe("two tabs of one browser", () => {
  it("sign out together", async () => {
    const { disk, one, two, close } = await twoTabs();
    two.engine.sessions.setDraft("s1", "secret");
    await one.engine.accounts.signOut();
    await two.browser.settle();
    expect(two.engine.accounts.auth.getState()).toEqual({ status: "no", user: null, reason: "signed-out" });
    expect(two.engine.site.navigation.getState().to).toBe("/sign_in");
    expect(two.engine.sessions.store.getState()).toEqual({ byId: {}, drafts: {}, unkept: [] });
    expect(two.engine.sessions.list.getState().sessions).toEqual([]);
    expect([disk.values.size, disk.records.size]).toEqual([0, 0]);
    close();
  });

  it("are both done with the phone that one of them has bound", async () => {
    const { server, one, two, close } = await twoTabs();
    const needed = {
      id: "user-1",
      token: "token-1",
      chat: { is_muted: 0, mute_until: null },
      mobile_number: "",
    };
    const gates = () => [one, two].map(({ engine }) => engine.site.overlays.getState().gate);
    server.answer(RENAME, () => globalError(40013, "MOBILE_NOT_VERIFIED"));
    server.answer(CURRENT, () => ok(needed));
    for (const { engine } of [one, two]) await engine.sessions.rename("s1", "x");
    expect(gates()).toEqual(["phone", "phone"]);
    const bound = { ...needed, mobile_number: "138****5678" };
    server.answer("/api/v0/users/bind_mobile", () => ok({ code: 0, msg: "", user: bound }));
    server.answer(CURRENT, () => ok(bound));
    const account = await one.engine.ownAccount();
    await account?.bindMobile({ mobile: "13812345678", code: "123456" });
    await two.browser.settle();
    expect(gates()).toEqual([null, null]);
    expect(two.engine.accounts.auth.getState().user?.mobile_number).toBe("138****5678");
    close();
  });

  const banned = () => globalError(40012, "USER_IS_BANNED");

  it("are both at the banned page when one of them is told of a ban, and both at sign-in after another one's stay", async () => {
    const { server, disk, one, two, close } = await twoTabs();
    const whereAll = () =>
      [one, two].map(({ engine: { accounts, site } }) => [
        site.navigation.getState().to,
        accounts.auth.getState().reason,
      ]);
    server.answer(RENAME, banned);
    await one.engine.sessions.rename("s1", "x");
    await two.browser.settle();
    expect(whereAll()).toEqual([
      ["/banned", "banned"],
      ["/banned", "banned"],
    ]);
    one.engine.accounts.acknowledgeBan();
    const other = { id: "user-2", token: "token-2", chat: { is_muted: 0, mute_until: null } };
    server.answer(LOGIN, () => ok({ code: 0, msg: "", user: other }));
    server.answer(CURRENT, () => ok(other));
    await one.engine.accounts.signIn({ identifier: "b@b.co", password: "12345678" });
    await two.browser.settle();
    expect(two.engine.accounts.auth.getState()).toMatchObject({ status: "yes", reason: "none" });
    await one.engine.accounts.signOut();
    await two.browser.settle();
    expect(whereAll()).toEqual([
      ["/sign_in", "signed-out"],
      ["/sign_in", "signed-out"],
    ]);
    expect(disk.values.has("plumb.banned")).toBe(false);
    close();
  });

  it("are both at the banned page though one slept through the other's", async () => {
    const { server, disk, one, two, close } = await twoTabs();
    for (const tabs of disk.channels.values()) tabs.clear();
    server.answer(RENAME, banned);
    await one.engine.sessions.rename("s1", "x");
    await two.browser.settle();
    expect(two.engine.accounts.auth.getState().status).toBe("yes");
    two.browser.setVisible(true);
    expect(two.engine.site.navigation.getState()).toEqual({ to: "/banned", replace: true });
    close();
  });

  it("are both at the banned page though the other one asks before it has heard, with a token that is gone", async () => {
    const { server, disk, one, two, close } = await twoTabs();
    for (const tabs of disk.channels.values()) tabs.clear();
    server.answer(RENAME, banned);
    await one.engine.sessions.rename("s1", "x");
    server.answer(RENAME, () => globalError(40003, "INVALID_TOKEN"));
    await two.engine.sessions.rename("s1", "x");
    expect(two.engine.site.navigation.getState().to).toBe("/banned");
    expect(two.engine.site.toasts.getState().toasts).toEqual([]);
    close();
  });

  it("are both of the account that came after a banned one, though one slept through that and is told of the ban", async () => {
    const { server, disk, one, two, close } = await twoTabs();
    for (const tabs of disk.channels.values()) tabs.clear();
    await one.engine.accounts.signOut();
    const other = { id: "user-2", token: "token-2", chat: { is_muted: 0, mute_until: null } };
    server.answer(LOGIN, () => ok({ code: 0, msg: "", user: other }));
    server.answer(CURRENT, () => ok(other));
    await one.engine.accounts.signIn({ identifier: "b@b.co", password: "12345678" });
    server.answer(RENAME, banned);
    await two.engine.sessions.rename("s1", "x");
    await two.browser.settle();
    expect(disk.values.get("plumb.token")).toBe("token-2");
    expect(two.engine.accounts.auth.getState()).toMatchObject({ status: "yes", user: { id: "user-2" } });
    close();
  });

  it("sign in together, and nothing of the user before is left in either", async () => {
    const { server, one, two, close } = await twoTabs();
    await one.engine.accounts.signOut();
    await two.browser.settle();
    const other = { id: "user-2", token: "token-2", chat: { is_muted: 0, mute_until: null } };
    server.answer(LOGIN, () => ok({ code: 0, msg: "", user: other }));
    server.answer(CURRENT, () => ok(other));
    await one.engine.accounts.signIn({ identifier: "b@b.co", password: "12345678" });
    await two.browser.settle();
    expect(two.engine.accounts.auth.getState()).toMatchObject({ status: "yes", user: { id: "user-2" } });
    expect(server.calls(CURRENT).at(-1)?.headers["authorization"]).toBe("Bearer token-2");
    expect(two.engine.sessions.store.getState()).toEqual({ byId: {}, drafts: {}, unkept: [] });
    expect(two.engine.sessions.list.getState().state).toBe("loaded");
    close();
  });

  it.each([
    ["at once", false],
    ["when the one that slept is seen again", true],
  ])("are both through the age gate that one of them has answered: %s", async (_when, slept) => {
    const server = createFakeServer();
    const user = { id: "user-1", token: "token-1", chat: { is_muted: 0, mute_until: null } };
    server.answer(CURRENT, () => ok({ ...user, need_birthday: true }));
    server.answer("/api/v0/users/set_birthday", () => ok(null));
    const disk = signedInDisk();
    const [one, two] = [await openPage(server, disk), await openPage(server, disk)];
    const gates = () => [one, two].map(({ engine }) => engine.site.overlays.getState().gate);
    expect(gates()).toEqual(["birthday", "birthday"]);
    if (slept) for (const tabs of disk.channels.values()) tabs.clear();
    server.answer(CURRENT, () => ok({ ...user, need_birthday: false }));
    await (await one.engine.ownAccount())?.setBirthday(1990, 5);
    await two.browser.settle();
    expect(gates()).toEqual([null, slept ? "birthday" : null]);
    const asked = server.calls(CURRENT).length;
    two.browser.setVisible(true);
    await two.browser.settle();
    expect(gates()).toEqual([null, null]);
    // Nobody is asked about who has passed it.
    expect(server.calls(CURRENT)).toHaveLength(slept ? asked + 1 : asked);
    one.close();
    two.close();
  });

  it("sign out together though the browser brings what is stored over to the other tab in a while only", async () => {
    const { one, two, close } = await twoTabs();
    const { get } = two.browser.storage;
    const before = get("plumb.token");
    two.browser.storage.get = (key) => (key === "plumb.token" ? before : get(key));
    await one.engine.accounts.signOut();
    await two.browser.advance(1000);
    expect(two.engine.accounts.auth.getState().status).toBe("yes");
    two.browser.storage.get = get;
    await two.browser.advance(50);
    expect(two.engine.accounts.auth.getState()).toMatchObject({ status: "no", reason: "signed-out" });
    close();
  });

  it("a tab that slept through sign-out and sign-in leaves the old user's chat when it is seen again", async () => {
    const { server, disk, one, two, close } = await twoTabs();
    one.close();
    server.answer(CURRENT, () => ok({ id: "user-2", token: "token-2", chat: { is_muted: 0 } }));
    disk.values.set("plumb.token", "token-2");
    const asked = server.calls(HISTORY).length;
    two.browser.setVisible(true);
    expect(two.engine.accounts.auth.getState().status).toBe("pending");
    expect(two.engine.sessions.store.getState().byId).toEqual({});
    expect(two.engine.site.navigation.getState()).toEqual({ to: "/", replace: true });
    await two.browser.settle();
    expect(two.engine.accounts.auth.getState()).toMatchObject({ status: "yes", user: { id: "user-2" } });
    expect(server.calls(HISTORY)).toHaveLength(asked);
    close();
  });

  it("the one that did not send follows the reply of the other at once, hidden ones when they are seen again", async () => {
    const { server, disk, one, two, close } = await twoTabs();
    const hidden = await openPage(server, disk);
    hidden.engine.sessions.open("s1");
    await hidden.browser.settle();
    hidden.browser.setVisible(false);
    await one.engine.turns.send("s1", "2+2?");
    await one.browser.settle();
    server.produce(4);
    await one.browser.advance(20);
    await two.browser.advance(20);
    expect(two.state("s1")).toBe("completing");
    expect(two.text("s1")).toBe(one.text("s1"));
    await hidden.browser.advance(60_000);
    expect(hidden.shown("s1")).toHaveLength(2);
    hidden.browser.setVisible(true);
    await hidden.browser.advance(20);
    expect(hidden.text("s1")).toBe(one.text("s1"));
    hidden.close();
    server.produce(EVENTS);
    await one.browser.advance(20);
    await two.browser.advance(20);
    expect([one.text("s1"), two.text("s1")]).toEqual([WHOLE, WHOLE]);
    expect([one.state("s1"), two.state("s1")]).toEqual(["idle", "idle"]);
    close();
  });

  it("show each of twenty answers to one question, cut in the middle: no event is taken for one of the answer before", async () => {
    const { server, one, two, close } = await twoTabs();
    for (let answer = 0; answer < 20; answer++) {
      expect(await one.engine.turns.regenerate("s1", 2)).toBe(true);
      await one.browser.settle();
      // The first cuts come before any text, the last ones after the end.
      server.produce((answer % (EVENTS - 1)) + 1);
      for (const { browser } of [one, two]) await browser.advance(20);
      server.cut();
      for (const { browser } of [one, two]) await browser.advance(20);
      server.produce(EVENTS);
      for (const { browser } of [one, two]) await browser.advance(1000);
      // Its reader stays at the answer before until they go on.
      two.engine.sessions.switchBranch("s1", answer + 3);
      for (const tab of [one, two]) {
        expect(tab.shown("s1").at(-1)?.message_id, `answer ${answer}`).toBe(answer + 3);
        expect(tab.text("s1"), `answer ${answer}`).toBe(WHOLE);
        expect(tab.state("s1")).toBe("idle");
      }
    }
    close();
  }, 30_000);

  it("a look at the history that a whole turn overtook is not shown", async () => {
    const { server, one, close } = await twoTabs();
    const before = server.messagesOf("s1");
    let release: (() => void) | undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    server.answer(HISTORY, async () => {
      await held;
      const chat_session = { id: "s1", title: "Old", title_type: "SYSTEM", updated_at: 1, version: 9 };
      return ok({ chat_session, chat_messages: before, cache_valid: false, route_id: null });
    });
    one.browser.setVisible(true);
    await one.engine.turns.send("s1", "2+2?");
    await one.browser.settle();
    server.produce(EVENTS);
    await one.browser.advance(20);
    expect(one.state("s1")).toBe("idle");
    release?.();
    await one.browser.settle();
    expect(one.text("s1")).toBe(WHOLE);
    close();
  });
});
