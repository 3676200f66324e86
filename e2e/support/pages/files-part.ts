import { expect, type Locator } from "@playwright/test";
import { type GivenFile, fileTransfer } from "../file-transfer.ts";
import type { ChatPage } from "./chat-page.ts";

/** Files in a page: attached, sent, and shown in the panel. */
export class FilesPart {
  private readonly chat: ChatPage;
  readonly input: Locator;
  readonly attached: Locator;
  readonly panel: Locator;

  constructor(chat: ChatPage) {
    this.chat = chat;
    this.input = chat.page.locator("form input[type=file]");
    this.attached = chat.page.getByRole("list", { name: chat.text("files.attached") });
    this.panel = chat.sidePanel;
  }

  /** The tile of a file in the composer. */
  tile(name: string): Locator {
    return this.attached.getByRole("listitem").filter({ hasText: name });
  }

  sentTile(name: string): Locator {
    return this.chat.page
      .getByRole("list", { name: this.chat.text("files.sent") })
      .getByRole("listitem")
      .filter({ hasText: name });
  }

  /** Waits until the file is read. */
  async ready(...names: string[]): Promise<void> {
    for (const name of names) await expect(this.tile(name)).toHaveAttribute("data-state", "ok");
  }

  /** Brings files over the page, and lets them go there. */
  async drop(files: readonly GivenFile[], whileOver: () => Promise<void>): Promise<void> {
    const { page } = this.chat;
    const transfer = await fileTransfer(this.chat.page, files);
    await page.dispatchEvent("body", "dragenter", { dataTransfer: transfer });
    // As a browser does: again and again. What is first held over a page has it load the parts that take it.
    await expect
      .poll(() =>
        page.evaluate((dataTransfer) => {
          const over = new DragEvent("dragover", { dataTransfer, bubbles: true, cancelable: true });
          return !document.body.dispatchEvent(over);
        }, transfer),
      )
      .toBe(true);
    await whileOver();
    await page.dispatchEvent("body", "drop", { dataTransfer: transfer });
  }

  async paste(files: readonly GivenFile[]): Promise<void> {
    await this.chat.composer.focus();
    const transfer = await fileTransfer(this.chat.page, files);
    await this.chat.composer.evaluate((field, clipboardData) => {
      field.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    }, transfer);
  }
}
