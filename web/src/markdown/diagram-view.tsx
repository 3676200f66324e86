import { useRef, useState, type CSSProperties } from "react";
import type { DiagramPicture } from "./diagram-picture.ts";
import type { DiagramRoom } from "./diagram-room.ts";
import { useMarkdownLabels } from "./markdown-labels.ts";
import { usePaperDrawing } from "./use-paper-drawing.ts";
import { useScrollStop } from "./use-scroll-stop.ts";
import styles from "./code-block.module.css";

interface DiagramViewProps {
  source: string;
  picture: DiagramPicture;
  room: DiagramRoom | null;
}

/** A diagram in its frame. One too wide to be read there is scrolled; a press shows it in its own size or fitted. */
export function DiagramView({ source, picture, room }: DiagramViewProps) {
  const labels = useMarkdownLabels();
  const frame = useRef<HTMLDivElement>(null);
  const [enlarged, setEnlarged] = useState(false);
  const paper = usePaperDrawing(source, picture);
  useScrollStop(frame);
  return (
    <div
      ref={frame}
      className={styles.diagram}
      data-theme={picture.dark ? "dark" : "light"}
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
        style={enlarged ? undefined : { maxHeight: room?.most ?? undefined }}
      />
      {paper !== null && (
        <img src={paper.url} width={paper.width} height={paper.height} alt={labels.diagram} />
      )}
    </div>
  );
}
