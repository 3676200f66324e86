import { useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { blockAround } from "./block-around.ts";
import { likelyFormulaHeight } from "./formula-height.ts";
import { drawerOf, loadFormulas } from "./formula-loader.ts";
import { drawInTime } from "./make-queue.ts";
import styles from "./markdown.module.css";
import type { Growing } from "./parse-env.ts";
import { useScrollStop } from "./use-scroll-stop.ts";

export interface MathFormulaProps {
  tex: string;
  display: boolean;
  /** Its end has not come: it is drawn as far as it goes. */
  growing: Growing;
}

/** Inline formulas are broken between their parts; only a part this long may be wider than the column. */
const longInline = 60;
/** Longer ones take milliseconds to draw. */
const longFormula = 600;
/** Short ones with macros may take as long. */
const dearMilliseconds = 32;
/** A drawing of a long or dear growing formula is followed by a pause of this many times its length. */
const restFactor = 10;

/** A formula. Its source stands in until the drawer is loaded, and for good where it cannot be drawn. */
export function MathFormula({ tex, display, growing }: MathFormulaProps) {
  const host = useRef<HTMLSpanElement>(null);
  const drawn = useRef<HTMLElement | null>(null);
  const restUntil = useRef(0);
  const [loads, setLoads] = useState(0);
  useLayoutEffect(() => {
    const element = host.current;
    if (element === null) return undefined;
    // A long formula is drawn less often while it grows.
    if (growing === true && performance.now() < restUntil.current) return undefined;
    const drawer = drawerOf(tex);
    element.toggleAttribute("data-waits", drawer !== null || (growing !== true && drawn.current === null));
    if (drawer === null) {
      if (display) element.style.setProperty("--likely", `${likelyFormulaHeight(tex)}px`);
      const goOn = () => flushSync(() => setLoads((count) => count + 1));
      return loadFormulas(tex, blockAround(element), goOn);
    }
    // What was drawn last stays while the next signs make no sense yet; before the first drawing, an empty place.
    if (growing === true) element.toggleAttribute("data-drawn", true);
    return drawInTime(() => {
      const started = performance.now();
      element.removeAttribute("data-waits");
      const node = growing ? drawer.growingFormula(tex, display) : drawer.drawnFormula(tex, display);
      const took = performance.now() - started;
      if (tex.length > longFormula || took > dearMilliseconds)
        restUntil.current = performance.now() + restFactor * took;
      // More text makes none that is beyond its bounds smaller: its source stands there while it grows, too.
      if (node === null && growing === true && !drawer.isBeyondBounds(tex)) return 0;
      const more = elementsIn(node) - elementsIn(drawn.current);
      drawn.current?.remove();
      drawn.current = node;
      if (drawn.current !== null) element.append(drawn.current);
      element.toggleAttribute("data-drawn", drawn.current !== null);
      if (!display) element.toggleAttribute("data-wide", tex.length > longInline && isWide(element));
      return more;
    }, blockAround(element));
  }, [tex, display, growing, loads]);
  useScrollStop(host, display || tex.length > longInline);
  return (
    <span
      ref={host}
      className={display ? styles.mathDisplay : styles.mathInline}
      data-tex={tex}
      data-display={display ? "" : undefined}
      dir="ltr"
    >
      <span className={styles.mathSource}>{tex}</span>
    </span>
  );
}

function elementsIn(node: HTMLElement | null): number {
  return node?.getElementsByTagName("*").length ?? 0;
}

/** Whether a part that cannot be broken is wider than the text around it. */
function isWide(element: HTMLElement): boolean {
  const room = element.closest<HTMLElement>("p, li, td, th, div")?.clientWidth ?? 0;
  return [...element.querySelectorAll<HTMLElement>(".katex-base")].some((base) => base.offsetWidth > room);
}
