import type { Locator } from "@playwright/test";
import { expect, test } from "../support/journey.ts";

const distance = (scroller: Locator): Promise<number> =>
  scroller.evaluate((element) => element.scrollHeight - element.clientHeight - element.scrollTop);
const height = (scroller: Locator): Promise<number> => scroller.evaluate((element) => element.scrollHeight);

test("a growing reply pulls the page along until the reader scrolls up [ENG-030] [ENG-037]", async ({
  chat,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  const lines = Array.from({ length: 600 }, (_, index) => `Line ${index + 1} of a long reply.`);
  upstream.script({ match: { user: question }, answer: lines.join("\n\n"), chunkChars: 60, paceMs: 25 });
  const { conversation, page } = chat;
  await chat.send(question);
  await expect(chat.lastReply).toContainText("Line 60 ");
  await expect.poll(() => distance(conversation)).toBeLessThan(60);
  await expect(chat.button("conversation.newBelow")).toBeHidden();

  await conversation.hover();
  await page.mouse.wheel(0, -120);
  const top = await conversation.evaluate((element) => element.scrollTop);
  const grown = (await height(conversation)) + 600;
  await expect.poll(() => height(conversation)).toBeGreaterThan(grown);
  // The text on show has not moved.
  expect(Math.abs((await conversation.evaluate((element) => element.scrollTop)) - top)).toBeLessThan(140);
  expect(await distance(conversation)).toBeGreaterThan(300);

  await chat.button("conversation.newBelow").click();
  await expect.poll(() => distance(conversation)).toBeLessThan(60);
  const further = (await height(conversation)) + 300;
  await expect.poll(() => height(conversation)).toBeGreaterThan(further);
  await expect.poll(() => distance(conversation)).toBeLessThan(60);
  await chat.sendButton.click();
  await chat.finished();
  await conversation.hover();
  await page.mouse.wheel(0, -2000);
  await expect(chat.button("conversation.toBottom")).toBeVisible();
  await expect(chat.button("conversation.newBelow")).toHaveCount(0);
});

test("scrolling down to within 300 px of the end follows the reply again [ENG-030]", async ({
  chat,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  const lines = Array.from({ length: 200 }, (_, index) => `Line ${index + 1} of a long reply.`);
  upstream.script({
    match: { user: question },
    answer: lines.join("\n\n"),
    chunkChars: 200,
    paceMs: 10,
    fault: { at: 3000, kind: "stall" },
  });
  const { conversation, page } = chat;
  await chat.send(question);
  await expect(chat.lastReply).toContainText("Line 100 ");
  await conversation.hover();
  await page.mouse.wheel(0, -800);
  await expect.poll(() => distance(conversation)).toBeGreaterThan(500);
  await page.mouse.wheel(0, 600);
  await expect.poll(() => distance(conversation)).toBeLessThan(300);
  upstream.release();
  await chat.finished();
  await expect.poll(() => distance(conversation)).toBeLessThan(60);
});
