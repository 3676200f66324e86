// Signing in with WeChat in the mainland edition: the code beside the form, and the phone that goes with it.
import { openStandInWechat } from "../../server/test/stand-in-wechat.ts";
import { expectAccessible } from "../support/accessible.ts";
import { expect, test } from "../support/journey.ts";
import { ChatPage } from "../support/pages/chat-page.ts";
import { SignInPage } from "../support/pages/sign-in-page.ts";

test("a scan leads to the phone, and the phone to the account [AUTH-018] [AUTH-153] [AUTH-154] [AUTH-155] [AUTH-156]", async ({
  openAs,
  startStack,
}) => {
  const wechat = await openStandInWechat();
  wechat.lies.person = { openid: "o-1", unionid: "u-1", nickname: "小明" };
  const stack = await startStack({ ...wechat.settings, EDITION: "mainland" });
  const page = await openAs(null, {
    origin: stack.origin,
    path: "/mobile_verification",
    preferences: { locale: "zh_CN" },
  });
  const form = new SignInPage(page, "zh_CN");
  await expect(page.getByText(form.text("form.bindInvalid"))).toBeVisible();
  await page.getByRole("link", { name: form.text("form.backToSignIn") }).click();
  await expect(page).toHaveURL(`${stack.origin}/sign_in`);

  await page.goto(`${stack.origin}/sign_in?redirect=%2Fa%2Fcoder`);
  const panel = page.getByRole("region", { name: form.text("form.wechat") });
  const column = await page.getByRole("heading", { level: 1 }).boundingBox();
  const beside = await panel.boundingBox();
  expect((beside?.x ?? 0) > (column?.x ?? 0) + (column?.width ?? 0)).toBe(true);
  await panel.frameLocator("iframe").getByRole("link", { name: "scan" }).click();

  await expect(page).toHaveURL(`${stack.origin}/mobile_verification`);
  await expectAccessible(page, "the phone of a WeChat sign-in");
  await expect(page.getByRole("checkbox")).toHaveCount(4);
  await form.field("form.phone").fill("13812345678");
  const research = page.getByRole("checkbox", { name: form.text("form.usageResearch") });
  await research.check();
  await form.button("form.sendCode").click();
  await expect(form.button("form.sendCode")).toHaveCount(0);
  // A phone drops the tab while one reads the code.
  await page.reload();
  await expect(page).toHaveURL(`${stack.origin}/mobile_verification`);
  await expect(form.field("form.phone")).toHaveValue("13812345678");
  await expect(page.getByRole("checkbox", { checked: true })).toHaveCount(1);
  await expect(research).toBeChecked();
  // The way back keeps where the scan was to lead.
  const back = page.getByRole("link", { name: form.text("form.backToSignIn") });
  await expect(back).toHaveAttribute("href", "/sign_in?redirect=%2Fa%2Fcoder");
  await form.field("form.code").fill(stack.codeFor("+8613812345678"));
  await research.uncheck();
  await form.button("form.bind").click();
  await expect(page.getByText(form.text("form.usageMissing"))).toBeVisible();
  await research.check();
  await form.button("form.bind").click();
  await expect(new ChatPage(page, "zh_CN").composer).toBeVisible();
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
  await wechat.close();
});
