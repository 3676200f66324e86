import { createChat, type CreateChat } from "../engine/create-chat.ts";
import { createEngine } from "../engine/create-engine.ts";
import { createFakeBrowser } from "../engine/testing/fake-browser.ts";
import { createFakeServer } from "../engine/testing/fake-server.ts";
import { signedInDisk } from "../engine/testing/open-page.ts";
import { expect, test } from "vitest";
import { openFromAddress } from "./open-from-address.ts";

const HISTORY = "/api/v0/chat/history_messages";

/** A page at this address whose part for chats comes when the test says so. */
function openAt(path: string) {
  const server = createFakeServer();
  const browser = createFakeBrowser(server.network, signedInDisk());
  let resolve!: (create: CreateChat) => void;
  let reject!: (error: Error) => void;
  const coming = new Promise<CreateChat>((...settle) => ([resolve, reject] = settle));
  const engine = createEngine(browser, () => coming);
  engine.start();
  openFromAddress(engine, path);
  return { server, browser, engine, resolve, reject };
}

test("the history of the chat in the address is asked for before any screen is there, and once", async () => {
  const { server, browser, engine, resolve } = openAt("/a/chat/s/s1");
  await browser.settle();
  expect(server.calls(HISTORY)).toHaveLength(0);
  resolve(createChat);
  await engine.loadChat();
  engine.sessions.open("s1");
  await browser.settle();
  expect(server.calls(HISTORY).map(({ query }) => query.get("chat_session_id"))).toEqual(["s1"]);
  engine.stop();
});

test.each(["/", "/a/coder", "/sign_in", "/nowhere"])("%s names no chat", async (path) => {
  const { server, browser, engine, resolve } = openAt(path);
  resolve(createChat);
  await browser.settle();
  expect(server.calls(HISTORY)).toHaveLength(0);
  engine.stop();
});

test("a part for chats that cannot be had is left to the screen", async () => {
  const { server, browser, engine, reject } = openAt("/a/chat/s/s1");
  reject(new Error("gone"));
  await browser.settle();
  expect(server.calls(HISTORY)).toHaveLength(0);
  engine.stop();
});
