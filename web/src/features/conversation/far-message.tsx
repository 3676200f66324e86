import type { RefObject } from "react";
import type { ClientMessage } from "../../engine/sessions/client-message.ts";
import { promptOf } from "../../engine/turns/placeholders.ts";
import type { Texts } from "../../i18n/use-texts.ts";
import { answerText } from "./answer-text.ts";
import { drawnWords } from "./drawn-words.ts";
import { likelyHeight } from "./likely-height.ts";
import { messageParts } from "./message-parts.ts";
import styles from "./message-item.module.css";
import { undrawnMessages } from "../../markdown/undrawn.ts";

interface FarMessageProps {
  message: ClientMessage;
  t: Texts["t"];
  place?: RefObject<HTMLElement | null>;
}

/**
 * A message far from the screen: one element with its likely height and its words, nearly as they are drawn, so that a
 * search in the page, a selection and a reader aloud have them.
 */
export function FarMessage({ message, t, place }: FarMessageProps) {
  const asks = message.role === "USER";
  return (
    <div
      ref={(element) => {
        if (place !== undefined) place.current = element;
        if (element !== null) undrawnMessages.set(element, () => [messageParts(message)]);
      }}
      role="article"
      aria-label={t(asks ? "conversation.userMessage" : "conversation.assistantMessage")}
      className={styles.far}
      style={{ height: likelyHeight(message) }}
      data-message-id={message.message_id}
      dir="auto"
    >
      {asks
        ? [...message.files.map((file) => file.file_name), promptOf(message)].join("\n")
        : drawnWords(answerText(message))}
    </div>
  );
}
