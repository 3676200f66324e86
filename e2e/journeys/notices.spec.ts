// What is said on every page: announcements, warnings, the question about cookies, a newer version, and a page that cannot begin.
import { changeSettings } from "../support/change-settings.ts";
import { expectAccessible } from "../support/accessible.ts";
import { expect, test } from "../support/journey.ts";
import { ChatPage } from "../support/pages/chat-page.ts";

const item = {
  show: true,
  type: "info",
  closable: true,
  content: {
    en_US: "Maintenance on Sunday. [Read more](https://status.example/42)",
    zh_CN: "周日维护。[详情](https://status.example/42)",
  },
};

test("an announcement stands above every page until it is closed, from the first picture on once it is known [NOTE-001] [NOTE-012] [SHELL-027]", async ({
  openAs,
  account,
}) => {
  const page = await openAs(null, { path: "/sign_in" });
  let banner = {
    id: "b1",
    items: [item, { ...item, type: "warning", closable: false, content: { en_US: "Demo only." } }],
  };
  await page.route("**/downloads/status.json", (route) => route.fulfill({ json: banner }));
  await changeSettings(page, ({ links }) =>
    Object.assign(links["en_US"] ?? {}, { contact_email: "help@example.org" }),
  );
  await page.reload();
  const region = page.getByRole("region", { name: "Announcements" });
  await expect(region).toContainText("Maintenance on Sunday. Read more");
  await expect(region.getByRole("link", { name: "Read more" })).toHaveAttribute(
    "href",
    "https://status.example/42",
  );
  await expect(page.getByRole("main")).toBeVisible();
  await expect(page.getByRole("contentinfo")).toBeVisible();
  await expectAccessible(page, "announcement on sign-in");
  // Known now: it is part of the first picture, though the server has not been asked.
  await page.unroute("**/downloads/status.json");
  await page.route("**/downloads/status.json", () => {});
  await page.reload();
  await expect(region.or(page.getByRole("main")).first()).toBeVisible();
  await expect(region).toContainText("Maintenance");
  await region.getByRole("button", { name: "Close" }).press("Enter");
  await expect(region).not.toContainText("Maintenance");
  // Whoever goes by keys goes on from the page's own beginning.
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  await expect(region).toContainText("Demo only.");

  await page.unroute("**/downloads/status.json");
  banner = { id: "b2", items: [{ ...item, content: { en_US: "Another." } }] } as typeof banner;
  await page.route("**/downloads/status.json", (route) => route.fulfill({ json: banner }));
  await page.reload();
  await expect(region).toHaveText(/^Another\.$/u);

  const chatPage = await openAs(account, { preferences: { locale: "zh_CN" } });
  await chatPage.route("**/downloads/status.json", (route) =>
    route.fulfill({ json: { id: "b1", items: [item] } }),
  );
  await chatPage.setViewportSize({ width: 390, height: 740 });
  await chatPage.reload();
  const bar = chatPage.getByRole("region", { name: "公告" });
  await expect(bar).toContainText("周日维护。详情");
  // The page makes room: all of it is on the screen, the composer too.
  const [above, below] = [await bar.boundingBox(), await chatPage.locator("textarea").first().boundingBox()];
  expect(above?.y).toBe(0);
  expect((below?.y ?? 0) + (below?.height ?? 0)).toBeLessThanOrEqual(740);
  await expectAccessible(chatPage, "announcement over a chat");
});

