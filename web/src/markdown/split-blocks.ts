import type { Block, ListBlock, TableBlock, Unit } from "./block-model.ts";
import {
  firstOpenSegment,
  isBlankLine,
  lineAt,
  lineOffset,
  mayHeadTable,
  parseSegments,
  type Segment,
  type Segmented,
} from "./block-segments.ts";
import { createUnit, resolveBlock } from "./block-units.ts";
import { appendGrouped, mapGrouped, type Grouped } from "./grouped-list.ts";
import { isLooseItem, type Reference, type Token } from "./markdown-parser.ts";
import {
  appendCode,
  closesFence,
  fenceContentLine,
  mayCloseFence,
  readFenceOpening,
  toCodeText,
  type OpenFence,
} from "./open-fence.ts";
import { completeInline, hideUndecidedLine } from "./provisional-markup.ts";
import { createReferenceScope } from "./reference-scope.ts";

/** A list at the end of the text: all but its last item are closed and no longer in the tail. */
interface OpenList {
  kind: "list";
  block: ListBlock;
}

/** A table at the end of the text: all but its last row are closed and no longer in the tail. */
interface OpenTable {
  kind: "table";
  block: TableBlock;
  /** Its first two lines, which set the stage for every later row. */
  headText: string;
  columns: number;
  /** Cells the parser had to add to closed rows; it ends a table at a limit. */
  addedCells: number;
}

/** Immutable state of the splitter after some text. */
export interface SplitState {
  /** Closed for good: no later text changes them, but for links whose definition comes later. */
  blocks: Grouped<Block>;
  open: OpenFence | OpenList | OpenTable | null;
  /** Text from the first line that is not closed. */
  tail: string;
  /** Where the tail begins in the whole text. */
  offset: number;
  /** A carriage return at the very end, held back until it is known whether a newline follows. */
  heldReturn: boolean;
  references: ReadonlyMap<string, Reference>;
}

export const emptySplit: SplitState = {
  blocks: [],
  open: null,
  tail: "",
  offset: 0,
  heldReturn: false,
  references: new Map(),
};

/** markdown-it ends a table when it had to add more cells than this (its own constant). */
const mostAddedCells = 65_536;

/**
 * Takes more text. Blocks are closed when a later block has begun in whole lines; items and rows of a long list
 * or table likewise; lines of a code fence are only moved. Every step parses no more than the tail.
 * A link definition counts from where it is closed; blocks before it that asked for its label are made anew,
 * and they alone.
 */
export function append(state: SplitState, text: string): SplitState {
  if (text === "") return state;
  const { clean, heldReturn } = normalise(state.heldReturn, text);
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
  let next = state.heldReturn ? append({ ...state, heldReturn: false }, "\n") : state;
  if (next.open?.kind === "fence") {
    // The parser knows no last line that holds spaces alone and no newline.
    const code = takeLines(next.open, next.tail.replace(/(^|\n)[ \t]+$/, "$1")).fence.code;
    return closeBlocks(
      next,
      [{ kind: "code", key: next.open.key, info: next.open.info, code, closed: true }],
      next.tail.length,
      new Map(),
    );
  }
  const { parsed, defined } = parseTail(next, next.tail);
  const known = mergeReferences(next.references, defined);
  const blocks = parsed.segments.flatMap(
    (segment, index) => toBlock(next, parsed, segment, index, known, true) ?? [],
  );
  next = closeBlocks(next, blocks, next.tail.length, defined);
  return next;
}

/**
 * The blocks to draw while the text still grows: the closed ones and, at their end, those of the tail with its
 * half-typed end completed.
 */
export function viewBlocks(state: SplitState): Grouped<Block> {
  if (state.open?.kind === "fence") return appendGrouped(state.blocks, [viewFence(state.open, state.tail)]);
  const tail = state.open?.kind === "table" ? state.tail : hideUndecidedLine(state.tail);
  if (tail === "" && state.open === null) return state.blocks;
  const { parsed, defined } = parseTail(state, tail);
  completeLastText(parsed);
  const known = mergeReferences(state.references, defined);
  const blocks = parsed.segments.flatMap(
    (segment, index) => toBlock(state, parsed, segment, index, known, false) ?? [],
  );
  return appendGrouped(state.blocks, blocks);
}

