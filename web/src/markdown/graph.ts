/** What mermaid lays out as nodes in ranks, with lines between them. */
export type GraphKind = "flow" | "state" | "class" | "er";

export interface GraphNode {
  shape: "box" | "diamond" | "cylinder" | "dot" | "note";
  text: string;
  /** Lines in the box below its name; of a note all its lines. */
  members: number;
  /** The frames it stands in, the outermost first. */
  frames: readonly string[];
}

export interface GraphEdge {
  from: string;
  to: string;
  label: string;
}

export interface Graph {
  nodes: ReadonlyMap<string, GraphNode>;
  edges: readonly GraphEdge[];
  /** Its ranks stand side by side. */
  isAcross: boolean;
}
