import { memo, useState } from "react";
import { BlockGroup } from "./block-group.tsx";
import { useCopiedSelection } from "./copy-selection.ts";
import { enterGroup, type Outline } from "./heading-outline.ts";
import { MakeAtOnceContext } from "./use-near.ts";
import { useSplitText } from "./use-split-text.ts";
import styles from "./markdown.module.css";

export interface StreamingMarkdownProps {
  /** The text so far; it grows by appends. Any other change starts over. */
  text: string;
  /** More text may come. */
  streaming: boolean;
}

const longestWrittenAtOnce = 4000;

/**
 * A markdown text that may still grow. Closed blocks stand in groups that React never visits again; a block keeps
 * its place and key when it is closed, so nothing is built twice and nothing jumps.
 */
export const StreamingMarkdown = memo(function StreamingMarkdown({
  text,
  streaming,
}: StreamingMarkdownProps) {
  const groups = useSplitText(text, streaming);
  useCopiedSelection();
  // A reply that was half written when the page came to it begins with a long text, which is made in parts.
  const [lengthAtFirst] = useState(text.length);
  const isWritten = streaming && lengthAtFirst < longestWrittenAtOnce;
  let outline: Outline = [];
  return (
    <MakeAtOnceContext value={isWritten}>
      <div className={styles.markdown}>
        {groups.map((blocks, index) => {
          const above = outline.join();
          outline = enterGroup(outline, blocks);
          return <BlockGroup key={index} blocks={blocks} above={above} />;
        })}
      </div>
    </MakeAtOnceContext>
  );
});
