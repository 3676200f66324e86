import { memo, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import styles from "./code-block.module.css";
import colours from "./code-colours.module.css";
import type { ColouredRun } from "./coloured-chunks.ts";
import { highlight } from "./highlight.ts";
import { makeSoon } from "./make-queue.ts";
import { useMarkdownLabels } from "./markdown-labels.ts";
import { useScrollStop } from "./use-scroll-stop.ts";

const chunksOnShelf = 16;

interface Coloured {
  chunks: readonly string[];
  runs: readonly (readonly ColouredRun[])[];
}

export interface CodeLinesProps {
  language: string;
  chunks: readonly string[];
  settled: boolean;
}

/** Code that scrolls sideways. Its colours come when it is complete, from a worker, and change no size. */
export function CodeLines({ language, chunks, settled }: CodeLinesProps) {
  const labels = useMarkdownLabels();
  const scroller = useRef<HTMLPreElement>(null);
  useScrollStop(scroller);
  const [coloured, setColoured] = useState<Coloured | null>(null);
  const complete = settled && language !== "" ? chunks : null;
  // Not a passive effect: React would plan a task for those of each block that comes.
  useLayoutEffect(() => {
    if (complete === null) return undefined;
    let wanted = true;
    const forget = highlight(language, complete, (runs) => {
      // A chunk at a time, so that colouring long code blocks nothing.
      const colourSoon = (count: number) => makeSoon(() => colour(count), null, scroller.current);
      const colour = (count: number) => {
        if (!wanted) return;
        flushSync(() => setColoured({ chunks: complete, runs: runs.slice(0, count) }));
        if (count < runs.length) colourSoon(count + 1);
      };
      colourSoon(1);
    });
    return () => {
      wanted = false;
      forget();
    };
  }, [language, complete]);
  const runs = coloured?.chunks === chunks ? coloured.runs : null;
  return (
    <pre
      ref={scroller}
      className={styles.scroller}
      role="group"
      aria-label={language === "" ? labels.code : `${labels.code}, ${language}`}
    >
      <code dir="ltr" className={colours.coloured}>
        {shelvesOf(chunks).map((first) => (
          <Shelf
            key={first}
            chunks={chunks.slice(first, first + chunksOnShelf)}
            runs={runs?.slice(first, first + chunksOnShelf)}
          />
        ))}
      </code>
    </pre>
  );
}

/** Where each of the runs of chunks begins. */
function shelvesOf(chunks: readonly string[]): number[] {
  return Array.from(
    { length: Math.ceil(chunks.length / chunksOnShelf) },
    (_, index) => index * chunksOnShelf,
  );
}

interface ShelfProps {
  chunks: readonly string[];
  runs: readonly (readonly ColouredRun[])[] | undefined;
}

/** Some chunks: React looks at every child of what it draws again, and long code grows in ten thousands of steps. */
const Shelf = memo(function Shelf({ chunks, runs }: ShelfProps) {
  return chunks.map((text, index) => <Chunk key={index} text={text} runs={runs?.[index]} />);
}, isSameShelf);

function isSameShelf(before: ShelfProps, after: ShelfProps): boolean {
  return (
    before.chunks.length === after.chunks.length &&
    before.chunks.every(
      (text, index) => text === after.chunks[index] && before.runs?.[index] === after.runs?.[index],
    )
  );
}

const Chunk = memo(function Chunk({
  text,
  runs,
}: {
  text: string;
  runs: readonly ColouredRun[] | undefined;
}) {
  return (
    <span className={styles.chunk}>
      {runs?.map(([scope, part], index) =>
        scope === "" ? (
          part
        ) : (
          <span key={index} data-scope={scope}>
            {part}
          </span>
        ),
      ) ?? text}
    </span>
  );
});
