import { Suspense, type ReactNode } from "react";
import { appForPhones } from "../../engine/site/app-for-phones.ts";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useSession } from "../../hooks/use-session.ts";
import { useSessionTitle } from "../../hooks/use-session-title.ts";
import { useSharingOffer } from "../../hooks/use-sharing-offer.ts";
import { useSider } from "../../hooks/use-sider.tsx";
import { useSelector } from "../../hooks/use-selector.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { lazyPart } from "../../ui/lazy-part.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { EditableTitle } from "./editable-title.tsx";
import styles from "./session-header.module.css";

const appLink = lazyPart(async () => (await import("./app-link.tsx")).AppLink);

interface SessionHeaderProps {
  /** Whom the chat is with, beside its title; its place is kept while it comes. */
  badge: ReactNode;
  /** A session id, or null on an agent's home. */
  sessionId: string | null;
  /** Of the small view: starts a new chat; absent where the page is one already. */
  onNewChat?: (() => void) | undefined;
}

/** The line above a conversation: the title, and on the small view the way to the sidebar and to a new chat. */
export function SessionHeader({ badge, sessionId, onNewChat }: SessionHeaderProps) {
  const engine = useEngine();
  const { t } = useTexts();
  const sider = useSider();
  const small = sider.kind === "sheet";
  const isOffered = useSharingOffer();
  const hasApp = useSelector(engine.site.settings, ({ settings }) => appForPhones(settings) !== null);
  return (
    <header className={styles.header}>
      <div className={styles.side}>
        {small && (
          <IconButton
            label={t("header.openSidebar")}
            icon="menu"
            aria-haspopup="dialog"
            aria-expanded={sider.sheetOpen}
            onClick={sider.openSheet}
          />
        )}
      </div>
      <div className={styles.middle}>
        {badge !== null && <span className={styles.badge}>{badge}</span>}
        {sessionId !== null && <SessionTitle sessionId={sessionId} />}
      </div>
      <div className={styles.end}>
        {isOffered && sessionId !== null && (
          <IconButton
            label={t("common.share")}
            icon="share"
            onClick={() => engine.sharing.begin(sessionId)}
          />
        )}
        {small && hasApp && (
          <Suspense fallback={null}>
            <appLink.Part />
          </Suspense>
        )}
        {small && onNewChat && <IconButton label={t("common.newChat")} icon="newChat" onClick={onNewChat} />}
      </div>
    </header>
  );
}

function SessionTitle({ sessionId }: { sessionId: string }): ReactNode {
  const { title, isProvisional } = useSessionTitle(sessionId);
  const isNew = useSession(sessionId, (session) => session.titleIsNew, false);
  const loading = useSession(sessionId, (session) => session.state === "fetchingHistory", true);
  if (title === null)
    return loading ? (
      <div className={styles.skeleton}>
        <Skeleton />
      </div>
    ) : null;
  return (
    <EditableTitle
      key={sessionId}
      sessionId={sessionId}
      title={title}
      isNew={isNew}
      isProvisional={isProvisional}
    />
  );
}
