// Chats of elsewhere, imported from a file: told of in numbers, what was left out named, and listed to go on with.
import type { Locator, Page } from "@playwright/test";
import { richConversation } from "../../server/src/adapters/conversation-reader/testing/chatgpt-export.fixture.ts";
import { ApiAccount } from "../support/api-account.ts";
import { expectAccessible } from "../support/accessible.ts";
import { fileTransfer } from "../support/file-transfer.ts";
import { expect, test } from "../support/journey.ts";
import { expectStill, noteShifts } from "../support/layout-shifts.ts";
import { ChatPage } from "../support/pages/chat-page.ts";
import { Sidebar } from "../support/pages/sidebar.ts";

/** The row of the settings that imports. */
class Imports {
  readonly page: Page;
  readonly chat: ChatPage;
  readonly dialog: Locator;

  constructor(page: Page) {
    this.page = page;
    this.chat = new ChatPage(page);
    this.dialog = page.getByRole("dialog", { name: this.chat.text("settings.title") });
  }

  async open(): Promise<void> {
    await new Sidebar(this.page).accountAction("profile.settings");
    await this.dialog.getByRole("tab", { name: this.chat.text("settings.data") }).click();
  }

  async choose(name: string, content: string): Promise<void> {
    const button = this.dialog.getByRole("button", { name: this.chat.text("import.choose") });
    const [chooser] = await Promise.all([this.page.waitForEvent("filechooser"), button.click()]);
    await chooser.setFiles({ name, mimeType: "application/json", buffer: Buffer.from(content) });
  }

  says(key: string, params?: Record<string, string | number>): Locator {
    return this.dialog.getByText(this.chat.text(key, params));
  }
}

const chats = (count: number, length: number, marks = "") =>
  JSON.stringify(
    Array.from({ length: count }, (_none, n) => ({
      title: `Chat ${marks}${n}`,
      conversation_id: `${marks}${n}`,
      update_time: (marks === "" ? 1_700_000_000 : 1_750_000_000) + n,
      mapping: Object.fromEntries(
        Array.from({ length }, (_nothing, m) => [
          `m${m}`,
          {
            parent: m === 0 ? null : `m${m - 1}`,
            message: {
              author: { role: m % 2 === 0 ? "user" : "assistant" },
              content: { content_type: "text", parts: [`Words ${n} ${m}`] },
            },
          },
        ]),
      ),
    })),
  );

test("chats of elsewhere are imported from a file that is chosen or dropped; what was left out is named; they are listed, and open with their branches", async ({
  openAs,
  stack,
}) => {
  const page = await openAs(await ApiAccount.signUp(stack));
  const imports = new Imports(page);
  await noteShifts(page);
  await page.reload();
  await imports.open();
  await expect(
    imports.dialog.getByRole("button", { name: imports.chat.text("import.choose") }),
  ).toBeEnabled();
  // The settings have come to their size; what follows is the import's own.
  await expectStill(page, "the settings", 0.05);
  await imports.choose("notes.pdf", "%PDF");
  const unsupported = imports.chat.text("import.unsupported");
  await expect(imports.dialog.getByRole("alert")).toHaveText(`notes.pdf: ${unsupported}`);
  await expectAccessible(page, "a file that cannot be imported");
  await imports.choose("notes.json", '{"no": "chat"}');
  await expect(imports.dialog.getByRole("alert")).toHaveCount(0);
  await expect(imports.dialog.getByText(unsupported)).toHaveText(`notes.json: ${unsupported}`);
  // The same once more, of another file alone.
  await imports.choose("empty.zip", "");
  await expect(imports.dialog.getByText(unsupported)).toHaveText(`empty.zip: ${unsupported}`);

  const nothing = { ...richConversation, conversation_id: "2", title: "Nothing said", mapping: {} };
  const given = { name: "conversations.json", mimeType: "application/json" };
  const buffer = Buffer.from(JSON.stringify([richConversation, nothing]));
  const dataTransfer = await fileTransfer(page, [{ ...given, buffer }]);
  const row = imports.dialog.getByText(imports.chat.text("import.label"), { exact: true });
  await row.dispatchEvent("dragover", { dataTransfer });
  await row.dispatchEvent("drop", { dataTransfer });
  await expect(imports.says("import.taken_one", { count: 1, name: given.name })).toBeVisible({
    timeout: 20_000,
  });
  await expectStill(page, "an import");
  await imports.says("import.skipped_one", { count: 1 }).click();
  await expect(imports.dialog.getByText("Nothing said")).toBeVisible();
  await expectAccessible(page, "an import that has ended");
  await page.keyboard.press("Escape");
  await expect(imports.dialog).toHaveCount(0);
  // The file was the dialog's: none of it waits in the field below.
  await expect(page.getByText(given.name)).toHaveCount(0);
  await page.getByRole("link", { name: "A talk" }).click();
  await expect(page.getByText("It is large.")).toBeVisible();
});

test("an import is followed from any page while it runs, its end is told where its row is not on show, and what came by then stays when it is cancelled", async ({
  openAs,
  stack,
}) => {
  const page = await openAs(await ApiAccount.signUp(stack));
  const imports = new Imports(page);
  await imports.open();
  await imports.choose("long.json", chats(9000, 6));
  const progress = imports.dialog.getByRole("progressbar");
  await expect(imports.dialog.getByText(/^[\d,]+ of 9,000 chats$/)).toBeVisible({ timeout: 20_000 });
  await expectAccessible(page, "an import that runs");
  const other = await page.context().newPage();
  await other.goto("/");
  const there = new Imports(other);
  await there.open();
  await expect(there.dialog.getByRole("progressbar")).toBeVisible();
  await page.reload();
  await imports.open();
  await expect(progress).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(imports.dialog).toHaveCount(0);

  await there.dialog.getByRole("button", { name: imports.chat.text("common.cancel") }).click();
  await expect(there.says("import.cancelled")).toBeVisible();
  for (const one of [page, other])
    await expect(one.getByRole("link", { name: /^Chat \d+$/, includeHidden: true }).first()).toBeVisible();
  await other.close();

  await imports.open();
  await expect(imports.says("import.cancelled")).toBeVisible();
  await imports.choose("short.json", chats(2, 2, "of the end "));
  await page.keyboard.press("Escape");
  await expect(page.getByText(imports.chat.text("importDone", { count: 2 }))).toBeVisible({
    timeout: 20_000,
  });
  await expect(page.getByRole("link", { name: "Chat of the end 1", exact: true })).toHaveCount(1);
});
