import { useEffect, useState } from "react";
import { toPicture, type DiagramPicture } from "./diagram-picture.ts";
import { makeDrawing } from "./make-drawing.ts";

/**
 * The light drawing of a diagram that is shown in its dark one: paper is light, and printing waits for nothing. Null until
 * it is here, after all that is drawn for the screen. It is not kept, so that those for the screen stay longer.
 */
export function usePaperDrawing(source: string, { dark }: DiagramPicture): DiagramPicture | null {
  const [paper, setPaper] = useState<DiagramPicture | null>(null);
  useEffect(() => {
    if (!dark) return undefined;
    let wanted = true;
    void makeDrawing(source, false, "after others").then((svg) => {
      if (wanted && typeof svg === "string") setPaper(toPicture(svg, false));
    });
    return () => {
      wanted = false;
    };
  }, [source, dark]);
  useEffect(() => (paper === null ? undefined : () => URL.revokeObjectURL(paper.url)), [paper]);
  return dark ? paper : null;
}
