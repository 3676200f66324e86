import { LIMITS } from "@plumb/protocol/limits";
import { useEffect, useState } from "react";
import { useSession } from "../../hooks/use-session.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { shownWaitSecs } from "./waiting-time.ts";
import styles from "./waiting-note.module.css";

interface WaitingNoteProps {
  sessionKey: string;
  /** Milliseconds. */
  askedAt: number;
  /** The dot alone: what is shown of the reply says more. */
  quiet: boolean;
}

/**
 * The place of a reply before its first text: a dot, and once that takes long, what goes on and since when. Without a
 * connection nobody knows what goes on: then another line says that.
 */
export function WaitingNote({ sessionKey, askedAt, quiet }: WaitingNoteProps) {
  const live = useSession(sessionKey, (session) => session.connection === "live", true);
  const { t } = useTexts();
  const [mountedAt] = useState(Date.now);
  const [now, setNow] = useState(mountedAt);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const secs = shownWaitSecs({ askedAt, mountedAt, now, longestMs: LIMITS.streamTimeoutMs });
  return (
    <div className={styles.waiting} data-uncopied="">
      <span className={styles.dot} aria-hidden="true" />
      {live && !quiet && secs !== null && (
        <span className={styles.text}>{t("conversation.reading", { secs })}</span>
      )}
    </div>
  );
}
