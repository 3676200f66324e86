import { checkTitle } from "@plumb/protocol/rules/title-rules";
import { useRef, useState } from "react";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useTexts } from "../../i18n/use-texts.ts";
import { findRow } from "./sidebar-focus.ts";
import styles from "./row-title-field.module.css";

/** The longest title in characters (requirements 0§5). */
const TITLE_MAX = 32;

/**
 * A row's title while it is written. Enter and leaving it save; Escape and an empty value do not, and an unchanged one
 * is not sent. One that could not be saved stays to be tried again.
 */
export function RowTitleField({ sessionId, title }: { sessionId: string; title: string }) {
  const engine = useEngine();
  const { t } = useTexts();
  // What writing began with: leaving it as it was saves nothing, also when the chat got another title meanwhile.
  const [start] = useState(title);
  const [typed, setTyped] = useState(start);
  const [saving, setSaving] = useState(false);
  const closed = useRef(false);

  function close({ focusRow }: { focusRow: boolean }) {
    closed.current = true;
    if (engine.site.overlays.getState().renaming === sessionId) engine.site.setOverlays({ renaming: null });
    if (focusRow) requestAnimationFrame(() => findRow(sessionId)?.focus());
  }

  async function save({ focusRow }: { focusRow: boolean }) {
    if (closed.current || saving) return;
    const wanted = checkTitle(typed);
    if (wanted.ok && wanted.title !== start) {
      setSaving(true);
      const saved = await engine.sessions.rename(sessionId, wanted.title);
      setSaving(false);
      if (!saved) return;
    }
    close({ focusRow });
  }

  return (
    <input
      className={styles.field}
      value={typed}
      autoFocus
      aria-label={t("header.title")}
      aria-busy={saving}
      readOnly={saving}
      spellCheck={false}
      onFocus={(event) => event.target.select()}
      onChange={(event) => setTyped([...event.target.value].slice(0, TITLE_MAX).join(""))}
      onBlur={() => void save({ focusRow: false })}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.nativeEvent.isComposing) return;
        if (event.key === "Escape") close({ focusRow: true });
        if (event.key === "Enter") void save({ focusRow: true });
      }}
    />
  );
}
