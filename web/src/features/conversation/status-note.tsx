import type { MessageStatus } from "@plumb/protocol/conversation/message";
import type { TextKey } from "../../i18n/i18n.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import styles from "./status-note.module.css";

const texts: Partial<Record<MessageStatus, TextKey>> = {
  INCOMPLETE: "status.incomplete",
  TIMEOUT: "status.timeout",
  CONTENT_FILTER: "status.contentFilter",
  CONTEXT_LENGTH_EXCEEDED: "status.contextExceeded",
};

/** Why a reply ended otherwise than by finishing, said quietly. */
export function StatusNote({ status }: { status: MessageStatus }) {
  const { t } = useTexts();
  const key = texts[status];
  return key === undefined ? null : <p className={styles.note}>{t(key)}</p>;
}
