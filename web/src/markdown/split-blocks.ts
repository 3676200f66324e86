import { appendBlocks } from "./block-groups.ts";
import type { Block } from "./block-model.ts";
import {
  firstOpenSegment,
  lineAt,
  lineOffset,
  mayHeadTable,
  parseSegments,
  type Segment,
} from "./block-segments.ts";
import { settleReferences } from "./block-units.ts";
import { completeTail } from "./growing-tail.ts";
import type { Grouped } from "./grouped-list.ts";
import { codeOf, liftedAt, liftLines, putLiftedCode, restoreCode, type OpenLift } from "./lifted-code.ts";
import { readFenceOpening, takeFenceLines, viewFence } from "./open-fence.ts";
import { closeItems, itemSpans, itemStandIn, toLists } from "./open-list.ts";
import { paragraphStandIn, partingLine, removeStandIn, textOfPart } from "./open-paragraph.ts";
import { closeParts, partSpans, toQuotes } from "./open-quote.ts";
import { closeRows, parseTableTail, toTableBlock } from "./open-table.ts";
import type { Growing, ParseEnv, Reference } from "./parse-env.ts";
import { addReferences, createReferenceScope } from "./reference-table.ts";
import {
  closeBlocks,
  cutTail,
  definitionsOf,
  emptySplit,
  toUnit,
  type Parse,
  type SplitState,
} from "./split-state.ts";
import { hideUndecidedLine } from "./undecided-line.ts";

export { emptySplit, type SplitState };

/** They stand between two blocks and are none. */
const blankLines = /^[ \t\n]*$/;

/**
 * Takes more text. Blocks are closed when a later block has begun in whole lines; items, rows and parts of a long list,
 * table or quotation likewise; lines of a code fence are only moved. Every step parses no more than the tail.
 * A link definition counts from where it is closed; blocks before it that asked for its label are made again, and they
 * alone.
 */
export function append(state: SplitState, text: string): SplitState {
  if (text === "") return state;
  const begun = state === emptySplit ? withoutByteOrderMark(text) : text;
  const { clean, heldReturn } = normalise(state.heldReturn, begun);
  let next: SplitState = { ...state, tail: state.tail + clean, heldReturn };
  if (!clean.includes("\n")) return next;
  for (;;) {
    const advanced = closeWhatIsDone(next);
    if (advanced === next) return next;
    next = advanced;
  }
}

/** Closes everything: what a full parse of the whole text gives. */
export function finish(state: SplitState): SplitState {
  const next = state.heldReturn ? append({ ...state, heldReturn: false }, "\n") : state;
  const closed = closeAll(next);
  return { ...closed, blocks: settleReferences(closed.blocks, closed.references) };
}

function closeAll(state: SplitState): SplitState {
  if (state.open?.kind === "fence") {
    const { key, info } = state.open;
    // The parser knows no last line that holds spaces alone and no newline.
    const { code } = takeFenceLines(state.open, state.tail.replace(/(^|\n)[ \t]+$/, "$1")).fence;
    return closeBlocks(
      state,
      [{ kind: "code", key, info, code, closed: true }],
      state.tail.length,
      new Map(),
    );
  }
  const { parse, defined } = parseTail(state, state.tail, false);
  const known = addReferences(state.references, defined);
  const blocks = parse.parsed.segments.flatMap((segment, index) =>
    toBlocks({ ...parse, known, awaiting: false }, segment, index),
  );
  return closeBlocks({ ...state, lifting: null }, blocks, state.tail.length, defined);
}

/**
 * The blocks to draw while the text still grows: the closed ones and, at their end, those of the tail with its
 * half-typed end completed. So they stay where the text is cut, but that no word waits for more.
 */
export function viewBlocks(state: SplitState, growing: Growing = true): Grouped<Block> {
  const isCut = growing === "cut";
  if (state.open?.kind === "fence") {
    const { key, info } = state.open;
    const code = viewFence(state.open, state.tail);
    return appendBlocks(state.blocks, [{ kind: "code", key, info, code, closed: isCut }]);
  }
  const isShown = isCut && /\d\s*$/.test(state.tail.slice(-20));
  const tail = isShown ? state.tail : hideUndecidedLine(state.tail, isCut || state.open?.kind === "table");
  if (state.open === null && blankLines.test(tail)) return state.blocks;
  const { parse, defined } = parseTail(state, tail, growing);
  completeTail(parse.parsed, growing);
  const known = addReferences(state.references, defined);
  const blocks = parse.parsed.segments.flatMap((segment, index) =>
    toBlocks({ ...parse, known, settled: isCut }, segment, index),
  );
  return appendBlocks(state.blocks, blocks);
}

/** A mark at the very beginning is no text: before a heading it would make a paragraph of it. */
function withoutByteOrderMark(text: string): string {
  return text.startsWith("\ufeff") ? text.slice(1) : text;
}

function normalise(heldReturn: boolean, text: string): { clean: string; heldReturn: boolean } {
  const whole = heldReturn ? `\r${text}` : text;
  const holds = whole.endsWith("\r");
  const taken = holds ? whole.slice(0, -1) : whole;
  const clean = /[\r\0]/.test(taken) ? taken.replace(/\r\n?/g, "\n").replace(/\0/g, "\ufffd") : taken;
  return { clean, heldReturn: holds };
}

