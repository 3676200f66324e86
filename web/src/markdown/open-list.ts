import { appendBlocks } from "./block-groups.ts";
import type { ListBlock, Unit } from "./block-model.ts";
import { isLooseItem } from "./block-rules.ts";
import { isBlankLine, lineOffset, spansOf, type Segment, type Segmented } from "./block-segments.ts";
import { cutLongBlock } from "./block-size.ts";
import { appendGrouped } from "./grouped-list.ts";
import { liftFrom } from "./lifted-code.ts";
import type { Reference } from "./parse-env.ts";
import { addReferences } from "./reference-table.ts";
import {
  applyDefinitions,
  cutTail,
  definitionsOf,
  toUnit,
  type Parse,
  type SplitState,
} from "./split-state.ts";

/** Closes all items but the last of the one open list; with one item, begins to lift code from it. */
export function closeItems(
  parse: Parse,
  segment: Segment,
  defined: ReadonlyMap<string, Reference>,
): SplitState {
  const { state, parsed } = parse;
  const spans = itemSpans(segment, state.open?.kind === "list");
  const last = spans.at(-1);
  if (last === undefined) return state;
  // A line that may yet begin a formula may take what is behind it in.
  if (parsed.undecidedLine < (spans.length < 2 ? Infinity : last.firstLine)) return state;
  if (spans.length < 2) {
    const lifting = liftFrom(parsed, segment);
    return lifting === null ? state : { ...state, lifting };
  }
  const closing = spans.slice(0, -1);
  const defining = definitionsOf(closing, defined);
  const known = addReferences(state.references, defining);
  const { full, block } = toLists({ ...parse, known }, segment, closing, true);
  const blocks = appendBlocks(state.blocks, full);
  const cut = cutTail(
    { ...state, blocks, open: { kind: "list", block } },
    lineOffset(parsed, last.firstLine),
  );
  return applyDefinitions(cut, defining);
}

/** An item with content so far to the right that the next item cannot fall into it. */
export function itemStandIn(list: ListBlock): string {
  return list.ordered ? `1${list.marker}    .\n` : `${list.marker}    .\n`;
}

/** The items of a list's segment; the stand-in for closed ones is none of them. */
export function itemSpans(segment: Segment, hasStandIn: boolean): Segment[] {
  const spans = spansOf(segment, "list_item_open", 1);
  return hasStandIn ? spans.slice(1) : spans;
}

/**
 * The list with the given items of the segment behind those closed before. One that is too long stands in `full`, and
 * `block` goes on with it. `more`: another item follows them.
 */
export function toLists(
  parse: Parse,
  segment: Segment,
  spans: readonly Segment[],
  more: boolean,
): { full: ListBlock[]; block: ListBlock } {
  const { state, parsed } = parse;
  const loose = new Set<Unit>();
  const units = spans.map((span, index) => {
    const unit = toUnit(parse, span);
    if (isLooseSpan(parsed, span, more || index < spans.length - 1)) loose.add(unit);
    return unit;
  });
  const full: ListBlock[] = [];
  let block = state.open?.kind === "list" ? state.open.block : startList(parse, segment);
  for (const [index, items] of cutLongBlock(block.items, units).entries()) {
    if (index > 0) {
      full.push(block);
      block = nextList(block, items);
    }
    const tight = block.tight && !items.some((item) => loose.has(item));
    block = { ...block, tight, items: appendGrouped(block.items, items) };
  }
  return { full, block };
}

function startList({ state, parsed }: Parse, segment: Segment): ListBlock {
  const first = segment.tokens[0];
  return {
    kind: "list",
    key: state.offset + lineOffset(parsed, segment.firstLine),
    begunBy: null,
    ordered: first?.type === "ordered_list_open",
    start: Number(first?.attrGet("start") ?? 1),
    marker: first?.markup ?? "-",
    tight: true,
    items: [],
  };
}

/** A list for these items, which goes on with that above it. */
function nextList(above: ListBlock, items: readonly Unit[]): ListBlock {
  return {
    ...above,
    key: items[0]?.key ?? above.key,
    begunBy: above.begunBy ?? above.items[0]?.[0] ?? null,
    start: above.start + above.items.reduce((count, group) => count + group.length, 0),
    items: [],
  };
}

function isLooseSpan(parsed: Segmented, span: Segment, isFollowed: boolean): boolean {
  const opener = span.tokens[0];
  if (opener !== undefined && isLooseItem(opener)) return true;
  return isFollowed && span.endLine - span.firstLine > 1 && isBlankLine(parsed, span.endLine - 1);
}
