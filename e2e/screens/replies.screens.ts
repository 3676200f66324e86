// A reply from the first word typed to its end, whichever it is.
import { brokenConnection } from "../support/checks.ts";
import { expect, test } from "../support/journey.ts";
import { startRoughNetwork } from "../support/rough-network.ts";
import { accountWithChats, Album, everyLook, preferencesOf, Screen, scriptContent } from "./look.ts";

everyLook((look) => {
  const { content } = look;

  test("a reply that runs", async ({ openAs, stack, upstream, calls, consoleWatch }) => {
    consoleWatch.allow(brokenConnection);
    calls.expect({ answer: content.titles.length + 4 });
    scriptContent(upstream, content);
    const album = new Album(look, "reply");
    const account = await accountWithChats(stack, content);
    const network = await startRoughNetwork(() => stack.server.port);
    const page = await openAs(account, { origin: network.origin, preferences: preferencesOf(look) });
    const chat = new Screen(page, look);
    const { conversation } = chat;

    await expect(chat.composer).toBeVisible();
    await album.shoot(page, "welcome");
    if (!look.phone) await album.shootAt(page, "welcome", [[720, 450]]);
    await chat.composer.fill(content.longQuestion);
    await album.shoot(page, "composer-filled");
    await chat.sendButton.click();
    await chat.answerReaches(60);
    await album.shoot(page, "running");
    network.weather.down = true;
    network.cut("end");
    await expect(page.getByText(chat.text("conversation.reconnecting"))).toBeVisible();
    await album.shoot(page, "reconnecting");
    network.weather.down = false;
    await expect(page.getByText(chat.text("conversation.reconnecting"))).toBeHidden();
    await chat.sendButton.click();
    await chat.finished();
    await expect(chat.button("conversation.continue")).toBeVisible();
    await album.shoot(page, "stopped");

    upstream.script({
      match: { user: content.slowQuestion, kind: "answer" },
      times: 1,
      answer: `${content.answer}\n\n${content.longAnswer}\n\n`.repeat(3),
      fault: { at: (content.answer.length + content.longAnswer.length) * 2, kind: "stall" },
    });
    await chat.send(content.slowQuestion);
    await expect(chat.lastReply.getByRole("table").nth(1)).toBeAttached();
    await conversation.evaluate((scroller) => scroller.scrollBy({ top: -900, behavior: "instant" }));
    await expect(chat.button("conversation.newBelow")).toBeVisible();
    await album.shoot(page, "new-below");
    upstream.release();
    await chat.finished();

    upstream.script({ match: { user: content.slowQuestion, kind: "answer" }, firstChunkMs: 60_000 });
    await chat.startAnew();
    await chat.send(content.slowQuestion);
    await expect(page.getByText(/3 (s|秒)/)).toBeVisible();
    await album.shoot(page, "waiting");
    await chat.sendButton.click();
    await chat.finished();

    await chat.startAnew();
    await chat.send(content.failingQuestion);
    await expect(chat.button("common.retry")).toBeVisible();
    await album.shoot(page, "failed");
    await page.close();
    await network.close();
  });
});