function closeWhatIsDone(state: SplitState): SplitState {
  const complete = state.tail.slice(0, state.tail.lastIndexOf("\n") + 1);
  if (complete === "") return state;
  if (state.open?.kind === "fence") {
    const { fence, closedAt } = takeFenceLines(state.open, complete);
    if (closedAt === null) return cutTail({ ...state, open: fence }, complete.length);
    const { key, info, code } = fence;
    return closeBlocks(state, [{ kind: "code", key, info, code, closed: true }], closedAt, new Map());
  }
  if (state.lifting !== null) return liftCode(state, state.lifting, complete);
  if (state.open === null && blankLines.test(complete)) return state;

  const { parse, defined } = parseTail(state, complete, false);
  const { parsed } = parse;
  const { segments } = parsed;
  if (segments.length === 0) return state;
  const partings = segments.map((segment, index) =>
    partingLine(parsed, segment, index === 0 && state.open?.kind === "paragraph"),
  );
  const parted = partings.findIndex((line) => line !== null);
  if (parted === 0) return closePart(state, lineOffset(parsed, partings[0] ?? 0));
  const openIndex = Math.min(firstOpenSegment(parsed), parted < 0 ? Infinity : parted);
  if (openIndex > 0) {
    const closing = segments.slice(0, openIndex);
    const end = lineOffset(parsed, segments[openIndex]?.firstLine ?? closing.at(-1)?.endLine ?? 0);
    const closedDefinitions = definitionsOf(closing, defined);
    const known = addReferences(state.references, closedDefinitions);
    const blocks = closing.flatMap((segment, index) => toBlocks({ ...parse, known }, segment, index));
    return closeBlocks(state, blocks, end, closedDefinitions);
  }
  const segment = segments[0];
  if (segment === undefined || segments.length > 1) return state;
  return closeInside(parse, segment, defined);
}

/** Closes the first `length` characters of a paragraph, which goes on behind them. */
function closePart(state: SplitState, length: number): SplitState {
  const { parse, defined } = parseTail(state, textOfPart(state.tail.slice(0, length)), false);
  const blocks = parse.parsed.segments.flatMap((segment, index) => toBlocks(parse, segment, index));
  return { ...closeBlocks(state, blocks, length, defined), open: { kind: "paragraph" } };
}

/** Enters a fence, or closes the finished items, rows or parts of the one open block. */
function closeInside(parse: Parse, segment: Segment, defined: ReadonlyMap<string, Reference>): SplitState {
  const { state, parsed } = parse;
  switch (segment.tokens[0]?.type) {
    case "fence": {
      const start = lineOffset(parsed, segment.firstLine);
      const fence = readFenceOpening(lineAt(parsed, segment.firstLine), state.offset + start);
      if (fence === null || mayHeadTable(parsed, segment)) return state;
      return cutTail({ ...state, open: fence }, lineOffset(parsed, segment.firstLine + 1));
    }
    case "bullet_list_open":
    case "ordered_list_open":
      return closeItems(parse, segment, defined);
    case "blockquote_open":
      return closeParts(parse, segment, defined);
    case "table_open":
      return closeRows(parse, segment);
    default:
      return state;
  }
}

/** Moves whole lines of the open code block of a list item out of the tail. */
function liftCode(state: SplitState, lift: OpenLift, complete: string): SplitState {
  const { code, length, left } = liftLines(lift, complete, liftedAt(state.lifted, lift.at));
  if (length === 0 && !left) return state;
  const tail = state.tail.slice(0, lift.at) + state.tail.slice(lift.at + length);
  const lifted = length === 0 ? state.lifted : putLiftedCode(state.lifted, lift.at, code);
  return { ...state, tail, lifted, lifting: left ? null : lift };
}

/** Parses the tail behind what is already closed of its first block. `growing`: to be shown, with an open end. */
function parseTail(
  state: SplitState,
  tail: string,
  growing: Growing,
): { parse: Parse; defined: ReadonlyMap<string, Reference> } {
  const { references, defined } = createReferenceScope(state.references);
  const env: ParseEnv = { references, growing, insideQuote: state.open?.kind === "quote" };
  const parsed =
    state.open?.kind === "table"
      ? parseTableTail(state.open, tail, env)
      : parseSegments(standInFor(state.open), tail, env);
  if (state.open?.kind === "paragraph") removeStandIn(parsed);
  restoreCode(parsed, state.lifted);
  return { parse: { state, parsed, known: state.references, settled: true, awaiting: true }, defined };
}

function standInFor(open: SplitState["open"]): string {
  if (open?.kind === "list") return itemStandIn(open.block);
  return open?.kind === "paragraph" ? paragraphStandIn : "";
}

function toBlocks(parse: Parse, segment: Segment, index: number): Block[] {
  const { state, parsed, settled } = parse;
  const open = index === 0 ? state.open : null;
  const first = segment.tokens[0];
  const key = state.offset + lineOffset(parsed, segment.firstLine);
  switch (first?.type) {
    case undefined:
    case "reference_definition":
      return [];
    case "fence":
      return [{ kind: "code", key, info: first.info, code: codeOf(first), closed: settled }];
    case "bullet_list_open":
    case "ordered_list_open": {
      const spans = itemSpans(segment, open?.kind === "list");
      const { full, block } = toLists({ ...parse, state: { ...state, open } }, segment, spans, false);
      return [...full, block];
    }
    case "blockquote_open": {
      const quote = open?.kind === "quote" ? open.block : null;
      const { full, block } = toQuotes(parse, segment, partSpans(segment), quote);
      return [...full, block];
    }
    case "table_open":
      return [toTableBlock(parse, segment, open?.kind === "table" ? open.block : null)];
    default:
      return [{ kind: "plain", key, goesOn: open?.kind === "paragraph", unit: toUnit(parse, segment) }];
  }
}
