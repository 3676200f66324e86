import { useEffect, useState } from "react";
import { codeFileName } from "./code-file-name.ts";
import { CodeFrame } from "./code-frame.tsx";
import { drawDiagram } from "./diagram-frame.ts";
import { toPicture, toPng, type DiagramPicture } from "./diagram-picture.ts";
import { downloadBlob } from "./download.ts";
import { useMarkdownLabels } from "./markdown-labels.ts";
import styles from "./code-block.module.css";

type Drawing = DiagramPicture | "failed" | null;

/** A mermaid block: its code while it is written, then the diagram, with a switch between both. */
export function MermaidBlock({ chunks, settled }: { chunks: readonly string[]; settled: boolean }) {
  const labels = useMarkdownLabels();
  const source = settled ? chunks.join("") : "";
  const drawing = useDrawing(source);
  const [wantsCode, setWantsCode] = useState(false);
  const picture = drawing === "failed" ? null : drawing;
  const showsCode = wantsCode || picture === null;

  const savePng = async (drawn: DiagramPicture) => {
    const png = await toPng(drawn);
    if (png !== null) downloadBlob(png, codeFileName("mermaid", source, new Date()).replace(/mmd$/, "png"));
  };
  const actions = picture !== null && (
    <>
      <button type="button" aria-pressed={!wantsCode} onClick={() => setWantsCode(!wantsCode)}>
        {wantsCode ? labels.showDiagram : labels.showCode}
      </button>
      <button type="button" onClick={() => void savePng(picture)}>
        {labels.downloadPicture}
      </button>
    </>
  );
  return (
    <>
      <CodeFrame language="mermaid" chunks={chunks} settled={settled} actions={actions}>
        {showsCode || picture === null ? undefined : (
          <div className={styles.diagram} tabIndex={0} role="region" aria-label={labels.diagram}>
            <img src={picture.url} width={picture.width} height={picture.height} alt={labels.diagram} />
          </div>
        )}
      </CodeFrame>
      {settled && drawing === "failed" && <p className={styles.note}>{labels.diagramFailed}</p>}
    </>
  );
}

function useDrawing(source: string): Drawing {
  const [drawing, setDrawing] = useState<Drawing>(null);
  useEffect(() => {
    if (source === "") return undefined;
    let wanted = true;
    let picture: DiagramPicture | null = null;
    void drawDiagram(source, isDark()).then((svg) => {
      if (!wanted) return;
      picture = svg === null ? null : toPicture(svg);
      setDrawing(picture ?? "failed");
    });
    return () => {
      wanted = false;
      if (picture !== null) URL.revokeObjectURL(picture.url);
    };
  }, [source]);
  return drawing;
}

function isDark(): boolean {
  const theme = document.documentElement.dataset["theme"];
  return theme === undefined ? matchMedia("(prefers-color-scheme: dark)").matches : theme === "dark";
}
