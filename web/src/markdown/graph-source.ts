import type { Graph, GraphKind } from "./graph.ts";
import { GraphReader } from "./graph-reader.ts";

const quoted = /"([^"]*)"/g;
/** What would end a text early. */
const signs = /[^\p{L}\p{N}\s]/gu;

/** The nodes and lines of a graph, about as mermaid reads them; null where there are more, or deeper ones, than are foreseen. */
export function readGraph(kind: GraphKind, source: string): Graph | null {
  // The words between quotes are needed of flowcharts only.
  const plain = source.replace(quoted, (_, text: string) =>
    kind === "flow" ? text.replace(signs, "x") : '""',
  );
  const [head = "", ...lines] = plain.split(/[\n;]/);
  const reader = new GraphReader(kind, kind === "flow" && /\b(?:LR|RL)\b/.test(head));
  for (const line of lines) {
    if (reader.isTooLarge()) return null;
    reader.read(line);
  }
  return reader.isTooLarge() ? null : reader.graph();
}
