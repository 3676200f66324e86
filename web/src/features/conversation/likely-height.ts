import { LIMITS } from "@plumb/protocol/limits";
import type { Message } from "@plumb/protocol/conversation/message";

/** What stands around the text: the padding, and the line of buttons. */
const USER_FRAME_PX = 70;
const ASSISTANT_FRAME_PX = 48;
/** A thought that is folded, or a search, is one line with its margin. */
const FOLDED_PX = 44;
/** A line of tiles with the space below it. */
const FILE_ROW_PX = 60;
/** `place`: the width of a character. */
const USER_LINE = { px: 24, place: 8.1 };
const ANSWER_LINE = { px: 28, place: 8.5 };
/** The column of the messages; beside it its margins and the sidebar, which is a rail at times. */
const COLUMN_PX = 768;
const MARGINS_PX = 32;
const RAIL_PX = 68;
const SIDEBAR_PX = 260;

let windowPx = 1440;
if (typeof window !== "undefined") {
  // Asking for it may lay the page out, and it is needed for each message.
  const measure = () => (windowPx = window.innerWidth);
  window.addEventListener("resize", measure);
  measure();
}

/** How wide the column of messages is likely to be in a window of this width, px. */
export function likelyColumn(width = windowPx): number {
  const sidebar = width < 800 ? 0 : width < 1024 ? RAIL_PX : SIDEBAR_PX;
  return Math.min(COLUMN_PX, width - MARGINS_PX - sidebar);
}

/**
 * About how tall a message is in px when it is laid out, for the place it takes before that: by its role, the length
 * of its texts and the width of their column.
 */
export function likelyHeight(
  { role, fragments, files }: Pick<Message, "role" | "fragments" | "files">,
  column = likelyColumn(),
): number {
  const bubble = Math.min(0.85 * column, 600) - 32;
  const heights = fragments.map((fragment) => {
    if (fragment.type === "REQUEST" && "content" in fragment)
      return linesOf(String(fragment.content), bubble / USER_LINE.place) * USER_LINE.px;
    if (fragment.type === "RESPONSE" && "content" in fragment)
      return linesOf(String(fragment.content), column / ANSWER_LINE.place) * ANSWER_LINE.px;
    return FOLDED_PX;
  });
  const frame = role === "USER" ? USER_FRAME_PX : ASSISTANT_FRAME_PX;
  const fileRows = Math.ceil(files.length / LIMITS.fileRowWideColumns);
  return frame + fileRows * FILE_ROW_PX + heights.reduce((sum, height) => sum + height, 0);
}

const FIRST_WIDE = 0x2e80;
const LAST_WIDE = 0xffef;
const hasWide = /[\u2e80-\uffef]/;

/**
 * A full-width character takes about two places. Blank lines count half: they are the space between paragraphs. It runs for
 * each message of a chat that opens, before the first of them is seen: nothing is cut out of the text.
 */
function linesOf(text: string, width: number): number {
  const counts = hasWide.test(text);
  let lines = 0;
  for (let from = 0; from <= text.length;) {
    const found = text.indexOf("\n", from);
    const end = found === -1 ? text.length : found;
    const places = end - from + (counts ? wideIn(text, from, end) : 0);
    lines += places === 0 ? 0.5 : Math.ceil(places / width);
    from = end + 1;
  }
  return lines;
}

function wideIn(text: string, from: number, end: number): number {
  let count = 0;
  for (let at = from; at < end; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit >= FIRST_WIDE && unit <= LAST_WIDE) count += 1;
  }
  return count;
}
