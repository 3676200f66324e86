import { useContext, type MouseEvent, type ReactNode } from "react";
import { cx } from "../ui/cx.ts";
import { footnoteName, FootnoteOrderContext, isReferredTo } from "./footnote-order.ts";
import type { FootnoteMeta } from "./footnote-rules.ts";
import { useMarkdownLabels } from "./markdown-labels.ts";
import { patiently } from "../ui/lazy-part.tsx";
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
        onClick={(event) => goTo(event, "note", meta)}
      >
        {name}
      </a>
    </sup>
  );
}

/** A footnote where it was written, with the way back to its first mark. */
export function Footnote({ meta, children }: { meta: FootnoteMeta; children?: ReactNode }) {
  const labels = useMarkdownLabels();
  const order = useContext(FootnoteOrderContext);
  const name = footnoteName(meta, order);
  return (
    <div className={styles.note} role="doc-footnote" data-note={meta.key} tabIndex={-1}>
      <span className={styles.noteLabel}>{name}</span>
      <div className={styles.noteText}>{children}</div>
      <a
        className={cx(styles.noteBack, !isReferredTo(meta, order) && styles.nowhere)}
        data-uncopied=""
        href={`#mark-${meta.label}`}
        role="doc-backlink"
        aria-label={labels.footnoteBack}
        onClick={(event) => goTo(event, "note-mark", meta)}
      >
        ↩
      </a>
    </div>
  );
}

/** Goes to a footnote of the same answer, or to its first mark, without touching the page's address. */
function goTo(event: MouseEvent<HTMLElement>, what: "note" | "note-mark", meta: FootnoteMeta): void {
  event.preventDefault();
  const root = event.currentTarget.closest(`.${styles.markdown}`);
  if (root === null) return;
  const wanted = `[data-${what}="${CSS.escape(meta.key)}"]`;
  const find = () => root.querySelector<HTMLElement>(wanted);
  const target = find();
  // The first mark may be in a place above the one that is drawn.
  const isThere = what === "note" || root.querySelector(`${wanted},[data-place]`) === target;
  if (target !== null && isThere) show(target);
  else
    patiently(() => import("./undrawn-note.ts")).then(
      ({ goToUndrawn }) => goToUndrawn(root, meta, what, find, show),
      (error: unknown) => {
        console.warn("what goes to footnotes could not be loaded", error);
        if (target !== null) show(target);
      },
    );
}

function show(target: HTMLElement): void {
  target.scrollIntoView({ block: "center" });
  target.focus({ preventScroll: true });
}
