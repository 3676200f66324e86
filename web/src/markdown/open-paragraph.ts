import { costOfPart, costOfText } from "./block-size.ts";
import { lineOffset, type Segment, type Segmented } from "./block-segments.ts";

/** A paragraph this long, in characters, or as dear to draw as `costOfPart`, goes on in a block of its own, drawn without a gap. */
const longestPart = 4000;

/** Stands in for what is closed of a paragraph, so that the next line goes on with it. */
export const paragraphStandIn = "x\n";

/** The start of what may be a link definition with a title of many lines. */
const mayBeDefinition = /^ {0,3}\[(?!(?:\\[^]|[^\\[\]])*(?:\[|\](?!:)))/;
const breakAtEnd = /(?<=(?:^|[^\\])(?:\\\\)*)\\\n$/;

/** Takes the stand-in out of the text of the first block. */
export function removeStandIn({ segments }: Segmented): void {
  const text = segments[0]?.tokens.find((token) => token.type === "inline");
  if (text !== undefined) text.content = text.content.slice(paragraphStandIn.length).trimStart();
}

/**
 * The line at which a paragraph is parted, or one that an underline makes a heading: the first behind what is long
 * enough; null where it is not that long. `goesOn`: it is itself the rest of one. The line and one below it must be
 * whole, and no formula above it may still be closed, so that the text alone decides and not the pieces it came in.
 * Signs (of emphasis, a link, a code span) do not reach over a parting.
 */
export function partingLine(parsed: Segmented, segment: Segment, goesOn: boolean): number | null {
  const text = segment.tokens[1];
  const start = lineOffset(parsed, segment.firstLine);
  if (text?.type !== "inline" || text.map === null) return null;
  let line = Math.max(segment.firstLine, 0);
  let cost = 0;
  do {
    cost += costOfText(parsed.text.slice(lineOffset(parsed, line), lineOffset(parsed, line + 1)));
    line++;
  } while (line < text.map[1] && lineOffset(parsed, line) - start < longestPart && cost < costOfPart);
  if (line >= text.map[1] || lineOffset(parsed, line + 1) >= parsed.text.length) return null;
  if (parsed.undecidedLine <= line) return null;
  return !goesOn && mayBeDefinition.test(parsed.text.slice(start)) ? null : line;
}

/** The text of a part without a backslash that breaks its last line: its end is a break already. */
export function textOfPart(text: string): string {
  return text.replace(breakAtEnd, "\n");
}
