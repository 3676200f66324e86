import { getMessage } from "@plumb/protocol/conversation/message-tree";
import type { ClientMessage } from "../../engine/sessions/client-message.ts";
import { useDebugMode } from "../../hooks/debug-mode.ts";
import { useSession } from "../../hooks/use-session.ts";
import { AssistantMessage } from "./assistant-message.tsx";
import { likelyHeight } from "./likely-height.ts";
import styles from "./message-item.module.css";
import { UserMessage } from "./user-message.tsx";
import { cx } from "../../ui/cx.ts";

interface MessageItemProps {
  sessionKey: string;
  messageId: number;
  isLast: boolean;
  /** Not laid out while it is out of sight. */
  skippable: boolean;
}

/** One message. It reads its own part of the store, so that a growing reply wakes no other. */
export function MessageItem({ sessionKey, messageId, isLast, skippable }: MessageItemProps) {
  const message = useSession(sessionKey, (session) => getMessage(session.tree, messageId), undefined);
  const debug = useDebugMode();
  if (message === undefined) return null;
  const Message = message.role === "USER" ? UserMessage : AssistantMessage;
  return (
    <div
      className={cx(styles.item, skippable && styles.skippable)}
      style={skippable ? { containIntrinsicBlockSize: `auto ${likelyHeight(message)}px` } : undefined}
      data-message-id={message.message_id}
    >
      {debug && <code className={styles.id}>#{storedId(message)}</code>}
      <Message sessionKey={sessionKey} message={message} isLast={isLast} />
    </div>
  );
}

/** What the server calls the message, as soon as that is known. */
function storedId({ role, message_id, requestMessageId, responseMessageId }: ClientMessage): number {
  return (role === "USER" ? requestMessageId : responseMessageId) ?? message_id;
}
