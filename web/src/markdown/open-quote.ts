import type { QuoteBlock } from "./block-model.ts";
import { alertOf } from "./block-rules.ts";
import {
  cutSegments,
  endsInDefinition,
  lineAt,
  lineOffset,
  mayBeTitle,
  type Segment,
} from "./block-segments.ts";
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
  const block = toQuoteBlock({ ...parse, known }, segment, closing, open);
  const cut = cutTail({ ...state, open: { kind: "quote", block } }, lineOffset(parsed, last.firstLine));
  return applyDefinitions(cut, defining);
}

/** The blocks in a quotation. */
export function partSpans(segment: Segment): Segment[] {
  return cutSegments(segment.tokens.slice(1, -1), 1);
}

/** The quotation with the given parts behind those closed before. */
export function toQuoteBlock(
  parse: Parse,
  segment: Segment,
  spans: readonly Segment[],
  open: QuoteBlock | null,
): QuoteBlock {
  const key = parse.state.offset + lineOffset(parse.parsed, segment.firstLine);
  const block = open ?? { kind: "quote", key, alert: alertOf(segment.tokens[0]), parts: [] };
  return {
    ...block,
    parts: appendGrouped(
      block.parts,
      spans.map((span) => toUnit(parse, span)),
    ),
  };
}
