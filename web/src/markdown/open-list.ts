import type { ListBlock } from "./block-model.ts";
import { isLooseItem } from "./block-rules.ts";
import { isBlankLine, lineOffset, spansOf, type Segment, type Segmented } from "./block-segments.ts";
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
  const block = toListBlock({ ...parse, known }, segment, closing, true);
  const cut = cutTail({ ...state, open: { kind: "list", block } }, lineOffset(parsed, last.firstLine));
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

/** The list with the given items of the segment behind those closed before. `more`: another item follows them. */
export function toListBlock(
  parse: Parse,
  segment: Segment,
  spans: readonly Segment[],
  more: boolean,
): ListBlock {
  const { state, parsed } = parse;
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
  const units = spans.map((span) => toUnit(parse, span));
  return { ...open, tight: open.tight && !loose, items: appendGrouped(open.items, units) };
}

function isLooseSpan(parsed: Segmented, span: Segment, isFollowed: boolean): boolean {
  const opener = span.tokens[0];
  if (opener !== undefined && isLooseItem(opener)) return true;
  return isFollowed && span.endLine - span.firstLine > 1 && isBlankLine(parsed, span.endLine - 1);
}
