import { checkTitle } from "@plumb/protocol/rules/title-rules";
import { useRef, useState } from "react";
import { findComposer } from "../../hooks/composer-element.ts";
import { useEngine } from "../../hooks/use-engine.tsx";
import { isTouch } from "../../hooks/use-media.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { cx } from "../../ui/cx.ts";
import styles from "./editable-title.module.css";
import { useTypewriter } from "./use-typewriter.ts";

interface EditableTitleProps {
  sessionId: string;
  title: string;
  /** The title was just made by the model and is written in letter by letter. */
  isNew: boolean;
  /** It is the first words of the question: in quieter ink, until a title is made. */
  isProvisional: boolean;
}

/** The longest title in characters (requirements 0§5). */
const TITLE_MAX = 32;

/**
 * A title that becomes a field on click or focus. Enter and leaving it save, Escape and an empty value do not. One that
 * could not be saved is there again when the field is next entered.
 */
export function EditableTitle({ sessionId, title, isNew, isProvisional }: EditableTitleProps) {
  const engine = useEngine();
  const { t } = useTexts();
  const [typed, setTyped] = useState<string | null>(null);
  const cancelled = useRef(false);
  const written = useTypewriter(title, isNew);
  const shown = typed ?? written;
  // What editing began with: leaving the field as it was saves nothing, also when a title was made meanwhile.
  const start = useRef("");
  const unsaved = useRef<string | null>(null);

  function begin() {
    start.current = isProvisional ? title.replace(/…$/u, "") : title;
    setTyped(unsaved.current ?? start.current);
  }

  async function save() {
    const wanted = cancelled.current || typed === null ? null : checkTitle(typed);
    cancelled.current = false;
    unsaved.current = null;
    if (wanted?.ok === true && wanted.title !== start.current) {
      const isSaved = await engine.sessions.rename(sessionId, wanted.title);
      if (!isSaved) unsaved.current = wanted.title;
    }
    setTyped(null);
  }

  return (
    <span className={styles.frame} data-text={shown}>
      <input
        className={cx(styles.title, isProvisional && typed === null && styles.provisional)}
        value={shown}
        size={1}
        aria-label={t("header.title")}
        spellCheck={false}
        onFocus={begin}
        onChange={(event) => setTyped([...event.target.value].slice(0, TITLE_MAX).join(""))}
        onBlur={() => void save()}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === "Escape") cancelled.current = true;
          if (event.key !== "Enter" && event.key !== "Escape") return;
          // The key would end its way in the composer, as an empty line.
          event.preventDefault();
          event.currentTarget.blur();
          // Without the keyboard of a phone, which would stay up.
          if (!isTouch()) findComposer()?.focus({ preventScroll: true });
        }}
      />
    </span>
  );
}
