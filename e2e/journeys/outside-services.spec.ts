// What the operator may connect: reports of use and of errors.
import { changeSettings } from "../support/change-settings.ts";
import { expect, test } from "../support/journey.ts";

test("use and errors are told of where the operator wants it and the visitor lets it, addresses only masked [PLAT-009]", async ({
  openAs,
  consoleWatch,
}) => {
  const page = await openAs(null, { path: "/sign_in" });
  consoleWatch.allow(/ann@mail\.example/);
  const told: { path: string; body: string }[] = [];
  await page.route(/\/api\/v0\/client\/span|\/own-errors/, (route) => {
    told.push({ path: new URL(route.request().url()).pathname, body: route.request().postData() ?? "" });
    return route.fulfill({ status: 204 });
  });
  const errors = () => told.filter(({ path }) => path === "/own-errors");
  const spans = () => told.filter(({ path }) => path !== "/own-errors");
  await changeSettings(page, (settings) => {
    settings.region = "DE";
    settings.analytics.enabled = true;
    settings.analytics.error_report_url = new URL("/own-errors", page.url()).href;
  });
  const [part] = await Promise.all([page.waitForResponse(/outside-services/), page.reload()]);
  await part.finished();
  const fail = () =>
    page.evaluate(() => {
      setTimeout(() => {
        throw new Error("no mail for ann@mail.example");
      });
    });
  // The part that listens has come, and begins a moment later.
  await expect(async () => {
    await fail();
    expect(errors().length).toBeGreaterThan(0);
  }).toPass();
  expect(errors()[0]?.body).toMatch(/"message":"no mail for a[^"]*#[0-9a-f]{16}/);
  expect(errors()[0]?.body).not.toContain("ann@mail.example");

  const hide = () => page.evaluate(() => window.dispatchEvent(new Event("pagehide")));
  await page.getByRole("link", { name: "Forgot password?" }).click();
  await hide();
  await page.getByRole("region", { name: "Cookies" }).getByRole("button", { name: "Accept all" }).click();
  await page.goBack();
  await expect(page).toHaveURL("/sign_in");
  await hide();
  await expect.poll(() => spans().length).toBe(1);
  const names = (JSON.parse(spans()[0]?.body ?? "[]") as { name: string; screen: string }[]).map(
    ({ name, screen }) => [name, screen],
  );
  // Nothing of what came before the visitor's word.
  expect(names).toEqual([
    ["opened", "forgot-password"],
    ["view", "sign-in"],
  ]);
});
