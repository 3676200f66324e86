import { expect, test } from "../support/journey.ts";
import { plain } from "../support/pages/chat-page.ts";
import { expectOnlyGrowth, logAnswers, seenAnswers } from "../support/screen-log.ts";

for (const offset of [1, 90, 400]) {
  test(`a reload after ${offset} characters goes on where it was [ENG-084]`, async ({
    chat,
    account,
    upstream,
    calls,
    question,
  }) => {
    calls.expect({ answer: 1 });
    upstream.script({ match: { user: question }, tokens: 130, paceMs: 15 });
    await logAnswers(chat.page);
    await chat.send(question);
    await chat.answerReaches(offset);
    const before = await chat.answer();
    await chat.page.reload();
    await chat.finished();

    const { answer } = await account.lastReply(await chat.sessionId());
    expect(answer).toBe(upstream.expected(question).answer);
    expect(plain(await chat.answer())).toBe(plain(answer));
    expectOnlyGrowth(await seenAnswers(chat.page), answer, before);
  });
}

test("three reloads in one reply, the first of them while it thinks, lose and double nothing", async ({
  chat,
  account,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  upstream.script({ match: { user: question }, reasoning: 60, tokens: 160, paceMs: 15 });
  await logAnswers(chat.page);
  await chat.send(question);
  await expect(chat.lastReply).toContainText("#10");
  await chat.page.reload();
  for (const offset of [60, 300]) {
    await chat.answerReaches(offset);
    const before = await chat.answer();
    await chat.page.reload();
    await chat.answerReaches(before.length);
    expectOnlyGrowth(await seenAnswers(chat.page), upstream.expected(question).answer, before);
  }
  await chat.finished();
  const { answer, thought } = await account.lastReply(await chat.sessionId());
  expect({ answer, reasoning: thought }).toEqual(upstream.expected(question));
  expect(plain(await chat.answer())).toBe(plain(answer));
});

test("another chat and back: the running reply is there, grown", async ({
  chat,
  account,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 2 });
  upstream.script({ match: { user: question }, tokens: 120, paceMs: 15 });
  const other = await account.ask(`${question}, elsewhere`);
  await chat.page.reload();
  await chat.send(question);
  await chat.answerReaches(50);
  const path = new URL(chat.page.url()).pathname;
  await chat.page.locator(`a[href$="${other}"]`).click();
  await expect(chat.questions).toHaveText(`${question}, elsewhere`);
  await chat.page.locator(`a[href="${path}"]`).click();
  await chat.answerReaches(50);
  await chat.finished();
  expect(plain(await chat.answer())).toBe(plain(upstream.expected(question).answer));
});

test("two tabs read one reply at once, and both see all of it", async ({
  chat,
  openAs,
  account,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  upstream.script({ match: { user: question }, tokens: 120, paceMs: 15 });
  await chat.send(question);
  await chat.answerReaches(50);
  const second = await openAs(account, { path: new URL(chat.page.url()).pathname });
  const { ChatPage } = await import("../support/pages/chat-page.ts");
  const other = new ChatPage(second);
  await Promise.all([chat.finished(), other.finished()]);
  const whole = plain(upstream.expected(question).answer);
  expect(plain(await chat.answer())).toBe(whole);
  expect(plain(await other.answer())).toBe(whole);
});

test("a draft that a full storage does not take is told as not kept, until there is room", async ({
  chat,
}) => {
  const { page } = chat;
  const note = page.getByText(chat.text("composer.draftUnkept"));
  const kept = () => page.evaluate(() => localStorage.getItem("plumb.drafts") ?? "");
  await chat.composer.fill("a");
  await expect.poll(kept).toContain('"a"');
  await page.evaluate(() => {
    for (let size = 4_000_000; size >= 1; size = Math.floor(size / 2)) {
      try {
        for (let count = 0; ; count++) localStorage.setItem(`others.${size}.${count}`, "x".repeat(size));
      } catch {
        // Smaller ones may still fit.
      }
    }
  });
  await chat.composer.fill("a longer text than there is room for");
  await expect(note).toBeVisible();
  await page.evaluate(() => {
    for (const key of Object.keys(localStorage)) if (key.startsWith("others.")) localStorage.removeItem(key);
  });
  await chat.composer.fill("a text");
  await expect(note).toBeHidden();
  await page.reload();
  await expect(chat.composer).toHaveValue("a text");
});
