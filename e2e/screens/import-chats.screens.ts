import type { ImportStatus } from "@plumb/protocol/wire/imports";
import { fileTransfer } from "../support/file-transfer.ts";
import { expect, test } from "../support/journey.ts";
import { Album, everyLook, preferencesOf, Screen } from "./look.ts";

everyLook((look) => {
  test("import of chats", async ({ openAs, account }) => {
    const album = new Album(look, "import-chats");
    const page = await openAs(account, { preferences: preferencesOf(look) });
    const chat = new Screen(page, look);
    const name = "8f3c2a77d1e94c0b-2026-03-01-14-05-导出的对话记录.zip";
    let told: ImportStatus | null = null;
    const envelope = (data: object) => ({ code: 0, msg: "", data, context: { logId: "0".repeat(32) } });
    const ok = (data: unknown) => envelope({ biz_code: 0, biz_msg: "", biz_data: data, code: 0 });
    let sent = (): Promise<object> => new Promise<object>(() => {});
    await page.route("**/api/v0/import", async (route) => {
      if (route.request().method() === "GET") return await route.fulfill({ json: ok(told) });
      await route.fulfill({ json: await sent() });
    });
    const say = (part: Partial<ImportStatus>): void => {
      told = {
        id: "import-1",
        status: "RUNNING",
        kind: "chatgpt",
        file_name: name,
        sessions_total: 3120,
        sessions_done: 1284,
        sessions_skipped: 0,
        skipped: [],
        error: null,
        inserted_at: 1_790_000_000,
        finished_at: null,
        ...part,
      };
    };
    const file = { name, mimeType: "application/zip", buffer: Buffer.from("PK") };
    const row = page.getByText(chat.text("import.label"), { exact: true });
    const dragged = await fileTransfer(page, [file]);
    const drop = async (): Promise<void> => {
      await row.dispatchEvent("dragover", { dataTransfer: dragged });
      await row.dispatchEvent("drop", { dataTransfer: dragged });
    };
    const show = async (): Promise<void> => {
      await page.getByRole("tab", { name: chat.text("settings.general") }).click();
      await page.getByRole("tab", { name: chat.text("settings.data") }).click();
    };

    await chat.openList();
    await chat.sidebar.accountAction("profile.settings");
    await page.getByRole("tab", { name: chat.text("settings.data") }).click();
    await expect(page.getByRole("button", { name: chat.text("import.choose") })).toBeEnabled();
    await row.dispatchEvent("dragover", { dataTransfer: dragged });
    await album.shoot(page, "held-over");
    await row.dispatchEvent("drop", { dataTransfer: dragged });
    await expect(page.getByRole("progressbar")).toBeVisible();
    await album.shoot(page, "sending");
    await page.getByRole("button", { name: chat.text("common.cancel") }).click();
    sent = async () => envelope({ biz_code: 2, biz_msg: "UNSUPPORTED_FORMAT", biz_data: null, code: 2 });
    await drop();
    await expect(page.getByRole("alert")).toBeVisible();
    await album.shoot(page, "refused");

    say({ status: "QUEUED" });
    sent = async () => ok(told);
    await drop();
    await expect(page.getByText(chat.text("import.waiting"))).toBeVisible();
    say({ sessions_total: 0, sessions_done: 0 });
    await expect(page.getByText(chat.text("import.reading", { name }))).toBeVisible();
    await album.shoot(page, "reading");
    say({});
    await expect(page.getByRole("progressbar")).toBeVisible();
    await album.shoot(page, "going");
    say({
      status: "FINISHED",
      sessions_done: 3120,
      sessions_skipped: 47,
      skipped: [
        {
          reason: "IMPORTED_BEFORE",
          count: 44,
          titles: [
            "Tide tables of the Channel Islands",
            "如何在阳台上种番茄",
            "A very long title, as long as 32",
          ],
        },
        { reason: "UNREADABLE", count: 1, titles: [] },
        { reason: "TOO_MANY_MESSAGES", count: 2, titles: ["Endless", "Daily notes"] },
      ],
    });
    const skipped = page.getByText(chat.text("import.skipped_other", { count: 47 }));
    await expect(skipped).toBeVisible();
    await skipped.click();
    await album.shoot(page, "left-out");
    say({ status: "FAILED", error: "INTERRUPTED", sessions_done: 12 });
    await show();
    await expect(page.getByText(chat.text("import.taken_other", { count: 12, name }))).toBeVisible();
    await album.shoot(page, "failed");
    await page.close();
  });
});
