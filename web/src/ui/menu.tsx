import {
  cloneElement,
  useId,
  useState,
  type ButtonHTMLAttributes,
  type KeyboardEvent,
  type PointerEvent,
  type ReactElement,
  type ReactNode,
  type SyntheticEvent,
} from "react";
import type { IconName } from "./icon.tsx";
import { lazyPart } from "./lazy-part.tsx";

export interface MenuItem {
  key: string;
  label: string;
  icon?: IconName;
  /** One of several to choose from: marked, and told as a choice. */
  checked?: boolean;
  danger?: boolean;
  /** Draws a hairline above. */
  separated?: boolean;
  /** An item with an address is a link and needs no `onSelect`. */
  href?: string;
  onSelect?: () => void;
  /** Shown beside the item while the pointer or the focus is on it. */
  aside?: ReactNode;
}

export interface MenuProps {
  /** The accessible name of the list. */
  label: string;
  /** Shows the name above the items, where they do not say themselves what they do. */
  titled?: boolean;
  /** A button without handlers of its own for the pointer, the focus and the keys. */
  trigger: ReactElement<ButtonHTMLAttributes<HTMLButtonElement>>;
  items: MenuItem[];
  side?: "top" | "bottom";
  align?: "start" | "end";
  /** As wide as its trigger. */
  fit?: boolean;
}

/** The list of a menu, whose code the page loads when it is first touched. */
export const menuList = lazyPart(async () => (await import("./menu-list.tsx")).MenuList);

/**
 * The one menu. Its button is here at once and knows the keys and presses that open it, with the same rules as the
 * primitive's. The list joins when the button is first approached; a menu asked for earlier opens when its code is here,
 * and where that cannot be had it breaks with what failed.
 */
export function Menu({ trigger, ...list }: MenuProps) {
  const id = useId();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [open, setOpen] = useState(false);
  const [openedFrom, setOpenedFrom] = useState<Element | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  if (open && failure !== null) throw failure;

  function approach({ currentTarget }: SyntheticEvent<HTMLElement>) {
    void menuList.preload().then((here) => {
      if (here) setAnchor(currentTarget);
    });
  }
  function ask({ currentTarget }: SyntheticEvent<HTMLElement>) {
    setFailure(null);
    menuList.load().then(() => setAnchor(currentTarget), setFailure);
  }

  function press(event: PointerEvent<HTMLElement>) {
    if (event.button !== 0 || event.ctrlKey) return;
    // The list takes the focus; the button taking it too would close the list.
    if (!open) event.preventDefault();
    ask(event);
    setOpenedFrom(null);
    setOpen(!open);
  }
  function pressKey(event: KeyboardEvent<HTMLElement>) {
    if (event.key !== "Enter" && event.key !== " " && event.key !== "ArrowDown") return;
    event.preventDefault();
    ask(event);
    setOpenedFrom(document.activeElement);
    setOpen(event.key === "ArrowDown" || !open);
  }
  return (
    <>
      {cloneElement(trigger, {
        "aria-haspopup": "menu",
        "aria-expanded": open,
        "aria-controls": open ? id : undefined,
        onPointerEnter: approach,
        onFocus: approach,
        onPointerDown: press,
        onKeyDown: pressKey,
      })}
      {anchor !== null && (
        <menuList.Part
          {...list}
          id={id}
          anchor={anchor}
          open={open}
          openedFrom={openedFrom}
          onOpenChange={setOpen}
        />
      )}
    </>
  );
}
