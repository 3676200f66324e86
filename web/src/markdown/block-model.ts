import type { AlertKind } from "./block-rules.ts";
import type { Grouped } from "./grouped-list.ts";
import type { Token } from "./markdown-parser.ts";
import type { CodeText } from "./open-fence.ts";

/** The smallest part that is parsed and drawn by itself: a plain block, a list item, a table head or row, a part of a quotation. */
export interface Unit {
  /** Offset of its first line in the text; stable, so it serves as the key on the screen. */
  key: number;
  /** Block tokens with their inline children. */
  tokens: readonly Token[];
  /** Labels of link definitions it asked for in vain. */
  missed: ReadonlySet<string>;
  /** Whether its text is complete; heavy drawing (colours, diagrams) waits for that. */
  settled: boolean;
  /** Whether references without a definition were taken for such, since definitions may still come. */
  awaiting: boolean;
}

export type Block = PlainBlock | ListBlock | QuoteBlock | TableBlock | CodeBlockData;

/** A paragraph, heading, rule, indented code, formula or footnote. */
export interface PlainBlock {
  kind: "plain";
  key: number;
  /** It goes on with the paragraph above it, which was too long for one. */
  goesOn: boolean;
  unit: Unit;
}

export interface ListBlock {
  kind: "list";
  key: number;
  /** First item of the list it goes on with: that above it, which was too long for one; null where a list begins. */
  begunBy: Unit | null;
  ordered: boolean;
  /** Number of the first item. */
  start: number;
  marker: string;
  /** Of a list that goes on: with all above it. */
  tight: boolean;
  items: Grouped<Unit>;
}

/** A quotation; each part is one block in it. */
export interface QuoteBlock {
  kind: "quote";
  key: number;
  /** First part of the quotation it goes on with: that above it, which was too long for one; null where one begins. */
  begunBy: Unit | null;
  alert: AlertKind | null;
  parts: Grouped<Unit>;
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