function completeLastText(parsed: Segmented): void {
  const last = parsed.segments.at(-1)?.tokens.findLast((token) => token.nesting >= 0);
  if (last?.type === "inline" && last.content !== "") last.content = completeInline(last.content);
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
  if (state.open?.kind === "fence") return growFence(state, state.open, complete);

  const { parsed, defined } = parseTail(state, complete);
  const { segments } = parsed;
  if (segments.length === 0) return state;
  const openIndex = firstOpenSegment(parsed);
  if (openIndex > 0) {
    const closing = segments.slice(0, openIndex);
    const end = lineOffset(parsed, segments[openIndex]?.firstLine ?? closing.at(-1)?.endLine ?? 0);
    const closedDefinitions = definitionsOf(closing, defined);
    const known = mergeReferences(state.references, closedDefinitions);
    const blocks = closing.flatMap(
      (segment, index) => toBlock(state, parsed, segment, index, known, true) ?? [],
    );
    return closeBlocks(state, blocks, end, closedDefinitions);
  }
  const segment = segments[0];
  if (segment === undefined || segments.length > 1) return state;
  return closeParts(state, parsed, segment, defined);
}

/** Enters a fence, or closes the finished items or rows of the one open block. */
function closeParts(
  state: SplitState,
  parsed: Segmented,
  segment: Segment,
  defined: ReadonlyMap<string, Reference>,
): SplitState {
  const type = segment.tokens[0]?.type;
  if (type === "fence") {
    const start = lineOffset(parsed, segment.firstLine);
    const fence = readFenceOpening(lineAt(parsed, segment.firstLine), state.offset + start);
    if (fence === null || mayHeadTable(parsed, segment)) return state;
    return cutTail({ ...state, open: fence }, lineOffset(parsed, segment.firstLine + 1));
  }
  if (type === "bullet_list_open" || type === "ordered_list_open")
    return closeItems(state, parsed, segment, defined);
  if (type === "table_open") return closeRows(state, parsed, segment);
  return state;
}

function closeItems(
  state: SplitState,
  parsed: Segmented,
  segment: Segment,
  defined: ReadonlyMap<string, Reference>,
): SplitState {
  const spans = itemSpans(segment, state.open?.kind === "list");
  const last = spans.at(-1);
  if (last === undefined || spans.length < 2) return state;
  const closing = spans.slice(0, -1);
  const known = mergeReferences(state.references, definitionsOf(closing, defined));
  const whole = toListBlock(state, parsed, segment, known, closing, true, true);
  const next: SplitState = { ...state, open: { kind: "list", block: whole } };
  const defining = definitionsOf(closing, defined);
  const cut = cutTail(next, lineOffset(parsed, last.firstLine));
  return defining.size === 0 ? cut : applyDefinitions(cut, defining);
}

function closeRows(state: SplitState, parsed: Segmented, segment: Segment): SplitState {
  const rows = rowSpans(segment);
  const last = rows.at(-1);
  if (last === undefined || rows.length < 2) return state;
  const closing = rows.slice(0, -1);
  const units = closing.map((span) => toUnit(state, parsed, span, state.references, true));
  const open = state.open?.kind === "table" ? state.open : openTable(state, parsed, segment);
  const added = closing.reduce(
    (sum, row) => sum + addedCells(lineAt(parsed, row.firstLine), open.columns),
    open.addedCells,
  );
  const block = { ...open.block, rows: appendGrouped(open.block.rows, units) };
  return cutTail(
    { ...state, open: { ...open, block, addedCells: added } },
    lineOffset(parsed, last.firstLine),
  );
}

function openTable(state: SplitState, parsed: Segmented, segment: Segment): OpenTable {
  const start = lineOffset(parsed, segment.firstLine);
  const headText = parsed.text.slice(start, lineOffset(parsed, segment.firstLine + 2));
  const head = headUnit(state, parsed, segment, state.references, true);
  const columns = head.tokens.filter((token) => token.type === "th_open").length;
  const key = state.offset + start;
  return { kind: "table", block: { kind: "table", key, head, rows: [] }, headText, columns, addedCells: 0 };
}

function growFence(state: SplitState, open: OpenFence, complete: string): SplitState {
  const { fence, closedAt } = takeLines(open, complete);
  if (closedAt === null) return cutTail({ ...state, open: fence }, complete.length);
  const block: Block = { kind: "code", key: open.key, info: open.info, code: fence.code, closed: true };
  return closeBlocks(state, [block], closedAt, new Map());
}

function takeLines(open: OpenFence, text: string): { fence: OpenFence; closedAt: number | null } {
  const lines: string[] = [];
  let at = 0;
  while (at < text.length) {
    const newline = text.indexOf("\n", at);
    const end = newline < 0 ? text.length : newline + 1;
    const line = text.slice(at, newline < 0 ? end : newline);
    if (closesFence(open, line))
      return { fence: { ...open, code: appendCode(open.code, lines) }, closedAt: end };
    lines.push(fenceContentLine(open, text.slice(at, end)));
    at = end;
  }
  return { fence: { ...open, code: appendCode(open.code, lines) }, closedAt: null };
}

