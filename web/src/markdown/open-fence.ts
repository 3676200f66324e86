/** A code fence at the top level whose end has not come; it grows line by line without parsing. */
export interface OpenFence {
  kind: "fence";
  key: number;
  marker: string;
  width: number;
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
const noCode: CodeText = { chunks: [], linesInLast: 0 };

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
export function closesFence(fence: OpenFence, line: string): boolean {
  const start = line.length - line.trimStart().length;
  if (start > 3 || line.charAt(start) !== fence.marker || /\t/.test(line.slice(0, start))) return false;
  let end = start;
  while (line.charAt(end) === fence.marker) end++;
  return end - start >= fence.width && /^[ \t]*$/.test(line.slice(end));
}

/** Whether an unfinished line may still become the closing line. */
export function mayCloseFence(fence: OpenFence, line: string): boolean {
  const body = line.replace(/^ {0,3}/, "").trimEnd();
  return body.length <= fence.width && body === fence.marker.repeat(body.length);
}

/** The line as content: the opening line's indentation is taken off it. */
export function fenceContentLine(fence: OpenFence, line: string): string {
  let column = 0;
  let at = 0;
  while (column < fence.indent && at < line.length) {
    const character = line.charAt(at);
    if (character === "\t") column += 4 - (column % 4);
    else if (character === " ") column++;
    else break;
    at++;
  }
  return column > fence.indent ? " ".repeat(column - fence.indent) + line.slice(at) : line.slice(at);
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
