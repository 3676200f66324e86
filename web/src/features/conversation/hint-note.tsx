import type { ClientMessage, MessageHint } from "../../engine/sessions/client-message.ts";
import { useSecondsUntil } from "../../hooks/use-seconds-until.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { cx } from "../../ui/cx.ts";
import { Icon } from "../../ui/icon.tsx";
import { CopyButton } from "./copy-button.tsx";
import { RetryButton } from "./retry-button.tsx";
import styles from "./hint-note.module.css";

/** A longer wait is said as a time of day: nobody counts it down (seconds). */
const COUNTED_SECS = 120;

/** The lasting notice of a message: what happened, and a retry where one helps, once it does. */
export function HintNote({ sessionKey, message }: { sessionKey: string; message: ClientMessage }) {
  const { hint, message_id: messageId } = message;
  if (hint === null) return null;
  // Another wait is counted down from its own start.
  return <Note key={hint.retryAt} sessionKey={sessionKey} messageId={messageId} hint={hint} />;
}

interface NoteProps {
  sessionKey: string;
  messageId: number;
  hint: MessageHint;
}

function Note({ sessionKey, messageId, hint }: NoteProps) {
  const { t, show } = useTexts();
  const wait = useSecondsUntil(hint.retryAt);
  const waitText =
    wait > COUNTED_SECS
      ? show({ key: "conversation.retryFrom", params: { time: { moment: (hint.retryAt ?? 0) / 1000 } } })
      : t("conversation.retryIn", { secs: wait });
  return (
    <div className={cx(styles.hint, styles[hint.type])} data-uncopied="">
      <Icon name="alert" />
      <span className={styles.text}>
        <span role="alert">{show(hint.text)}</span>
        {wait > 0 && <span className={styles.wait}>{waitText}</span>}
        {hint.traceId !== undefined && (
          <span className={styles.trace}>
            <span>{t("conversation.traceId", { id: hint.traceId })}</span>
            <CopyButton text={hint.traceId} label={t("conversation.copyTraceId")} />
          </span>
        )}
      </span>
      {hint.clickBehavior === "retry" && (
        <RetryButton sessionKey={sessionKey} messageId={messageId} wait={wait} />
      )}
    </div>
  );
}
