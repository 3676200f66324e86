import { deepestFrame } from "./diagram-bounds.ts";
import { longestDiagramLine, mostDiagramEdges } from "./diagram-limits.ts";
import type { Graph, GraphEdge, GraphKind, GraphNode } from "./graph.ts";

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
/** Below this line another part of the frame goes on beside the one above it. */
const partingLine = /^--+$/;
const frameStart = /^(?:subgraph\s+([^\s[]+)|(?:state|namespace)\s+(?:.*\sas\s+)?(\S+)\s*\{$)/;

/** Reads a graph line by line. */
export class GraphReader {
  readonly #kind: GraphKind;
  readonly #nodes = new Map<string, GraphNode>();
  readonly #edges: GraphEdge[] = [];
  /** Those that are open, the outermost first. */
  readonly #frames: string[] = [];
  readonly #inFrames = new Map<string, string[]>();
  /** By its frame, what parts the nodes met there from those to come: they stand below it. */
  readonly #partings = new Map<string, string>();
  #isAcross: boolean;
  /** What the lines up to a closing brace belong to. */
  #open: GraphNode | null = null;
  /** In a note up to its end; a note of a state has its lines. */
  #inNote = false;
  #note: GraphNode | null = null;
  #notes = 0;

  constructor(kind: GraphKind, isAcross: boolean) {
    this.#kind = kind;
    this.#isAcross = isAcross;
  }

  isTooLarge(): boolean {
    return this.#edges.length > mostDiagramEdges || this.#frames.length > deepestFrame;
  }

  read(written: string): void {
    const line = written.slice(0, longestDiagramLine).trim();
    if (this.#readNote(line)) return;
    if (line === "" || this.#readMember(line) || this.#readFrame(line)) return;
    this.#readNodes(line.replace(/^(?:class|state\s+.*\sas)\s+/, ""));
  }

  /** The graph as it was read. Of a frame its first or last node stands for it. */
  graph(): Graph {
    const within = (name: string) => this.#inFrames.get(name)?.filter((one) => this.#nodes.has(one)) ?? [];
    const edges = this.#edges.map(({ from, to, label }) => ({
      from: within(from).at(-1) ?? from,
      to: within(to)[0] ?? to,
      label,
    }));
    return { nodes: this.#nodes, edges, isAcross: this.#isAcross };
  }

  /** Whether the line is of a note, or of what is no part of the graph. */
  #readNote(line: string): boolean {
    if (this.#inNote) {
      this.#inNote = line !== "end note";
      if (this.#inNote && this.#note !== null) this.#note.members += 1;
      return true;
    }
    const beside = this.#kind === "state" ? stateNote.exec(line) : null;
    if (beside !== null) {
      this.#note = this.#addNote(beside[1], beside[2] ?? "", beside[3]);
      this.#inNote = beside[3] === undefined;
      return true;
    }
    if (aside.test(line)) return true;
    this.#inNote = noteStart.test(line);
    return this.#inNote;
  }

  #addNote(side: string | undefined, beside: string, words: string | undefined): GraphNode {
    this.#meet(beside);
    const name = `note ${++this.#notes}`;
    const added = this.#meet(name);
    added.shape = "note";
    added.text = words ?? "";
    const [from, to] = side === "left" ? [name, beside] : [beside, name];
    this.#edges.push({ from, to, label: "" });
    return added;
  }

  /** Whether the line is within the braces of a node. */
  #readMember(line: string): boolean {
    if (this.#open === null) return false;
    if (line === "}") this.#open = null;
    else this.#open.members += 1;
    return true;
  }

  /** Whether the line begins, parts, turns or ends a frame. */
  #readFrame(line: string): boolean {
    const around = this.#frames.at(-1);
    if (this.#kind === "state" && around !== undefined && partingLine.test(line)) {
      this.#part(around);
      return true;
    }
    if (line === "end" || line === "}") {
      this.#frames.pop();
      return true;
    }
    const direction = /^direction\s+(\w\w)/.exec(line)?.[1];
    if (direction !== undefined) {
      if (around === undefined) this.#isAcross = /LR|RL/.test(direction);
      return true;
    }
    const frame = frameStart.exec(line);
    if (frame === null) return false;
    const name = frame[1] ?? frame[2] ?? "";
    this.#nodes.delete(name);
    this.#inFrames.set(name, []);
    this.#frames.push(name);
    return true;
  }

  #part(frame: string): void {
    const above = [...(this.#inFrames.get(frame) ?? [])];
    const parting = `parting ${above.length} of ${frame}`;
    this.#partings.delete(frame);
    this.#meet(parting).shape = "dot";
    for (const name of above) this.#edges.push({ from: name, to: parting, label: "" });
    this.#partings.set(frame, parting);
  }

  /** A line with nodes and what joins them. */
  #readNodes(line: string): void {
    if (this.#kind === "flow") {
      this.#join(this.#withoutShapes(line), (drawn) => drawn.replace(/[^\p{L}\p{N}\s]/gu, "").trim());
      return;
    }
    const body = /^([^\s{:]+).*\{$/.exec(line);
    if (body !== null) {
      this.#open = this.#meet(body[1] ?? "");
      return;
    }
    const [before = "", ...after] = line.split(/\s*:\s*/);
    const label = after.join(":");
    const only = this.#join(before.replaceAll('""', ""), () => label);
    if (only !== undefined && label !== "" && this.#kind === "class") this.#meet(only).members += 1;
  }

  /** Adds the nodes of a line with the edges between them; the name of a node that stands alone. */
  #join(line: string, labelOf: (drawn: string) => string): string | undefined {
    const links = line.match(link) ?? [];
    if (links.length === 0) return this.#ends(line, false)[0];
    const stops = line.split(link).map((part, index) => this.#ends(part, index > 0));
    links.forEach((drawn, index) => {
      const label = labelOf(drawn);
      for (const from of stops[index] ?? [])
        for (const to of stops[index + 1] ?? []) this.#edges.push({ from, to, label });
    });
    return undefined;
  }

  /** The names at one end of an edge. */
  #ends(part: string, isLast: boolean): string[] {
    return part.split("&").flatMap((written) => {
      const name = written.trim();
      if (this.#kind === "state" && name === "[*]") {
        const parting = this.#partings.get(this.#frames.at(-1) ?? "") ?? "";
        const dot = `${this.#frames.join()}${parting}${isLast ? "end" : "start"}`;
        this.#meet(dot).shape = "dot";
        return [dot];
      }
      if (name === "" || /\s/.test(name)) return [];
      if (!this.#inFrames.has(name)) this.#meet(name);
      return [name];
    });
  }

  #withoutShapes(line: string): string {
    return line
      .replace(attached, "")
      .replace(shaped, (_whole, name: string, opener: string, text: string) => {
        const node = this.#meet(name);
        node.text = text;
        if (opener === "{") node.shape = "diamond";
        if (opener === "[(") node.shape = "cylinder";
        return name;
      });
  }

  #meet(name: string): GraphNode {
    const known = this.#nodes.get(name);
    if (known !== undefined) return known;
    const node: GraphNode = { shape: "box", text: name, members: 0, frames: [...this.#frames] };
    this.#nodes.set(name, node);
    for (const one of this.#frames) {
      this.#inFrames.get(one)?.push(name);
      const parting = this.#partings.get(one);
      if (parting !== undefined) this.#edges.push({ from: parting, to: name, label: "" });
    }
    return node;
  }
}
