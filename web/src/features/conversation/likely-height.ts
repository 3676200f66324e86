import { LIMITS } from "@plumb/protocol/limits";
import type { Message } from "@plumb/protocol/conversation/message";

/** What stands around the text: the padding, and the line of buttons. */
const USER_FRAME_PX = 70;
const ASSISTANT_FRAME_PX = 48;
/** A thought that is folded, or a search, is one line with its margin. */
const FOLDED_PX = 44;
/** A line of tiles with the space below it. */
const FILE_ROW_PX = 60;
const USER_LINE = { px: 24, characters: 70 };
const ANSWER_LINE = { px: 28, characters: 90 };

/**
 * About how tall a message is in px when it is laid out, for the place it takes before that: by its role and the length
 * of its texts.
 */
export function likelyHeight({
  role,
  fragments,
  files,
}: Pick<Message, "role" | "fragments" | "files">): number {
  const heights = fragments.map((fragment) => {
    if (fragment.type === "REQUEST" && "content" in fragment)
      return linesOf(String(fragment.content), USER_LINE.characters) * USER_LINE.px;
    if (fragment.type === "RESPONSE" && "content" in fragment)
      return linesOf(String(fragment.content), ANSWER_LINE.characters) * ANSWER_LINE.px;
    return FOLDED_PX;
  });
  const frame = role === "USER" ? USER_FRAME_PX : ASSISTANT_FRAME_PX;
  const fileRows = Math.ceil(files.length / LIMITS.fileRowWideColumns);
  return frame + fileRows * FILE_ROW_PX + heights.reduce((sum, height) => sum + height, 0);
}

/** A full-width character takes about two places. Blank lines count half: they are the space between paragraphs. */
function linesOf(text: string, width: number): number {
  return text.split("\n").reduce((lines, line) => {
    if (line === "") return lines + 0.5;
    const places = line.length + (line.match(/[\u2e80-\uffef]/g)?.length ?? 0);
    return lines + Math.ceil(places / width);
  }, 0);
}
