import { getMessage } from "@plumb/protocol/conversation/message-tree";
import { memo, Suspense } from "react";
import type { ClientMessage } from "../../engine/sessions/client-message.ts";
import { promptOf } from "../../engine/turns/placeholders.ts";
import { useDebugMode } from "../../hooks/debug-mode.ts";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useSelector } from "../../hooks/use-selector.ts";
import { useSession } from "../../hooks/use-session.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { answerText } from "./answer-text.ts";
import { AssistantMessage } from "./assistant-message.tsx";
import { FarMessage } from "./far-message.tsx";
import { likelyHeight } from "./likely-height.ts";
import styles from "./message-item.module.css";
import { UserMessage } from "./user-message.tsx";
import { useNear } from "../../markdown/use-near.ts";
import { cx } from "../../ui/cx.ts";
import { selectBoxPart } from "./select-box-part.ts";

/** What drawing a turn takes beside its text, which is made in parts of its own: that of some short paragraphs. */
const COST = 1000;

interface MessageItemProps {
  sessionKey: string;
  messageId: number;
  isLast: boolean;
  /** Not laid out while it is out of sight. */
  skippable: boolean;
  /** Drawn in full now; else when the reader comes near, and from then on. */
  atOnce: boolean;
}

/** One message. It reads its own part of the store, so that a growing reply wakes no other. */
export function MessageItem({ sessionKey, messageId, ...rest }: MessageItemProps) {
  const message = useSession(sessionKey, (session) => getMessage(session.tree, messageId), undefined);
  return message === undefined ? null : <Item sessionKey={sessionKey} message={message} {...rest} />;
}

interface ItemProps extends Omit<MessageItemProps, "messageId"> {
  message: ClientMessage;
}

const Item = memo(function Item({ sessionKey, message, isLast, skippable, atOnce }: ItemProps) {
  const { place, isNear } = useNear(() => COST, "always", atOnce);
  const debug = useDebugMode();
  const { t } = useTexts();
  const { overlays } = useEngine().site;
  const selecting = useSelector(overlays, (state) => state.selecting === sessionKey);
  if (!isNear) return <FarMessage message={message} t={t} place={place} />;
  const Message = message.role === "USER" ? UserMessage : AssistantMessage;
  return (
    <div
      className={cx(styles.item, skippable && styles.skippable)}
      style={skippable ? { containIntrinsicBlockSize: `auto ${likelyHeight(message)}px` } : undefined}
      data-message-id={message.message_id}
      data-selecting={selecting || undefined}
    >
      {selecting && (
        <Suspense fallback={null}>
          <selectBoxPart.Part message={message} text={promptOf(message) || answerText(message)} />
        </Suspense>
      )}
      {debug && (
        <code className={styles.id} data-uncopied="">
          #{storedId(message)}
        </code>
      )}
      <Message sessionKey={sessionKey} message={message} isLast={isLast} />
    </div>
  );
});

/** What the server calls the message, as soon as that is known. */
function storedId({ role, message_id, requestMessageId, responseMessageId }: ClientMessage): number {
  return (role === "USER" ? requestMessageId : responseMessageId) ?? message_id;
}
