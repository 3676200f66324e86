import type { History } from "@plumb/protocol/wire/sessions";
import { expect, test } from "../support/journey.ts";

const turns = 200;

/** A history of many turns in place of that of one. */
function lengthened(history: History): History {
  const [question, reply] = history.chat_messages;
  if (question === undefined || reply === undefined) throw new Error("There is no turn to repeat.");
  const messages = Array.from({ length: turns }, (_none, turn) => {
    const id = 2 * turn + 1;
    const asked = `Question number ${turn + 1}?`;
    const answered = `Answer number ${turn + 1}. ${"Some more words. ".repeat(20)}\n\nAnd **bold** ones.`;
    return [
      {
        ...question,
        message_id: id,
        parent_id: turn === 0 ? null : id - 1,
        fragments: [{ id: 1, type: "REQUEST", content: asked }],
      },
      {
        ...reply,
        message_id: id + 1,
        parent_id: id,
        fragments: [{ id: 2, type: "RESPONSE", content: answered }],
      },
    ];
  }).flat() as History["chat_messages"];
  return {
    ...history,
    chat_session: { ...history.chat_session, current_message_id: 2 * turns, version: 2 * turns },
    chat_messages: messages,
  };
}

test("of a long chat only what is near the screen is drawn in full; all of it is found, read out, printed, and kept in its place", async ({
  chat,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  const { conversation, page } = chat;
  await chat.send(question);
  await chat.finished();
  await page.route("**/api/v0/chat/history_messages*", async (route) => {
    // As if the page kept no copy of its own.
    const address = new URL(route.request().url());
    address.searchParams.delete("cache_version");
    const answer = await route.fetch({ url: address.href });
    const body = (await answer.json()) as { data: { biz_data: History } };
    body.data.biz_data = lengthened(body.data.biz_data);
    await route.fulfill({ response: answer, json: body });
  });
  await page.reload();
  await expect(chat.lastReply).toContainText(`Answer number ${turns}.`);
  await expect(chat.lastReply).toBeInViewport();
  await expect(conversation.getByRole("article")).toHaveCount(2 * turns);
  const drawn = conversation.locator("[data-message-id]:has(button)");
  expect(await drawn.count()).toBeLessThan(60);

  // The words of all are there for what reads or searches the page.
  const hit = await page.evaluate(() => {
    const { find } = window as unknown as { find(text: string, ...how: boolean[]): boolean };
    // Whatever the case, forwards, from the top again.
    if (!find("Question number 90?", false, false, true)) return null;
    return getSelection()?.anchorNode?.parentElement?.closest("[data-message-id]")?.textContent;
  });
  expect(hit).toBe("Question number 90?");

  // A fragment of text in the address is looked for as a search in the page does it, which no test can open.
  const found = conversation.locator('[data-message-id="79"]');
  await expect(found.locator("button")).toHaveCount(0);
  const path = new URL(page.url()).pathname;
  await page.goto(`${path}#:~:text=${encodeURIComponent("Question number 40?")}`);
  await expect(found).toBeInViewport();
  await expect(found.locator("button")).not.toHaveCount(0);
  await page.evaluate((address) => history.replaceState(null, "", address), path);
  // The bold word is no longer written with its asterisks.
  await expect(conversation.locator('[data-message-id="80"] strong')).toHaveText("bold");

  // Scrolling up leaves what is in view where it is, whatever is drawn above.
  await conversation.hover();
  const top = () => found.evaluate((element) => element.getBoundingClientRect().top);
  await page.waitForTimeout(500);
  const before = await top();
  await page.mouse.wheel(0, -100);
  await expect.poll(async () => Math.abs((await top()) - before - 100)).toBeLessThan(4);

  // The place is kept when the page has stood still for 100 ms.
  await page.waitForTimeout(500);
  await page.reload();
  await expect(found).toBeInViewport();
  await expect.poll(async () => Math.abs((await top()) - before - 100)).toBeLessThan(4);
  expect(await drawn.count()).toBeLessThan(80);

  await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
  await expect(drawn).toHaveCount(2 * turns);
});
