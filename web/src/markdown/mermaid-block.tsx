import { useEffect, useMemo, useRef, useState, type CSSProperties, type ReactNode } from "react";
import { BarWord } from "./bar-word.tsx";
import { codeFileName } from "./code-file-name.ts";
import { CodeFrame } from "./code-frame.tsx";
import { CodeLines } from "./code-lines.tsx";
import { toPicture, toPng, type DiagramPicture } from "./diagram-picture.ts";
import { patiently } from "../ui/lazy-part.tsx";
import { Menu } from "../ui/menu.tsx";
import { downloadBlob, downloadText } from "./download.ts";
import { useMarkdownLabels } from "./markdown-labels.ts";
import { keepDiagram, keptDiagram } from "./drawn-diagrams.ts";
import { DiagramPlace, knownPlace } from "./diagram-place.tsx";
import { keepSize, knownSize, type DiagramSize } from "./diagram-sizes.ts";
import { likelyDiagramSize } from "./likely-diagram-size.ts";
import { useDark } from "./use-dark.ts";
import { useScrollStop } from "./use-scroll-stop.ts";
import styles from "./code-block.module.css";

type Drawing = DiagramPicture | "failed" | "outside" | null;

/**
 * A mermaid block: its code while it is written, then the diagram, with a switch between both. A diagram that could
 * load something from outside stays code.
 */
export function MermaidBlock({ chunks, settled }: { chunks: readonly string[]; settled: boolean }) {
  const labels = useMarkdownLabels();
  const source = settled ? chunks.join("") : "";
  const drawing = useDrawing(source);
  const [wantsCode, setWantsCode] = useState(false);
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
  // One that was written here keeps the height of its code as it ends, and has its own when it is drawn.
  const [wasWhole] = useState(settled);
  const likely = useLikelySize(wasWhole ? source : "");
  let diagram: ReactNode;
  if (picture !== null) diagram = <DiagramView picture={picture} />;
  // Before it is drawn again it has the place it had; before the first time about the one it will have, with its code.
  else if (drawing === null && known !== null) diagram = <DiagramPlace size={known} />;
  else if (drawing === null && likely !== null)
    diagram = (
      <div className={styles.waiting}>
        <DiagramPlace size={likely} />
        <CodeLines language="mermaid" chunks={chunks} settled={settled} />
      </div>
    );
  return (
    <>
      <CodeFrame language="mermaid" chunks={chunks} settled={settled} actions={toggle} downloads={downloads}>
        {wantsCode ? undefined : diagram}
      </CodeFrame>
      {failed && <p className={styles.note}>{labels.diagramFailed}</p>}
      {refused && <p className={styles.note}>{labels.diagramOutside}</p>}
    </>
  );
}

/** About the size of a diagram that was never drawn; null also of what was found not to be one. */
function useLikelySize(source: string): DiagramSize | null {
  return useMemo(() => (knownSize(source) === null ? likelyDiagramSize(source) : null), [source]);
}

/** A diagram in its frame. One too wide to be read there is scrolled; a press shows it in its own size or fitted. */
function DiagramView({ picture }: { picture: DiagramPicture }) {
  const labels = useMarkdownLabels();
  const frame = useRef<HTMLDivElement>(null);
  const [enlarged, setEnlarged] = useState(false);
  useScrollStop(frame);
  return (
    <div
      ref={frame}
      className={styles.diagram}
      data-enlarged={enlarged ? "" : undefined}
      role="group"
      aria-label={labels.diagram}
      style={{ "--own-width": `${picture.width}px` } as CSSProperties}
      onClick={() => setEnlarged(!enlarged)}
    >
      <img
        src={picture.url}
        width={picture.width}
        height={picture.height}
        alt={labels.diagram}
        data-dark={picture.dark || undefined}
      />
    </div>
  );
}

/** The SVG of a diagram, made anew or kept from before; false where it could load something from outside. What draws loads with the first diagram; without it there is none. */
async function draw(source: string, dark: boolean): Promise<string | false | null> {
  const kept = keptDiagram(source, dark);
  if (kept !== null) return kept;
  try {
    const { drawDiagram } = await patiently(() => import("./diagram-frame.ts"));
    return await drawDiagram(source, dark);
  } catch (error) {
    console.warn("what draws diagrams could not be loaded", error);
    return null;
  }
}

/** The last drawing of `source`; another theme draws it again, and until then the one before stays. */
function useDrawing(source: string): Drawing {
  const dark = useDark();
  const [drawing, setDrawing] = useState<Drawing>(() => {
    const svg = source === "" || typeof document === "undefined" ? null : keptDiagram(source, dark);
    return svg === null ? null : toPicture(svg, dark);
  });
  useEffect(() => {
    if (source === "") return undefined;
    let wanted = true;
    void draw(source, dark).then((svg) => {
      if (typeof svg === "string") keepDiagram(source, dark, svg);
      if (!wanted) return;
      const picture = typeof svg === "string" ? toPicture(svg, dark) : null;
      keepSize(source, picture ?? { width: 0, height: 0 });
      setDrawing(svg === false ? "outside" : (picture ?? "failed"));
    });
    return () => {
      wanted = false;
    };
  }, [source, dark]);
  useEffect(() => {
    if (drawing === null || drawing === "failed" || drawing === "outside") return undefined;
    return () => URL.revokeObjectURL(drawing.url);
  }, [drawing]);
  return drawing;
}
