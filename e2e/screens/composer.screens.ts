// What stands in and around the place to write, beyond the usual.
import { ApiAccount } from "../support/api-account.ts";
import { changeSettings } from "../support/change-settings.ts";
import { brokenConnection } from "../support/checks.ts";
import { expect, test } from "../support/journey.ts";
import { operate } from "../support/operate.ts";
import { Album, drawn, everyLook, preferencesOf, Screen, scriptContent } from "./look.ts";

everyLook((look) => {
  const { content, phone } = look;

  test("around the composer", async ({ openAs, stack, upstream, calls, consoleWatch }) => {
    consoleWatch.allow(brokenConnection);
    calls.expect({ answer: 1 });
    scriptContent(upstream, content);
    const album = new Album(look, "composer");
    const account = await ApiAccount.signUp(stack);
    const page = await openAs(account, { preferences: preferencesOf(look) });
    const chat = new Screen(page, look);
    const offline = async (name: string): Promise<void> => {
      await page.context().setOffline(true);
      await expect(page.getByText(chat.text("composer.offline"))).toBeVisible();
      await album.shoot(page, name);
      await album.shootAt(page, name, [phone ? [844, 390] : [720, 450]]);
      await page.context().setOffline(false);
      await expect(page.getByText(chat.text("composer.offline"))).toHaveCount(0);
    };

    await changeSettings(page, (settings) => {
      for (const own of Object.values(settings.links)) own.contact_email = "help@example.org";
      const [usual] = settings.models;
      settings.models = content.models.map((name, at) => ({
        ...usual,
        id: at === 0 ? (usual?.id ?? "") : `model-${at}`,
        name,
        thinking: true,
      }));
    });
    await page.reload();
    await chat.setThinking(true);
    await offline("offline-welcome");
    const select = page.getByRole("button", {
      name: chat.text("composer.model", { model: content.models[0] ?? "" }),
    });
    await chat.composer.fill(content.question);
    await select.click();
    await expect(page.getByRole("menuitemradio")).toHaveCount(content.models.length);
    await album.shoot(page, "models");
    await page.keyboard.press("Escape");
    await expect(page.getByRole("menuitemradio")).toHaveCount(0);
    await chat.sendButton.click();
    await chat.finished();
    await drawn(page);
    await offline("offline-chat");

    await chat.composer.fill(`${content.question} `.repeat(6000));
    await expect(page.getByText(chat.text("composer.draftLong", { chars: "100,000" }))).toBeVisible();
    await album.shoot(page, "long-draft");
    await chat.composer.fill("");
    await chat.startAnew();
    await page.evaluate(() => {
      // A storage that takes nothing more, whatever it holds.
      Storage.prototype.setItem = () => {
        throw new DOMException("full", "QuotaExceededError");
      };
    });
    await chat.composer.fill(content.question);
    await expect(page.getByText(chat.text("composer.draftUnkept"))).toBeVisible();
    await album.shoot(page, "draft-unkept");

    await chat.startAnew();
    for (let tap = 0; tap < 5; tap += 1) await page.getByRole("heading", { level: 1 }).click();
    await expect(page.getByRole("complementary", { name: chat.text("debug.title") })).toBeVisible();
    await album.shoot(page, "debug");

    operate(stack.server.dataDir, "mute", account.email, "--until", "2099-07-01T04:00:00Z");
    await expect
      .poll(async () => (await account.get("/api/v0/users/current"))["chat"])
      .toMatchObject({ is_muted: 1 });
    await page.goto("/");
    await expect(page.getByRole("link", { name: chat.text("composer.contact") })).toBeVisible();
    await album.shoot(page, "muted");
    await page.close();
  });
});