test("visitors of some regions are asked about cookies once, those of programs that are warned of are told [NOTE-014] [NOTE-015] [NOTE-016] [NOTE-023] [NOTE-024] [NOTE-025]", async ({
  openAs,
  consoleWatch,
}) => {
  const page = await openAs(null, { path: "/sign_in" });
  const agent = await page.evaluate(() => navigator.userAgent);
  await changeSettings(page, (settings) => {
    settings.region = "DE";
    settings.misc.unsafe_wrapper_agents = [agent.slice(0, 20)];
  });
  await page.reload();
  const question = page.getByRole("region", { name: "Cookies" });
  const warning = page.getByText("inside another program");
  await expect(question).toBeVisible();
  await expect(warning).toBeVisible();
  await expectAccessible(page, "cookies and warning");
  await question.getByRole("button", { name: "Essential only" }).click();
  await expect(question).toHaveCount(0);
  await page.getByRole("button", { name: "Close" }).click();
  await expect(warning).toHaveCount(0);
  const level = async () =>
    (await page.context().cookies()).find(({ name }) => name === "cookie_preference")?.value;
  // Whoever thinks better of it finds the question at the foot of the page.
  await page.getByRole("contentinfo").getByRole("button", { name: "Cookies" }).click();
  await expect(question).toBeFocused();
  await question.getByRole("button", { name: "Accept all" }).press("Enter");
  await expect(question).toHaveCount(0);
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  expect(await level()).toBe("all");
  await page.getByRole("contentinfo").getByRole("button", { name: "Cookies" }).click();
  await question.getByRole("button", { name: "Essential only" }).click();
  const [kept] = await page.context().cookies();
  expect(kept).toMatchObject({ name: "cookie_preference", value: "essential", sameSite: "Lax" });
  const days = ((kept?.expires ?? 0) - Date.now() / 1000) / 86_400;
  expect(Math.round(days)).toBe(365);
  await changeSettings(page, (settings) => (settings.flags["adBlockCheck"] = true));
  consoleWatch.allow(/adsbygoogle/u);
  await page.route("**/ads/**", (route) => route.abort());
  await page.reload();
  // Both would be there by now.
  await expect(page.getByRole("dialog", { name: "Is an ad blocker on?" })).toBeVisible();
  await expectAccessible(page, "ad-block alert");
  await page.getByRole("button", { name: "Continue anyway" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(question).toHaveCount(0);
});

for (const [width, height] of [
  [320, 568],
  [390, 844],
  [820, 600],
] as const)
  test(`the question about cookies covers nothing of a form of ${width} px, all of which can be reached [NOTE-014]`, async ({
    openAs,
  }) => {
    const page = await openAs(null, { path: "/sign_in" });
    await page.setViewportSize({ width, height });
    await changeSettings(page, (settings) => {
      settings.region = "CN";
      settings.cookie_banner.regions = ["CN"];
      settings.edition = "mainland";
      settings.sign_in.methods = ["sms_code", "mobile_password"];
      settings.sign_in.sms_blocked = false;
    });
    await page.reload();
    const question = page.getByRole("region", { name: "Cookies" });
    await expect(question).toBeVisible();
    const top = (await question.boundingBox())?.y ?? 0;
    const foot = page.getByRole("contentinfo").getByRole("button", { name: "Cookies" });
    for (const part of [page.getByRole("heading", { level: 1 }), page.getByRole("radiogroup"), foot]) {
      await part.scrollIntoViewIfNeeded();
      const { y, height: own } = (await part.boundingBox()) ?? { y: height, height: 0 };
      expect(y).toBeGreaterThanOrEqual(0);
      expect(y + own).toBeLessThanOrEqual(top);
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  });

test("a newer version is told of in one notice, whoever finds it; a page that cannot begin says so [NOTE-021]", async ({
  openAs,
  account,
  consoleWatch,
}) => {
  const page = await openAs(account);
  const chat = new ChatPage(page);
  await page.route("**/downloads/status.json", (route) =>
    route.fulfill({ json: { id: "b1", items: [item, item, item] } }),
  );
  await page.route("**/version.txt", (route) => route.fulfill({ contentType: "text/plain", body: "99.0.0" }));
  await page.reload();
  const notice = page.getByText(chat.text("newVersion.ready"));
  await expect(notice).toBeVisible({ timeout: 15_000 });
  // Under what is announced, not over it.
  const announced = page.getByRole("region", { name: chat.text("notice.region") });
  await expect(announced.getByRole("paragraph")).toHaveCount(3);
  const [bars, told] = [await announced.boundingBox(), await notice.boundingBox()];
  expect(told?.y).toBeGreaterThan((bars?.y ?? 0) + (bars?.height ?? Infinity));
  await announced
    .getByRole("button", { name: chat.text("common.close") })
    .first()
    .press("Enter");
  await expect(announced.getByRole("paragraph")).toHaveCount(0);
  await expect(chat.composer).toBeFocused();
  await page.getByRole("button", { name: chat.text("common.close") }).press("Enter");
  await expect(notice).toHaveCount(0);
  await expect(chat.composer).toBeFocused();
  // Seen again, it is asked for again, and not told of again.
  const asked = page.waitForResponse("**/version.txt");
  await page.evaluate(() => window.dispatchEvent(new Event("focus")));
  await asked;
  await expect(notice).toHaveCount(0);

  consoleWatch.allow(/Failed to load resource/u, /ERR_FAILED/u);
  await page.route("**/static/assets/index-*.js", (route) => route.abort());
  await page.reload();
  await expect(page.getByRole("alert")).toContainText("The page could not be loaded.");
  await expectAccessible(page, "fatal page");
  await page.unroute("**/static/assets/index-*.js");
  await page.getByRole("button", { name: "Reload" }).click();
  await expect(chat.composer).toBeVisible();
});
