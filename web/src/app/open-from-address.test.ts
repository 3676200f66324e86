import { expect, test } from "vitest";
import { createChat, type CreateChat } from "../engine/create-chat.ts";
import { createEngine } from "../engine/create-engine.ts";
import { createFakeBrowser } from "../engine/testing/fake-browser.ts";
import { createFakeServer } from "../engine/testing/fake-server.ts";
import { signedInDisk } from "../engine/testing/open-page.ts";
import { shortTalk } from "../engine/testing/wire-message.ts";
import { openFromAddress } from "./open-from-address.ts";

const HISTORY = "/api/v0/chat/history_messages";

function serverWithTalk() {
  const server = createFakeServer();
  server.addSession("s1", shortTalk);
  return server;
}

/** A page at this address, of a server with the session s1, whose part for chats comes when the test says so. */
async function openAt(path: string, disk = signedInDisk(), server = serverWithTalk()) {
  const browser = createFakeBrowser(server.network, disk);
  let resolve!: (create: CreateChat) => void;
  let reject!: (error: Error) => void;
  const coming = new Promise<CreateChat>((...settle) => ([resolve, reject] = settle));
  const engine = createEngine(browser, () => coming);
  engine.start();
  const messages = openFromAddress(engine, path);
  await browser.settle();
  /** The part comes, and the screen opens what is in the address. */
  async function come() {
    resolve(createChat);
    await engine.loadChat();
    engine.sessions.open("s1");
    await browser.settle();
  }
  const shown = () => engine.sessions.store.getState().byId["s1"];
  const asked = () => server.calls(HISTORY).map(({ query }) => query.get("cache_version"));
  return { server, browser, disk, engine, reject, come, shown, asked, messages };
}

test("the history of the chat in the address is asked for while the code loads, and once", async () => {
  const { engine, come, shown, asked, messages } = await openAt("/a/chat/s/s1");
  expect(asked()).toEqual([null]);
  expect((await messages)?.map(({ message_id }) => message_id)).toEqual([1, 2]);
  await come();
  expect(asked()).toHaveLength(1);
  expect(shown()?.state).toBe("idle");
  expect(shown()?.tree.nodes.size).toBe(2);
  engine.stop();
});

test("of a history that is stored only what is newer is asked for", async () => {
  const { disk, server, engine, come } = await openAt("/a/chat/s/s1");
  await come();
  const kept = disk.records.get("s1") as { chat_session: { version: number } };
  engine.stop();
  const again = await openAt("/a/chat/s/s1", disk, server);
  expect(again.asked()).toEqual([null, String(kept.chat_session.version)]);
  expect(await again.messages).toHaveLength(2);
  await again.come();
  expect(again.asked()).toHaveLength(2);
  expect(again.shown()?.state).toBe("idle");
  expect(again.shown()?.tree.nodes.size).toBe(2);
  again.engine.stop();
});

test("what could not be had early is asked for again", async () => {
  const server = serverWithTalk();
  server.setDown(true);
  const { browser, engine, come, shown, asked, messages } = await openAt("/a/chat/s/s1", undefined, server);
  expect(asked()).toHaveLength(1);
  expect(await messages).toEqual([]);
  server.setDown(false);
  await come();
  await browser.settle();
  expect(asked()).toHaveLength(2);
  expect(shown()?.tree.nodes.size).toBe(2);
  engine.stop();
});

test("what an account had asked for early is nothing to the next one", async () => {
  const { browser, engine, come, shown, asked } = await openAt("/a/chat/s/s1");
  await engine.accounts.signOut();
  await engine.accounts.signIn({ identifier: "a@b.example", password: "secret-1" });
  await browser.settle();
  await come();
  expect(asked()).toHaveLength(2);
  expect(shown()?.tree.nodes.size).toBe(2);
  engine.stop();
});

test.each(["/", "/a/coder", "/sign_in", "/nowhere"])("%s names no chat", async (path) => {
  const { engine, asked, messages } = await openAt(path);
  expect(asked()).toHaveLength(0);
  expect(messages).toBeNull();
  engine.stop();
});

test("a part for chats that cannot be had is left to the screen", async () => {
  const { browser, engine, reject } = await openAt("/a/chat/s/s1");
  reject(new Error("gone"));
  await browser.settle();
  expect(browser.logged).toEqual([expect.stringContaining("the chat was not loaded")]);
  engine.stop();
});
