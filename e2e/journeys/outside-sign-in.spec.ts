// Signing in through Google, and the captcha before it.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { openStandInOpenId } from "../../server/test/stand-in-openid.ts";
import { changeSettings } from "../support/change-settings.ts";
import { expectAccessible } from "../support/accessible.ts";
import { expect, test } from "../support/journey.ts";
import { ChatPage } from "../support/pages/chat-page.ts";
import { SignInPage } from "../support/pages/sign-in-page.ts";
import { slidePlace, slideTo } from "../support/slide-place.ts";

test("whoever comes from Google passes the puzzle first, and is signed in where they wanted to go [AUTH-019] [AUTH-058] [AUTH-062] [AUTH-063] [AUTH-137]", async ({
  openAs,
  startStack,
}) => {
  const google = await openStandInOpenId();
  google.state.visitor = { sub: "ada", name: "Ada", email: "ada@example.com", email_verified: true };
  const stack = await startStack({ ...google.settings, CAPTCHA: "slide" });
  const page = await openAs(null, { origin: stack.origin, path: "/sign_in?redirect=%2Fa%2Fcoder" });
  const form = new SignInPage(page);
  const asked: string[] = [];
  page.on("request", (request) => void asked.push(new URL(request.url()).pathname));

  await expect(page.getByRole("tab")).toHaveCount(0);
  await expect(page.getByText(form.text("form.or"), { exact: true })).toBeVisible();
  const leave = form.button("form.withGoogle");
  await leave.click();

  const dialog = page.getByRole("dialog", { name: form.text("captcha.title") });
  await expect(dialog).toBeVisible();
  await expect(dialog.locator("img").first()).toBeVisible();
  const panel = dialog.locator("> div").first();
  expect((await panel.boundingBox())?.width).toBe(336);
  await expectAccessible(page, "the slide puzzle");
  await page.keyboard.press("Escape");
  await page.mouse.click(5, 5);
  await expect(dialog).toBeVisible();

  // Another puzzle; a wrong place; and closed by its button nothing is sent.
  const first = await dialog.locator("img").first().getAttribute("src");
  await dialog.getByRole("button", { name: form.text("captcha.reset") }).click();
  await expect(dialog.locator("img").first()).not.toHaveAttribute("src", first ?? "");
  await slideTo(page, form.text("captcha.slideByKeys"), () =>
    slidePlace(stack.server.dataDir) > 160 ? 120 : 200,
  );
  await expect(dialog.getByText(form.text("captchaWrong"))).toBeVisible();
  await dialog.getByRole("button", { name: form.text("captcha.close") }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText(form.text("captchaDismissed"))).toBeVisible();
  expect(asked).not.toContain("/api/v0/users/oauth/google/authorize");

  let release: () => void = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/oauth/get_token", async (route) => {
    await held;
    await route.continue();
  });
  await leave.click();
  // Who has failed solves two in a row.
  for (const word of ["captcha.slide", "captchaOneMore"] as const) {
    await expect(dialog.getByText(form.text(word))).toBeVisible();
    await slideTo(page, form.text("captcha.slideByKeys"), () => slidePlace(stack.server.dataDir));
  }
  await expect(page).toHaveURL(`${stack.origin}/authorized`);
  await expect(page.getByRole("status", { name: form.text("conversation.loading") })).toBeVisible();
  release();
  await expect(page).toHaveURL(`${stack.origin}/a/coder`);
  await expect(new ChatPage(page).composer).toBeVisible();
  await google.close();
});

test("a captcha goes with the page that asked for it, without a word on the next one; the address that was typed is there again", async ({
  openAs,
  startStack,
}) => {
  const google = await openStandInOpenId();
  const stack = await startStack({ ...google.settings, CAPTCHA: "slide" });
  const page = await openAs(null, { origin: stack.origin, path: "/sign_up?redirect=%2Fa%2Fcoder" });
  const form = new SignInPage(page);
  const dialog = page.getByRole("dialog", { name: form.text("captcha.title") });
  await page.getByRole("link", { name: form.text("form.signIn") }).click();
  await form.button("form.withGoogle").click();
  await expect(dialog.locator("img").first()).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(`${stack.origin}/sign_up?redirect=%2Fa%2Fcoder`);
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText(form.text("captchaDismissed"))).toHaveCount(0);

  await form.field("form.email").fill("ada@example.com");
  await form.button("form.sendCode").click();
  await expect(dialog.locator("img").first()).toBeVisible();
  await page.goForward();
  await expect(page).toHaveURL(`${stack.origin}/sign_in?redirect=%2Fa%2Fcoder`);
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText(form.text("captchaDismissed"))).toHaveCount(0);
  await expect(form.field("form.identifier")).toHaveValue("ada@example.com");
  await page.goBack();
  await expect(form.field("form.email")).toHaveValue("ada@example.com");
  // It asks anew.
  await form.button("form.sendCode").click();
  await slideTo(page, form.text("captcha.slideByKeys"), () => slidePlace(stack.server.dataDir));
  await expect(form.field("form.code")).toBeFocused();
  await google.close();
});

