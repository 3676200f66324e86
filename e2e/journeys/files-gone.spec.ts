// A page that stays open over an update of the server: what it has not loaded yet is not found any more.
import type { Page } from "@playwright/test";
import { refusedWith } from "../support/checks.ts";
import { expect, test } from "../support/journey.ts";
import { ChatPage } from "../support/pages/chat-page.ts";
import { SignInPage } from "../support/pages/sign-in-page.ts";

const ASSETS = "**/static/assets/**";

test.beforeEach(({ consoleWatch }) => {
  consoleWatch.allow(refusedWith(404), /ChunkLoadError/, /The above error occurred/, /error boundary/i);
});

/** From now on no file of the page is found; gives how often one was asked for. */
async function loseFiles(page: Page): Promise<() => number> {
  let asked = 0;
  await page.route(ASSETS, async (route) => {
    asked += 1;
    await route.fulfill({ status: 404, contentType: "text/plain", body: "Not found\n" });
  });
  return () => asked;
}

/** 5 s of the page's clock in steps, each with an answer of the network between. */
async function pass5s(
  page: Page,
  meanwhile: (step: number) => Promise<void> = async () => {},
): Promise<void> {
  for (let step = 0; step < 10; step += 1) {
    await meanwhile(step);
    await page.clock.runFor(500);
    await page.waitForTimeout(50);
  }
}

/** The count, once it has stood for 5 s while a hand is on the page. */
async function countAtRest(page: Page, count: () => number): Promise<number> {
  for (let before = -1; before !== count();) {
    before = count();
    await pass5s(page, (step) => page.mouse.move(500 + step, 300));
  }
  return count();
}

/** Nothing is asked for any more, once what was begun before has ended. */
async function expectRest(page: Page, count: () => number): Promise<void> {
  await pass5s(page);
  const asked = count();
  await pass5s(page);
  expect(count()).toBe(asked);
}

const errorPage = (page: Page, title: string) => page.getByRole("alert").filter({ hasText: title });
/** So long after it was asked for the error shows at the latest. */
const SHOWN = { timeout: 10_000 };

test("a chat page whose files are gone after the sign-in says so, asks no more, and comes with a reload [ERR-044]", async ({
  openAs,
  account,
}) => {
  const page = await openAs(null, { path: "/sign_in" });
  await page.clock.install();
  const form = new SignInPage(page);
  const chat = new ChatPage(page);
  await expect(form.button("form.signIn")).toBeVisible();
  const count = await loseFiles(page);
  await form.signIn(account);
  const error = errorPage(page, chat.text("errorPage.title"));
  await expect(error).toBeVisible(SHOWN);
  await expectRest(page, count);
  await page.unroute(ASSETS);
  await error.getByRole("button", { name: chat.text("errorPage.reload") }).click();
  await expect(chat.composer).toBeVisible();
});

test("what only might be needed is asked for a few times and says nothing; a menu that is opened shows the error, and what is typed stays [ERR-044]", async ({
  chat,
}) => {
  const { page } = chat;
  await expect(chat.composer).toBeVisible();
  await chat.composer.fill("half a thought");
  await page.clock.install();
  await page.reload();
  await expect(chat.composer).toHaveText("half a thought");
  const count = await loseFiles(page);
  const error = errorPage(page, chat.text("errorPage.title"));
  expect(await countAtRest(page, count)).toBeGreaterThan(0);
  await expect(page.getByRole("alert")).toHaveCount(0);
  await expect(chat.composer).toBeVisible();

  await chat.composer.fill("a whole thought");
  await page.getByRole("button", { name: new RegExp(`^${chat.text("profile.menu")}`) }).click();
  await expect(error).toBeVisible(SHOWN);
  await expectRest(page, count);
  await page.unroute(ASSETS);
  await error.getByRole("button", { name: chat.text("errorPage.reload") }).click();
  await expect(chat.composer).toHaveText("a whole thought");
});

test("a style sheet that is gone keeps no other part from coming", async ({ chat, sidebar }) => {
  const { page } = chat;
  await page.reload();
  await expect(chat.composer).toBeVisible();
  await page.route("**/static/assets/tooltip-layer-*.css", (route) =>
    route.fulfill({ status: 404, body: "" }),
  );
  const lost = page.waitForResponse((answer) => answer.status() === 404);
  await page.mouse.move(300, 300);
  await lost;
  await page.getByRole("button", { name: new RegExp(`^${sidebar.text("profile.menu")}`) }).click();
  await page.getByRole("menuitem", { name: sidebar.text("profile.settings") }).click();
  await expect(page.getByRole("dialog", { name: sidebar.text("profile.settings") })).toBeVisible(SHOWN);
});
