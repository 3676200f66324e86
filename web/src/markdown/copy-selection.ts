import { copiedHtml } from "./copied-html.ts";
import { copiedText } from "./copied-text.ts";
import type { MarkdownLabels } from "./markdown-labels.ts";
import { partsOfPage } from "./parts-of-page.ts";
import { createTextReader } from "./parts-of-text.ts";
import { selectedRange } from "./selected-range.ts";

/**
 * Copies selected text as it reads: without buttons, each formula once, with what is not drawn yet as it will be drawn. What
 * has none of an answer's parts is left to the browser.
 */
export function copySelection(event: ClipboardEvent, labels: MarkdownLabels): void {
  if (hasSelection(event.target)) return;
  const selection = document.getSelection();
  const range = selection && selectedRange(selection);
  const parts = range && partsOfPage(range, createTextReader(labels));
  if (parts === null) return;
  event.clipboardData?.setData("text/plain", copiedText(parts));
  event.clipboardData?.setData("text/html", copiedHtml(parts));
  event.preventDefault();
}

/** Whether words of a box are selected: in Firefox what was selected on the page stays so, too. */
function hasSelection(target: EventTarget | null): boolean {
  if (!(target instanceof Element && target.matches("input, textarea"))) return false;
  const { selectionStart, selectionEnd } = target as HTMLTextAreaElement;
  return selectionStart !== selectionEnd;
}
