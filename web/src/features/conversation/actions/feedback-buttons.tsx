import { feedbackKind, type FeedbackKind } from "../../../engine/feedback/feedback-face.ts";
import type { ClientMessage } from "../../../engine/sessions/client-message.ts";
import { useEngine } from "../../../hooks/use-engine.tsx";
import { useTexts } from "../../../i18n/use-texts.ts";
import { ActionButton } from "./action-button.tsx";
import styles from "./feedback-buttons.module.css";

/** Like and dislike of a reply. A second press takes it back; a dislike asks what was wrong. */
export function FeedbackButtons({ sessionKey, message }: { sessionKey: string; message: ClientMessage }) {
  const engine = useEngine();
  const { t } = useTexts();
  const given = feedbackKind(message);
  const { message_id: messageId } = message;

  function press(kind: FeedbackKind) {
    const next = given === kind ? "none" : kind;
    void engine.feedback.give(sessionKey, messageId, { kind: next });
    if (next === "dislike") engine.site.setOverlays({ feedback: { sessionId: sessionKey, messageId } });
  }
  return (
    <>
      <ActionButton
        icon="like"
        label={t("feedback.like")}
        className={styles.button}
        aria-pressed={given === "like"}
        onPress={() => press("like")}
      />
      <ActionButton
        icon="dislike"
        label={t("feedback.dislike")}
        className={styles.button}
        aria-pressed={given === "dislike"}
        onPress={() => press("dislike")}
      />
    </>
  );
}
