import { useEngine } from "../../hooks/use-engine.tsx";
import { usePanel } from "../../hooks/use-panel.ts";
import { HtmlRun } from "./html-run.tsx";

/** What is in the panel at the right side. */
export function SidePanels() {
  const { site } = useEngine();
  const { panel, modal } = usePanel();
  if (panel === null) return null;
  const frame = { closing: panel.phase === "closing", modal, onClose: site.closePanel };
  return <HtmlRun key={panel.id} html={panel.content.html} frame={frame} />;
}
