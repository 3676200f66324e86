import { memo, Suspense, useEffect, useRef, useState } from "react";
import type { ClientMessage } from "../../engine/sessions/client-message.ts";
import { promptOf } from "../../engine/turns/placeholders.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { editBoxPart } from "./actions/edit-box-part.ts";
import { QuestionActions } from "./actions/question-actions.tsx";
import { HintNote } from "./hint-note.tsx";
import { FilesOfMessage } from "./message-files-part.tsx";
import styles from "./user-message.module.css";

interface UserMessageProps {
  sessionKey: string;
  message: ClientMessage;
}

/** What the user said: a soft bubble at the right, or the box in which it is written anew. */
export const UserMessage = memo(function UserMessage({ sessionKey, message }: UserMessageProps) {
  const { t } = useTexts();
  const editButton = useRef<HTMLButtonElement>(null);
  const givesFocusBack = useRef(false);
  const { isEditing } = message;
  // A box that was open when the message came on show leaves the focus where it is.
  const [wasOpen, setWasOpen] = useState(isEditing);
  if (wasOpen && !isEditing) setWasOpen(false);
  useEffect(() => {
    if (!isEditing && givesFocusBack.current) editButton.current?.focus();
    givesFocusBack.current = false;
  }, [isEditing]);

  const prompt = promptOf(message);
  const said = (
    <>
      {prompt !== "" && (
        <div className={styles.bubble} dir="auto" data-said="">
          {prompt}
        </div>
      )}
      <QuestionActions sessionKey={sessionKey} message={message} editButton={editButton} />
      <HintNote sessionKey={sessionKey} message={message} />
    </>
  );
  return (
    <article className={styles.message} aria-label={t("conversation.userMessage")}>
      {message.files.length > 0 && (
        <div className={styles.files} data-words={message.files.map((file) => file.file_name).join("\n")}>
          <FilesOfMessage files={message.files} />
        </div>
      )}
      {isEditing ? (
        <Suspense fallback={said}>
          <editBoxPart.Part
            sessionKey={sessionKey}
            message={message}
            takesFocus={!wasOpen}
            onCancelled={() => (givesFocusBack.current = true)}
          />
        </Suspense>
      ) : (
        said
      )}
    </article>
  );
});
