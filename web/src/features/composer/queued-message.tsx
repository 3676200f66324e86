import { WHY_TEXTS } from "../../engine/queue/queue-rules.ts";
import { nextDraftKey } from "../../engine/sessions/edit-drafts.ts";
import { findComposer } from "../../hooks/composer-element.ts";
import { useDraftFiles } from "../../hooks/use-draft-files.ts";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useSelector } from "../../hooks/use-selector.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { Button } from "../../ui/button.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { cx } from "../../ui/cx.ts";
import { queuedBeginning, queuedEnd } from "./queued-words.ts";
import styles from "./queued-message.module.css";

/** The message that is sent when the reply has ended well, or why it was not. */
export function QueuedMessage({ sessionKey }: { sessionKey: string }) {
  const { queue, sessions } = useEngine();
  const { t, show } = useTexts();
  const next = nextDraftKey(sessionKey);
  const beginning = useSelector(sessions.store, ({ drafts }) => queuedBeginning(drafts[next] ?? ""));
  const end = useSelector(sessions.store, ({ drafts }) => queuedEnd(drafts[next] ?? ""));
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
        <p className={cx(styles.text, end !== "" && styles.line)} dir="auto">
          {beginning}
        </p>
        {end !== "" && (
          <p className={cx(styles.text, styles.line)} dir="auto">
            {end}
          </p>
        )}
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
