import { expect, test } from "vitest";
import { createChat, type CreateChat } from "./create-chat.ts";
import { createEngine } from "./create-engine.ts";
import { createFakeBrowser, emptyDisk } from "./testing/fake-browser.ts";
import { globalError } from "./testing/fake-answers.ts";
import { createFakeServer } from "./testing/fake-server.ts";
import { signedInDisk } from "./testing/open-page.ts";
import { shortTalk } from "./testing/wire-message.ts";

/** An engine whose part for chats comes when the test says so; each element of `asked` answers one asking. */
function openSlowly(disk = signedInDisk()) {
  const server = createFakeServer();
  const browser = createFakeBrowser(server.network, disk);
  const asked: { resolve: (create: CreateChat) => void; reject: (error: Error) => void }[] = [];
  const engine = createEngine(
    browser,
    () => new Promise((resolve, reject) => void asked.push({ resolve, reject })),
  );
  return { server, browser, engine, asked };
}

const LIST = "/api/v0/chat_session/fetch_page";
const HISTORY = "/api/v0/chat/history_messages";

test("a page without an account loads nothing of the chat; a sign-in begins it", async () => {
  const { browser, engine, asked } = openSlowly(emptyDisk());
  engine.start();
  await browser.settle();
  expect(asked).toHaveLength(0);
  expect(() => engine.sessions).toThrow("not loaded");
  await engine.accounts.signIn({ identifier: "a@b.example", password: "secret-1" });
  expect(engine.accounts.auth.getState().status).toBe("yes");
  expect(asked).toHaveLength(1);
  engine.stop();
});

test("the account is checked meanwhile, and the chat that comes later has its list and the user's texts", async () => {
  const disk = signedInDisk();
  const before = openSlowly(disk);
  before.engine.start();
  before.asked[0]!.resolve(createChat);
  await before.browser.settle();
  before.engine.sessions.setDraft("new:chat", "half a thought");
  before.engine.stop();

  const { server, browser, engine, asked } = openSlowly(disk);
  engine.start();
  await browser.settle();
  expect(engine.accounts.auth.getState().status).toBe("yes");
  expect(server.calls(LIST)).toHaveLength(0);
  asked[0]!.resolve(createChat);
  await engine.loadChat();
  expect(engine.sessions.store.getState().drafts).toEqual({ "new:chat": "half a thought" });
  await browser.settle();
  expect(server.calls(LIST)).toHaveLength(1);
  engine.stop();
});

test("an account that left before the chat came is cleared from it, and asks for nothing", async () => {
  const { server, browser, engine, asked } = openSlowly();
  browser.disk.values.set("plumb.drafts", "what this account had typed");
  browser.disk.records.set("s1", { of: "this account" });
  engine.start();
  await browser.settle();
  await engine.accounts.signOut();
  expect(browser.disk.records.size).toBe(1);
  asked[0]!.resolve(createChat);
  await browser.settle();
  expect(browser.disk.records.size).toBe(0);
  expect(browser.disk.values.get("plumb.drafts")).toBeUndefined();
  expect(server.calls(LIST)).toHaveLength(0);
  engine.stop();
});

test("a chat that could not be had is asked for again when the network is back", async () => {
  const { server, browser, engine, asked } = openSlowly();
  engine.start();
  const waiting = engine.loadChat();
  expect(engine.loadChat()).toBe(waiting);
  asked[0]!.reject(new Error("no network"));
  await expect(waiting).rejects.toThrow("no network");
  await browser.settle();
  expect(browser.logged).toEqual([expect.stringContaining("the chat was not loaded")]);
  browser.goOffline();
  browser.comeOnline();
  expect(asked).toHaveLength(2);
  asked[1]!.resolve(createChat);
  await browser.settle();
  expect(server.calls(LIST)).toHaveLength(1);
  engine.stop();
});

test("the cache of histories is opened while the code loads, and once", async () => {
  const { browser, engine, asked } = openSlowly();
  const opened: string[] = [];
  const { openRecords } = browser;
  browser.openRecords = (name, version) => {
    opened.push(name);
    return openRecords(name, version);
  };
  engine.start();
  expect(asked).toHaveLength(1);
  expect(opened).toHaveLength(1);
  asked[0]!.reject(new Error("no network"));
  await browser.settle();
  browser.goOffline();
  browser.comeOnline();
  asked[1]!.resolve(createChat);
  await engine.loadChat();
  expect(opened).toHaveLength(1);
  engine.stop();
});

test("a chat that was opened with a sign-in that had ended is loaded after the next one", async () => {
  const { server, browser, engine, asked } = openSlowly();
  server.addSession("s1", shortTalk);
  const ended = () => globalError(40003, "INVALID_TOKEN");
  for (const call of ["/api/v0/users/current", HISTORY]) server.answer(call, ended);
  engine.start();
  void engine.openEarly("s1");
  await browser.settle();
  expect(engine.accounts.auth.getState().reason).toBe("expired");
  asked[0]!.resolve(createChat);
  await browser.settle();
  expect(engine.sessions.store.getState().byId).toEqual({});
  for (const call of ["/api/v0/users/current", HISTORY]) server.answerAsUsual(call);
  await engine.accounts.signIn({ identifier: "a@b.example", password: "secret-1" });
  engine.sessions.open("s1");
  await browser.settle();
  expect(engine.sessions.store.getState().byId["s1"]?.state).toBe("idle");
  engine.stop();
});
