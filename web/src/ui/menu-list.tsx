import { DropdownMenu as Primitive } from "radix-ui";
import { useEffect, useEffectEvent, useRef } from "react";
import { cx } from "./cx.ts";
import { Icon } from "./icon.tsx";
import { landmarkOf } from "./landmark.ts";
import type { MenuItem, MenuProps } from "./menu.tsx";
import styles from "./menu-list.module.css";
import { StandIn } from "./stand-in.tsx";

export interface MenuListProps extends Omit<MenuProps, "trigger"> {
  /** Of the list, for the button's `aria-controls`. */
  id: string;
  /** The button. */
  anchor: HTMLElement;
  open: boolean;
  /** What had the focus when a key opened it: the first item takes it, and gives it back there. Null: no key did. */
  openedFrom: Element | null;
  onOpenChange: (open: boolean) => void;
}

/** The list of a menu. Not modal, since the modal kind writes a style element that the content security policy refuses. */
export function MenuList(props: MenuListProps) {
  const {
    label,
    titled = false,
    items,
    side = "bottom",
    align = "end",
    fit = false,
    id,
    anchor,
    open,
    openedFrom,
    onOpenChange,
  } = props;
  const chosen = useRef<(() => void) | null>(null);
  const content = useRef<HTMLDivElement>(null);
  const focusFirst = useEffectEvent(() => {
    if (open && openedFrom !== null) content.current?.querySelector<HTMLElement>("[role^=menuitem]")?.focus();
  });
  // The primitive does so itself, but for a key that was pressed before it was here.
  useEffect(() => focusFirst(), []);
  return (
    <Primitive.Root modal={false} open={open} onOpenChange={onOpenChange}>
      <Primitive.Trigger asChild>
        <StandIn element={anchor} />
      </Primitive.Trigger>
      <Primitive.Portal container={landmarkOf(anchor)}>
        <Primitive.Content
          ref={content}
          id={id}
          className={cx(styles.menu, fit && styles.fit)}
          aria-label={label}
          aria-labelledby={undefined}
          side={side}
          align={align}
          sideOffset={4}
          collisionPadding={8}
          loop
          onCloseAutoFocus={() => {
            const run = chosen.current;
            chosen.current = null;
            // The primitive gives the focus to the button, where nothing else was pressed.
            queueMicrotask(() => {
              if (document.activeElement === anchor && openedFrom instanceof HTMLElement) openedFrom.focus();
            });
            // After the focus is back on the trigger, so that a dialog opened here returns it there.
            if (run) setTimeout(run, 0);
          }}
        >
          {titled && <Primitive.Label className={styles.title}>{label}</Primitive.Label>}
          {items.map((item) => (
            <MenuRow key={item.key} item={item} onChoose={(run) => (chosen.current = run)} />
          ))}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

function MenuRow({ item, onChoose }: { item: MenuItem; onChoose: (run: () => void) => void }) {
  const content = (
    <>
      {item.icon !== undefined && <Icon name={item.icon} />}
      <span className={styles.label}>{item.label}</span>
      {item.checked === true && <Icon name="check" small />}
    </>
  );
  return (
    <>
      {item.separated === true && <Primitive.Separator className={styles.separator} />}
      <Primitive.Item
        className={cx(styles.item, item.danger === true && styles.danger)}
        asChild={item.href !== undefined}
        {...(item.checked === undefined ? {} : { role: "menuitemradio", "aria-checked": item.checked })}
        onSelect={() => item.onSelect && onChoose(item.onSelect)}
      >
        {item.href === undefined ? (
          content
        ) : (
          <a href={item.href} {...(/^https?:/.test(item.href) && { target: "_blank", rel: "noopener" })}>
            {content}
          </a>
        )}
      </Primitive.Item>
      {item.aside !== undefined && (
        <div className={styles.aside} aria-hidden="true">
          {item.aside}
        </div>
      )}
    </>
  );
}
