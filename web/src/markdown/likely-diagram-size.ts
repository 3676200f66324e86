import { longestDiagram, longestDiagramLine } from "./diagram-limits.ts";
import type { DiagramSize } from "./diagram-sizes.ts";
import type { GraphKind } from "./graph.ts";
import { likelyGraphSize } from "./likely-graph-size.ts";
import { wordsWidth } from "./words-width.ts";

const graphs: readonly (readonly [RegExp, GraphKind])[] = [
  [/^(?:graph|flowchart)\b/, "flow"],
  [/^stateDiagram\b/, "state"],
  [/^classDiagram\b/, "class"],
  [/^erDiagram\b/, "er"],
];

/** By the first word of the source; the rest is its lines, without those that are empty. */
const others: readonly (readonly [RegExp, (lines: readonly string[], head: string) => DiagramSize])[] = [
  [/^sequenceDiagram\b/, sequence],
  [/^gantt\b/, gantt],
  [/^pie\b/, pie],
  [/^mindmap\b/, mindmap],
  [/^timeline\b/, timeline],
  [/^gitGraph\b/, gitGraph],
  [/^journey\b/, journey],
  [/^quadrantChart\b/, () => ({ width: 500, height: 500 })],
  [/^xychart\b/, () => ({ width: 700, height: 500 })],
];

/** Of a title among the settings. */
const titleHeight = 54;
/** What stands before the kind of a diagram: settings and remarks. */
const preface = /^\s*(?:---[^]*?\n---\s*\n)?(?:\s*%%.*\n)*\s*/;

/**
 * About the size of a diagram once it is drawn, from what was measured of the common kinds; null for other kinds, and for
 * what is none. Takes time by the length of the source.
 */
export function likelyDiagramSize(source: string): DiagramSize | null {
  if (source.length > longestDiagram) return null;
  const before = preface.exec(source)?.[0] ?? "";
  const size = likelyBodySize(source.slice(before.length));
  return size === null || !/^title:/m.test(before) ? size : { ...size, height: size.height + titleHeight };
}

function likelyBodySize(body: string): DiagramSize | null {
  const graph = graphs.find(([kind]) => kind.test(body));
  if (graph !== undefined) return likelyGraphSize(graph[1], body);
  const [head = "", ...rest] = body.split("\n");
  const lines = rest
    .map((line) => line.slice(0, longestDiagramLine).trimEnd())
    .filter((line) => line !== "" && !/^\s*%%/.test(line));
  const size = others.find(([kind]) => kind.test(head))?.[1];
  return size?.(lines, head) ?? null;
}

function count(lines: readonly string[], what: RegExp): number {
  return lines.filter((line) => what.test(line)).length;
}

const message = /^\s*(?:(\S.*?)\s*)?(?:<<)?--?(?:>>?|[)x])[+-]?\s*([^:]+?)\s*:(.*)$/;

function sequence(lines: readonly string[]): DiagramSize {
  const actors = new Set<string>();
  let height = 171;
  let widest = 0;
  for (const line of lines) {
    const [, given, named] = /^\s*(?:create\s+)?(participant|actor)\s+(\S+)/.exec(line) ?? [];
    const [, from, to, words = ""] = message.exec(line) ?? [];
    if (given !== undefined && named !== undefined) actors.add(named);
    else if (from !== undefined && to !== undefined) {
      actors.add(from).add(to);
      height += from === to ? 78 : 48;
      widest = Math.max(widest, 8 * wordsWidth(words) + 60);
    } else if (/^\s*note\b/i.test(line)) height += 49;
    else if (/^\s*(?:loop|alt|opt|par|critical|break|rect)\b/.test(line)) height += 55;
    else if (/^\s*(?:else|and|option)\b/.test(line)) height += 45;
  }
  // Only the two of the longest message stand further apart.
  const further = Math.max(0, widest - 200);
  return { width: 250 + 200 * Math.max(0, actors.size - 1) + further, height };
}

function gantt(lines: readonly string[]): DiagramSize {
  const tasks = lines.filter(
    (line) =>
      line.includes(":") &&
      !/^\s*(?:title|section|dateFormat|axisFormat|tickInterval|excludes|includes|todayMarker|click)\b/.test(
        line,
      ),
  );
  // As wide as the page that draws it.
  return { width: 984, height: 100 + 24 * tasks.length };
}

function pie(lines: readonly string[]): DiagramSize {
  const longest = Math.max(0, ...lines.map((line) => wordsWidth(/"(.*?)"/.exec(line)?.[1] ?? "")));
  return { width: 513 + 7 * longest, height: 450 };
}

function mindmap(lines: readonly string[]): DiagramSize {
  const indents: number[] = [];
  let levels = 0;
  const nodes = lines.filter((line) => !/^\s*::/.test(line));
  for (const line of nodes) {
    const indent = line.search(/\S/);
    while ((indents.at(-1) ?? -1) >= indent) indents.pop();
    indents.push(indent);
    levels = Math.max(levels, indents.length);
  }
  const width = 185 * nodes.length ** 0.52;
  // Up to two branches lie beside their root; the others go round it, wherever they find room.
  const isRound = nodes[0]?.includes("((") === true;
  if (nodes.length <= 3) return { width, height: isRound ? 165 : 62 };
  return { width, height: (isRound ? 132 : 116) * nodes.length ** 0.23 * levels ** 0.46 };
}

function timeline(lines: readonly string[]): DiagramSize {
  const events: number[] = [];
  for (const line of lines.filter((one) => !/^\s*(?:title|section)\b/.test(one))) {
    const more = line.split(/\s:\s|:\s/).length - 1;
    if (/^\s*:/.test(line)) events.push((events.pop() ?? 0) + more);
    else events.push(more);
  }
  const head = (count(lines, /^\s*title\b/) > 0 ? 60 : 0) + (count(lines, /^\s*section\b/) > 0 ? 114 : 0);
  return { width: 390 + 200 * events.length, height: 356 + 54 * Math.max(1, ...events) + head };
}

function gitGraph(lines: readonly string[], head: string): DiagramSize {
  const commits = count(lines, /^\s*(?:commit|merge|cherry-pick)\b/);
  const branches = 1 + count(lines, /^\s*branch\b/);
  if (/\b(?:TB|BT)\b/.test(head)) return { width: 22 + 88 * branches, height: 61 + 50 * commits };
  return { width: 104 + 50 * (commits + branches - 1), height: 88 * branches };
}

function journey(lines: readonly string[]): DiagramSize {
  const tasks = count(lines, /:\s*\d/);
  return { width: Math.max(500, 300 + 200 * tasks), height: count(lines, /^\s*title\b/) > 0 ? 540 : 470 };
}
