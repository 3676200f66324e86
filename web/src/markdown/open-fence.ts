/** The signs that open a code fence. */
export interface FenceSigns {
  marker: string;
  width: number;
}

/** A code fence at the top level whose end has not come; it grows line by line without parsing. */
export interface OpenFence extends FenceSigns {
  kind: "fence";
  key: number;
  indent: number;
  info: string;
  code: CodeText;
}

/** Code in chunks of `linesPerChunk` whole lines each; only the last chunk may grow. */
export interface CodeText {
  chunks: readonly string[];
  linesInLast: number;
}

const linesPerChunk = 32;
export const noCode: CodeText = { chunks: [], linesInLast: 0 };

/** Reads a complete line as the opening of a fence, as CommonMark does at the top level. */
export function readFenceOpening(line: string, key: number): OpenFence | null {
  const match = /^( {0,3})(`{3,}|~{3,})(.*)$/s.exec(line);
  if (match === null) return null;
  const [, indent = "", run = "", info = ""] = match;
  const marker = run.charAt(0);
  if (marker === "`" && info.includes("`")) return null;
  return { kind: "fence", key, marker, width: run.length, indent: indent.length, info, code: noCode };
}

/** Whether a complete line (without its newline) closes the fence. */
export function closesFence(fence: FenceSigns, line: string): boolean {
  const start = line.length - line.trimStart().length;
  if (start > 3 || line.charAt(start) !== fence.marker || /\t/.test(line.slice(0, start))) return false;
  let end = start;
  while (line.charAt(end) === fence.marker) end++;
  return end - start >= fence.width && /^[ \t]*$/.test(line.slice(end));
}

/** Whether an unfinished line may still become the closing line. */
function mayCloseFence(fence: FenceSigns, line: string): boolean {
  const body = line.replace(/^ {0,3}/, "").trimEnd();
  return body.length <= fence.width && body === fence.marker.repeat(body.length);
}

/** The line as content: as many columns as stand before the opening signs are taken off it. */
export function fenceContentLine(indent: number, line: string): string {
  let column = 0;
  let at = 0;
  while (column < indent && at < line.length) {
    const character = line.charAt(at);
    if (character === "\t") column += 4 - (column % 4);
    else if (character === " ") column++;
    else break;
    at++;
  }
  return column > indent ? " ".repeat(column - indent) + line.slice(at) : line.slice(at);
}

/** Adds lines (each with its newline, but for an unfinished last one). */
export function appendCode(code: CodeText, lines: readonly string[]): CodeText {
  if (lines.length === 0) return code;
  const chunks = [...code.chunks];
  let { linesInLast } = code;
  let next = 0;
  while (next < lines.length) {
    if (chunks.length === 0 || linesInLast === linesPerChunk) {
      chunks.push("");
      linesInLast = 0;
    }
    const taken = lines.slice(next, next + linesPerChunk - linesInLast);
    chunks[chunks.length - 1] = (chunks.at(-1) ?? "") + taken.join("");
    linesInLast += taken.length;
    next += taken.length;
  }
  return { chunks, linesInLast };
}

/** Whole code as chunks. */
export function toCodeText(content: string): CodeText {
  return appendCode(noCode, content.match(/[^\n]*\n|[^\n]+$/g) ?? []);
}

/** Moves lines into an open fence. `closedAt`: where the text behind its closing line begins. */
export function takeFenceLines(open: OpenFence, text: string): { fence: OpenFence; closedAt: number | null } {
  const lines: string[] = [];
  let at = 0;
  while (at < text.length) {
    const newline = text.indexOf("\n", at);
    const end = newline < 0 ? text.length : newline + 1;
    const line = text.slice(at, newline < 0 ? end : newline);
    if (closesFence(open, line))
      return { fence: { ...open, code: appendCode(open.code, lines) }, closedAt: end };
    lines.push(fenceContentLine(open.indent, text.slice(at, end)));
    at = end;
  }
  return { fence: { ...open, code: appendCode(open.code, lines) }, closedAt: null };
}

/** The code of an open fence to show, without a last line that may become its closing one. */
export function viewFence(open: OpenFence, tail: string): CodeText {
  const unfinished = tail.slice(tail.lastIndexOf("\n") + 1);
  const shown =
    unfinished !== "" && mayCloseFence(open, unfinished) ? tail.slice(0, -unfinished.length) : tail;
  return shown === "" ? open.code : takeFenceLines(open, shown).fence.code;
}
