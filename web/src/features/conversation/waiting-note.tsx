import { LIMITS } from "@plumb/protocol/limits";
import { useEffect, useState } from "react";
import { useTexts } from "../../i18n/use-texts.ts";
import { shownWaitSecs } from "./waiting-time.ts";
import styles from "./waiting-note.module.css";

/** The place of a reply before its first text: a dot, and once that takes long, what goes on and since when. */
export function WaitingNote({ askedAt }: { askedAt: number }) {
  const { t } = useTexts();
  const [mountedAt] = useState(Date.now);
  const [now, setNow] = useState(mountedAt);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const secs = shownWaitSecs({ askedAt, mountedAt, now, longestMs: LIMITS.streamTimeoutMs });
  return (
    <div className={styles.waiting}>
      <span className={styles.dot} aria-hidden="true" />
      {secs !== null && <span className={styles.text}>{t("conversation.reading", { secs })}</span>}
    </div>
  );
}