test("the sign-in page says why Google did not lead in; the button shows where a flag forces it [AUTH-020] [AUTH-139]", async ({
  openAs,
}) => {
  const page = await openAs(null, { path: "/sign_in" });
  const form = new SignInPage(page);
  await expect(form.button("form.signIn")).toBeVisible();
  await expect(form.button("form.withGoogle")).toHaveCount(0);
  await changeSettings(page, ({ sign_in }) => (sign_in.google_forced = true));
  await page.goto("/sign_in?provider=GOOGLE&error=EMAIL_ALREADY_BOUND_TO_OAUTH&code=3&from=coder");
  await expect(page.getByText(form.text("googleOtherAccount"))).toBeVisible();
  await expect(page).toHaveURL("/sign_in?from=coder");
  await expect(form.button("form.withGoogle")).toBeVisible();
  await page.goto("/sign_in?provider=GOOGLE&error=REGISTRATION_CLOSED&code=5");
  await expect(page.getByText(form.text("registrationClosed"))).toBeVisible();
  for (const path of [
    "/authorized",
    "/authorized?provider=GOOGLE&new=1",
    "/authorized?nonce=x&provider=EVIL",
  ]) {
    await page.goto(path);
    await expect(page).toHaveURL("/sign_in");
  }

  // Where the way through Google was to lead is not lost by its end.
  const failed = "/sign_in?provider=GOOGLE&error=EMAIL_ALREADY_BOUND_TO_OAUTH&code=3";
  for (const [path, targetBeforeOauthLogin, next] of [
    [failed, "/share/abc", "/sign_in?redirect=%2Fshare%2Fabc"],
    [failed, "coder", "/sign_in?from=coder"],
    ["/authorized", "/share/abc", "/sign_in?redirect=%2Fshare%2Fabc"],
  ] as const) {
    const again = await openAs(null, { path, preferences: { targetBeforeOauthLogin } });
    await expect(again).toHaveURL(next);
  }
});

test("a widget of others is loaded from where it lies, tried three times, and its token goes along [AUTH-065] [AUTH-066] [AUTH-068] [AUTH-071]", async ({
  openAs,
  startStack,
  consoleWatch,
}) => {
  const loads = { failing: 3, asked: 0, verified: [] as string[] };
  const service = createServer((request, response) => {
    if (request.url === "/verify") {
      request.on("data", (part) => loads.verified.push(String(part)));
      request.on("end", () => response.end('{"success":true}'));
      return;
    }
    loads.asked += 1;
    if (loads.asked <= loads.failing) return void response.writeHead(503).end();
    response
      .writeHead(200, { "content-type": "text/javascript" })
      .end(
        "window.hcaptcha={render(place,o){const b=document.createElement('button');b.textContent='I am human';b.onclick=()=>o.callback('tok-'+o.sitekey);place.append(b);return '1'},reset(){}};",
      );
  });
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
  const at = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  const stack = await startStack({
    CAPTCHA: "hcaptcha",
    CAPTCHA_SITE_KEY: "site",
    CAPTCHA_SECRET: "secret",
    CAPTCHA_SCRIPT_URL: `${at}/api.js`,
    CAPTCHA_VERIFY_URL: `${at}/verify`,
  });
  consoleWatch.allow(/503|captcha failed|not loaded/);
  const page = await openAs(null, { origin: stack.origin, path: "/sign_up" });
  const form = new SignInPage(page);
  const logged: string[] = [];
  page.on("console", (message) => void logged.push(message.text()));
  await form.field("form.email").fill("human@example.com");
  await form.button("form.sendCode").click();
  await expect(page.getByText(form.text("captchaLoadFailed"))).toBeVisible();
  expect(loads).toMatchObject({ asked: 3, verified: [] });
  expect(logged.join("\n")).toContain("captcha failed");

  await form.button("form.sendCode").click();
  await page.getByRole("button", { name: "I am human" }).click();
  await expect(page.getByText(form.text("form.codeInLog"))).toBeVisible();
  expect(loads.verified.join()).toContain("response=tok-site");
  service.close();
});