function viewFence(open: OpenFence, tail: string): Block {
  const unfinished = tail.slice(tail.lastIndexOf("\n") + 1);
  const shown =
    unfinished !== "" && mayCloseFence(open, unfinished) ? tail.slice(0, -unfinished.length) : tail;
  const code = shown === "" ? open.code : takeLines(open, shown).fence.code;
  return { kind: "code", key: open.key, info: open.info, code, closed: false };
}

/** Parses the tail behind what is already closed of its first block. */
function parseTail(
  state: SplitState,
  tail: string,
): { parsed: Segmented; defined: ReadonlyMap<string, Reference> } {
  const scope = createReferenceScope(state.references);
  if (state.open?.kind === "table")
    return { parsed: parseTableTail(state.open, tail, scope.table), defined: scope.defined };
  const prefix = state.open?.kind === "list" ? itemStandIn(state.open.block) : "";
  return { parsed: parseSegments(prefix, tail, scope.table), defined: scope.defined };
}

/** An item with content so far to the right that the next item cannot fall into it. */
function itemStandIn(list: ListBlock): string {
  return list.ordered ? `1${list.marker}    .\n` : `${list.marker}    .\n`;
}

function parseTableTail(open: OpenTable, tail: string, references: Record<string, Reference>): Segmented {
  const parsed = parseSegments(open.headText, tail, references);
  const table = parsed.segments[0];
  if (table === undefined || open.addedCells === 0) return parsed;
  let added = open.addedCells;
  for (const row of rowSpans(table)) {
    added += addedCells(lineAt(parsed, row.firstLine), open.columns);
    if (added <= mostAddedCells) continue;
    const rest = parseSegments("", tail.slice(lineOffset(parsed, row.firstLine)), references);
    const before = parseSegments(open.headText, tail.slice(0, lineOffset(parsed, row.firstLine)), references);
    return {
      ...parsed,
      segments: [...before.segments, ...rest.segments.map((segment) => shiftLines(segment, row.firstLine))],
    };
  }
  return parsed;
}

function shiftLines(segment: Segment, lines: number): Segment {
  for (const token of segment.tokens) {
    if (token.map !== null) token.map = [token.map[0] + lines, token.map[1] + lines];
  }
  return { tokens: segment.tokens, firstLine: segment.firstLine + lines, endLine: segment.endLine + lines };
}

/** Cells markdown-it adds to (or, negative, drops from) a row of a table. */
function addedCells(line: string, columns: number): number {
  const text = line.trim();
  const cells: string[] = [];
  let start = 0;
  for (let at = 0; at <= text.length; at++) {
    if (at < text.length && (text[at] !== "|" || text[at - 1] === "\\")) continue;
    cells.push(text.slice(start, at));
    start = at + 1;
  }
  if (cells[0] === "") cells.shift();
  if (cells.at(-1) === "") cells.pop();
  return columns - cells.length;
}

function toBlock(
  state: SplitState,
  parsed: Segmented,
  segment: Segment,
  index: number,
  known: ReadonlyMap<string, Reference>,
  closed: boolean,
): Block | null {
  const first = segment.tokens[0];
  const key = state.offset + lineOffset(parsed, segment.firstLine);
  switch (first?.type) {
    case undefined:
    case "reference_definition":
      return null;
    case "fence":
      return { kind: "code", key, info: first.info, code: toCodeText(first.content), closed };
    case "bullet_list_open":
    case "ordered_list_open": {
      const continues = index === 0 && state.open?.kind === "list";
      return toListBlock(
        continues ? state : { ...state, open: null },
        parsed,
        segment,
        known,
        itemSpans(segment, continues),
        false,
        closed,
      );
    }
    case "table_open": {
      const open = index === 0 && state.open?.kind === "table" ? state.open.block : null;
      const rows = rowSpans(segment).map((span) => toUnit(state, parsed, span, known, closed));
      if (open !== null) return { ...open, rows: appendGrouped(open.rows, rows) };
      return {
        kind: "table",
        key,
        head: headUnit(state, parsed, segment, known, closed),
        rows: appendGrouped([], rows),
      };
    }
    default:
      return { kind: "plain", key, unit: toUnit(state, parsed, segment, known, closed) };
  }
}

