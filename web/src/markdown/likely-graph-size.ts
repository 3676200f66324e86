import type { DiagramSize } from "./diagram-sizes.ts";
import type { Graph, GraphKind, GraphNode } from "./graph.ts";
import { readGraph } from "./graph-source.ts";
import { wordsWidth } from "./words-width.ts";

const gap = 40;
const margin = 16;
const lineHeight = 15;
/** A text is broken in a box of a flowchart where it has about so many letters. */
const charactersPerLine = 14.5;
/** What the words on a line take between two ranks that stand one below the other. */
const labelHeight = 60;
const labelPadding = 40;
/** Beside each other labels are as wide as their words, about, with the gaps between nodes. */
const labelLetter = 6.5;
/** What the edges of a frame take below and above its nodes, with its title, and beside them. */
const frameHeight = 77;
const stateFrameHeight = 52;
const frameWidth = 48;
/** A note is broken where it has about so many letters. */
const charactersPerNoteLine = 25;

/** About the size of a drawn graph; null where it is not drawn. */
export function likelyGraphSize(kind: GraphKind, source: string): DiagramSize | null {
  const graph = readGraph(kind, source);
  if (graph === null || graph.nodes.size === 0) return null;
  const { isAcross } = graph;
  const rankOf = ranksOf(graph);
  const along: number[] = [];
  const beside: number[] = [];
  const labels: number[] = [];
  const labelsBeside: number[] = [];
  const firstRankOfFrame = new Map<string, number>();
  for (const [name, node] of graph.nodes) {
    const rank = rankOf.get(name) ?? 0;
    const [width, height] = sizeOfNode(kind, node);
    along[rank] = Math.max(along[rank] ?? 0, isAcross ? width : height);
    beside[rank] = (beside[rank] ?? margin - gap) + gap + (isAcross ? height : width);
    node.frames.forEach((frame, depth) => {
      const key = `${depth} ${frame}`;
      firstRankOfFrame.set(key, Math.min(rank, firstRankOfFrame.get(key) ?? rank));
    });
  }
  for (const { from, to, label } of graph.edges) {
    const rank = rankOf.get(from) ?? 0;
    if (label === "" || rank >= (rankOf.get(to) ?? 0)) continue;
    const room = isAcross ? labelPadding + 8 * wordsWidth(label) : labelHeight;
    labels[rank] = Math.max(labels[rank] ?? 0, room);
    labelsBeside[rank] = (labelsBeside[rank] ?? margin - gap) + gap + labelLetter * wordsWidth(label);
  }
  // Side by side they share their room, one in the other they do not.
  const frames = new Set([...firstRankOfFrame].map(([key, rank]) => `${key.split(" ", 1)[0]} ${rank}`)).size;
  const length = margin + sum(along) + gap * (along.length - 1) + sum(labels);
  const breadth = Math.max(...beside.filter(Boolean), ...(isAcross ? [] : labelsBeside.filter(Boolean)));
  const room = kind === "state" ? stateFrameHeight : frameHeight;
  const once = Math.min(1, frames);
  return isAcross
    ? { width: length + frames * frameWidth, height: breadth + once * room }
    : { width: breadth + once * frameWidth, height: length + frames * room };
}

/** Also of a list with holes. */
function sum(rooms: readonly number[]): number {
  return rooms.reduce((total, room) => total + room, 0);
}

/** How far each node is from the beginning by the longest way. A line that would close a circle leads back. */
function ranksOf({ nodes, edges }: Graph): Map<string, number> {
  const next = new Map<string, string[]>();
  for (const { from, to } of edges) next.set(from, [...(next.get(from) ?? []), to]);
  const order: string[] = [];
  const met = new Set<string>();
  const visit = (name: string) => {
    if (met.has(name)) return;
    met.add(name);
    for (const to of next.get(name) ?? []) visit(to);
    order.unshift(name);
  };
  for (const name of nodes.keys()) visit(name);
  const place = new Map(order.map((name, index) => [name, index]));
  const ranks = new Map<string, number>();
  for (const name of order) {
    const rank = ranks.get(name) ?? 0;
    ranks.set(name, rank);
    for (const to of next.get(name) ?? [])
      if ((place.get(to) ?? 0) > (place.get(name) ?? 0))
        ranks.set(to, Math.max(rank + 1, ranks.get(to) ?? 0));
  }
  return ranks;
}

/** Width and height of a node, as measured. */
function sizeOfNode(kind: GraphKind, { shape, text, members }: GraphNode): [number, number] {
  const words = wordsWidth(text);
  if (shape === "note") {
    const lines = members === 0 ? Math.ceil(words / charactersPerNoteLine) : members;
    return [Math.max(198, 8 * Math.min(words, charactersPerNoteLine) + 46), 92 + 31 * lines];
  }
  if (kind === "state") return shape === "dot" ? [14, 14] : [Math.max(136, 8 * words + 16), 32];
  // Fields are mostly longer than the name above them.
  if (kind === "er") return members === 0 ? [Math.max(100, 8 * words + 24), 76] : [220, 35 + 34.75 * members];
  if (kind === "class") return members === 0 ? [8 * words + 27, 76] : [160, 86.5 + 17.5 * members];
  const lines = sum(
    text.split(/<br\s*\/?>|xbr\s?xx?/).map((line) => Math.ceil(wordsWidth(line) / charactersPerLine) || 1),
  );
  const more = lineHeight * (lines - 1);
  if (shape === "diamond") return [166 + more, 166 + more];
  return shape === "cylinder" ? [135, 70 + more] : [180, 46 + more];
}
