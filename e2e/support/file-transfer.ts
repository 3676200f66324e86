// Files as they are dropped on a page, or pasted into it.
import type { JSHandle, Page } from "@playwright/test";

/** A file as the browser's choice of files, the clipboard or the desktop gives it. */
export interface GivenFile {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

/** What the page's events of dragging and pasting carry. */
export function fileTransfer(page: Page, files: readonly GivenFile[]): Promise<JSHandle<DataTransfer>> {
  const given = files.map(({ name, mimeType, buffer }) => ({
    name,
    mimeType,
    text: buffer.toString("latin1"),
  }));
  return page.evaluateHandle((list) => {
    const transfer = new DataTransfer();
    for (const { name, mimeType, text } of list) {
      const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
      transfer.items.add(new File([bytes], name, { type: mimeType }));
    }
    return transfer;
  }, given);
}
