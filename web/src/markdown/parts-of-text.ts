import type { Block, Unit } from "./block-model.ts";
import { copiedWords, joined, type CopiedPart } from "./copied-parts.ts";
import { createFootnoteOrder } from "./footnote-order.ts";
import type { Grouped } from "./grouped-list.ts";
import type { MarkdownLabels } from "./markdown-labels.ts";
import { parsedText } from "./parse-cache.ts";
import { partsOfBlock, partsOfRows, type Drawing } from "./parts-of-elements.ts";
import { append, emptySplit, finish, viewBlocks } from "./split-blocks.ts";
import type { MessagePart, ShownText } from "./undrawn.ts";

type Parts = readonly CopiedPart[];

/** Characters that are parsed for one copy, some second's work; what is longer is copied as it was written. */
const mostParsed = 1_000_000;

/** Reads what was not drawn, for one copy. */
export function createTextReader(labels: MarkdownLabels) {
  const readers = new Map<ShownText, (key: number) => Parts>();
  let left = mostParsed;

  function blocksOf({ text, streaming }: Pick<ShownText, "text" | "streaming">): Grouped<Block> | null {
    const known = streaming === false ? parsedText(text) : null;
    if (known !== null) return known;
    left -= text.length;
    if (left < 0) return null;
    const split = append(emptySplit, text);
    return streaming === false ? finish(split).blocks : viewBlocks(split, streaming);
  }

  /** All of a text. */
  function whole(shown: Pick<ShownText, "text" | "streaming" | "sources">): Parts {
    const blocks = blocksOf(shown);
    if (blocks === null) return copiedWords(shown.text);
    const drawing = drawingOf(blocks, shown);
    return joined(blocks.flat().flatMap((block) => partsOfBlock(block, drawing)));
  }

  function drawingOf(blocks: Grouped<Block>, { sources }: Pick<ShownText, "sources">): Drawing {
    return { labels, sources, footnoteOrder: createFootnoteOrder()(blocks) };
  }

  /** What the place with a key stands for in a text. */
  function place(shown: ShownText, key: number): Parts {
    let read = readers.get(shown);
    if (read === undefined)
      readers.set(shown, (read = placeReader(shown.blocks, drawingOf(shown.blocks, shown))));
    return read(key);
  }

  /** A message. */
  function message(parts: readonly MessagePart[]): Parts {
    const children = parts.flatMap((part) => ("said" in part ? copiedWords(part.said) : whole(part)));
    return children.length === 0 ? [] : [{ tag: "article", children }];
  }

  return { whole, place, message };
}

/** Blocks and groups of rows have the key of where they begin. */
function placeReader(blocks: Grouped<Block>, drawing: Drawing): (key: number) => Parts {
  const byKey = new Map<number, Block | readonly Unit[]>();
  for (const block of blocks.flat()) {
    byKey.set(block.key, block);
    if (block.kind === "table") for (const rows of block.rows) byKey.set(rows[0]?.key ?? -1, rows);
  }
  return (key) => {
    const found = byKey.get(key);
    if (found === undefined) return [];
    return "kind" in found ? partsOfBlock(found, drawing) : partsOfRows(found, drawing);
  };
}
