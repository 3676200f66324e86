import { mostDiagramEdges } from "./diagram-limits.ts";

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

const quoted = /"([^"]*)"/g;
/** What would end a text early. */
const signs = /[^\p{L}\p{N}\s]/gu;
/** Longer lines would take time to look through. */
export const longestLine = 400;
/** A name with the brackets of its shape, and the text between them. */
const shaped = /([\p{L}\p{N}_]+)(\(+\[?|\[[[(/\\]?|\{+)(.*?)[)\]}/\\]*[)\]}](?![)\]}])/gu;
/** Classes and settings of a node. */
const attached = /:::[\w-]+|@\{.*?\}/g;
/** What joins two nodes in any kind of graph, with the words in it. */
const link =
  /\s*(?:<\|?|[}|][o|]|\*|(?<=\s)[ox])?(?:(?:--|==|-\.)\s+[^>=|]+?\s*(?:-{2,}|={2,}|\.+-)|(?:--|==|-\.|\.\.)[-=.]*)(?:>|\|[>{|]|o[{|]|\*|[ox](?=\s))?(?:\s*\|[^|]*\|)?\s*/gu;
/** Lines that are no part of the graph. */
const aside =
  /^(?:%%|style\b|classDef\b|linkStyle\b|click\b|acc(?:Title|Descr)\b|title\b|note\b.*:|class\s+[\w,]+\s+\w+$)/;
const noteStart = /^note\b/;
/** A note beside a state, whose words follow on the line or below it. */
const stateNote = /^note\s+(left|right)\s+of\s+([\p{L}\p{N}_]+)\s*(?::\s*(.*))?$/u;
/** Each node has the frames around it: deeper ones would take time by the square of the source. */
const deepestFrame = 50;
/** Below this line another part of the frame goes on beside the one above it. */
const partingLine = /^--+$/;
const frameStart = /^(?:subgraph\s+([^\s[]+)|(?:state|namespace)\s+(?:.*\sas\s+)?(\S+)\s*\{$)/;

/** The nodes and lines of a graph, about as mermaid reads them; null where there are more, or deeper ones, than are foreseen. */
export function readGraph(kind: GraphKind, source: string): Graph | null {
  const nodes = new Map<string, GraphNode>();
  const edges: GraphEdge[] = [];
  const frames: string[] = [];
  const inFrames = new Map<string, string[]>();
  let isAcross = false;
  let open: GraphNode | null = null;
  let inNote = false;
  let note: GraphNode | null = null;
  let notes = 0;
  /** By its frame, what parts the nodes met there from those to come: they stand below it. */
  const partings = new Map<string, string>();

  function meet(name: string): GraphNode {
    let node = nodes.get(name);
    if (node === undefined) {
      node = { shape: "box", text: name, members: 0, frames: [...frames] };
      nodes.set(name, node);
      for (const one of frames) {
        inFrames.get(one)?.push(name);
        const parting = partings.get(one);
        if (parting !== undefined) edges.push({ from: parting, to: name, label: "" });
      }
    }
    return node;
  }

  function withoutShapes(line: string): string {
    return line
      .replace(attached, "")
      .replace(shaped, (_whole, name: string, opener: string, text: string) => {
        const node = meet(name);
        node.text = text;
        if (opener === "{") node.shape = "diamond";
        if (opener === "[(") node.shape = "cylinder";
        return name;
      });
  }

  function ends(part: string, isLast: boolean): string[] {
    return part.split("&").flatMap((written) => {
      const name = written.trim();
      if (kind === "state" && name === "[*]") {
        const parting = partings.get(frames.at(-1) ?? "") ?? "";
        const dot = `${frames.join()}${parting}${isLast ? "end" : "start"}`;
        meet(dot).shape = "dot";
        return [dot];
      }
      if (name === "" || /\s/.test(name)) return [];
      if (!inFrames.has(name)) meet(name);
      return [name];
    });
  }

  function addParting(frame: string): void {
    const above = [...(inFrames.get(frame) ?? [])];
    const parting = `parting ${above.length} of ${frame}`;
    partings.delete(frame);
    meet(parting).shape = "dot";
    for (const name of above) edges.push({ from: name, to: parting, label: "" });
    partings.set(frame, parting);
  }

  function addNote(side: string | undefined, beside: string, words: string | undefined): GraphNode {
    meet(beside);
    const name = `note ${++notes}`;
    const added = meet(name);
    added.shape = "note";
    added.text = words ?? "";
    edges.push(
      side === "left" ? { from: name, to: beside, label: "" } : { from: beside, to: name, label: "" },
    );
    return added;
  }

  // The words between quotes are needed of flowcharts only.
  const plain = source.replace(quoted, (_, text: string) =>
    kind === "flow" ? text.replace(signs, "x") : '""',
  );
  const [head = "", ...rest] = plain.split(/[\n;]/);
  if (kind === "flow") isAcross = /\b(?:LR|RL)\b/.test(head);
  for (const written of rest) {
    if (edges.length > mostDiagramEdges || frames.length > deepestFrame) return null;
    let line = written.slice(0, longestLine).trim();
    if (inNote) {
      inNote = line !== "end note";
      if (inNote && note !== null) note.members += 1;
      continue;
    }
    const beside = kind === "state" ? stateNote.exec(line) : null;
    if (beside !== null) {
      note = addNote(beside[1], beside[2] ?? "", beside[3]);
      inNote = beside[3] === undefined;
      continue;
    }
    if (line === "" || aside.test(line)) continue;
    inNote = noteStart.test(line);
    if (inNote) continue;
    if (open !== null) {
      if (line === "}") open = null;
      else open.members += 1;
      continue;
    }
    const around = frames.at(-1);
    if (kind === "state" && around !== undefined && partingLine.test(line)) {
      addParting(around);
      continue;
    }
    if (line === "end" || line === "}") {
      frames.pop();
      continue;
    }
    const direction = /^direction\s+(\w\w)/.exec(line)?.[1];
    if (direction !== undefined) {
      if (frames.length === 0) isAcross = /LR|RL/.test(direction);
      continue;
    }
    const frame = frameStart.exec(line);
    if (frame !== null) {
      const name = frame[1] ?? frame[2] ?? "";
      nodes.delete(name);
      inFrames.set(name, []);
      frames.push(name);
      continue;
    }
    line = line.replace(/^(?:class|state\s+.*\sas)\s+/, "");
    let label = "";
    if (kind === "flow") line = withoutShapes(line);
    else {
      const body = /^([^\s{:]+).*\{$/.exec(line);
      if (body !== null) {
        open = meet(body[1] ?? "");
        continue;
      }
      const [before = "", ...after] = line.split(/\s*:\s*/);
      label = after.join(":");
      line = before.replaceAll('""', "");
    }
    const links = line.match(link) ?? [];
    if (links.length === 0) {
      const [name] = ends(line, false);
      if (name !== undefined && label !== "" && kind === "class") meet(name).members += 1;
      continue;
    }
    const stops = line.split(link).map((part, index) => ends(part, index > 0));
    links.forEach((drawn, index) => {
      const words = kind === "flow" ? drawn.replace(/[^\p{L}\p{N}\s]/gu, "").trim() : label;
      for (const from of stops[index] ?? [])
        for (const to of stops[index + 1] ?? []) edges.push({ from, to, label: words });
    });
  }
  if (edges.length > mostDiagramEdges) return null;
  // Of a frame its first or last node stands for it.
  const within = (name: string) => inFrames.get(name)?.filter((one) => nodes.has(one)) ?? [];
  const ofNodes = edges.map(({ from, to, label }) => ({
    from: within(from).at(-1) ?? from,
    to: within(to)[0] ?? to,
    label,
  }));
  return { nodes, edges: ofNodes, isAcross };
}
