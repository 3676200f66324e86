import { copiedHtml } from "./copied-html.ts";
import { copiedText } from "./copied-text.ts";
import type { MarkdownLabels } from "./markdown-labels.ts";
import { partsOfPage } from "./parts-of-page.ts";
import { createTextReader } from "./parts-of-text.ts";

/**
 * Copies selected text as it reads: without buttons, each formula once, with what is not drawn yet as it will be drawn. What
 * has none of an answer's parts is left to the browser.
 */
export function copySelection(event: ClipboardEvent, labels: MarkdownLabels): void {
  const selection = document.getSelection();
  if (selection === null || selection.isCollapsed || selection.rangeCount === 0) return;
  const parts = partsOfPage(selection.getRangeAt(0), createTextReader(labels));
  if (parts === null) return;
  event.clipboardData?.setData("text/plain", copiedText(parts));
  event.clipboardData?.setData("text/html", copiedHtml(parts));
  event.preventDefault();
}
