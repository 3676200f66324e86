import type { Session } from "@plumb/protocol/wire/sessions";
import { expect, test } from "vitest";
import { createFakeBrowser } from "../testing/fake-browser.ts";
import { wireMessage } from "../testing/wire-message.ts";
import { createHistoryCache } from "./history-cache.ts";

const session = { id: "s1" } as Session;
const said = wireMessage({ message_id: 1, parent_id: null, role: "USER" });

function cache() {
  const browser = createFakeBrowser(() => new Response());
  const opened: [string, number][] = [];
  const { openRecords } = browser;
  browser.openRecords = (name, version) => {
    opened.push([name, version]);
    return openRecords(name, version);
  };
  return { browser, opened, histories: createHistoryCache(browser) };
}

test("histories lie in a database of version 1, one by one, with their time and frontend version [SESS-046] [SESS-047] [SESS-049]", async () => {
  const { browser, opened, histories } = cache();
  await histories.write({ chat_session: session, chat_messages: [said] });
  expect(opened).toEqual([["plumb-history", 1]]);
  expect([...browser.disk.records]).toEqual([
    [
      "s1",
      {
        chat_session: session,
        chat_messages: [said],
        frontend_version: "fv-2",
        timestamp: browser.disk.now,
      },
    ],
  ]);
  expect(await histories.read("s1")).toMatchObject({ chat_messages: [said] });
  expect(await histories.read("s2")).toBeNull();
});

test("an entry of another version goes, and one that is no entry is none [SESS-048]", async () => {
  const { browser, histories } = cache();
  const entry = { chat_session: session, chat_messages: [said], timestamp: 1, frontend_version: "fv-0" };
  browser.disk.records.set("s1", entry);
  browser.disk.records.set("s2", { frontend_version: "fv-2" });
  expect(await histories.read("s1")).toBeNull();
  expect(browser.disk.records.has("s1")).toBe(false);
  expect(await histories.read("s2")).toBeNull();
  const broken = { ...said, fragments: null };
  browser.disk.records.set("s3", { ...entry, chat_messages: [broken], frontend_version: "fv-2" });
  expect(await histories.read("s3")).toBeNull();
});

test("a history with a running reply is not kept", async () => {
  const { browser, histories } = cache();
  const running = wireMessage({ message_id: 2, parent_id: 1, role: "ASSISTANT", status: "WIP" });
  await histories.write({ chat_session: session, chat_messages: [said, running] });
  expect(browser.disk.records.size).toBe(0);
});

test("what is missing in a page of the list where it should stand is removed, and nothing else", async () => {
  const { browser, histories } = cache();
  for (const [id, seq_id] of [
    ["old", 3],
    ["gone", 8],
    ["listed", 9],
    ["newer", 12],
  ] as const)
    await histories.write({ chat_session: { ...session, id, seq_id, version: 1 }, chat_messages: [said] });
  await histories.forgetMissing({ from: 7, before: 10, ids: new Set(["listed"]) });
  expect([...browser.disk.records.keys()]).toEqual(["old", "listed", "newer"]);
  expect(["gone", "listed"].map(histories.likelyVersion)).toEqual([undefined, 1]);
  await histories.forgetMissing({ from: -Infinity, before: Infinity, ids: new Set() });
  expect(browser.disk.records.size).toBe(0);
});
