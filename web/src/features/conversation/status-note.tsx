import { getMessage } from "@plumb/protocol/conversation/message-tree";
import type { ClientMessage } from "../../engine/sessions/client-message.ts";
import { useSession } from "../../hooks/use-session.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { endNote, mayRetry } from "./reply-end.ts";
import { RetryButton } from "./retry-button.tsx";
import styles from "./status-note.module.css";

interface StatusNoteProps {
  sessionKey: string;
  message: ClientMessage;
  isLast: boolean;
}

/** Why a reply ended otherwise than by finishing, said quietly; at the last one with another try where one may help. */
export function StatusNote({ sessionKey, message, isLast }: StatusNoteProps) {
  const { t } = useTexts();
  const hintAbove = useSession(
    sessionKey,
    ({ tree }) => getMessage(tree, message.parent_id ?? 0)?.hint != null,
    false,
  );
  const note = endNote(message);
  // A reply whose line was lost has only not been read to its end: the notice above says so.
  if (note === null || (hintAbove && message.status === "INCOMPLETE")) return null;
  // What stands in place of a withdrawn answer says so already.
  if (message.fragments.some(({ type }) => type === "TEMPLATE_RESPONSE")) return null;
  return (
    <div className={styles.note} data-uncopied="">
      <span>{t(note)}</span>
      {isLast && !hintAbove && mayRetry(message) && (
        <RetryButton sessionKey={sessionKey} messageId={message.message_id} />
      )}
    </div>
  );
}
