import { isBlankLine, lineAt, lineOffset, type Segmented } from "./block-segments.ts";
import { markGrowing } from "./block-units.ts";
import type { Token } from "./markdown-parser.ts";
import type { Growing } from "./parse-env.ts";

/** Characters at the end of a growing text that say nothing yet: the next ones decide whether they are signs. */
const undecidedEnd =
  /(?:(?<=(?:^|[\s（(])[\w.,()[\]*+-]{0,40}[A-Za-z0-9)\]])\*{1,2}[A-Za-z0-9(][^\s*]{0,30}|(?<![\w*\\)\]])\*[a-z_]\w{0,30}(?: ?|(?:,|、|，| ?和| a(?:nd?)?) ?(?:\*\*[a-z_]\w{0,30}|\*{0,2}))|(?<!\\)\\[[(]?|!?\[|(?<=[A-Za-z0-9_)\]])!?\[[^[\]\n]{1,40}(?:\](?:\((?:(?![#./<]|[a-z][\w+.-]+:)[^\s()]{0,29} ?)?)?)?|[[【](?:[Cc](?:i(?:t(?:a(?:t(?:i(?:o(?:n ?(?:[:：][\d ,，、;；:：Ccaiton]{0,60})?)?)?)?)?)?)?)?)?|!|&(?:#\w{0,8}|[A-Za-z]\w{0,30})?|<\/?(?:br\s?\/?|mailto:|(?:mailto:)?[A-Za-z0-9][\w.+-]{0,63}(?:@[A-Za-z0-9.-]{0,253})?)?|<https?:\/{0,2}|\*{1,2}(?:k(?:w(?:a(?:r(?:gs?)?)?)?)?|a(?:r(?:gs?)?)?)|\\?(?<![*_~])[*_~]+|\\?(?<!\$)\$+)$/;

/** Marks the inline text at the end of a growing tail, without what is undecided there; signs alone where it is cut. */
export function completeTail(parsed: Segmented, growing: Growing): void {
  const segment = parsed.segments.at(-1);
  const tokens = segment?.tokens ?? [];
  const last = tokens.findLast((token) => token.nesting >= 0);
  if (last?.type !== "inline") return;
  const open = tokens.some((token) => token.type === "td_open" || token.type === "th_open")
    ? openCell(tokens, last)
    : last;
  if (isWhole(parsed, tokens, open)) return;
  markGrowing(open, growing);
  open.content = withoutUndecidedEnd(open.content, growing);
}

/** More stand one behind the other only where somebody means to keep us busy. */
const mostUndecided = 20;

/** The text without signs at its end that more text decides. */
function withoutUndecidedEnd(text: string, growing: Growing): string {
  let rest = text;
  for (let count = 0; count < mostUndecided; count++) {
    const before = rest.replace(undecidedEnd, "");
    if (before === rest || (growing === "cut" && /[\p{L}\p{N}]/u.test(rest.slice(before.length)))) break;
    rest = before;
  }
  return rest;
}

/** The cell that is being written: the last with text, since the parser adds empty ones to a short row. */
function openCell(tokens: readonly Token[], last: Token): Token {
  const row = tokens.slice(tokens.findLastIndex((token) => token.type === "tr_open"));
  return row.findLast((token) => token.type === "inline" && token.content !== "") ?? last;
}

/** Whether no more text can join this: its line has ended, or for a paragraph, a blank line follows. */
function isWhole(parsed: Segmented, tokens: readonly Token[], inline: Token): boolean {
  const opener = tokens.findLast((token, index) => token.nesting === 1 && index < tokens.indexOf(inline));
  const map = inline.map ?? tokens.findLast((token) => token.type === "tr_open")?.map ?? null;
  if (map === null) return false;
  const end = lineOffset(parsed, map[1]);
  const lineEnded =
    parsed.text.charAt(end - 1) === "\n" && (end === parsed.text.length || map[1] < parsed.lineStarts.length);
  if (opener?.type !== "paragraph_open") return lineEnded;
  if (end >= parsed.text.length) return false;
  return isBlankLine(parsed, map[1]) || /^[ \t>]*>[ \t>]*\n/.test(`${lineAt(parsed, map[1])}\n`);
}
