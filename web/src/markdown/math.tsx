import { useLayoutEffect, useRef, useState } from "react";
import { drawnFormula, loadFormulas } from "./formula-cache.ts";
import styles from "./markdown.module.css";

export interface MathFormulaProps {
  tex: string;
  display: boolean;
  /** False while the formula is still being written: its source is shown. */
  drawn: boolean;
}

/** A formula. Its source stands in until the drawer is loaded, and for good where it cannot be drawn. */
export function MathFormula({ tex, display, drawn }: MathFormulaProps) {
  const host = useRef<HTMLSpanElement>(null);
  const [loads, setLoads] = useState(0);
  useLayoutEffect(() => {
    const element = host.current;
    if (!drawn || element === null) return undefined;
    const node = drawnFormula(tex, display);
    if (node === "not loaded") return loadFormulas(() => setLoads((count) => count + 1));
    if (node === "cannot be drawn") return undefined;
    const source = element.firstChild;
    source?.replaceWith(node);
    return () => {
      if (source !== null) node.replaceWith(source);
    };
  }, [tex, display, drawn, loads]);
  return (
    <span
      ref={host}
      className={display ? styles.mathDisplay : styles.mathInline}
      tabIndex={display ? 0 : undefined}
    >
      <span className={styles.mathSource}>{tex}</span>
    </span>
  );
}
