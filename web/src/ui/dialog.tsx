import { Dialog as Primitive } from "radix-ui";
import { useState, type ReactNode } from "react";
import frame from "./dialog-frame.module.css";
import styles from "./dialog.module.css";
import { cx } from "./cx.ts";
import { Icon } from "./icon.tsx";
import { useBackCloses } from "./layers.ts";

export interface DialogProps {
  open: boolean;
  onClose: () => void;
  /** It cannot be closed now. */
  locked?: boolean;
  title: string;
  closeLabel: string;
  /** What the dialog says under its title; announced with it. */
  description?: string;
  /** captcha: as wide as pictures of 300 px need. */
  size?: "small" | "medium" | "captcha";
  /** Neither Escape, Back nor a press beside it closes it. */
  closesByButtonOnly?: boolean;
  /** Where the focus goes at the end rather than to what had it before, if that is there. */
  focusBack?: () => HTMLElement | null;
  /** Where the focus goes when what had it before is gone. */
  focusInstead?: () => HTMLElement | null;
  footer?: ReactNode;
  children?: ReactNode;
}

/**
 * The one modal: closes by its button, Escape, Back and the mask; keeps the focus inside and gives it back. It goes without
 * the primitive's overlay, whose scroll lock writes a style element that the content security policy refuses.
 */
export function Dialog(props: DialogProps) {
  const {
    open,
    onClose,
    locked = false,
    title,
    closeLabel,
    description,
    size = "small",
    closesByButtonOnly = false,
    focusBack,
    focusInstead,
    footer,
    children,
  } = props;
  useBackCloses(open && !locked && !closesByButtonOnly, onClose);
  const [wasOpen, setWasOpen] = useState(false);
  const [focusedBefore, setFocusedBefore] = useState<Element | null>(null);
  // While rendering, since a field with autoFocus takes the focus before any effect runs.
  if (open !== wasOpen) {
    setWasOpen(open);
    if (open) setFocusedBefore(document.activeElement);
  }
  return (
    <Primitive.Root open={open} onOpenChange={(next) => !next && !locked && onClose()}>
      <Primitive.Portal>
        <Primitive.Content
          className={cx(frame.mask, styles.mask)}
          data-mask
          {...(description === undefined ? { "aria-describedby": undefined } : {})}
          onEscapeKeyDown={(event) => closesByButtonOnly && event.preventDefault()}
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus();
          }}
          onCloseAutoFocus={() => {
            const back = focusBack?.() ?? focusedBefore;
            if (back instanceof HTMLElement && back.isConnected) back.focus();
            else focusInstead?.()?.focus();
          }}
          onPointerDown={(event) => {
            if (event.target === event.currentTarget && !locked && !closesByButtonOnly) onClose();
          }}
        >
          <div className={cx(frame.panel, styles.panel, styles[size])}>
            <header className={styles.header}>
              <Primitive.Title className={styles.title}>{title}</Primitive.Title>
              <Primitive.Close className={frame.close} aria-label={closeLabel} disabled={locked}>
                <Icon name="close" />
              </Primitive.Close>
            </header>
            <div className={styles.body}>
              {description !== undefined && (
                <Primitive.Description className={styles.description}>{description}</Primitive.Description>
              )}
              {children}
            </div>
            {footer !== undefined && <footer className={styles.footer}>{footer}</footer>}
          </div>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
