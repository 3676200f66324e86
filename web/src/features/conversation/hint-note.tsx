import type { ClientMessage } from "../../engine/sessions/client-message.ts";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useTexts } from "../../i18n/use-texts.ts";
import { Button } from "../../ui/button.tsx";
import { cx } from "../../ui/cx.ts";
import { Icon } from "../../ui/icon.tsx";
import { CopyButton } from "./copy-button.tsx";
import styles from "./hint-note.module.css";

/** The lasting notice of a message: what happened, and a retry where one helps. */
export function HintNote({ sessionKey, message }: { sessionKey: string; message: ClientMessage }) {
  const engine = useEngine();
  const { t, show } = useTexts();
  const hint = message.hint;
  if (hint === null) return null;
  return (
    <div className={cx(styles.hint, styles[hint.type])} role="alert">
      <Icon name="alert" />
      <span className={styles.text}>
        {show(hint.text)}
        {hint.traceId !== undefined && (
          <span className={styles.trace}>
            <span>{t("conversation.traceId", { id: hint.traceId })}</span>
            <CopyButton text={hint.traceId} label={t("conversation.copyTraceId")} />
          </span>
        )}
      </span>
      {hint.clickBehavior === "retry" && (
        <Button variant="ghost" onClick={() => engine.turns.retry(sessionKey, message.message_id)}>
          {t("common.retry")}
        </Button>
      )}
    </div>
  );
}
