import type { ExportStatus } from "@plumb/protocol/wire/exports";
import { expect, test } from "../support/journey.ts";
import { accountWithChats, Album, everyLook, preferencesOf, scriptContent, Screen } from "./look.ts";

everyLook((look) => {
  const { content } = look;

  test("own data", async ({ openAs, stack, upstream, calls }) => {
    calls.expect({ answer: content.titles.length });
    scriptContent(upstream, content);
    const album = new Album(look, "own-data");
    const account = await accountWithChats(stack, content);
    const page = await openAs(account, { preferences: preferencesOf(look) });
    const chat = new Screen(page, look);
    /** What the server says of the export, from the next asking on. */
    const say = (status: Partial<ExportStatus>) =>
      page.route("**/download_export_history", async (route) => {
        const data = { biz_code: 0, biz_msg: "", biz_data: status, code: 0 };
        await route.fulfill({ json: { code: 0, msg: "", data, context: { logId: "0".repeat(32) } } });
      });
    const tab = (key: string) => page.getByRole("tab", { name: chat.text(key) });

    await chat.openList();
    await chat.sidebar.accountAction("profile.settings");
    await tab("settings.data").click();
    const begin = page.getByRole("button", { name: chat.text("data.exportButton"), exact: true });
    await expect(begin).toBeEnabled();
    await album.shoot(page, "data");
    await say({ status: "CREATED", sessions_done: 412, sessions_total: 10_000 });
    await begin.click();
    await expect(page.getByRole("progressbar")).toBeVisible();
    await album.shoot(page, "export-made");
    const madeAt = 1_790_000_000;
    await say({
      status: "FINISHED",
      history_download_url: `${stack.origin}/none`,
      bytes: 12_400_000,
      export_at: madeAt,
      expire_at: madeAt + 7 * 24 * 3600,
    });
    await expect(page.getByText(chat.text("data.exportAgain"))).toBeVisible();
    await album.shoot(page, "export-there");
    await page.getByRole("button", { name: chat.text("data.deleteAllButton") }).click();
    await expect(page.getByRole("dialog", { name: chat.text("data.deleteAllTitle") })).toBeVisible();
    await album.shoot(page, "delete-all");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: chat.text("data.manage") }).click();
    await expect(page.getByText(chat.text("shareLinks.empty"))).toBeVisible();
    await album.shoot(page, "no-shared-links");
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog", { name: chat.text("data.sharedLinks") })).toHaveCount(0);
    if (look.phone) await page.keyboard.press("Escape");
    await expect(page.getByText(chat.text("data.exportThere"))).toBeVisible();
    await album.shoot(page, "notice");
    await page.close();
  });
});
