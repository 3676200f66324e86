import type { Panel } from "../engine/site/overlays.ts";
import { useEngine } from "./use-engine.tsx";
import { useMedia } from "./use-media.ts";
import { useSelector } from "./use-selector.ts";

/** Where the panel has no room beside the chat and lies over it; side-panel.module.css says the same. */
const MODAL_PANEL = "(width < 1280px)";

/** The panel at the right side, and whether nothing else on the page can be reached while it is open. */
export function usePanel(): { panel: Panel | null; modal: boolean } {
  const { site } = useEngine();
  const panel = useSelector(site.overlays, (state) => state.panel);
  const modal = useMedia(MODAL_PANEL);
  return { panel, modal };
}
