import { expect, test } from "vitest";
import { createFakeServer } from "../testing/fake-server.ts";
import { openPage, signedInDisk } from "../testing/open-page.ts";
import { shortTalk, wireMessage } from "../testing/wire-message.ts";

const PLACE = { messageId: 1, above: 40, block: { group: 1, index: 2, above: -8 } };

async function reading() {
  const server = createFakeServer();
  server.addSession("s1", shortTalk);
  const disk = signedInDisk();
  const page = await openPage(server, disk);
  page.engine.sessions.open("s1");
  await page.browser.settle();
  page.engine.sessions.keepReadingPlace("s1", PLACE);
  return { server, disk, page };
}

test("the place is kept over switching and over a reload", async () => {
  const { server, disk, page } = await reading();
  page.engine.sessions.open("new:chat");
  expect(page.engine.sessions.readingPlace("s1")).toMatchObject(PLACE);
  page.browser.setVisible(false);
  page.close();
  const again = await openPage(server, disk);
  again.engine.sessions.open("s1");
  await again.browser.settle();
  expect(again.engine.sessions.readingPlace("s1")).toMatchObject(PLACE);
  again.close();
});

test("whoever was at the end, or for whom a reply came, goes to the end", async () => {
  const { server, disk, page } = await reading();
  page.engine.sessions.keepReadingPlace("s1", null);
  expect(page.engine.sessions.readingPlace("s1")).toBeNull();
  page.engine.sessions.keepReadingPlace("s1", PLACE);
  page.close();
  const reply = wireMessage({ message_id: 4, parent_id: 3, role: "ASSISTANT" });
  server.addSession("s1", [...shortTalk, wireMessage({ message_id: 3, parent_id: 2, role: "USER" }), reply]);
  const again = await openPage(server, disk);
  again.engine.sessions.open("s1");
  await again.browser.settle();
  expect(again.engine.sessions.readingPlace("s1")).toBeNull();
  again.close();
});

test("places are bounded, go when the account leaves, and a broken storage has none", async () => {
  const { server, disk, page } = await reading();
  for (let n = 0; n < 60; n++) page.engine.sessions.keepReadingPlace(`chat-${n}`, PLACE);
  await page.browser.advance(500);
  expect(Object.keys(JSON.parse(disk.values.get("plumb.places") ?? "{}") as object)).toHaveLength(50);
  expect(page.engine.sessions.readingPlace("s1")).toBeNull();
  await page.engine.accounts.signOut();
  expect(disk.values.has("plumb.places")).toBe(false);
  page.close();
  disk.values.set("plumb.token", "token-1");
  const half = JSON.stringify({ ...PLACE, lastMessageId: 2, block: { group: 1 } });
  disk.values.set("plumb.places", `{"s1":{"messageId":"x"},"s2":7,"s3":${half}}`);
  const again = await openPage(server, disk);
  for (const id of ["s1", "s2", "s3"]) expect(again.engine.sessions.readingPlace(id)).toBeNull();
  again.close();
});
