import { expect, test } from "vitest";
import { createFakeServer } from "../testing/fake-server.ts";
import { openPage, type Page } from "../testing/open-page.ts";
import { wireMessage } from "../testing/wire-message.ts";

const HISTORY = "/api/v0/chat/history_messages";
const long = Array.from({ length: 400 }, (_none, index) =>
  wireMessage({
    message_id: index + 1,
    parent_id: index === 0 ? null : index,
    role: index % 2 === 0 ? "USER" : "ASSISTANT",
  }),
);

/** A page on which the answer with a long history has just come. */
async function openLong() {
  const server = createFakeServer();
  server.addSession("s1", long);
  const page = await openPage(server);
  page.engine.sessions.open("s1");
  await page.browser.settle();
  expect(server.calls(HISTORY)).toHaveLength(1);
  return { server, ...page };
}

/** Calls `look` between the next tasks. */
function betweenTasks({ browser }: Pick<Page, "browser">, look: () => void): void {
  let left = 10;
  const next = (): void => {
    look();
    left -= 1;
    if (left > 0) browser.after(0, next);
  };
  browser.after(0, next);
}

test("a long history is read, made, drawn and stored in a task each", async () => {
  const page = await openLong();
  const { browser, disk, shown, state, close } = page;
  expect(state("s1")).toBe("fetchingHistory");
  expect(shown("s1")).toHaveLength(0);
  const seen: number[] = [];
  betweenTasks(page, () => seen.push(shown("s1").length));
  await browser.advance(0);
  expect(seen.slice(0, 2)).toEqual([0, 400]);
  expect(state("s1")).toBe("idle");
  expect(shown("s1")).toHaveLength(400);
  expect(disk.records.size).toBe(0);
  await browser.advance(100);
  expect(disk.records.get("s1")).toMatchObject({ chat_messages: long });
  close();
});

test("a stored long history is read and drawn in a task each", async () => {
  const { browser, disk, server, close } = await openLong();
  await browser.advance(100);
  close();
  const page = await openPage(server, disk);
  page.engine.sessions.open("s1");
  await page.browser.settle();
  expect(page.shown("s1")).toHaveLength(0);
  await page.browser.advance(0);
  expect(page.shown("s1")).toHaveLength(400);
  expect(page.state("s1")).toBe("idle");
  page.close();
});

test("an account that leaves before its long history was stored leaves nothing behind", async () => {
  const { browser, disk, engine, close } = await openLong();
  await browser.advance(0);
  await engine.accounts.signOut();
  await browser.advance(1000);
  expect(disk.records.size).toBe(0);
  close();
});

test("a session that is deleted before its long history was stored is not stored", async () => {
  const { browser, disk, engine, close } = await openLong();
  await browser.advance(0);
  expect(await engine.sessions.remove("s1")).toBe(true);
  await browser.advance(1000);
  expect(disk.records.size).toBe(0);
  close();
});
