import { expect, test } from "vitest";
import { createChat } from "../create-chat.ts";
import { createEngine } from "../create-engine.ts";
import { createFakeBrowser, type Disk } from "../testing/fake-browser.ts";
import { createFakeServer } from "../testing/fake-server.ts";
import { signedInDisk } from "../testing/open-page.ts";
import { wireMessage } from "../testing/wire-message.ts";

const HISTORY = "/api/v0/chat/history_messages";
const messages = [
  wireMessage({ message_id: 1, parent_id: null, role: "USER" }),
  wireMessage({ message_id: 2, parent_id: 1, role: "ASSISTANT" }),
];

function serverWithSession() {
  const server = createFakeServer();
  server.addSession("s1", messages);
  return server;
}

/** A page on a host whose database of histories opens when the test says so. */
function openPage(server = serverWithSession(), disk = signedInDisk()) {
  const browser = createFakeBrowser(server.network, disk);
  const { openRecords } = browser;
  let openDatabase = (): void => {};
  const opened = new Promise<void>((resolve) => (openDatabase = resolve));
  browser.openRecords = (name, version) => {
    const records = openRecords(name, version);
    return { ...records, get: async (key) => (await opened, records.get(key)) };
  };
  const engine = createEngine(browser, async () => createChat);
  engine.start();
  const askedFor = () => server.calls(HISTORY).map(({ query }) => query.get("cache_version"));
  const shown = () => engine.sessions.store.getState().byId["s1"]?.tree.nodes.size ?? 0;
  return { server, disk, browser, engine, openDatabase, askedFor, shown };
}

/** The same, opened at the address of s1. */
function openAtSession(...host: Parameters<typeof openPage>) {
  const page = openPage(...host);
  void page.engine.openEarly("s1");
  return page;
}

function versionOn({ values }: Disk): string {
  const noted = JSON.parse(values.get("plumb.histories") ?? "{}") as Record<string, [number, number]>;
  return String(noted["s1"]?.[0]);
}

/** The disk of a browser that has shown s1. */
async function diskWithHistory(server: ReturnType<typeof serverWithSession>) {
  const { disk, browser, engine, openDatabase } = openAtSession(server);
  openDatabase();
  await browser.settle();
  expect([...disk.records.keys()]).toEqual(["s1"]);
  engine.stop();
  return disk;
}

test("a history is asked for before the database of histories is open", async () => {
  const { browser, engine, openDatabase, askedFor, shown } = openAtSession();
  await browser.settle();
  expect(askedFor()).toEqual([null]);
  openDatabase();
  await browser.settle();
  expect(shown()).toBe(2);
  expect(askedFor()).toHaveLength(1);
  engine.stop();
});

test("so is one that is opened later, from the list", async () => {
  const { browser, engine, openDatabase, askedFor, shown } = openPage();
  await browser.settle();
  expect(askedFor()).toEqual([]);
  engine.sessions.open("s1");
  await browser.settle();
  expect(askedFor()).toEqual([null]);
  openDatabase();
  await browser.settle();
  expect(shown()).toBe(2);
  expect(askedFor()).toHaveLength(1);
  engine.stop();
});

test("the version of a history that is kept is known before that, too", async () => {
  const server = serverWithSession();
  const disk = await diskWithHistory(server);
  const { browser, engine, openDatabase, askedFor, shown } = openAtSession(server, disk);
  await browser.settle();
  expect(askedFor()).toEqual([null, versionOn(disk)]);
  openDatabase();
  await browser.settle();
  expect(shown()).toBe(2);
  expect(askedFor()).toHaveLength(2);
  engine.stop();
});

test("all is asked for where what was kept is gone, though its version was known", async () => {
  const server = serverWithSession();
  const disk = await diskWithHistory(server);
  const version = versionOn(disk);
  disk.records.clear();
  const { browser, engine, openDatabase, askedFor, shown } = openAtSession(server, disk);
  openDatabase();
  await browser.settle();
  expect(shown()).toBe(2);
  expect(askedFor()).toEqual([null, version, null]);
  engine.stop();
});

test("a whole history serves a page that shows a kept one", async () => {
  const server = serverWithSession();
  const disk = await diskWithHistory(server);
  disk.values.delete("plumb.histories");
  const { browser, engine, openDatabase, askedFor, shown } = openAtSession(server, disk);
  openDatabase();
  await browser.settle();
  expect(shown()).toBe(2);
  expect(askedFor()).toEqual([null, null]);
  engine.stop();
});

test("no version stays known of a session that was deleted, or of an account that left", async () => {
  const server = serverWithSession();
  const disk = await diskWithHistory(server);
  expect(disk.values.get("plumb.histories")).toContain("s1");
  const { browser, engine, openDatabase } = openAtSession(server, disk);
  openDatabase();
  await browser.settle();
  await engine.sessions.remove("s1");
  expect(disk.values.get("plumb.histories")).not.toContain("s1");
  await engine.accounts.signOut();
  expect(disk.values.get("plumb.histories")).toBeUndefined();
  engine.stop();
});
