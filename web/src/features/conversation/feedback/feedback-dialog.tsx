import { LIMITS } from "@plumb/protocol/limits";
import { useId, useState } from "react";
import { FEEDBACK_REASONS } from "../../../engine/feedback/feedback-face.ts";
import { useEngine } from "../../../hooks/use-engine.tsx";
import { useSelector } from "../../../hooks/use-selector.ts";
import { useTexts } from "../../../i18n/use-texts.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import styles from "./feedback-dialog.module.css";

/** Asks what was wrong with a reply that is disliked already. */
export function FeedbackDialog() {
  const engine = useEngine();
  const asked = useSelector(engine.site.overlays, (state) => state.feedback);
  if (asked === null) return null;
  return <ReasonsDialog key={`${asked.sessionId} ${asked.messageId}`} {...asked} />;
}

const reasonTexts = {
  harmful_unsafe: "feedback.harmful",
  illegal: "feedback.illegal",
  porn_violence: "feedback.pornViolence",
  misinformation: "feedback.misinformation",
  fake: "feedback.fake",
  infringed: "feedback.infringed",
  unhelpful: "feedback.unhelpful",
  other: "feedback.other",
} as const satisfies Record<(typeof FEEDBACK_REASONS)[number], string>;

function ReasonsDialog({ sessionId, messageId }: { sessionId: string; messageId: number }) {
  const engine = useEngine();
  const { t } = useTexts();
  const formId = useId();
  const [tag, setTag] = useState<string | null>(null);
  const [words, setWords] = useState("");
  const [sending, setSending] = useState(false);
  const close = () => engine.site.setOverlays({ feedback: null });

  async function submit() {
    const description = words.trim();
    setSending(true);
    const stored = await engine.feedback.give(sessionId, messageId, {
      kind: "dislike",
      tag,
      description: description === "" ? null : description,
    });
    setSending(false);
    // What was written stays where it could not be stored.
    if (!stored) return;
    engine.site.showToast({ type: "success", text: { key: "feedback.thanks" } });
    close();
  }

  return (
    <Dialog
      open
      onClose={close}
      title={t("feedback.title")}
      description={t("feedback.about")}
      closeLabel={t("common.close")}
      footer={
        <>
          <Button onClick={close}>{t("common.cancel")}</Button>
          <Button variant="primary" type="submit" form={formId} loading={sending}>
            {t("feedback.submit")}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <div className={styles.reasons} role="group" aria-label={t("feedback.reasons")}>
          {FEEDBACK_REASONS.map((reason) => (
            <button
              key={reason}
              type="button"
              className={styles.reason}
              aria-pressed={tag === reason}
              onClick={() => setTag(tag === reason ? null : reason)}
            >
              {t(reasonTexts[reason])}
            </button>
          ))}
        </div>
        <label className={styles.label} htmlFor={`${formId}words`}>
          {t("feedback.more")}
        </label>
        <textarea
          id={`${formId}words`}
          className={styles.words}
          rows={3}
          maxLength={LIMITS.feedbackDescriptionChars}
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
      </form>
    </Dialog>
  );
}
