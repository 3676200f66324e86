import { DropdownMenu as Primitive } from "radix-ui";
import { useRef, type ReactElement } from "react";
import { cx } from "./cx.ts";
import { Icon, type IconName } from "./icon.tsx";
import styles from "./menu.module.css";
import { useLandmark } from "./use-landmark.ts";

export interface MenuItem {
  key: string;
  label: string;
  icon: IconName;
  danger?: boolean;
  /** Draws a hairline above. */
  separated?: boolean;
  /** An item with an address is a link and needs no `onSelect`. */
  href?: string;
  onSelect?: () => void;
}

export interface MenuProps {
  /** The accessible name of the list. */
  label: string;
  trigger: ReactElement;
  items: MenuItem[];
  side?: "top" | "bottom";
  align?: "start" | "end";
  /** As wide as its trigger. */
  fit?: boolean;
  onOpenChange?: (open: boolean) => void;
}

/** The one menu. Not modal, since the modal kind writes a style element that the content security policy refuses. */
export function Menu({
  label,
  trigger,
  items,
  side = "bottom",
  align = "end",
  fit = false,
  onOpenChange,
}: MenuProps) {
  const { landmark, onApproach } = useLandmark();
  const chosen = useRef<(() => void) | null>(null);
  return (
    <Primitive.Root modal={false} {...(onOpenChange ? { onOpenChange } : {})}>
      <Primitive.Trigger asChild {...onApproach}>
        {trigger}
      </Primitive.Trigger>
      <Primitive.Portal container={landmark}>
        <Primitive.Content
          className={cx(styles.menu, fit && styles.fit)}
          aria-label={label}
          side={side}
          align={align}
          sideOffset={4}
          collisionPadding={8}
          loop
          onCloseAutoFocus={() => {
            const run = chosen.current;
            chosen.current = null;
            // After the focus is back on the trigger, so that a dialog opened here returns it there.
            if (run) setTimeout(run, 0);
          }}
        >
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
      <Icon name={item.icon} />
      <span className={styles.label}>{item.label}</span>
    </>
  );
  return (
    <>
      {item.separated === true && <Primitive.Separator className={styles.separator} />}
      <Primitive.Item
        className={cx(styles.item, item.danger === true && styles.danger)}
        asChild={item.href !== undefined}
        onSelect={() => item.onSelect && onChoose(item.onSelect)}
      >
        {item.href === undefined ? content : <a href={item.href}>{content}</a>}
      </Primitive.Item>
    </>
  );
}
