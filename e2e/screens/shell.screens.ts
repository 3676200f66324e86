// What stands around the chats: notices on every page, the ways in that an operator may add, and where nothing goes on.
import { openStandInOpenId } from "../../server/test/stand-in-openid.ts";
import { openStandInWechat } from "../../server/test/stand-in-wechat.ts";
import { changeSettings } from "../support/change-settings.ts";
import { expect, test } from "../support/journey.ts";
import { SignInPage } from "../support/pages/sign-in-page.ts";
import { startSingleStack } from "../support/start-stack.ts";
import { Album, everyLook, preferencesOf, Screen } from "./look.ts";

const announcements = [
  {
    type: "info",
    content: {
      en_US: "Maintenance on Sunday from 02:00 to 04:00. [What to expect](https://status.example/42)",
      zh_CN: "本站将于周日 02:00 至 04:00 维护，[查看详情](https://status.example/42)。",
    },
  },
  {
    type: "warning",
    content: {
      en_US:
        "Replies take longer than usual at the moment; we are adding machines and expect this to last until the evening.",
      zh_CN: "目前回复速度较慢，我们正在扩充机器，预计今晚恢复正常，给你带来不便敬请谅解。",
    },
  },
  { type: "error", content: { en_US: "Web search is down.", zh_CN: "联网搜索暂不可用。" } },
];
/** What WeChat's page looks like in its frame. */
const wechatCode = `<!doctype html><body style="margin:0;text-align:center;font:14px sans-serif;background:#fff">
<svg width="282" height="282" viewBox="0 0 9 9" style="display:block;margin:24px auto 16px"><path d="M0 0h3v3H0zM6 0h3v3H6zM0 6h3v3H0zM4 4h1v1H4zM5 6h2v1H5zM7 8h2v1H7zM4 7h1v2H4zM7 4h2v1H7zM0 4h2v1H0zM4 0h1v2H4z"/></svg>
微信扫一扫登录`;
const picture = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><rect width="9" height="9" fill="#fff"/><path d="M1 1h3v3H1zM5 1h3v3H5zM1 5h3v3H1zM5 5h1v1H5zM7 7h1v1H7z"/></svg>`;

everyLook((look) => {
  const { phone } = look;

  test("notices", async ({ openAs, account, consoleWatch, calls }) => {
    consoleWatch.allow(/net::ERR_|adsbygoogle|ERR_FAILED|TypeError|The above error occurred|error boundary/);
    calls.expect({ answer: 1 });
    const album = new Album(look, "notices");
    const preferences = preferencesOf(look);
    const page = await openAs(account, { path: "/", preferences });
    const chat = new Screen(page, look);
    const agent = await page.evaluate(() => navigator.userAgent);
    const bar = page.getByRole("region", { name: chat.text("notice.region") });
    const items = announcements.map((item) => ({ ...item, show: true, closable: item.type !== "error" }));
    await page.route("**/downloads/status.json", (route) => route.fulfill({ json: { id: "b1", items } }));
    await changeSettings(page, (settings) => {
      settings.region = "DE";
      settings.misc.unsafe_wrapper_agents = [agent.slice(0, 20)];
    });
    await page.route("**/version.txt", (route) =>
      route.fulfill({ contentType: "text/plain", body: "99.0.0" }),
    );
    await page.reload();
    await expect(bar.getByRole("link")).toBeVisible();
    await expect(page.getByRole("region", { name: chat.text("cookies.title") })).toBeVisible();
    await expect(page.getByText(chat.text("newVersion.ready"))).toBeVisible({ timeout: 15_000 });
    await album.shoot(page, "all-at-once");
    await page
      .getByRole("region", { name: chat.text("cookies.title") })
      .getByRole("button", { name: chat.text("cookies.essential") })
      .click();
    const closers = page.getByRole("button", { name: chat.text("common.close") });
    while ((await closers.count()) > 0) await closers.first().click();
    await album.shoot(page, "one-that-stays");
    await page.unroute("**/downloads/status.json");
    await page.route("**/downloads/status.json", (route) => route.fulfill({ json: { id: 0, items: [] } }));
    await page.unroute("**/version.txt");
    await page.reload();
    await expect(chat.composer).toBeVisible();
    await expect(bar.getByRole("paragraph")).toHaveCount(0);
    if (!phone) {
      await chat.button(look.width === 1440 ? "sidebar.collapse" : "sidebar.expand").hover();
      await expect(page.getByRole("tooltip")).toBeVisible();
      await album.shoot(page, "tooltip");
      await page.mouse.move(1, 1);
      await page.keyboard.press("Control+/");
      await expect(page.getByRole("dialog", { name: chat.text("shortcuts.title") })).toBeVisible();
      await album.shoot(page, "shortcuts");
      await page.keyboard.press("Escape");
    }
    await page.unroute("**/api/v0/client/settings*");
    await changeSettings(page, (settings) => {
      settings.flags["adBlockCheck"] = true;
      settings.app_download = { ios: null, android: null, page: "https://app.example/get" };
      for (const links of Object.values(settings.links)) links.contact_email = "help@example.org";
    });
    await page.route("**/ads/**", (route) => route.abort());
    await page.reload();
    const alert = page.getByRole("dialog", { name: chat.text("adBlock.title") });
    await expect(alert).toBeVisible();
    await album.shoot(page, "ad-block");
    await alert.getByRole("button", { name: chat.text("adBlock.goOn") }).click();
    await chat.openList();
    await page.getByRole("button", { name: new RegExp(`^${chat.text("profile.menu")}`) }).click();
    const app = page.getByRole("menuitem", { name: chat.text("profile.app") });
    if (!phone) await app.hover();
    await expect(app).toBeVisible();
    await album.shoot(page, "whole-menu");

    const sessionId = await account.ask("It breaks");
    await page.route("**/api/v0/chat/history_messages*", async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as { data: { biz_data: { chat_messages: object[] } } };
      for (const message of body.data.biz_data.chat_messages) Object.assign(message, { fragments: null });
      await route.fulfill({ response, json: body });
    });
    await page.goto(`/a/chat/s/${sessionId}`);
    await expect(page.getByRole("alert").filter({ hasText: chat.text("errorPage.title") })).toBeVisible();
    await album.shoot(page, "crash");
    await page.route("**/static/assets/index-*.js", (route) => route.abort());
    await page.reload();
    await expect(page.getByRole("alert")).toBeVisible();
    await album.shoot(page, "cannot-begin");
    await page.close();
  });

  test("ways in", async ({ openAs, upstream, consoleWatch }) => {
    consoleWatch.allow(/Failed to load resource/);
    const google = await openStandInOpenId();
    const wechat = await openStandInWechat();
    const stack = await startSingleStack(upstream, {
      ...google.settings,
      ...wechat.settings,
      CAPTCHA: "slide",
    });
    const album = new Album(look, "ways-in");
    const page = await openAs(null, {
      origin: stack.origin,
      path: "/feedback",
      preferences: preferencesOf(look),
    });
    const form = new SignInPage(page, look.locale);
    await expect(page.getByRole("alert")).toBeVisible();
    await album.shoot(page, "feedback-elsewhere");
    await page.route("**/wechat-qr.svg", (route) =>
      route.fulfill({ contentType: "image/svg+xml", body: picture }),
    );
    let edition: "global" | "mainland" = "global";
    let registration: "open" | "invitation" = "open";
    await changeSettings(page, (settings) => {
      settings.misc.native_bridge = "app";
      settings.edition = edition;
      settings.sign_in.registration = registration;
      settings.sign_in.registration_open = registration === "open";
      settings.region = "DE";
      settings.cookie_banner.regions = [];
      for (const links of Object.values(settings.links))
        Object.assign(links, {
          terms_of_use: "https://example.org/terms",
          privacy_policy: "https://example.org/privacy",
          open_platform_terms: "https://example.org/platform",
          third_party_sharing: "https://example.org/sharing",
          account_deletion: "https://example.org/deletion",
          app_permissions: "https://example.org/permissions",
          faq: "https://example.org/faq",
          icp: "https://beian.example/",
          icp_text: "浙ICP备2026000001号-1",
          filing: "浙公网安备33010002000001号",
          wechat_qr: "/wechat-qr.svg",
          contact_email: "help@example.org",
        });
      if (edition === "mainland")
        Object.assign(settings.sign_in, {
          methods: ["sms_code", "wechat", "mobile_password", "email_password"],
          sign_up: ["mobile"],
          sms_blocked: false,
        });
    });
    await page.addInitScript(() => {
      const user = JSON.stringify({ id: "7", name: "", email: "wanderer@example.org", mobile: "" });
      Object.assign(window, { app: { getUserInfo: () => user } });
    });
    await page.reload();
    await expect(page.getByRole("link", { name: form.text("feedbackPage.write") })).toBeVisible();
    await album.shoot(page, "feedback");
    await page.goto("/banned");
    await expect(page.getByText(form.text("banned.text"))).toBeVisible();
    await album.shoot(page, "banned");
    await page.goto("/share/missing");
    await expect(page.getByText(form.text("shareGone.missingText"))).toBeVisible();
    await album.shoot(page, "no-such-share");
    await page.goto("/sign_in?provider=GOOGLE&error=EMAIL_ALREADY_BOUND_TO_OAUTH&code=3");
    await expect(page.getByText(form.text("googleOtherAccount"))).toBeVisible();
    await album.shoot(page, "google");
    await form.field("form.identifier").fill("nobody@example.org");
    await form.field("form.password").fill("not the password");
    await form.button("form.signIn").click();
    await expect(page.getByText(form.text("passwordOrUserWrong"))).toBeVisible();
    await album.shoot(page, "refused");
    registration = "invitation";
    await page.goto("/sign_up");
    await expect(page.getByText(form.text("form.closedText"))).toBeVisible();
    await album.shoot(page, "closed");

    edition = "mainland";
    registration = "open";
    await page.route("**/connect/qrconnect*", (route) =>
      route.fulfill({ contentType: "text/html; charset=utf-8", body: wechatCode }),
    );
    await page.goto("/sign_in");
    await expect(page.frameLocator("iframe").locator("svg")).toBeVisible();
    await album.shoot(page, "wechat");
    await form.field("form.phone").fill("13800138000");
    await form.button("form.sendCode").click();
    await expect(
      page
        .getByRole("dialog", { name: form.text("captcha.title") })
        .locator("img")
        .first(),
    ).toBeVisible();
    await album.shoot(page, "puzzle");
    await page.route("**/oauth/wechat/start", (route) => route.abort());
    await page.goto("/sign_in");
    await expect(form.button("form.wechatAgain")).toBeVisible();
    await album.shoot(page, "wechat-failed");
    await page.goto("/mobile_verification");
    await expect(page.getByText(form.text("form.bindInvalid"))).toBeVisible();
    await album.shoot(page, "phone-without-a-scan");
    await page.goto("/mobile_verification?signature=abc");
    await form.button("form.bind").click();
    await expect(page.getByText(form.text("form.usageMissing"))).toBeVisible();
    await album.shoot(page, "phone-of-wechat");
    await page.close();
    await stack.close();
    await wechat.close();
    await google.close();
  });
});
