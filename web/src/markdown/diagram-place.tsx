import type { CSSProperties } from "react";
import { knownSize, type DiagramSize } from "./diagram-sizes.ts";
import styles from "./code-block.module.css";

/** The size of the diagram of this code, if it was drawn before; an empty source has none, nor what could not be drawn. */
export function knownPlace(source: string): DiagramSize | null {
  const size = source === "" ? null : knownSize(source);
  return size === null || size.width === 0 ? null : size;
}

/** The empty place of a diagram. */
export function DiagramPlace({ size: { width, height } }: { size: DiagramSize }) {
  return (
    <div className={styles.diagram} style={{ "--own-width": `${width}px` } as CSSProperties}>
      <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true" />
    </div>
  );
}
