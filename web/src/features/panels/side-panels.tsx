import { useEffect } from "react";
import { useEngine } from "../../hooks/use-engine.tsx";
import { usePanel } from "../../hooks/use-panel.ts";
import { HtmlRun } from "./html-run.tsx";

/** What is in the panel at the right side. `onHere` runs when its code is here and shows it. */
export function SidePanels({ onHere }: { onHere: () => void }) {
  const { site } = useEngine();
  useEffect(onHere, [onHere]);
  const { panel, modal } = usePanel();
  if (panel === null) return null;
  const frame = { closing: panel.phase === "closing", modal, onClose: site.closePanel };
  return <HtmlRun key={panel.id} html={panel.content.html} frame={frame} />;
}
