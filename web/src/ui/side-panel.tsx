import { useEffect, useId, useRef, type KeyboardEvent, type ReactNode } from "react";
import { IconButton } from "./icon-button.tsx";
import { useBackCloses } from "./layers.ts";
import styles from "./side-panel.module.css";

export interface SidePanelProps {
  title: string;
  /** It fades; then its owner removes it. */
  closing: boolean;
  /** It lies over the page, which the owner has made inert, and a press beside it closes it. */
  modal: boolean;
  closeLabel: string;
  onClose: () => void;
  /** Further presses beside the one that closes. */
  actions?: ReactNode;
  children: ReactNode;
}

/**
 * The one panel at the right side (requirements 0§2): beside the chat where there is room, else over it. What it shows
 * stays in its place of the document when the room changes, since a page in a frame would begin anew.
 */
export function SidePanel({ title, closing, modal, closeLabel, onClose, actions, children }: SidePanelProps) {
  const titleId = useId();
  const panel = useRef<HTMLElement>(null);
  useBackCloses(modal && !closing, onClose);
  useEffect(() => {
    const before = document.activeElement;
    const own = panel.current;
    own?.focus({ preventScroll: true });
    return () => giveFocusBack(before, own);
  }, []);

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    event.preventDefault();
    onClose();
  }
  return (
    <>
      {modal && <div className={styles.mask} data-closing={closing} onPointerDown={onClose} />}
      {/* One element for both roles, since another one would begin anew; an `aside` may not be a dialog. */}
      <section
        ref={panel}
        className={styles.panel}
        data-closing={closing}
        role={modal ? "dialog" : "complementary"}
        aria-modal={modal || undefined}
        aria-labelledby={titleId}
        tabIndex={-1}
        onKeyDown={onKeyDown}
      >
        <header className={styles.header}>
          <h2 id={titleId} className={styles.title}>
            {title}
          </h2>
          {actions}
          <IconButton label={closeLabel} icon="close" onClick={onClose} />
        </header>
        <div className={styles.body}>{children}</div>
      </section>
    </>
  );
}

/** To what had it before, unless it went elsewhere meanwhile. */
function giveFocusBack(before: Element | null, own: HTMLElement | null): void {
  const { activeElement } = document;
  const isFree = activeElement === null || activeElement === document.body || own?.contains(activeElement);
  if (isFree === true && before instanceof HTMLElement && before.isConnected)
    before.focus({ preventScroll: true });
}
