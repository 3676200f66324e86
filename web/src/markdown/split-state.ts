import { appendBlocks } from "./block-groups.ts";
import type { Block, ListBlock, QuoteBlock, TableBlock, Unit } from "./block-model.ts";
import { lineOffset, type Segment, type Segmented } from "./block-segments.ts";
import { createUnit, resolveBlocks, type UnitPhase } from "./block-units.ts";
import { moveLiftedCode, type LiftedCode, type OpenLift } from "./lifted-code.ts";
import type { Grouped } from "./grouped-list.ts";
import type { Token } from "./markdown-parser.ts";
import type { OpenFence } from "./open-fence.ts";
import type { Reference } from "./parse-env.ts";
import { addReferences, findReference, noReferences, type ReferenceTable } from "./reference-table.ts";

/** A list at the end of the text: all but its last item are closed and no longer in the tail. */
export interface OpenList {
  kind: "list";
  block: ListBlock;
}

/** A quotation at the end of the text: all but its last part are closed and no longer in the tail. */
export interface OpenQuote {
  kind: "quote";
  block: QuoteBlock;
}

/** A table at the end of the text: all but its last row are closed and no longer in the tail. */
export interface OpenTable {
  kind: "table";
  block: TableBlock;
  /** Its first two lines, which set the stage for every later row. */
  headText: string;
  columns: number;
  /** Cells the parser had to add to closed rows; it ends a table at a limit. */
  addedCells: number;
}

/** A long paragraph at the end of the text, of which a first part is closed and no longer in the tail. */
export interface OpenParagraph {
  kind: "paragraph";
}

/** Immutable state of the splitter after some text. */
export interface SplitState {
  /** Closed for good: no later text changes them, but for links whose definition comes later. */
  blocks: Grouped<Block>;
  open: OpenFence | OpenList | OpenQuote | OpenTable | OpenParagraph | null;
  /** Text from the first line that is not closed. */
  tail: string;
  /** Where the tail begins in the whole text without lifted code. */
  offset: number;
  /** Lines of code taken out of the tail. */
  lifted: readonly LiftedCode[];
  /** The code block in a list item from which lines are being lifted. */
  lifting: OpenLift | null;
  /** A carriage return at the very end, held back until it is known whether a newline follows. */
  heldReturn: boolean;
  references: ReferenceTable;
}

export const emptySplit: SplitState = {
  blocks: [],
  open: null,
  tail: "",
  offset: 0,
  lifted: [],
  lifting: null,
  heldReturn: false,
  references: noReferences,
};

/** A parsed tail with what is known where it stands. */
export interface Parse extends UnitPhase {
  state: SplitState;
  parsed: Segmented;
  known: ReferenceTable;
}

/** The part of the parsed tail as a unit. */
export function toUnit({ state, parsed, known, settled, awaiting }: Parse, span: Segment): Unit {
  const key = state.offset + lineOffset(parsed, span.firstLine);
  return createUnit(key, span.tokens, known, { settled, awaiting });
}

/** Takes `length` characters off the front of the tail. */
export function cutTail(state: SplitState, length: number): SplitState {
  if (length === 0) return state;
  return {
    ...state,
    tail: state.tail.slice(length),
    offset: state.offset + length,
    lifted: moveLiftedCode(state.lifted, length),
  };
}

/** Moves finished blocks out of the tail. */
export function closeBlocks(
  state: SplitState,
  blocks: readonly Block[],
  length: number,
  defined: ReadonlyMap<string, Reference>,
): SplitState {
  const closed = cutTail({ ...state, open: null, blocks: appendBlocks(state.blocks, blocks) }, length);
  return applyDefinitions(closed, defined);
}

/** Applies new definitions to the blocks that asked for them, and to them alone. */
export function applyDefinitions(state: SplitState, defined: ReadonlyMap<string, Reference>): SplitState {
  const fresh = new Set(
    [...defined.keys()].filter((label) => findReference(state.references, label) === undefined),
  );
  if (fresh.size === 0) return state;
  const references = addReferences(state.references, defined);
  const blocks = resolveBlocks(state.blocks, fresh, references);
  return { ...state, references, blocks, open: resolveOpen(state.open, fresh, references) };
}

function resolveOpen(
  open: SplitState["open"],
  fresh: ReadonlySet<string>,
  known: ReferenceTable,
): SplitState["open"] {
  if (open === null || open.kind === "fence" || open.kind === "paragraph") return open;
  const block = resolveBlocks([[open.block]], fresh, known)[0]?.[0];
  return block === open.block || block === undefined ? open : ({ ...open, block } as SplitState["open"]);
}

/** The definitions that stand in the given segments. */
export function definitionsOf(
  segments: readonly Segment[],
  defined: ReadonlyMap<string, Reference>,
): ReadonlyMap<string, Reference> {
  const found = new Map<string, Reference>();
  for (const label of segments.flatMap((segment) => segment.tokens.flatMap(definedLabel))) {
    const reference = defined.get(label);
    if (reference !== undefined) found.set(label, reference);
  }
  return found;
}

function definedLabel(token: Token): string[] {
  const label =
    token.type === "reference_definition"
      ? token.meta?.["label"]
      : token.type === "footnote_open"
        ? token.meta?.["key"]
        : undefined;
  return typeof label === "string" ? [label] : [];
}
