import { memo } from "react";
import type { ClientMessage } from "../../engine/sessions/client-message.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { ReplyActions } from "./actions/reply-actions.tsx";
import { answerText } from "./answer-text.ts";
import styles from "./assistant-message.module.css";
import { CitedSourcesContext } from "../../markdown/cited-sources.ts";
import { useCitedSources } from "./fragments/cited-sources.ts";
import { FragmentView } from "./fragments/fragment-view.tsx";
import { loadingIndicator } from "./loading-indicator.ts";
import { HintNote } from "./hint-note.tsx";
import { growthOf } from "./message-parts.ts";
import { StatusNote } from "./status-note.tsx";
import { WaitingNote } from "./waiting-note.tsx";

interface AssistantMessageProps {
  sessionKey: string;
  message: ClientMessage;
  isLast: boolean;
}

const shownWhenEmpty = new Set(["THINK", "SEARCH"]);

/** A reply: plain text on the page, then what can be done with it. */
export const AssistantMessage = memo(function AssistantMessage({
  sessionKey,
  message,
  isLast,
}: AssistantMessageProps) {
  const { t } = useTexts();
  const running = message.status === "WIP";
  const readable = hasVisibleText(message);
  const indicator = loadingIndicator(message);
  // A reply that goes on has its text already, and more of it is waited for.
  const goesOn = running && message.isContinuing && message.generateState !== "GENERATING";
  const sources = useCitedSources(message.fragments);
  return (
    <article className={styles.message} aria-label={t("conversation.assistantMessage")} aria-busy={running}>
      <CitedSourcesContext value={sources}>
        {message.fragments.map((fragment, index) => (
          <FragmentView
            key={fragment.id}
            fragment={fragment}
            running={running}
            growing={growthOf(message, fragment)}
            isLast={index === message.fragments.length - 1}
          />
        ))}
      </CitedSourcesContext>
      {indicator === "dot" && (
        <WaitingNote sessionKey={sessionKey} askedAt={message.askedAt} quiet={readable} />
      )}
      {message.hint === null && <StatusNote sessionKey={sessionKey} message={message} isLast={isLast} />}
      <HintNote sessionKey={sessionKey} message={message} />
      {running || message.message_id < 0 ? (
        <div className={styles.atWork}>
          {goesOn && indicator === null && (
            <WaitingNote sessionKey={sessionKey} askedAt={message.askedAt} quiet={false} />
          )}
        </div>
      ) : (
        <ReplyActions sessionKey={sessionKey} message={message} isLast={isLast} />
      )}
    </article>
  );
});

/** A thinking block shows itself from its first moment on; an answer from its first letter. */
function hasVisibleText(message: ClientMessage): boolean {
  return (
    answerText(message) !== "" || message.fragments.some((fragment) => shownWhenEmpty.has(fragment.type))
  );
}
