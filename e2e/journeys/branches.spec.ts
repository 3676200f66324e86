import type { Locator } from "@playwright/test";
import { expect, test } from "../support/journey.ts";
import type { ChatPage } from "../support/pages/chat-page.ts";

const paragraphs = (word: string, count: number): string =>
  Array.from(
    { length: count },
    (_, at) => `${word} ${at + 1}. ${"It goes on for a line or two. ".repeat(6)}`,
  ).join("\n\n");

function arrows(chat: ChatPage, message: Locator) {
  const group = (index: number, count: number): Locator =>
    message.getByRole("group", { name: chat.text("conversation.branchPlace", { index, count }) });
  const arrow = (key: string): Locator => message.getByRole("button", { name: chat.text(key), exact: true });
  return {
    group,
    previous: arrow("conversation.previousBranch"),
    next: arrow("conversation.nextBranch"),
  };
}

const top = async (of: Locator): Promise<number> => (await of.boundingBox())?.y ?? Number.NaN;

test("branches are switched by mouse and keyboard; nothing jumps, and a reload shows the same one [ENG-073] [ENG-074]", async ({
  chat,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 4 });
  for (const answer of ["A short one.", paragraphs("Middle", 14), paragraphs("Long", 30)]) {
    upstream.script({ match: { user: question, kind: "answer" }, times: 1, answer });
  }
  await chat.send(question);
  await chat.finished();
  const reply = chat.lastReply;
  const { group, previous, next } = arrows(chat, reply);
  await expect(previous).toHaveCount(0);
  for (const word of ["Middle 14.", "Long 30."]) {
    await chat.button("conversation.regenerate").last().click();
    await expect(reply).toContainText(word);
    await chat.finished();
  }
  await expect(group(3, 3)).toBeVisible();
  await expect(next).toBeDisabled();

  // Its beginning is far above: the arrows stay under the pointer.
  const arrowBefore = await top(previous);
  await previous.click();
  await expect(reply).toContainText("Middle 14.");
  await expect(group(2, 3)).toBeVisible();
  expect(Math.abs((await top(previous)) - arrowBefore)).toBeLessThanOrEqual(1);
  await next.click();
  await expect(group(3, 3)).toBeVisible();
  expect(Math.abs((await top(previous)) - arrowBefore)).toBeLessThanOrEqual(1);

  // Its beginning is in view and stays, by keyboard too, where the page gets too short as well; so does the focus.
  await chat.conversation.evaluate((scroller) => scroller.scrollTo(0, 60));
  const before = await top(reply);
  await previous.evaluate((arrow) => arrow.focus({ preventScroll: true }));
  for (const [at, word] of [
    [2, "Middle 14."],
    [1, "A short one."],
  ] as const) {
    await chat.page.keyboard.press("Enter");
    await expect(reply).toContainText(word);
    await expect(group(at, 3)).toBeVisible();
    await expect(previous).toBeFocused();
    expect(Math.abs((await top(reply)) - before)).toBeLessThanOrEqual(1);
  }
  await expect(previous).toBeDisabled();
  await next.click();

  // What is sent now belongs to this branch, which a reload shows, and another does not have it.
  await chat.send(`${question}, and then`);
  await chat.finished();
  await expect(chat.questions).toHaveCount(2);
  const first = arrows(chat, chat.replies.first());
  await first.previous.click();
  await expect(chat.questions).toHaveCount(1);
  await chat.page.reload();
  await expect(group(1, 3)).toBeVisible();
  await expect(chat.questions).toHaveCount(1);
  await first.next.click();
  await expect(chat.questions).toHaveCount(2);
  await chat.page.reload();
  await expect(first.group(2, 3)).toBeVisible();
  await expect(chat.questions).toHaveCount(2);
});
