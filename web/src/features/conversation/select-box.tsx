import { firstCodePoints } from "@plumb/protocol/rules/code-points";
import { useLayoutEffect, useRef } from "react";
import type { ClientMessage } from "../../engine/sessions/client-message.ts";
import { useSelector } from "../../hooks/use-selector.ts";
import { useSharing } from "../../hooks/use-sharing.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { cx } from "../../ui/cx.ts";
import styles from "./select-box.module.css";

/** So much of a message names its box. */
const NAMED_CHARS = 80;

interface SelectBoxProps {
  message: ClientMessage;
  /** What it says. */
  text: string;
}

/** Chooses a message, and the other one of its turn, to be shared: by the box, or by a press anywhere on the message. */
export function SelectBox({ message, text }: SelectBoxProps) {
  const { selection } = useSharing();
  const { t } = useTexts();
  const { message_id: id } = message;
  const isSelectable = useSelector(selection.store, ({ selectable }) => selectable.has(id));
  const isChosen = useSelector(selection.store, ({ chosen }) => chosen.has(id));
  const label = useRef<HTMLLabelElement>(null);
  // Nothing in the message takes the focus or a press meanwhile.
  useLayoutEffect(() => {
    const article = label.current?.parentElement?.querySelector("article");
    article?.toggleAttribute("inert", true);
    return () => void article?.toggleAttribute("inert", false);
  }, []);
  const asks = message.role === "USER";
  const words = firstCodePoints(text, NAMED_CHARS);
  return (
    <label ref={label} className={cx(styles.box, isChosen && styles.chosen, !isSelectable && styles.off)}>
      <input
        type="checkbox"
        className={styles.input}
        checked={isChosen}
        disabled={!isSelectable}
        aria-label={t(asks ? "shareSelect.question" : "shareSelect.reply", { words })}
        onChange={() => selection.toggle(id)}
      />
    </label>
  );
}
