// A text as lines in chunks, for a view that draws only some of them.
import type { ColouredRun } from "../../markdown/coloured-chunks.ts";

/** Lines in a chunk. */
const CHUNK = 50;
/** Of a longer line only the beginning is shown: no line that somebody reads is as long (UTF-16 units). */
const LONGEST_LINE = 5000;
/** About so many characters fit on a row of the panel. */
const ROW = 44;

export interface LineChunk {
  /** The number of its first line, from 1. */
  first: number;
  lines: readonly string[];
}

function shown(line: string): string {
  if (line.length <= LONGEST_LINE) return line;
  const cut = line.slice(0, LONGEST_LINE);
  return `${/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}

/** The lines of a text, whatever ends them. An end at its end begins no line. */
export function chunksOf(text: string): readonly LineChunk[] {
  if (text === "") return [];
  const lines = text.split(/\r\n|\r|\n/);
  if (lines.at(-1) === "") lines.pop();
  const chunks: LineChunk[] = [];
  for (let at = 0; at < lines.length; at += CHUNK) {
    chunks.push({ first: at + 1, lines: lines.slice(at, at + CHUNK).map(shown) });
  }
  return chunks;
}

/** About how many rows a chunk takes before it is drawn. */
export function likelyRows({ lines }: LineChunk): number {
  return lines.reduce((rows, line) => rows + Math.max(1, Math.ceil(line.length / ROW)), 0);
}

/** The coloured runs of a chunk, parted where its lines end. */
export function linesOfRuns(runs: readonly ColouredRun[]): ColouredRun[][] {
  const lines: ColouredRun[][] = [[]];
  for (const [scope, text] of runs) {
    const [here = "", ...next] = text.split("\n");
    if (here !== "") lines.at(-1)?.push([scope, here]);
    for (const part of next) lines.push(part === "" ? [] : [[scope, part]]);
  }
  return lines;
}
