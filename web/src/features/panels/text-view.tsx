import { extensionOf } from "@plumb/protocol/rules/upload-rules";
import { memo, useEffect, useMemo, useState, type CSSProperties } from "react";
import { useTexts } from "../../i18n/use-texts.ts";
import type { ColouredRun } from "../../markdown/coloured-chunks.ts";
import colours from "../../markdown/code-colours.module.css";
import { highlight } from "../../markdown/highlight.ts";
import { cx } from "../../ui/cx.ts";
import note from "./file-preview.module.css";
import { chunksOf, likelyRows, linesOfRuns, type LineChunk } from "./text-lines.ts";
import styles from "./text-view.module.css";
import { useFileText } from "./use-file-text.ts";
import { useNearby } from "./use-nearby.ts";
import { ViewLoading, type ViewProps } from "./view-loading.tsx";

/** A text with the numbers of its lines; of a long one only what is near the screen is drawn. */
export function TextView({ url, name, onFailed }: ViewProps) {
  const { t } = useTexts();
  const loaded = useFileText(url, onFailed);
  const chunks = useMemo(() => chunksOf(loaded?.text ?? ""), [loaded]);
  const runs = useColours(extensionOf(name), chunks);
  if (loaded === null) return <ViewLoading />;
  if (loaded.text === "") return <p className={note.empty}>{t("files.empty")}</p>;
  const digits = String(chunks.at(-1)?.first ?? 0).length + 1;
  return (
    <>
      <div
        className={cx(styles.scroller, colours.coloured)}
        role="region"
        aria-label={name}
        tabIndex={0}
        style={{ "--digits": digits } as CSSProperties}
      >
        {chunks.map((chunk, index) => (
          <Chunk key={chunk.first} chunk={chunk} runs={runs?.[index]} />
        ))}
      </div>
      {loaded.isCut && <p className={note.note}>{t("files.cut")}</p>}
    </>
  );
}

interface ChunkProps {
  chunk: LineChunk;
  runs: readonly ColouredRun[] | undefined;
}

const Chunk = memo(function Chunk({ chunk, runs }: ChunkProps) {
  const { place, isNear, height } = useNearby<HTMLDivElement>(chunk.first === 1);
  return (
    <div ref={place} style={isNear ? undefined : { height: height ?? `${likelyRows(chunk)}lh` }}>
      {isNear && <Lines chunk={chunk} runs={runs} />}
    </div>
  );
});

function Lines({ chunk, runs }: ChunkProps) {
  const coloured = runs === undefined ? null : linesOfRuns(runs);
  return chunk.lines.map((line, index) => (
    <div key={index} className={styles.line}>
      <span className={styles.number} aria-hidden="true">
        {chunk.first + index}
      </span>
      <span className={styles.text} dir="auto">
        {coloured?.[index]?.map(([scope, text], at) =>
          scope === "" ? (
            text
          ) : (
            <span key={at} data-scope={scope}>
              {text}
            </span>
          ),
        ) ?? line}
        {"\n"}
      </span>
    </div>
  ));
}

/** The colours of the text, per chunk; null while there are none, and for what has none. */
function useColours(language: string, chunks: readonly LineChunk[]) {
  const [coloured, setColoured] = useState<{ of: readonly LineChunk[]; runs: ColouredRun[][] } | null>(null);
  useEffect(
    () =>
      highlight(
        language,
        chunks.map(({ lines }) => `${lines.join("\n")}\n`),
        (runs) => setColoured({ of: chunks, runs }),
      ),
    [language, chunks],
  );
  return coloured?.of === chunks ? coloured.runs : null;
}