/** The list with the given items of the segment behind those closed before. `more`: another item follows them. */
function toListBlock(
  state: SplitState,
  parsed: Segmented,
  segment: Segment,
  known: ReadonlyMap<string, Reference>,
  spans: readonly Segment[],
  more: boolean,
  settled: boolean,
): ListBlock {
  const first = segment.tokens[0];
  const open: ListBlock =
    state.open?.kind === "list"
      ? state.open.block
      : {
          kind: "list",
          key: state.offset + lineOffset(parsed, segment.firstLine),
          ordered: first?.type === "ordered_list_open",
          start: Number(first?.attrGet("start") ?? 1),
          marker: first?.markup ?? "-",
          tight: true,
          items: [],
        };
  const loose = spans.some((span, index) => isLooseSpan(parsed, span, more || index < spans.length - 1));
  const units = spans.map((span) => toUnit(state, parsed, span, known, settled));
  return { ...open, tight: open.tight && !loose, items: appendGrouped(open.items, units) };
}

function isLooseSpan(parsed: Segmented, span: Segment, isFollowed: boolean): boolean {
  const opener = span.tokens[0];
  if (opener !== undefined && isLooseItem(opener)) return true;
  return isFollowed && span.endLine - span.firstLine > 1 && isBlankLine(parsed, span.endLine - 1);
}

function itemSpans(segment: Segment, hasStandIn: boolean): Segment[] {
  const spans = spansOf(segment, "list_item_open", 1);
  return hasStandIn ? spans.slice(1) : spans;
}

function rowSpans(segment: Segment): Segment[] {
  return spansOf(segment, "tr_open", 2).filter((span) => span.tokens[1]?.type === "td_open");
}

function headUnit(
  state: SplitState,
  parsed: Segmented,
  segment: Segment,
  known: ReadonlyMap<string, Reference>,
  settled: boolean,
): Unit {
  const head = spansOf(segment, "tr_open", 2)[0];
  return toUnit(state, parsed, head ?? segment, known, settled);
}

function spansOf(segment: Segment, type: string, level: number): Segment[] {
  const spans: Segment[] = [];
  let start = -1;
  segment.tokens.forEach((token, index) => {
    if (token.level !== level) return;
    if (token.type === type) start = index;
    if (token.nesting === -1 && start >= 0 && segment.tokens[start]?.tag === token.tag) {
      const [firstLine, endLine] = segment.tokens[start]?.map ?? [0, 0];
      spans.push({ tokens: segment.tokens.slice(start, index + 1), firstLine, endLine });
      start = -1;
    }
  });
  return spans;
}

function toUnit(
  state: SplitState,
  parsed: Segmented,
  span: Segment,
  known: ReadonlyMap<string, Reference>,
  settled: boolean,
): Unit {
  return createUnit(state.offset + lineOffset(parsed, span.firstLine), span.tokens, known, settled);
}

function cutTail(state: SplitState, length: number): SplitState {
  return length === 0 ? state : { ...state, tail: state.tail.slice(length), offset: state.offset + length };
}

function closeBlocks(
  state: SplitState,
  blocks: readonly Block[],
  length: number,
  defined: ReadonlyMap<string, Reference>,
): SplitState {
  const closed = cutTail({ ...state, open: null, blocks: appendGrouped(state.blocks, blocks) }, length);
  return applyDefinitions(closed, defined);
}

function applyDefinitions(state: SplitState, defined: ReadonlyMap<string, Reference>): SplitState {
  const fresh = new Set([...defined.keys()].filter((label) => !state.references.has(label)));
  if (fresh.size === 0) return state;
  const references = mergeReferences(state.references, defined);
  const blocks = mapGrouped(state.blocks, (block) => resolveBlock(block, fresh, references));
  return { ...state, references, blocks, open: resolveOpen(state.open, fresh, references) };
}

function resolveOpen(
  open: SplitState["open"],
  fresh: ReadonlySet<string>,
  known: ReadonlyMap<string, Reference>,
): SplitState["open"] {
  if (open === null || open.kind === "fence") return open;
  const block = resolveBlock(open.block, fresh, known);
  if (open.kind === "list" && block.kind === "list") return { ...open, block };
  if (open.kind === "table" && block.kind === "table") return { ...open, block };
  return open;
}

function definitionsOf(
  segments: readonly Segment[],
  defined: ReadonlyMap<string, Reference>,
): ReadonlyMap<string, Reference> {
  const labels = segments.flatMap((segment) => segment.tokens.flatMap(definedLabel));
  const found = new Map<string, Reference>();
  for (const label of labels) {
    const reference = defined.get(label);
    if (reference !== undefined) found.set(label, reference);
  }
  return found;
}

function definedLabel(token: Token): string[] {
  const label = token.type === "reference_definition" ? token.meta?.["label"] : undefined;
  return typeof label === "string" ? [label] : [];
}

function mergeReferences(
  known: ReadonlyMap<string, Reference>,
  more: ReadonlyMap<string, Reference>,
): ReadonlyMap<string, Reference> {
  if (more.size === 0) return known;
  const merged = new Map(more);
  for (const [label, reference] of known) merged.set(label, reference);
  return merged;
}
