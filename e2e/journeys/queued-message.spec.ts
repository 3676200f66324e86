import { expectAccessible } from "../support/accessible.ts";
import { expect, test } from "../support/journey.ts";

test("what is sent while a reply is written waits above the composer, over a reload too, and goes when the reply has ended well", async ({
  chat,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 4 });
  const { page } = chat;
  const queued = page.getByRole("region", { name: chat.text("queue.label") });
  upstream.script(
    { match: { user: question }, answer: "The first answer goes on.", fault: { at: 10, kind: "stall" } },
    { match: { user: "And then?" }, answer: "Then comes the second." },
    { match: { user: "What else?" }, answer: "The third one, at length.", fault: { at: 10, kind: "stall" } },
    { match: { user: "Never mind." }, answer: "The fourth." },
  );
  await chat.send(question);
  await expect(chat.lastReply).toContainText("The first");
  await chat.send("And then?");
  await expect(chat.composer).toHaveValue("");
  await expect(queued).toContainText("And then?");
  await expect(queued.getByRole("status")).toHaveText(chat.text("queue.waiting"));
  await expectAccessible(page, "a queued message");
  // Of two, both show.
  await chat.send("And after that?");
  const last = queued.getByText("And after that?", { exact: true });
  await expect(last).toBeInViewport({ ratio: 1 });
  const [box, words] = [await queued.boundingBox(), await last.boundingBox()];
  expect((words?.y ?? 0) + (words?.height ?? 0)).toBeLessThanOrEqual((box?.y ?? 0) + (box?.height ?? 0));
  await expect(queued.getByText("And then?", { exact: true })).toBeVisible();

  await queued.getByRole("button", { name: chat.text("queue.edit") }).click();
  await expect(queued).toHaveCount(0);
  await expect(chat.composer).toBeFocused();
  await expect(chat.composer).toHaveValue("And then?\n\nAnd after that?");
  await chat.composer.fill("And then?");
  await chat.button("composer.queue").click();
  await expect(queued).toContainText("And then?");

  await page.reload();
  await expect(queued).toContainText("And then?");
  await expect(chat.lastReply).toContainText("The first");
  upstream.release();
  await expect(chat.questions).toHaveCount(2);
  await expect(chat.lastReply).toContainText("Then comes the second.");
  await expect(queued).toHaveCount(0);
  await chat.finished();

  await chat.send("What else?");
  await expect(chat.lastReply).toContainText("The third");
  await chat.send("Never mind.");
  await expect(queued).toContainText("Never mind.");
  await chat.sendButton.click();
  await expect(queued.getByRole("status")).toHaveText(chat.text("queuedStopped"));
  await expectAccessible(page, "a queued message that was kept");
  upstream.release();
  await queued.getByRole("button", { name: chat.text("queue.sendNow") }).click();
  await expect(chat.lastReply).toContainText("The fourth.");
  await expect(queued).toHaveCount(0);
  await expect(chat.questions).toHaveCount(4);
});

test("what is queued in a chat that a reload does not show goes all the same", async ({
  chat,
  account,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 2 });
  const { page } = chat;
  upstream.script(
    { match: { user: question }, answer: "The first answer goes on.", fault: { at: 10, kind: "stall" } },
    { match: { user: "And then?" }, answer: "Then comes the second." },
  );
  await chat.send(question);
  await expect(chat.lastReply).toContainText("The first");
  const sessionId = await chat.sessionId();
  await chat.send("And then?");
  await expect(page.getByRole("region", { name: chat.text("queue.label") })).toContainText("And then?");
  await page.goto("/");
  await expect(chat.composer).toBeVisible();
  upstream.release();
  await expect
    .poll(async () => (await account.lastReply(sessionId)).answer, { timeout: 20_000 })
    .toBe("Then comes the second.");
  expect(new URL(page.url()).pathname).toBe("/");
});
