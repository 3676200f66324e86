import { WHY_TEXTS } from "../../engine/queue/queue-rules.ts";
import { nextDraftKey } from "../../engine/sessions/edit-drafts.ts";
import { findComposer } from "../../hooks/composer-element.ts";
import { useDraftFiles } from "../../hooks/use-draft-files.ts";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useSelector } from "../../hooks/use-selector.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { Button } from "../../ui/button.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import styles from "./queued-message.module.css";

/** So much of the text is drawn, which shows two lines of it. */
const SHOWN_CHARS = 400;

/** The message that is sent when the reply has ended well, or why it was not. */
export function QueuedMessage({ sessionKey }: { sessionKey: string }) {
  const { queue, sessions } = useEngine();
  const { t, show } = useTexts();
  const next = nextDraftKey(sessionKey);
  const text = useSelector(sessions.store, ({ drafts }) => drafts[next]?.slice(0, SHOWN_CHARS) ?? "");
  const queued = useSelector(queue.store, ({ byKey }) => byKey[sessionKey]);
  const files = useDraftFiles(next);
  const waits = queued?.phase === "waiting";
  // The pressed button goes with its message.
  const pass = (run: (key: string) => void) => () => {
    findComposer()?.focus();
    run(sessionKey);
  };
  return (
    <section className={styles.queued} aria-label={t("queue.label")}>
      <div className={styles.words}>
        <p className={styles.text} dir="auto">
          {text}
        </p>
        <p className={styles.note} role="status">
          {files.length > 0 && <span>{t("queue.files", { count: files.length })} · </span>}
          {waits ? t("queue.waiting") : show(WHY_TEXTS[queued?.why ?? "unsent"])}
        </p>
      </div>
      {!waits && (
        <Button className={styles.send} onClick={pass(queue.sendNow)}>
          {t("queue.sendNow")}
        </Button>
      )}
      <IconButton label={t("queue.edit")} icon="pencil" side="top" onClick={pass(queue.edit)} />
      <IconButton label={t("queue.withdraw")} icon="close" side="top" onClick={pass(queue.withdraw)} />
    </section>
  );
}
