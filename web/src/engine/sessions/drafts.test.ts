import { describe, expect, it } from "vitest";
import { globalError, ok } from "../testing/fake-answers.ts";
import { createFakeServer } from "../testing/fake-server.ts";
import { shortTalk } from "../testing/wire-message.ts";
import { KEPT_DRAFT_CHARS } from "./kept-drafts.ts";
import { openPage, signedInDisk, type Page } from "../testing/open-page.ts";

const NEW = "new:chat";
const COMPLETION = "/api/v0/chat/completion";
const LOGIN = "/api/v0/users/login";
const CURRENT = "/api/v0/users/current";

function serverWithSession() {
  const server = createFakeServer();
  server.addSession("s1", shortTalk);
  return server;
}

const drafts = (page: Page) => page.engine.sessions.store.getState().drafts;
const user = (id: string, token: string) => ({ id, token, chat: { is_muted: 0, mute_until: null } });
const signIn = (page: Page) => page.engine.accounts.signIn({ identifier: "a@b.co", password: "12345678" });

describe("drafts", () => {
  it("survive a reload, each in its chat, also while the send is on its way", async () => {
    const server = serverWithSession();
    const disk = signedInDisk();
    const page = await openPage(server, disk);
    page.engine.sessions.setDraft("s1", "2+2?");
    page.engine.sessions.setDraft(NEW, "elsewhere");
    page.engine.sessions.open("s1");
    await page.browser.settle();
    await page.engine.turns.send("s1", "2+2?");
    expect(drafts(page)).toEqual({ [NEW]: "elsewhere" });
    page.close();
    const again = await openPage(server, disk);
    expect(drafts(again)).toEqual({ s1: "2+2?", [NEW]: "elsewhere" });
    again.close();
  });

  it("of two tabs are all kept", async () => {
    const server = serverWithSession();
    const disk = signedInDisk();
    const first = await openPage(server, disk);
    const second = await openPage(server, disk);
    first.engine.sessions.setDraft("s1", "one");
    second.engine.sessions.setDraft(NEW, "two");
    first.close();
    second.close();
    const again = await openPage(server, disk);
    expect(drafts(again)).toEqual({ s1: "one", [NEW]: "two" });
    again.close();
  });

  it("of two tabs in one chat: a send from one takes nothing that was typed in the other", async () => {
    const server = serverWithSession();
    const disk = signedInDisk();
    const first = await openPage(server, disk);
    const second = await openPage(server, disk);
    for (const page of [first, second]) {
      page.engine.sessions.open("s1");
      await page.browser.settle();
    }
    first.engine.sessions.setDraft("s1", "one");
    await first.browser.advance(500);
    second.engine.sessions.setDraft("s1", "two");
    await second.browser.advance(500);
    await first.engine.turns.send("s1", "one");
    // What is on its way there is not overwritten.
    second.browser.setVisible(false);
    expect(disk.values.get("plumb.drafts")).toContain('"one"');
    server.produce(99);
    await first.browser.advance(20);
    expect(first.text("s1")).toContain("Four");
    expect(disk.values.get("plumb.drafts") ?? "").not.toContain('"one"');
    second.browser.setVisible(true);
    second.browser.setVisible(false);
    second.close();
    first.close();
    const again = await openPage(server, disk);
    expect(drafts(again)).toEqual({ s1: "two" });
    again.close();
  });

  it("that a closed tab has left are in the empty composers of another one, a moment later", async () => {
    const disk = signedInDisk();
    const server = serverWithSession();
    const stays = await openPage(server, disk);
    const goes = await openPage(server, disk);
    stays.engine.sessions.setDraft(NEW, "mine");
    goes.engine.sessions.setDraft(NEW, "another's");
    goes.engine.sessions.setDraft("s1", "unfinished");
    goes.browser.leave();
    goes.close();
    await stays.browser.advance(2900);
    expect(drafts(stays)).toEqual({ [NEW]: "mine" });
    await stays.browser.advance(200);
    expect(drafts(stays)).toEqual({ [NEW]: "mine", s1: "unfinished" });
    stays.close();
  });

  it("of a tab that loads again come to no other one", async () => {
    const disk = signedInDisk();
    const server = serverWithSession();
    const stays = await openPage(server, disk);
    const loads = await openPage(server, disk);
    loads.engine.sessions.setDraft("s1", "unfinished");
    loads.browser.leave();
    loads.close();
    await stays.browser.advance(1000);
    const again = await openPage(server, disk);
    await stays.browser.advance(9000);
    expect([drafts(stays), drafts(again)]).toEqual([{}, { s1: "unfinished" }]);
    stays.close();
    again.close();
  });

  it("that are being sent do not come back when another tab is closed", async () => {
    const disk = signedInDisk();
    const server = serverWithSession();
    const stays = await openPage(server, disk);
    const goes = await openPage(server, disk);
    stays.engine.sessions.open("s1");
    await stays.browser.settle();
    stays.engine.sessions.setDraft("s1", "2+2?");
    await stays.engine.turns.send("s1", "2+2?");
    goes.browser.leave();
    goes.close();
    await stays.browser.advance(4000);
    expect(drafts(stays)).toEqual({});
    stays.close();
  });

  it("that say the same again as what was just sent stay", async () => {
    const server = serverWithSession();
    const page = await openPage(server);
    page.engine.sessions.open("s1");
    await page.browser.settle();
    page.engine.sessions.setDraft("s1", "go on");
    await page.engine.turns.send("s1", "go on");
    await page.browser.settle();
    expect(drafts(page)).toEqual({});
    page.engine.sessions.setDraft("s1", "go on");
    server.produce(99);
    await page.browser.advance(20);
    expect(page.text("s1")).toContain("Four");
    expect(drafts(page)).toEqual({ s1: "go on" });
    page.close();
  });

  it("stay where a failed message is sent again above them", async () => {
    const server = serverWithSession();
    server.answer(COMPLETION, () => globalError(42905, "SERVER_BUSY", 429));
    const page = await openPage(server);
    page.engine.sessions.open("s1");
    await page.browser.settle();
    await page.engine.turns.send("s1", "2+2?");
    await page.browser.settle();
    page.engine.sessions.setDraft("s1", "something else");
    server.answerAsUsual(COMPLETION);
    page.engine.turns.retry("s1", page.shown("s1").at(-1)!.message_id);
    await page.browser.settle();
    server.produce(99);
    await page.browser.advance(20);
    expect(page.text("s1")).toContain("Four");
    expect(drafts(page)).toEqual({ s1: "something else" });
    page.close();
  });

  it.each(["s1", NEW])(
    "sent from %s after the login ended are there for the same user again",
    async (key) => {
      const server = serverWithSession();
      const page = await openPage(server);
      if (key === "s1") page.engine.sessions.open("s1");
      await page.browser.settle();
      page.engine.sessions.setDraft(key, "2+2?");
      server.answer(COMPLETION, () => globalError(40003, "INVALID_TOKEN"));
      await page.engine.turns.send(key, "2+2?");
      await page.browser.settle();
      expect(page.engine.accounts.auth.getState()).toMatchObject({ status: "no", reason: "expired" });
      expect(drafts(page)).toEqual({});
      server.answer(LOGIN, () => ok({ code: 0, msg: "", user: user("user-1", "token-2") }));
      await signIn(page);
      expect(drafts(page)).toEqual({ [key]: "2+2?" });
      page.close();
    },
  );

  it("are neither shown to another user nor kept from then on", async () => {
    const server = serverWithSession();
    const page = await openPage(server);
    page.engine.sessions.setDraft("s1", "secret");
    server.answer("/api/v0/chat_session/update_title", () => globalError(40003, "INVALID_TOKEN"));
    await page.engine.sessions.rename("s1", "x");
    expect(page.disk.values.get("plumb.drafts")).toContain("secret");
    server.answer(LOGIN, () => ok({ code: 0, msg: "", user: user("user-2", "token-2") }));
    await signIn(page);
    expect(drafts(page)).toEqual({});
    expect(page.disk.values.has("plumb.drafts")).toBe(false);
    page.close();
  });

  it("go with a reload as another user", async () => {
    const server = serverWithSession();
    const disk = signedInDisk();
    const page = await openPage(server, disk);
    page.engine.sessions.setDraft("s1", "secret");
    page.close();
    server.answer(CURRENT, () => ok(user("user-2", "token-1")));
    const again = await openPage(server, disk);
    expect(drafts(again)).toEqual({});
    expect(disk.values.has("plumb.drafts")).toBe(false);
    again.close();
  });

  it("go when the user signs out", async () => {
    const server = serverWithSession();
    const page = await openPage(server);
    page.engine.sessions.setDraft("s1", "secret");
    await page.engine.accounts.signOut();
    expect(page.disk.values.size).toBe(0);
    await signIn(page);
    expect(drafts(page)).toEqual({});
    page.close();
  });

  it("are written at most each 500 ms, at hiding, and at once when they are sent", async () => {
    const page = await openPage(serverWithSession());
    const kept = () => page.disk.values.get("plumb.drafts") ?? "";
    page.engine.sessions.setDraft(NEW, "a");
    await page.browser.advance(400);
    page.engine.sessions.setDraft(NEW, "ab");
    expect(kept()).toBe("");
    await page.browser.advance(100);
    expect(kept()).toContain('"ab"');
    page.engine.sessions.setDraft(NEW, "abc");
    page.browser.setVisible(false);
    expect(kept()).toContain('"abc"');
    page.engine.sessions.setDraft(NEW, "abcd");
    void page.engine.turns.send(NEW, "abcd");
    expect(kept()).toContain('"abcd"');
    page.close();
  });

  it("typed when another tab signed out are not written after it", async () => {
    const server = serverWithSession();
    const disk = signedInDisk();
    const first = await openPage(server, disk);
    const second = await openPage(server, disk);
    second.engine.sessions.setDraft(NEW, "secret");
    await first.engine.accounts.signOut();
    await second.browser.advance(1000);
    expect(disk.values.size).toBe(0);
    first.close();
    second.close();
  });

  it("keep 100,000 characters for a reload and all of them on the page", async () => {
    const server = serverWithSession();
    const disk = signedInDisk();
    const page = await openPage(server, disk);
    const long = `${"a".repeat(KEPT_DRAFT_CHARS - 1)}😀 and more`;
    page.engine.sessions.setDraft("s1", long);
    await page.browser.advance(500);
    expect(drafts(page)["s1"]).toBe(long);
    page.close();
    const again = await openPage(server, disk);
    expect(drafts(again)["s1"]).toBe("a".repeat(KEPT_DRAFT_CHARS - 1));
    again.close();
  });

  it("that a full storage does not take are told as not kept, until it takes them or they are gone", async () => {
    const disk = signedInDisk();
    const page = await openPage(serverWithSession(), disk);
    const unkept = () => page.engine.sessions.store.getState().unkept;
    page.engine.sessions.setDraft(NEW, "kept");
    await page.browser.advance(500);
    disk.full = true;
    page.engine.sessions.setDraft("s1", "a");
    expect(unkept()).toEqual([]);
    await page.browser.advance(500);
    page.engine.sessions.setDraft("s1", "ab");
    await page.browser.advance(500);
    expect(unkept()).toEqual(["s1"]);
    disk.full = false;
    page.engine.sessions.setDraft("s1", "abc");
    await page.browser.advance(500);
    expect(unkept()).toEqual([]);
    expect(disk.values.get("plumb.drafts")).toContain('"abc"');
    disk.full = true;
    page.engine.sessions.setDraft("s1", "abcd");
    await page.browser.advance(500);
    expect(unkept()).toEqual(["s1"]);
    page.engine.sessions.setDraft(NEW, "");
    page.engine.sessions.setDraft("s1", "");
    disk.values.delete("plumb.drafts");
    await page.browser.advance(500);
    expect(unkept()).toEqual([]);
    page.close();
  });

  it("that a full storage did not take are tried once more as the page is hidden", async () => {
    const disk = signedInDisk();
    const page = await openPage(serverWithSession(), disk);
    const { storage } = page.browser;
    const { get, set } = storage;
    // As the page's own storage, which remembers what the browser has refused.
    const refused = new Map<string, string>();
    storage.get = (key) => refused.get(key) ?? get(key);
    storage.set = (key, value) => {
      const taken = set(key, value);
      if (taken) refused.delete(key);
      else refused.set(key, value);
      return taken;
    };
    disk.full = true;
    page.engine.sessions.setDraft("s1", "a");
    await page.browser.advance(500);
    disk.full = false;
    page.browser.setVisible(false);
    expect(disk.values.get("plumb.drafts")).toContain('"a"');
    expect(page.engine.sessions.store.getState().unkept).toEqual([]);
    page.close();
  });

  it("of many chats take a bounded room: those typed longest ago go first", async () => {
    const server = serverWithSession();
    const disk = signedInDisk();
    const page = await openPage(server, disk);
    for (let n = 0; n < 15; n++) {
      page.engine.sessions.setDraft(`s${n}`, "x".repeat(90_000));
      await page.browser.advance(500);
    }
    expect(disk.values.get("plumb.drafts")?.length).toBeLessThan(1_010_000);
    page.close();
    const again = await openPage(server, disk);
    expect(Object.keys(drafts(again))).toEqual(Array.from({ length: 11 }, (_, n) => `s${n + 4}`));
    again.close();
  });
});

