import { useContext, type MouseEvent, type ReactNode } from "react";
import { footnoteName, FootnoteOrderContext } from "./footnote-order.ts";
import type { FootnoteMeta } from "./footnote-rules.ts";
import { useMarkdownLabels } from "./markdown-labels.ts";
import styles from "./markdown.module.css";

/** The raised mark of a footnote; a press goes to the note. */
export function FootnoteReference({ meta }: { meta: FootnoteMeta }) {
  const labels = useMarkdownLabels();
  const name = footnoteName(meta, useContext(FootnoteOrderContext));
  return (
    <sup className={styles.noteMark}>
      <a
        href={`#note-${meta.label}`}
        data-note-mark={meta.key}
        role="doc-noteref"
        aria-label={`${labels.footnote} ${name}`}
        onClick={(event) => goTo(event, `[data-note="${CSS.escape(meta.key)}"]`)}
      >
        {name}
      </a>
    </sup>
  );
}

/** A footnote where it was written, with the way back to its first mark. */
export function Footnote({ meta, children }: { meta: FootnoteMeta; children?: ReactNode }) {
  const labels = useMarkdownLabels();
  const name = footnoteName(meta, useContext(FootnoteOrderContext));
  return (
    <div className={styles.note} role="doc-footnote" data-note={meta.key} tabIndex={-1}>
      <span className={styles.noteLabel}>{name}</span>
      <div className={styles.noteText}>{children}</div>
      <a
        className={styles.noteBack}
        data-uncopied=""
        href={`#mark-${meta.label}`}
        role="doc-backlink"
        aria-label={labels.footnoteBack}
        onClick={(event) => goTo(event, `[data-note-mark="${CSS.escape(meta.key)}"]`)}
      >
        ↩
      </a>
    </div>
  );
}

/** Goes to another place of the same answer without touching the page's address. */
function goTo(event: MouseEvent<HTMLElement>, selector: string): void {
  event.preventDefault();
  const target = event.currentTarget.closest(`.${styles.markdown}`)?.querySelector<HTMLElement>(selector);
  target?.scrollIntoView({ block: "center" });
  target?.focus({ preventScroll: true });
}
