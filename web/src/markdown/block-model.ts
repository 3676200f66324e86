import type { Grouped } from "./grouped-list.ts";
import type { Token } from "./markdown-parser.ts";
import type { CodeText } from "./open-fence.ts";

/** The smallest part that is parsed and drawn by itself: a plain block, a list item, a table head or row. */
export interface Unit {
  /** Offset of its first line in the text; stable, so it serves as the key on the screen. */
  key: number;
  /** Block tokens with their inline children. */
  tokens: readonly Token[];
  /** Labels of link definitions it asked for in vain. */
  missed: ReadonlySet<string>;
  /** Whether its text is complete; heavy drawing (formulas at its end, colours, diagrams) waits for that. */
  settled: boolean;
}

export type Block = PlainBlock | ListBlock | TableBlock | CodeBlockData;

/** A paragraph, heading, rule, quotation, indented code or formula. */
export interface PlainBlock {
  kind: "plain";
  key: number;
  unit: Unit;
}

export interface ListBlock {
  kind: "list";
  key: number;
  ordered: boolean;
  /** Number of the first item. */
  start: number;
  marker: string;
  tight: boolean;
  items: Grouped<Unit>;
}

export interface TableBlock {
  kind: "table";
  key: number;
  head: Unit;
  rows: Grouped<Unit>;
}

export interface CodeBlockData {
  kind: "code";
  key: number;
  info: string;
  code: CodeText;
  /** Whether no character can be added any more. */
  closed: boolean;
}
