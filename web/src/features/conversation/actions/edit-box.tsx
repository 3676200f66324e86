import { isBlankPrompt } from "@plumb/protocol/rules/prompt-rules";
import { useEffect, useEffectEvent, useId, useRef } from "react";
import type { ClientMessage } from "../../../engine/sessions/client-message.ts";
import { editDraftKey } from "../../../engine/sessions/edit-drafts.ts";
import { editBlock } from "../../../engine/turns/message-rules.ts";
import { focusAfterAsking } from "../../../hooks/focus-after-asking.ts";
import { useAutoHeight } from "../../../hooks/use-auto-height.ts";
import { useEngine } from "../../../hooks/use-engine.tsx";
import { useTouch } from "../../../hooks/use-media.ts";
import { useSelector } from "../../../hooks/use-selector.ts";
import { useStanding } from "../../../hooks/use-standing.ts";
import { useWritingKeys } from "../../../hooks/use-writing-keys.ts";
import { useTexts } from "../../../i18n/use-texts.ts";
import { Button } from "../../../ui/button.tsx";
import styles from "./edit-box.module.css";

export interface EditBoxProps {
  sessionKey: string;
  message: ClientMessage;
  /** It was opened on this screen a moment ago. */
  takesFocus: boolean;
  /** The box is closed by its own hand: the focus belongs where it was opened. */
  onCancelled: () => void;
}

/** A question of the user's, to be sent again with another text. What is typed is the engine's to keep. */
export function EditBox({ sessionKey, message, takesFocus, onCancelled }: EditBoxProps) {
  const engine = useEngine();
  const { t, show } = useTexts();
  const touch = useTouch();
  const field = useRef<HTMLTextAreaElement>(null);
  const noteId = useId();
  const draftKey = editDraftKey(sessionKey, message.message_id);
  const text = useSelector(engine.sessions.store, ({ drafts }) => drafts[draftKey] ?? "");
  const standing = useStanding(sessionKey);
  const blocked = editBlock(standing, message);

  useAutoHeight(field, text, false);
  const focus = useEffectEvent(() => {
    const { current } = field;
    const nothingHasIt = !touch && document.activeElement === document.body;
    if (current === null || !(takesFocus || nothingHasIt)) return;
    current.focus();
    current.setSelectionRange(current.value.length, current.value.length);
  });
  useEffect(() => focus(), []);

  function cancel() {
    engine.turns.cancelEdit(sessionKey, message.message_id);
    onCancelled();
  }
  function send() {
    if (isBlankPrompt(text)) return;
    void engine.turns.editMessage(sessionKey, message.message_id, text);
    // Where it is refused at once, the box stays and keeps the focus.
    if (blocked === null) focusAfterAsking();
  }
  const keys = useWritingKeys({ text, touch, onSend: send, onCancel: cancel });

  return (
    <form
      className={styles.box}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <textarea
        ref={field}
        className={styles.field}
        rows={1}
        value={text}
        aria-label={t("edit.label")}
        aria-describedby={blocked === null ? undefined : noteId}
        enterKeyHint={touch ? "enter" : "send"}
        autoComplete="off"
        onChange={(event) => engine.sessions.setDraft(draftKey, event.target.value)}
        {...keys}
      />
      <div className={styles.bar}>
        {/* Always there: a region that comes with its text is not read out. */}
        <span id={noteId} className={styles.note} role="status">
          {blocked !== null && show(blocked)}
        </span>
        <Button onClick={cancel}>{t("common.cancel")}</Button>
        <Button type="submit" variant="primary" disabled={blocked !== null || isBlankPrompt(text)}>
          {t("composer.send")}
        </Button>
      </div>
    </form>
  );
}
