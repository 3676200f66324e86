import { useEffect, useMemo, useRef, useState } from "react";
import { BarWord } from "./bar-word.tsx";
import { codeFileName } from "./code-file-name.ts";
import { CodeFrame } from "./code-frame.tsx";
import { CodeLines } from "./code-lines.tsx";
import { toPng, type DiagramPicture } from "./diagram-picture.ts";
import { Menu } from "../ui/menu.tsx";
import { downloadBlob, downloadText } from "./download.ts";
import { useMarkdownLabels } from "./markdown-labels.ts";
import { DiagramPlace, knownPlace } from "./diagram-place.tsx";
import { knownSize, type DiagramSize } from "./diagram-sizes.ts";
import { DiagramView } from "./diagram-view.tsx";
import { likelyDiagramSize } from "./likely-diagram-size.ts";
import { useDrawing } from "./use-drawing.ts";
import styles from "./mermaid-block.module.css";

/** While a longer one is written nothing is foreseen: it is read anew with each line. */
const longestForeseen = 8000;

/**
 * A mermaid block: its code while it is written, then the diagram, with a switch between both. A diagram that could
 * load something from outside stays code. From its first line on the block has about the room of its diagram, so that what
 * follows stays where it is.
 */
export function MermaidBlock({ chunks, settled }: { chunks: readonly string[]; settled: boolean }) {
  const labels = useMarkdownLabels();
  const source = settled ? chunks.join("") : "";
  const body = useRef<HTMLDivElement>(null);
  const [wantsCode, setWantsCode] = useState(false);
  const { result: drawing, room } = useDrawing(source, body, !wantsCode);
  const failed = settled && drawing === "failed";
  const refused = settled && drawing === "outside";
  const { onDiagramFailed } = labels;
  useEffect(() => {
    if (failed) onDiagramFailed?.();
  }, [failed, onDiagramFailed]);
  const picture = drawing === "failed" || drawing === "outside" ? null : drawing;

  const savePng = async (drawn: DiagramPicture) => {
    const png = await toPng(drawn);
    if (png !== null) downloadBlob(png, codeFileName("mermaid", source, new Date()).replace(/mmd$/, "png"));
  };
  const toggle = picture !== null && (
    <button type="button" onClick={() => setWantsCode(!wantsCode)}>
      <BarWord
        icon={wantsCode ? "diagram" : "code"}
        word={wantsCode ? labels.showDiagram : labels.showCode}
      />
    </button>
  );
  const downloads = picture !== null && (
    <Menu
      label={labels.download}
      align="end"
      trigger={
        <button type="button">
          <BarWord icon="arrowDown" word={labels.download} />
        </button>
      }
      items={[
        {
          key: "picture",
          label: labels.downloadPicture,
          icon: "arrowDown",
          onSelect: () => void savePng(picture),
        },
        {
          key: "code",
          label: labels.downloadCode,
          icon: "arrowDown",
          onSelect: () => downloadText(source, codeFileName("mermaid", source, new Date())),
        },
      ]}
    />
  );
  const known = knownPlace(source);
  const [wasWhole] = useState(settled);
  const likely = useLikelySize(wasWhole ? source : foreseenFrom(chunks, settled));
  const remark = failed ? labels.diagramFailed : refused ? labels.diagramOutside : "";
  let shown = (
    <div className={styles.waiting} data-whole={wasWhole || undefined}>
      {drawing === null && likely !== null && <DiagramPlace size={likely} />}
      <div className={styles.written}>
        <CodeLines language="mermaid" chunks={chunks} settled={settled} />
        <p className={styles.remark}>{remark}</p>
      </div>
    </div>
  );
  if (picture !== null) shown = <DiagramView source={source} picture={picture} room={room} />;
  // Before it is drawn again it has the place it had.
  else if (drawing === null && known !== null) shown = <DiagramPlace size={known} />;
  return (
    <CodeFrame language="mermaid" chunks={chunks} settled={settled} actions={toggle} downloads={downloads}>
      {wantsCode ? undefined : (
        <div
          ref={body}
          className={styles.body}
          style={{ minHeight: room?.least, maxHeight: (picture === null && room?.most) || undefined }}
        >
          {shown}
        </div>
      )}
    </CodeFrame>
  );
}

/** The lines written so far; nothing where they are too many. */
function foreseenFrom(chunks: readonly string[], settled: boolean): string {
  let length = 0;
  for (const chunk of chunks) if ((length += chunk.length) > longestForeseen) return "";
  const code = chunks.join("");
  return settled ? code : code.slice(0, code.lastIndexOf("\n") + 1);
}

/** About the size of a diagram that was never drawn; null also of what was found not to be one. */
function useLikelySize(source: string): DiagramSize | null {
  return useMemo(() => (knownSize(source) === null ? likelyDiagramSize(source) : null), [source]);
}
