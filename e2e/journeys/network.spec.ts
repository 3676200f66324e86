import type { Route } from "@playwright/test";
import { brokenConnection } from "../support/checks.ts";
import { expect, test as base } from "../support/journey.ts";
import { ChatPage, plain } from "../support/pages/chat-page.ts";
import { startRoughNetwork, type RoughNetwork } from "../support/rough-network.ts";
import { expectOnlyGrowth, logAnswers, seenAnswers } from "../support/screen-log.ts";

const test = base.extend<{ network: RoughNetwork; far: ChatPage }>({
  network: async ({ stack }, use) => {
    const network = await startRoughNetwork(() => stack.server.port);
    await use(network);
    await network.close();
  },
  /** A signed-in page behind the bad connection. */
  far: async ({ openAs, account, network }, use) => {
    const page = await openAs(account, { origin: network.origin });
    await logAnswers(page);
    await page.reload();
    await use(new ChatPage(page));
    // Before the network: parts of the page may still be on their way.
    await page.close();
  },
});

test.beforeEach(({ consoleWatch }) => consoleWatch.allow(brokenConnection));

test("offline in the middle and online again: the reply goes on by itself [ENG-080]", async ({
  chat,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  upstream.script({ match: { user: question }, tokens: 120, paceMs: 25 });
  await logAnswers(chat.page);
  await chat.page.reload();
  await chat.send(question);
  await chat.answerReaches(60);
  await chat.page.context().setOffline(true);
  // The model goes on meanwhile.
  const written = () => upstream.requests.find((request) => request.question === question)?.position ?? 0;
  const before = written();
  await expect.poll(written).toBeGreaterThan(before + 100);
  await chat.page.context().setOffline(false);
  await chat.finished();
  const { answer } = upstream.expected(question);
  expect(plain(await chat.answer())).toBe(plain(answer));
  expectOnlyGrowth(await seenAnswers(chat.page), answer);
});

for (const how of ["end", "reset"] as const) {
  test(`the connection is cut by ${how} three times, and the text is whole [ENG-080]`, async ({
    far,
    network,
    upstream,
    calls,
    question,
  }) => {
    calls.expect({ answer: 1 });
    upstream.script({ match: { user: question }, tokens: 150, paceMs: 25 });
    await far.send(question);
    for (const offset of [30, 250, 500]) {
      await far.answerReaches(offset);
      network.cut(how);
    }
    await far.finished();
    const { answer } = upstream.expected(question);
    expect(plain(await far.answer())).toBe(plain(answer));
    expectOnlyGrowth(await seenAnswers(far.page), answer);
  });
}

test("while the connection is down the page shows that it reconnects, and the message stays in progress", async ({
  far,
  network,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  upstream.script({ match: { user: question }, tokens: 100, paceMs: 20 });
  await far.send(question);
  await far.answerReaches(60);
  network.weather.down = true;
  network.cut("end");
  await expect(far.page.getByText(far.text("conversation.reconnecting"))).toBeVisible();
  await expect(far.lastReply).toHaveAttribute("aria-busy", "true");
  // More than one attempt has failed, and it is still in progress.
  await expect.poll(() => network.refused).toBeGreaterThan(2);
  await expect(far.lastReply).toHaveAttribute("aria-busy", "true");
  network.weather.down = false;
  await far.finished();
  await expect(far.page.getByText(far.text("conversation.reconnecting"))).toBeHidden();
  expect(plain(await far.answer())).toBe(plain(upstream.expected(question).answer));
});

test("pieces of three bytes with a delay make the same text", async ({
  far,
  network,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  upstream.script({ match: { user: question }, tokens: 60, paceMs: 5 });
  network.weather.delayMs = 10;
  network.weather.splitBytes = 3;
  await far.send(question);
  await far.finished();
  expect(plain(await far.answer())).toBe(plain(upstream.expected(question).answer));
});

test("a connection that freezes during a send: the prompt is neither lost nor sent twice", async ({
  far,
  network,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  upstream.script({ match: { user: question }, tokens: 60, paceMs: 10, firstChunkMs: 600 });
  await far.send(question);
  await expect.poll(() => calls.count("answer")).toBe(1);
  // Cut before any delta came.
  network.cut("reset");
  await far.finished();
  expect(plain(await far.answer())).toBe(plain(upstream.expected(question).answer));
  await expect(far.questions).toHaveCount(1);
});

test("a menu whose code and styles could not be loaded has both when the network is back", async ({
  chat,
}) => {
  const { page } = chat;
  // What a part is made of comes by two ways, and each may fail alone.
  const files =
    /\/static\/assets\/(menu-list|dialog|settings-dialog|visually-hidden|button)-[\w-]+\.(js|css)$/;
  const refuse = (route: Route): Promise<void> => route.abort("internetdisconnected");
  await page.reload();
  await expect(chat.composer).toBeVisible();
  await page.route(files, refuse);
  const refused = page.waitForEvent("requestfailed", (request) => request.url().endsWith(".css"));
  await page.mouse.move(300, 300);
  await refused;
  await page.unroute(files, refuse);
  await page.getByRole("button", { name: new RegExp(`^${chat.text("profile.menu")}`) }).click();
  const menu = page.getByRole("menu");
  await expect(menu).toBeVisible();
  const background = await menu.evaluate((element) => getComputedStyle(element).backgroundColor);
  expect(background).not.toBe("rgba(0, 0, 0, 0)");
});

test("the line about a network that is away moves nothing, on the welcome and in a chat, at any size", async ({
  chat,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  const { page } = chat;
  const tops: Record<string, [online: number, offline: number]> = {};
  const top = async () => (await chat.composer.boundingBox())?.y ?? 0;
  const measure = async (where: string) => {
    for (const [width, height] of [
      [1440, 900],
      [390, 844],
      [844, 390],
    ] as const) {
      await page.setViewportSize({ width, height });
      // React draws the composer of another height after the browser has told it of the size.
      let online = Number.NaN;
      await expect
        .poll(
          async () => {
            const before = online;
            online = await top();
            return online === before;
          },
          { intervals: [300] },
        )
        .toBe(true);
      await page.context().setOffline(true);
      await expect(page.getByText(chat.text("composer.offline"))).toBeVisible();
      tops[`${where}, ${width} × ${height}`] = [online, await top()];
      await page.context().setOffline(false);
      await expect(page.getByText(chat.text("composer.offline"))).toHaveCount(0);
    }
  };
  await measure("welcome");
  await page.setViewportSize({ width: 1440, height: 900 });
  await chat.send(question);
  await chat.finished();
  await measure("chat");
  expect(Object.entries(tops).filter(([, [online, offline]]) => Math.abs(online - offline) > 0.5)).toEqual(
    [],
  );
});
