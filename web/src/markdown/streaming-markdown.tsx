import { Fragment, memo, useEffect, useRef, useState } from "react";
import { BlockGroup } from "./block-group.tsx";
import type { Block } from "./block-model.ts";
import { useCitedSources } from "./cited-sources.ts";
import { createFootnoteOrder, FootnoteOrderContext } from "./footnote-order.ts";
import { createFold, createShelves, type Grouped } from "./grouped-list.ts";
import { enterBlock, enterGroup, type Outline } from "./heading-outline.ts";
import { createKeptElements } from "./kept-elements.ts";
import { skipFarGroups } from "./skip-far-groups.ts";
import { useCopiedSelection } from "./use-copied-selection.ts";
import { useLatest } from "./use-latest.ts";
import { IsWrittenContext } from "./use-near.ts";
import { NarrowContext, useNarrow } from "./use-narrow.ts";
import type { Growing } from "./parse-env.ts";
import { useSplitText } from "./use-split-text.ts";
import styles from "./markdown.module.css";

export interface StreamingMarkdownProps {
  /** The text so far; it grows by appends. Any other change starts over. */
  text: string;
  /** More text may come, or it is cut. */
  streaming: Growing;
}

const longestWrittenAtOnce = 4000;
const groupsOnShelf = 16;

/**
 * A markdown text that may still grow. Closed blocks stand in groups that React never visits again; a block keeps
 * its place and key when it is closed, so nothing is built twice and nothing jumps.
 */
export const StreamingMarkdown = memo(function StreamingMarkdown({
  text,
  streaming,
}: StreamingMarkdownProps) {
  const { blocks: groups, isWhole } = useSplitText(text, streaming);
  const narrow = useNarrow();
  const root = useRef<HTMLDivElement>(null);
  useCopiedSelection(root, { text, streaming, blocks: groups, isWhole, sources: useCitedSources() });
  useEffect(() => (root.current === null ? undefined : skipFarGroups(root.current)), []);
  // A reply that was half written when the page came to it begins with a long text, which is made in parts.
  const [lengthAtFirst] = useState(text.length);
  const isWritten = useLatest(streaming === true && lengthAtFirst < longestWrittenAtOnce);
  const [footnoteOrder] = useState(createFootnoteOrder);
  const [outlinesUpTo] = useState(createOutlines);
  const outlines = outlinesUpTo(groups);
  const [shelvesOf] = useState(() => createShelves<Block>(groupsOnShelf));
  const [shelfOf] = useState(createShelfElements);
  const shelves = shelvesOf(groups).map((onShelf, index) =>
    shelfOf(onShelf, (outlines[index * groupsOnShelf - 1] ?? []).join(), index),
  );
  return (
    <IsWrittenContext value={isWritten}>
      <FootnoteOrderContext value={footnoteOrder(groups)}>
        <NarrowContext value={narrow}>
          <div ref={root} className={styles.markdown}>
            {shelves}
          </div>
        </NarrowContext>
      </FootnoteOrderContext>
    </IsWrittenContext>
  );
});

function createShelfElements() {
  return createKeptElements((groups: Grouped<Block>, above: string, index) => (
    <Shelf key={index} groups={groups} above={above} />
  ));
}

function createGroupElements() {
  return createKeptElements((blocks: readonly Block[], above: string, index) => (
    <BlockGroup key={index} blocks={blocks} above={above} />
  ));
}

function createOutlines() {
  return createFold<Block, Outline>([], enterBlock);
}

interface ShelfProps {
  groups: Grouped<Block>;
  /** Levels of the headings above the shelf, with commas between. */
  above: string;
}

/**
 * Some groups: React looks at every child of what it draws again, so a text of a thousand groups has shelves of them. It
 * also looks at the children of each that it passes over, so a shelf has one child, a fragment.
 */
const Shelf = memo(function Shelf({ groups, above }: ShelfProps) {
  const [groupOf] = useState(createGroupElements);
  let outline: Outline = above === "" ? [] : above.split(",").map(Number);
  const elements = groups.map((blocks, index) => {
    const aboveGroup = outline.join();
    // The last one grows, and none here stands under its headings.
    if (index < groups.length - 1) outline = enterGroup(outline, blocks);
    return groupOf(blocks, aboveGroup, index);
  });
  return <Fragment key="groups">{elements}</Fragment>;
});
