import { ApiAccount } from "../support/api-account.ts";
import { changeSettings } from "../support/change-settings.ts";
import { expectAccessible } from "../support/accessible.ts";
import { expect, test } from "../support/journey.ts";
import { operate } from "../support/operate.ts";
import { ChatPage } from "../support/pages/chat-page.ts";

test("a muted user reads until when, and whom to ask, where the composer was, and loses no word [ACCT-054] [ACCT-058] [I18N-006]", async ({
  stack,
  openAs,
  question,
}) => {
  const account = await ApiAccount.signUp(stack);
  const chat = new ChatPage(await openAs(account, { preferences: { locale: "zh_CN" } }), "zh_CN");
  const { page } = chat;
  await changeSettings(page, ({ links }) => {
    for (const own of Object.values(links)) own.contact_email = "help@example.org";
  });
  await page.reload();
  await expect(chat.composer).toBeVisible();
  const end = "2099-07-01T04:00:00Z";
  operate(stack.server.dataDir, "mute", account.email, "--until", end);
  const shown = await page.evaluate(
    (moment) =>
      new Intl.DateTimeFormat("zh-CN", { dateStyle: "long", timeStyle: "short" }).format(new Date(moment)),
    end,
  );
  await expect
    .poll(async () => (await account.get("/api/v0/users/current"))["chat"])
    .toMatchObject({ is_muted: 1 });
  // It takes effect within a second: a call just before it may have kept the account as it was, and the message would be sent.
  await page.waitForTimeout(1000);
  await chat.send(question);
  const notice = page.getByRole("status").filter({ hasText: shown });
  await expect(notice).toBeVisible();
  await expect(chat.composer).toHaveCount(0);
  await expect(notice.getByRole("link", { name: chat.text("composer.contact") })).toHaveAttribute(
    "href",
    "mailto:help@example.org",
  );
  await expectAccessible(page, "muted");

  await page.reload();
  await expect(notice).toBeVisible();
  await expect(chat.composer).toHaveCount(0);

  operate(stack.server.dataDir, "unmute", account.email);
  await page.reload();
  await expect(chat.composer).toHaveValue(question);
  await expect(notice).toHaveCount(0);
});
