import { appendBlocks } from "./block-groups.ts";
import type { QuoteBlock, Unit } from "./block-model.ts";
import { alertOf } from "./block-rules.ts";
import {
  cutSegments,
  endsInDefinition,
  lineAt,
  lineOffset,
  mayBeTitle,
  type Segment,
} from "./block-segments.ts";
import { cutLongBlock } from "./block-size.ts";
import { appendGrouped } from "./grouped-list.ts";
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

/** Closes all parts but the last of the one open quotation. */
export function closeParts(
  parse: Parse,
  segment: Segment,
  defined: ReadonlyMap<string, Reference>,
): SplitState {
  const { state, parsed } = parse;
  const parts = partSpans(segment);
  const last = parts.at(-1);
  const before = parts.at(-2);
  if (last === undefined || before === undefined || parsed.undecidedLine < last.firstLine) return state;
  const line = lineAt(parsed, last.firstLine);
  const text = /^ {0,3}>(.*)$/s.exec(line)?.[1];
  if (text === undefined || (endsInDefinition(before) && mayBeTitle(text))) return state;
  const closing = parts.slice(0, -1);
  const defining = definitionsOf(closing, defined);
  const known = addReferences(state.references, defining);
  const open = state.open?.kind === "quote" ? state.open.block : null;
  const { full, block } = toQuotes({ ...parse, known }, segment, closing, open);
  const blocks = appendBlocks(state.blocks, full);
  const cut = cutTail(
    { ...state, blocks, open: { kind: "quote", block } },
    lineOffset(parsed, last.firstLine),
  );
  return applyDefinitions(cut, defining);
}

/** The blocks in a quotation. */
export function partSpans(segment: Segment): Segment[] {
  return cutSegments(segment.tokens.slice(1, -1), 1);
}

/**
 * The quotation with the given parts behind those closed before. One that is too long stands in `full`, and `block` goes
 * on with it.
 */
export function toQuotes(
  parse: Parse,
  segment: Segment,
  spans: readonly Segment[],
  open: QuoteBlock | null,
): { full: QuoteBlock[]; block: QuoteBlock } {
  const full: QuoteBlock[] = [];
  let block = open ?? startQuote(parse, segment);
  const units = spans.map((span) => toUnit(parse, span));
  for (const [index, parts] of cutLongBlock(block.parts, units).entries()) {
    if (index > 0) {
      full.push(block);
      block = nextQuote(block, parts);
    }
    block = { ...block, parts: appendGrouped(block.parts, parts) };
  }
  return { full, block };
}

function startQuote({ state, parsed }: Parse, segment: Segment): QuoteBlock {
  const key = state.offset + lineOffset(parsed, segment.firstLine);
  return { kind: "quote", key, begunBy: null, alert: alertOf(segment.tokens[0]), parts: [] };
}

/** A quotation for these parts, which goes on with that above it. */
function nextQuote(above: QuoteBlock, parts: readonly Unit[]): QuoteBlock {
  const begunBy = above.begunBy ?? above.parts[0]?.[0] ?? null;
  return { ...above, key: parts[0]?.key ?? above.key, begunBy, parts: [] };
}
