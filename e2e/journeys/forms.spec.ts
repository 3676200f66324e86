// The pages before sign-in: what they say, where they lead, and what they keep from being sent.
import type { ClientSettings } from "@plumb/protocol/wire/site";
import { expectAccessible } from "../support/accessible.ts";
import { brokenConnection, refusedWith } from "../support/checks.ts";
import { expect, test } from "../support/journey.ts";
import { SignInPage } from "../support/pages/sign-in-page.ts";
import { textOf } from "../support/texts.ts";

test("sign-in and sign-up lead to each other, say what people agree to and where they are [AUTH-022] [AUTH-023] [AUTH-024] [AUTH-028]", async ({
  openAs,
}) => {
  const page = await openAs(null, { path: "/sign_in" });
  const form = new SignInPage(page);
  await expect(page.getByText(form.text("form.regionTipPhone"))).toBeVisible();
  await expect(page.getByText(form.text("form.signInConsent").split("<")[0] ?? "")).toBeVisible();
  await expect(page.getByRole("main")).toBeVisible();
  // Each once: the footer leaves out what the sentence of consent links.
  const documents = page.getByRole("link", {
    name: new RegExp(`${form.text("form.terms")}|${form.text("form.privacy")}`),
  });
  await expect(documents).toHaveText([form.text("form.terms"), form.text("form.privacy")]);
  for (const link of await documents.all()) {
    const answer = await page.request.get((await link.getAttribute("href")) ?? "");
    expect(answer.status()).toBe(200);
  }
  await page.getByRole("link", { name: form.text("form.signUp") }).click();
  await expect(page).toHaveURL("/sign_up");
  await expect(form.field("form.code")).toBeVisible();
  await page.getByRole("link", { name: form.text("form.signIn") }).click();
  await expect(page).toHaveURL("/sign_in");
});

test("sign-in asks for a password of any kind, and for both fields [AUTH-049]", async ({ openAs }) => {
  const page = await openAs(null, { path: "/sign_in" });
  const form = new SignInPage(page);
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/users/login")) asked.push(request.postData() ?? "");
  });
  await form.button("form.signIn").click();
  await expect(page.getByText(form.text("form.identifierEmpty"))).toBeVisible();
  await expect(page.getByText(form.text("form.passwordEmpty"))).toBeVisible();
  await form.signIn({ email: "no address", password: "x" });
  await expect(page.getByText(form.text("form.identifierInvalid"))).toBeVisible();
  expect(asked).toEqual([]);
  await form.signIn({ email: "nobody@example.com", password: "é" });
  await expect(page.getByRole("alert").filter({ hasText: form.text("passwordOrUserWrong") })).toBeVisible();
  expect(asked.map((body) => (JSON.parse(body) as { password: string }).password)).toEqual(["é"]);
});

test("a sign-in whose code for the device id is gone goes without it [PLAT-026]", async ({
  openAs,
  account,
  consoleWatch,
}) => {
  consoleWatch.allow(refusedWith(404));
  const page = await openAs(null, { path: "/sign_in" });
  const form = new SignInPage(page);
  await page.route("**/static/assets/device-id-*.js", (route) => route.fulfill({ status: 404, body: "" }));
  const asked = page.waitForRequest("**/api/v0/users/login");
  await form.signIn(account);
  const body = (await asked).postDataJSON() as Record<string, unknown>;
  expect(body["device_id"]).toBeUndefined();
  await expect(page).toHaveURL("/");
});

test("a form that was sent while the network is away says so, and can be sent again when it is back", async ({
  openAs,
  account,
  consoleWatch,
}) => {
  consoleWatch.allow(brokenConnection);
  const page = await openAs(null, { path: "/sign_in" });
  const form = new SignInPage(page);
  await expect(form.button("form.signIn")).toBeVisible();
  await page.context().setOffline(true);
  await form.signIn(account);
  await expect(page.getByRole("alert").filter({ hasText: form.text("networkError") })).toBeVisible();
  await page.context().setOffline(false);
  await form.button("form.signIn").click();
  await expect(page).toHaveURL("/");
});

test("no code is asked for a wrong address; after one the button rests and counts down [AUTH-040] [AUTH-052] [AUTH-053]", async ({
  openAs,
}) => {
  const page = await openAs(null, { path: "/sign_up" });
  const form = new SignInPage(page);
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/create_email_verification_code")) asked.push(request.url());
  });
  await form.button("form.sendCode").click();
  await expect(page.getByText(form.text("form.emailEmpty"))).toBeVisible();
  await form.field("form.email").fill("someone@");
  await form.button("form.sendCode").click();
  await expect(page.getByText(form.text("form.emailInvalid"))).toBeVisible();
  expect(asked).toEqual([]);

  const email = `counts-down-${Date.now()}@example.com`;
  await form.field("form.email").fill(email);
  await form.button("form.sendCode").click();
  const rests = page.getByRole("button", {
    name: new RegExp(`^${textOf("en_US", "form.sendAgainIn", { seconds: "\\d+" })}$`),
  });
  await expect(rests).toBeDisabled();
  const seconds = async () => Number(/\d+/.exec(await rests.innerText())?.[0]);
  const first = await seconds();
  expect(first).toBeLessThanOrEqual(60);
  await expect.poll(seconds).toBeLessThan(first);
  await expect(rests).toBeDisabled();
  // Whoever goes to read the mail may find the page loaded anew.
  await page.reload();
  await expect(rests).toBeDisabled();
  expect(await seconds()).toBeLessThan(first);
  await expect(form.field("form.email")).toHaveValue(email);
  expect(asked).toHaveLength(1);
});

test("sign-up waits with a spinner until the region is known [AUTH-029]", async ({ openAs, stack }) => {
  const page = await openAs(null, { path: "/sign_in" });
  const form = new SignInPage(page);
  let answer = (): void => {};
  const held = new Promise<void>((resolve) => (answer = resolve));
  await page.route("**/api/v0/client/settings*", async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(`${stack.origin}/sign_up`);
  await expect(page.getByRole("status", { name: form.text("conversation.loading") })).toBeVisible();
  await expect(form.field("form.email")).toHaveCount(0);
  answer();
  await expect(form.field("form.email")).toBeVisible();
});

test("the page of a suspended account explains it, and links to the questions and home [ACCT-052]", async ({
  openAs,
}) => {
  const page = await openAs(null, { path: "/sign_in" });
  const form = new SignInPage(page);
  await page.route("**/api/v0/client/settings*", async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { data: { biz_data: ClientSettings } };
    const { links } = body.data.biz_data;
    if (links["en_US"]) links["en_US"].faq = "https://faq.example/";
    await route.fulfill({ response, json: body });
  });
  await page.goto("/banned");
  await expect(page.getByText(form.text("banned.text"))).toBeVisible();
  await expect(page.getByRole("link", { name: form.text("banned.faq") })).toHaveAttribute(
    "href",
    "https://faq.example/",
  );
  await expectAccessible(page, "suspended");
  await page.getByRole("link", { name: form.text("banned.home") }).click();
  await expect(page).toHaveURL("/sign_in");
  await expect(form.button("form.signIn")).toBeVisible();
});
