import { lazy, Suspense, useState } from "react";
import { useLocation } from "wouter";
import { Sidebar } from "../features/sidebar/sidebar.tsx";
import { SessionDialogs } from "../features/sidebar/session-dialogs.tsx";
import { useEngine } from "../hooks/use-engine.tsx";
import { useHotkey } from "../hooks/use-hotkey.ts";
import { useSelector } from "../hooks/use-selector.ts";
import { SiderProvider } from "../hooks/use-sider.tsx";
import { MarkdownLabelsContext } from "../markdown/markdown-labels.ts";
import { ChatScreen } from "../screens/chat-screen.tsx";
import { TooltipProvider } from "../ui/tooltip.tsx";
import styles from "./page-frame.module.css";
import { agentPath, HOME } from "./paths.ts";
import { useDocumentTitle } from "./use-document-title.ts";
import { useLongAbsence } from "./use-long-absence.ts";
import { useLocalMarkdownLabels } from "./use-markdown-labels.ts";

const SettingsDialog = lazy(async () => ({
  default: (await import("../features/settings/settings-dialog.tsx")).SettingsDialog,
}));
const ShortcutsDialog = lazy(async () => ({
  default: (await import("../features/notices/shortcuts-dialog.tsx")).ShortcutsDialog,
}));

export interface PageFrameProps {
  agentId: string;
  sessionId: string | null;
}

/** The page of a signed-in user: sidebar, chat, and the dialogs any part of the page may open. */
export function PageFrame({ agentId, sessionId }: PageFrameProps) {
  const engine = useEngine();
  const [path, navigate] = useLocation();
  // Another number is another visit: the screen starts anew, with the focus in the composer.
  const [visit, setVisit] = useState(0);
  const settingsOpen = useSelector(engine.overlays, (state) => state.settings !== null);
  const shortcutsOpen = useSelector(engine.overlays, (state) => state.shortcuts);
  const settingsMet = useOnceTrue(settingsOpen);
  const shortcutsMet = useOnceTrue(shortcutsOpen);
  const labels = useLocalMarkdownLabels();
  const atRoot = path === HOME;

  function newChat() {
    navigate(sessionId === null ? HOME : agentPath(agentId));
    setVisit((count) => count + 1);
  }
  useHotkey("j", newChat);
  useHotkey("/", () => engine.setOverlays({ shortcuts: true }));
  useLongAbsence(() => {
    if (atRoot) newChat();
  });
  useDocumentTitle(sessionId);

  const onNewChat = atRoot ? undefined : newChat;
  return (
    <TooltipProvider>
      <MarkdownLabelsContext value={labels}>
        <SiderProvider>
          <div className={styles.frame}>
            <Sidebar sessionId={sessionId} onNewChat={onNewChat} />
            <ChatScreen key={visit} agentId={agentId} sessionId={sessionId} onNewChat={onNewChat} />
          </div>
          <SessionDialogs />
          <Suspense fallback={null}>
            {settingsMet && <SettingsDialog />}
            {shortcutsMet && <ShortcutsDialog />}
          </Suspense>
        </SiderProvider>
      </MarkdownLabelsContext>
    </TooltipProvider>
  );
}

/** True from the first time on that `now` was: a dialog met once stays mounted, so that it can fade out. */
function useOnceTrue(now: boolean): boolean {
  const [met, setMet] = useState(now);
  if (now && !met) setMet(true);
  return met;
}
