import { memo } from "react";
import type { ClientMessage } from "../../engine/sessions/client-message.ts";
import { promptOf } from "../../engine/turns/placeholders.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { QuestionActions } from "./actions/question-actions.tsx";
import { HintNote } from "./hint-note.tsx";
import styles from "./user-message.module.css";

interface UserMessageProps {
  sessionKey: string;
  message: ClientMessage;
}

/** What the user said: a soft bubble at the right. */
export const UserMessage = memo(function UserMessage({ sessionKey, message }: UserMessageProps) {
  const { t } = useTexts();
  return (
    <article className={styles.message} aria-label={t("conversation.userMessage")}>
      <div className={styles.bubble}>{promptOf(message)}</div>
      <QuestionActions sessionKey={sessionKey} message={message} />
      <HintNote sessionKey={sessionKey} message={message} />
    </article>
  );
});
