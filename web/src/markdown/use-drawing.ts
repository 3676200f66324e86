import { useEffect, useRef, useState, type RefObject } from "react";
import { toPicture, type DiagramPicture } from "./diagram-picture.ts";
import { roomOfPicture, type DiagramRoom } from "./diagram-room.ts";
import { keepSize } from "./diagram-sizes.ts";
import { keepDiagram, keptDiagram } from "./drawn-diagrams.ts";
import { makeDrawing } from "./make-drawing.ts";
import { useDark } from "./use-dark.ts";
import { whenOutOfSight } from "./when-out-of-sight.ts";

export interface Drawing {
  /** Null: it is not here yet. Outside: it asks for something from there, and stays code. */
  result: DiagramPicture | "failed" | "outside" | null;
  /** Where it took the place of code, how it stands there, as long as that is so wide. */
  room: (DiagramRoom & { width: number }) | null;
}

/**
 * The last drawing of `source`, which takes its place in `body`; another theme draws it again, and until then the one before stays.
 * `isShown`: that place is here, and not code alone.
 */
export function useDrawing(source: string, body: RefObject<HTMLElement | null>, isShown: boolean): Drawing {
  const dark = useDark();
  const [drawing, setDrawing] = useState<Drawing>(() => {
    const svg = source === "" || typeof document === "undefined" ? null : keptDiagram(source, dark);
    return { result: svg === null ? null : toPicture(svg, dark), room: null };
  });
  /** What is drawn already: that picture is not to be made, and looked at by the browser, once more. */
  const drawn = useRef(drawing.result === null ? null : { source, dark });
  useEffect(() => {
    if (source === "" || (drawn.current?.source === source && drawn.current.dark === dark)) return undefined;
    let wanted = true;
    void makeDrawing(source, dark, "soon").then((svg) => {
      if (typeof svg === "string") keepDiagram(source, dark, svg);
      if (!wanted) return;
      const picture = typeof svg === "string" ? toPicture(svg, dark) : null;
      keepSize(source, picture ?? { width: 0, height: 0 });
      const result = svg === false ? "outside" : (picture ?? "failed");
      drawn.current = { source, dark };
      setDrawing((before) => ({
        result,
        room: before.result === null ? roomIn(body.current, picture) : before.room,
      }));
    });
    return () => {
      wanted = false;
    };
  }, [source, dark, body]);
  const { result, room } = drawing;
  const isForNothing = room !== null && (result === "failed" || result === "outside");
  useEffect(() => {
    if (!isForNothing || body.current === null) return undefined;
    return whenOutOfSight(body.current, () => setDrawing((before) => ({ ...before, room: null })));
  }, [isForNothing, body]);
  // On a turned phone what was kept for the other width is empty room, or too little.
  useEffect(() => {
    const element = body.current;
    if (room === null || element === null) return undefined;
    const sizes = new ResizeObserver(() => {
      if (Math.abs(element.clientWidth - room.width) > 1) setDrawing((before) => ({ ...before, room: null }));
    });
    sizes.observe(element);
    return () => sizes.disconnect();
  }, [room, isShown, body]);
  useEffect(() => {
    if (result === null || result === "failed" || result === "outside") return undefined;
    return () => URL.revokeObjectURL(result.url);
  }, [result]);
  return drawing;
}

/** Code that stays has the room that was kept for its diagram, as long as it is on the screen. */
function roomIn(body: HTMLElement | null, picture: DiagramPicture | null): Drawing["room"] {
  if (body === null) return null;
  const { offsetHeight: height, clientWidth: width } = body;
  const room = picture === null ? { least: height, most: height } : roomOfPicture(height, width, picture);
  return room && { ...room, width };
}
