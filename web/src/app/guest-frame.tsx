import { Suspense, useCallback, useEffect, useState } from "react";
import { shareKey } from "../engine/sessions/client-session.ts";
import { useEngine } from "../hooks/use-engine.tsx";
import { usePanel } from "../hooks/use-panel.ts";
import { SiderProvider } from "../hooks/use-sider.tsx";
import { loadDialogTexts } from "../i18n/dialog-texts.ts";
import { MarkdownLabelsContext } from "../markdown/markdown-labels.ts";
import { sharedChatPart } from "../screens/chat-parts.ts";
import { lazyPart, onFirstTouch } from "../ui/lazy-part.tsx";
import { tooltipLayer } from "../ui/tooltip.tsx";
import styles from "./page-frame.module.css";
import { useDocumentTitle } from "./use-document-title.ts";
import { useLocalMarkdownLabels } from "./use-markdown-labels.ts";

const sidePanels = lazyPart(
  async () => (await Promise.all([import("./page-dialogs.ts"), loadDialogTexts()]))[0].SidePanels,
);

/** The page of a share for who is not signed in: without sidebar and dialogs (requirements 0§2). */
export function GuestFrame({ shareId }: { shareId: string }) {
  const { site } = useEngine();
  const labels = useLocalMarkdownLabels();
  const { panel, modal } = usePanel();
  const [panelHere, setPanelHere] = useState(false);
  const onPanelHere = useCallback(() => setPanelHere(true), []);
  const [tooltipsHere, setTooltipsHere] = useState(false);
  useEffect(
    () => onFirstTouch(() => void tooltipLayer.preload().then((loaded) => setTooltipsHere(loaded))),
    [],
  );
  useEffect(() => site.closePanel(), [site, shareId]);
  useDocumentTitle(shareKey(shareId));
  return (
    <MarkdownLabelsContext value={labels}>
      <SiderProvider>
        <div className={styles.frame}>
          <div className={styles.page} inert={panelHere && modal && panel?.phase === "open"}>
            <Suspense fallback={null}>
              <sharedChatPart.Part shareId={shareId} Composer={null} />
            </Suspense>
          </div>
          <Suspense fallback={null}>{panel !== null && <sidePanels.Part onHere={onPanelHere} />}</Suspense>
        </div>
        {tooltipsHere && <tooltipLayer.Part />}
      </SiderProvider>
    </MarkdownLabelsContext>
  );
}
