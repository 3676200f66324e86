import { describe, expect, it } from "vitest";
import { globalError, ok } from "../testing/fake-answers.ts";
import { createFakeServer } from "../testing/fake-server.ts";
import { shortTalk } from "../testing/wire-message.ts";
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
});
