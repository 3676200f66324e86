import { isFragment } from "@plumb/protocol/conversation/fragment";
import { memo } from "react";
import type { ClientMessage } from "../../engine/sessions/client-message.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { CopyButton } from "./copy-button.tsx";
import { HintNote } from "./hint-note.tsx";
import styles from "./user-message.module.css";

interface UserMessageProps {
  sessionKey: string;
  message: ClientMessage;
}

/** What the user said: a soft bubble at the right. */
export const UserMessage = memo(function UserMessage({ sessionKey, message }: UserMessageProps) {
  const { t } = useTexts();
  const request = message.fragments.find((fragment) => isFragment(fragment, "REQUEST"));
  const text = request?.content ?? "";
  return (
    <article className={styles.message} aria-label={t("conversation.userMessage")}>
      <div className={styles.bubble}>{text}</div>
      <div className={styles.actions}>
        <CopyButton text={text} />
      </div>
      <HintNote sessionKey={sessionKey} message={message} />
    </article>
  );
});
