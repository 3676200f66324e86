// A message that waits for the end of a reply, and one that was kept since it was stopped.
import { ApiAccount } from "../support/api-account.ts";
import { expect, test } from "../support/journey.ts";
import { Album, everyLook, preferencesOf, Screen, scriptContent } from "./look.ts";

everyLook((look) => {
  const { content } = look;

  test("a queued message", async ({ openAs, stack, calls, upstream }) => {
    calls.expect({ answer: 1 });
    scriptContent(upstream, content);
    const album = new Album(look, "queued-message");
    const page = await openAs(await ApiAccount.signUp(stack), { preferences: preferencesOf(look) });
    const chat = new Screen(page, look);
    await chat.send(content.longQuestion);
    await expect(chat.lastReply).toContainText(content.longAnswer.slice(3, 8));
    await chat.composer.fill(content.slowQuestion);
    await expect(chat.button("composer.queue")).toBeVisible();
    await album.shoot(page, "typed");
    await chat.button("composer.queue").click();
    const queued = page.getByRole("region", { name: chat.text("queue.label") });
    await expect(queued).toBeVisible();
    await album.shoot(page, "waits");
    await chat.sendButton.click();
    await expect(queued.getByRole("status")).toHaveText(chat.text("queuedStopped"));
    await chat.composer.fill(`${content.question} ${content.failingQuestion}`);
    await album.shoot(page, "kept");
    await page.close();
  });
});