describe("a page that was reloaded while a question was on its way", () => {
  async function sentAndReloaded(arrives: boolean, typed = "") {
    const server = serverWithSession();
    const disk = signedInDisk();
    const page = await openPage(server, disk);
    page.engine.sessions.open(NEW);
    if (!arrives) server.answer(COMPLETION, () => new Promise<Response>(() => {}));
    page.engine.sessions.setDraft(NEW, "2+2?");
    await page.engine.turns.send(NEW, "2+2?");
    await page.browser.settle();
    if (typed !== "") page.engine.sessions.setDraft(NEW, typed);
    page.close();
    const again = await openPage(server, disk);
    again.engine.sessions.open(NEW);
    await again.browser.advance(50);
    return { server, page: again };
  }

  it("opens the chat where its reply runs, and gives nothing back", async () => {
    const { page, server } = await sentAndReloaded(true);
    expect(page.engine.site.navigation.getState()).toEqual({ to: "/a/chat/s/session-1", replace: true });
    expect(drafts(page)).toEqual({});
    page.engine.sessions.open("session-1");
    await page.browser.settle();
    expect(page.shown("session-1").map(({ role, status }) => [role, status])).toEqual([
      ["USER", "FINISHED"],
      ["ASSISTANT", "WIP"],
    ]);
    expect(server.calls(COMPLETION)).toHaveLength(1);
    page.close();
  });

  it("gives it back where it never arrived", async () => {
    const { page } = await sentAndReloaded(false);
    expect(page.engine.site.navigation.getState().to).toBeNull();
    expect(drafts(page)).toEqual({ [NEW]: "2+2?" });
    page.close();
  });

  it("stays where something else was typed since", async () => {
    const { page } = await sentAndReloaded(true, "something else");
    expect(page.engine.site.navigation.getState().to).toBeNull();
    expect(drafts(page)).toEqual({ [NEW]: "something else" });
    page.close();
  });

  it("asks again when the network is back", async () => {
    const { page, server } = await sentAndReloaded(true);
    page.close();
    server.setDown(true);
    const disk = page.disk;
    disk.values.set(
      "plumb.drafts",
      JSON.stringify({
        owner: "user-1",
        texts: { [NEW]: "2+2?" },
        sent: { [NEW]: { sessionId: "session-1", clientStreamId: server.replies[0]!.clientStreamId } },
      }),
    );
    const offline = await openPage(server, disk);
    offline.engine.sessions.open(NEW);
    await offline.browser.advance(60_000);
    expect(offline.engine.site.navigation.getState().to).toBeNull();
    server.setDown(false);
    offline.browser.comeOnline();
    await offline.browser.advance(10_000);
    expect(offline.engine.site.navigation.getState().to).toBe("/a/chat/s/session-1");
    offline.close();
  });

  it.each([0, 5000])("in a chat with a session shows it once, the user known after %i ms", async (ms) => {
    const server = serverWithSession();
    const disk = signedInDisk();
    const page = await openPage(server, disk);
    page.engine.sessions.open("s1");
    await page.browser.settle();
    page.engine.sessions.setDraft("s1", "2+2?");
    await page.engine.turns.send("s1", "2+2?");
    await page.browser.settle();
    page.close();
    let known = (): void => {};
    const asUsual = server.network;
    server.answer("/api/v0/users/current", async (request) => {
      server.answerAsUsual("/api/v0/users/current");
      await new Promise<void>((resolve) => (ms === 0 ? resolve() : (known = resolve)));
      return asUsual(request.path, { method: "GET", headers: request.headers });
    });
    const again = await openPage(server, disk);
    again.engine.sessions.open("s1");
    await again.browser.advance(50);
    known();
    await again.browser.settle();
    expect(again.shown("s1").at(-1)?.status).toBe("WIP");
    expect(drafts(again)).toEqual({});
    again.close();
    const third = await openPage(server, disk);
    expect(drafts(third)).toEqual({});
    third.close();
  });
});
