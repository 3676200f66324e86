// Markdown of somebody else's within a document of ours: what it leaves open must not swallow what follows. Pure.

/** Lines as a quotation: whatever is open in it ends with it (CommonMark 0.31 §5.1). */
export function quoted(text: string): string {
  return linesOf(text)
    .map((line) => (line === "" ? ">" : `> ${line}`))
    .join("\n");
}

/** What would end the fold early. */
const FOLD = /<\/?(?:details|summary)\b/iu;

/** A quotation that a reader of the document can open under `heading`, which is our own text. */
export function folded(heading: string, text: string): string {
  if (FOLD.test(text)) return quoted(`**${heading}**\n\n${text}`);
  return `<details>\n<summary>${heading}</summary>\n\n${quoted(text)}\n\n</details>`;
}

/** What code, tags, signs and marks begin with: most lines have none, and looking for this alone is quicker. */
const UNSEEN_BEGINNING = /[`<&*_~\]\\]/;
/**
 * Code within a line and addresses, which stay, or what would be taken for a tag, a sign, the end of a link's words or a mark and
 * not be shown.
 */
const UNSEEN =
  /(`+)[^`]+\1(?!`)|`+|https?:\/\/[^\s`<>&*\]\\]+|<(?=[a-z/!?])|&(?=#?[a-z0-9]{1,31};)|\](?=[([:])|\\(?=[!-/:-@[-`{-~]|https?:)|[*_~]+/giu;
/** What would make a line a heading or a rule, or the one before it a heading. */
const UNSEEN_LINE = /^( {0,3})(?=#{1,6}(?:\s|$)|(?:=+|-+)\s*$|([*_-])(?:[ \t]*\2){2,}[ \t]*$)/u;
const INDENTED = /^(?: {4}| {0,3}\t)/;

/**
 * A text that is no Markdown but may look like it: as it was written, with its ends of lines. Code in it is code, and lists,
 * quotations and tables are such, as they are read by whoever wrote them.
 */
export function quotedLines(text: string): string {
  let fence: string | null = null;
  let quotation = "";
  /** Behind an empty line, or another such line, what is indented is code. */
  let mayBeCode = true;
  for (const line of linesOf(text)) {
    if (quotation !== "") quotation += "\n";
    if (line.trim() === "") {
      quotation += ">";
      mayBeCode = true;
      continue;
    }
    const before = fence;
    fence = fenceAfter(line.trimStart(), fence);
    mayBeCode &&= INDENTED.test(line);
    const isPlain = before !== null || fence !== null || mayBeCode;
    quotation += `> ${isPlain ? line : visible(line)}  `;
  }
  return quotation;
}

function visible(line: string): string {
  const words = UNSEEN_BEGINNING.test(line) ? line.replace(UNSEEN, shown) : line;
  // A mark that was shown by now is none any more.
  return words.replace(UNSEEN_LINE, "$1\\");
}

const WORD = /[\p{L}\p{N}]/u;
/** A mark that is not within a word; a sign before it would be a part of the address. */
const MARK_IN_ADDRESS = /[_~](?![\p{L}\p{N}])|(?<![\p{L}\p{N}])[_~]/u;

function shown(found: string, _ticks: string | undefined, at: number, line: string): string {
  if (/^[<&\]\\]/u.test(found)) return `\\${found}`;
  if (/^h/iu.test(found)) return MARK_IN_ADDRESS.test(found) ? `<${found}>` : found;
  if (!/^[*_~]/u.test(found)) return found;
  const [before, after] = [line[at - 1] ?? " ", line[at + found.length] ?? " "];
  const isAlone = before.trim() === "" && after.trim() === "" && new Set(found).size === 1;
  const isInWord = /^_+$/u.test(found) && WORD.test(before) && WORD.test(after);
  return isAlone || isInWord ? found : found.replace(/./gu, "\\$&");
}

/** The marks of the fence that is open after a line; null for none. */
function fenceAfter(line: string, open: string | null): string | null {
  // Most lines begin with neither.
  if (!line.startsWith("`") && !line.startsWith("~")) return open;
  const [, marks = "", info = ""] = FENCE.exec(line) ?? [];
  if (open === null) return marks === "" ? null : marks;
  return marks[0] === open[0] && marks.length >= open.length && info.trim() === "" ? null : open;
}

/** The text as it is where it certainly ends what it begins, else as a quotation. */
export function enclosed(text: string): string {
  return endsWhatItBegins(text) ? text.trim() : quoted(text.trim());
}

/** In whatever begins or ends something. */
const BEGINNING = /[`~<$]/;
/** All of its marks, or a line of many would be looked at once for each. */
const FENCE = /^(`{3,}(?!`)|~{3,}(?!~))([^`]*)$/u;
/** A fence that is not at the very beginning of its line: in a list, a quotation, or where only a parser can tell. */
const INNER_FENCE = /^[\s>*+\-\d.)]+(?:`{3}|~{3})/u;
/** Blocks that end at a mark of their own and not at an empty line (CommonMark 0.31 §4.6, 1 to 5). */
const OPEN_HTML = /^ {0,3}<(?:script|pre|style|textarea|!|\?)/iu;

function endsWhatItBegins(text: string): boolean {
  let fence: string | null = null;
  let formulas = 0;
  if (!BEGINNING.test(text)) return true;
  for (const line of linesOf(text)) {
    if (!BEGINNING.test(line)) continue;
    if (INNER_FENCE.test(line)) return false;
    const before: string | null = fence;
    fence = fenceAfter(line, before);
    if (before !== null || fence !== null) continue;
    if (OPEN_HTML.test(line)) return false;
    if (line.trim() === "$$") formulas += 1;
  }
  return fence === null && formulas % 2 === 0;
}

function linesOf(text: string): string[] {
  // Of most texts, and several times as quick.
  if (!text.includes("\r")) return text.split("\n");
  return text.split(/\r\n|\r|\n/u);
}

/** One line in which nothing is markup. */
export function plainLine(text: string): string {
  return text
    .replace(/\s+/gu, " ")
    .trim()
    .replace(/[\\`*_[\]<>#|~$&!]/gu, "\\$&");
}

/** An address as the target of a link; null where it is none for the web. */
export function linkTarget(address: string): string | null {
  if (!/^https?:\/\//iu.test(address)) return null;
  return `<${address.replace(/[\s<>\\]/gu, (char) => encodeURIComponent(char))}>`;
}
