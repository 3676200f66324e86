import { Suspense, useCallback, useEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import { version } from "../../package.json";
import { Composer } from "../features/composer/composer.tsx";
import { SearchStandIn } from "../features/history-search/search-stand-in.tsx";
import { queuedPart } from "../features/composer/queued-part.ts";
import { rowTitleField } from "../features/sidebar/session-row.tsx";
import { editBoxPart } from "../features/conversation/actions/edit-box-part.ts";
import { searchPart } from "../features/conversation/fragments/search-part.tsx";
import { Sidebar } from "../features/sidebar/sidebar.tsx";
import type { Engine } from "../engine/engine.ts";
import { agentPath, DEFAULT_AGENT } from "../engine/reactions.ts";
import { useDebugMode } from "../hooks/debug-mode.ts";
import { useEngine } from "../hooks/use-engine.tsx";
import { useHotkey } from "../hooks/use-hotkey.ts";
import { usePanel } from "../hooks/use-panel.ts";
import { useSelector } from "../hooks/use-selector.ts";
import { useSession } from "../hooks/use-session.ts";
import { SiderProvider } from "../hooks/use-sider.tsx";
import { loadDialogTexts } from "../i18n/dialog-texts.ts";
import { loadPersonaTexts } from "../i18n/persona-texts.ts";
import { MarkdownLabelsContext } from "../markdown/markdown-labels.ts";
import { HOME_KEY, isReplying, shareKey } from "../engine/sessions/client-session.ts";
import { conversationPart, sharedChatPart, shareSelectionPart } from "../screens/chat-parts.ts";
import { ChatScreen } from "../screens/chat-screen.tsx";
import { lazyPart, loadOnTouch, onFirstTouch, preloadInTurn, whenIdle } from "../ui/lazy-part.tsx";
import { menuList } from "../ui/menu.tsx";
import { tooltipLayer } from "../ui/tooltip.tsx";
import styles from "./page-frame.module.css";
import { HOME } from "./paths.ts";
import { SkipLink } from "./skip-link.tsx";
import { startAfresh } from "./start-afresh.ts";
import { useDocumentTitle } from "./use-document-title.ts";
import { useLongAbsence } from "./use-long-absence.ts";
import { useLocalMarkdownLabels } from "./use-markdown-labels.ts";
import { useNeighbourKeys } from "./use-neighbour-keys.ts";

const debugPanel = lazyPart(async () => {
  const [{ DebugPanel }] = await Promise.all([
    import("../features/debug/debug-panel.tsx"),
    loadDialogTexts(),
  ]);
  return DebugPanel;
});
const pageDialogs = async () => (await Promise.all([import("./page-dialogs.ts"), loadDialogTexts()]))[0];
const settingsDialog = lazyPart(async () => (await pageDialogs()).SettingsScreen);
const exportNotice = lazyPart(async () => (await pageDialogs()).ExportNotice);
const shortcutsDialog = lazyPart(async () => (await pageDialogs()).ShortcutsDialog);
const searchDialog = lazyPart(async () => {
  const [{ SearchDialog }] = await Promise.all([
    import("../features/history-search/search-dialog.tsx"),
    loadDialogTexts(),
  ]);
  return SearchDialog;
});
const feedbackDialog = lazyPart(async () => (await pageDialogs()).FeedbackDialog);
const personasDialog = lazyPart(async () => {
  const [dialogs] = await Promise.all([pageDialogs(), loadPersonaTexts()]);
  return dialogs.PersonasDialog;
});
const sessionDialogs = lazyPart(async () => (await pageDialogs()).SessionDialogs);
const sidebarSheet = lazyPart(async () => (await pageDialogs()).SidebarSheet);
const sidePanels = lazyPart(async () => (await pageDialogs()).SidePanels);
/** What only a hand on the page can bring. */
const openedByHand = [
  menuList,
  rowTitleField,
  sessionDialogs,
  settingsDialog,
  shortcutsDialog,
  searchDialog,
  queuedPart,
  editBoxPart,
  searchPart,
  sidebarSheet,
  sidePanels,
  personasDialog,
  shareSelectionPart,
];

export interface PageFrameProps {
  agentId: string;
  sessionId: string | null;
  /** The share that is read instead of a chat. */
  shareId?: string | null;
}

/** The page of a signed-in user: sidebar, chat, and the dialogs any part of the page may open. */
export function PageFrame({ agentId, sessionId, shareId = null }: PageFrameProps) {
  const engine = useEngine();
  const [path, navigate] = useLocation();
  // Another number is another visit: the screen is mounted again, with the focus in the composer.
  const [visit, setVisit] = useState(0);
  const settingsMet = useOnceTrue(
    useSelector(engine.site.overlays, (state) => state.settings !== null || state.gate !== null),
  );
  const shortcutsMet = useOnceTrue(useSelector(engine.site.overlays, (state) => state.shortcuts));
  const searching = useSelector(engine.site.overlays, (state) => state.search);
  const searchMet = useOnceTrue(searching);
  const typedAhead = useRef("");
  const rowDialogMet = useOnceTrue(useSelector(engine.site.overlays, (state) => state.deleting !== null));
  const personasMet = useOnceTrue(useSelector(engine.site.overlays, (state) => state.personas));
  const exportMet = useOnceTrue(useSelector(engine.site.overlays, (state) => state.exported));
  const { panel, modal } = usePanel();
  // Nothing is shut off for a panel whose code is still on its way.
  const [panelHere, setPanelHere] = useState(false);
  const onPanelHere = useCallback(() => setPanelHere(true), []);
  const feedbackMet = useOnceTrue(useSelector(engine.site.overlays, (state) => state.feedback !== null));
  const debug = useDebugMode();
  const labels = useLocalMarkdownLabels();
  const atRoot = path === HOME;
  const isUnderWay = useSession(HOME_KEY, isReplying, false);

  function newChat() {
    const isGone = engine.agents.store.getState().gone.includes(agentId);
    const next = sessionId === null || isGone ? DEFAULT_AGENT : agentId;
    engine.turns.setAside(next);
    navigate(agentPath(next));
    setVisit((count) => count + 1);
  }
  useNeighbourKeys(sessionId);
  useHotkey("j", newChat, { belowDialogs: true });
  useHotkey("k", () => engine.site.setOverlays({ search: true }));
  useHotkey("/", () => engine.site.setOverlays({ shortcuts: true }));
  useLongAbsence(() => {
    if (!atRoot) return;
    startAfresh(engine, `new:${agentId}`);
    newChat();
  });
  useDocumentTitle(shareId === null ? sessionId : shareKey(shareId));
  const tooltipsHere = useTouchedParts(engine);
  useEffect(() => whenIdle(() => void conversationPart.preload()), []);
  // What the panel shows belongs to the place it was opened at (requirements 1§2).
  useEffect(() => engine.site.closePanel(), [engine, path]);

  const onNewChat = atRoot && !isUnderWay ? undefined : newChat;
  return (
    <MarkdownLabelsContext value={labels}>
      <SiderProvider>
        <div className={styles.frame}>
          <div className={styles.page} inert={panelHere && modal && panel?.phase === "open"}>
            <SkipLink />
            <Sidebar Sheet={sidebarSheet.Part} sessionId={sessionId} onNewChat={onNewChat} />
            {shareId === null ? (
              <ChatScreen key={visit} agentId={agentId} sessionId={sessionId} onNewChat={onNewChat} />
            ) : (
              <Suspense fallback={null}>
                <sharedChatPart.Part shareId={shareId} Composer={Composer} />
              </Suspense>
            )}
          </div>
          <Suspense fallback={null}>{panel !== null && <sidePanels.Part onHere={onPanelHere} />}</Suspense>
        </div>
        <Suspense fallback={null}>
          {debug && <debugPanel.Part sessionKey={sessionId ?? `new:${agentId}`} version={version} />}
          {rowDialogMet && <sessionDialogs.Part />}
          {feedbackMet && <feedbackDialog.Part />}
          {settingsMet && <settingsDialog.Part />}
          {personasMet && <personasDialog.Part />}
          {shortcutsMet && <shortcutsDialog.Part />}
        </Suspense>
        <Suspense
          fallback={
            searching && (
              <SearchStandIn typed={typedAhead} onCancel={() => engine.site.setOverlays({ search: false })} />
            )
          }
        >
          {searchMet && <searchDialog.Part typedAhead={typedAhead} onNewChat={newChat} />}
        </Suspense>
        {/* It comes by itself: while its code does, an open dialog must not lose its place, and with it the focus. */}
        <Suspense fallback={null}>{exportMet && <exportNotice.Part />}</Suspense>
        {tooltipsHere && <tooltipLayer.Part />}
      </SiderProvider>
    </MarkdownLabelsContext>
  );
}

/** True from the first time on that `now` was: a dialog met once stays mounted, so that it can fade out. */
function useOnceTrue(now: boolean): boolean {
  const [met, setMet] = useState(now);
  if (now && !met) setMet(true);
  return met;
}

/**
 * Loads what only a hand on the page can open when one first touches it, and makes a proof for its message. True when the
 * tooltips are here.
 */
function useTouchedParts(engine: Engine): boolean {
  const [here, setHere] = useState(false);
  useEffect(() => loadOnTouch(tooltipLayer.load, () => setHere(true)), []);
  useEffect(
    () =>
      onFirstTouch(() => {
        engine.turns.prepare();
        // Whoever shares asks again, and is told what failed.
        engine.sharing.load().catch(() => {});
        void preloadInTurn(openedByHand);
      }),
    [engine],
  );
  return here;
}
