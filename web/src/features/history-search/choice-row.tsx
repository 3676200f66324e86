import { memo } from "react";
import { markedParts, withoutMarkdown } from "../../engine/history-search/marked-parts.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { Icon } from "../../ui/icon.tsx";
import styles from "./choice-row.module.css";
import type { Choice } from "./choices.ts";
import { whenText } from "./when-text.ts";

interface ChoiceRowProps {
  elementId: string;
  choice: Choice;
  active: boolean;
  onPoint: (choice: Choice) => void;
  onPick: (choice: Choice) => void;
}

/** One of the choices. The focus stays in the field, which names the active one. */
export const ChoiceRow = memo(function ChoiceRow(props: ChoiceRowProps) {
  const { elementId, choice, active, onPoint, onPick } = props;
  return (
    <div
      id={elementId}
      role="option"
      aria-selected={active}
      className={styles.row}
      data-choice={choice.id}
      onPointerMove={() => active || onPoint(choice)}
      onClick={() => onPick(choice)}
    >
      {choice.kind === "command" ? (
        <>
          <Icon name={choice.command.icon} />
          <span className={styles.title}>{choice.command.label}</span>
        </>
      ) : (
        <Hit choice={choice} />
      )}
    </div>
  );
});

function Hit({ choice: { hit } }: { choice: Extract<Choice, { kind: "hit" }> }) {
  const { t, locale } = useTexts();
  const { chat_session: session, role, snippet, ranges, inserted_at: secs } = hit;
  const day = (
    <time className={styles.day} dateTime={new Date(secs * 1000).toISOString()}>
      {whenText(secs * 1000, Date.now(), locale)}
    </time>
  );
  const name = session.title ?? t("common.newChat");
  if (role === null)
    return (
      <>
        <Icon name="chat" />
        <span className={styles.title}>
          {snippet === "" ? name : <Marked text={snippet} ranges={ranges} />}
        </span>
        {day}
      </>
    );
  return (
    <>
      <Icon name={role === "USER" ? "person" : "menu"} />
      <span className={styles.message}>
        <span className={styles.snippet} dir="auto">
          <Marked text={snippet} ranges={ranges} isAnswer={role === "ASSISTANT"} />
        </span>
        <span className={styles.place}>
          {t(role === "USER" ? "find.byUser" : "find.byAssistant")}
          {" · "}
          {name}
        </span>
      </span>
      {day}
    </>
  );
}

interface MarkedProps {
  text: string;
  ranges: readonly (readonly [number, number])[];
  isAnswer?: boolean;
}

function Marked({ text, ranges, isAnswer = false }: MarkedProps) {
  return markedParts(text, ranges).map(({ text: piece, isMarked }, index) =>
    isMarked ? (
      <mark key={index} className={styles.mark}>
        {piece}
      </mark>
    ) : isAnswer ? (
      withoutMarkdown(piece)
    ) : (
      piece
    ),
  );
}
