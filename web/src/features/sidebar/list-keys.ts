// Which keys move where in the list of chats.
import type { KeyboardEvent } from "react";

/**
 * Handles a key pressed in the list, which is one tab stop: the arrows, Home and End go from row to row, the right
 * arrow to the row's menu button and the left one back, and the key for menus opens the menu.
 */
export function moveInList(event: KeyboardEvent<HTMLElement>): void {
  const { key, currentTarget: list, target } = event;
  if (!(target instanceof HTMLElement) || event.ctrlKey || event.metaKey || event.altKey) return;
  const row = target.closest("li");
  if (row === null) return;
  const button = row.querySelector<HTMLElement>("button");
  const onButton = target === button;
  if (!onButton && target !== linkOf(row)) return;
  if (key === "ContextMenu" || (key === "F10" && event.shiftKey)) openMenu(button);
  else if (event.shiftKey) return;
  else if (key === "ArrowRight" && !onButton) button?.focus();
  else if (key === "ArrowLeft" && onButton) linkOf(row)?.focus();
  // On the button the down arrow opens the menu.
  else if (onButton || !moveToRow(list, row, key)) return;
  event.preventDefault();
}

function moveToRow(list: HTMLElement, row: HTMLElement, key: string): boolean {
  const rows = [...list.querySelectorAll("li")];
  const at = rows.indexOf(row as HTMLLIElement);
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[key];
  if (next === undefined) return false;
  linkOf(rows[next])?.focus();
  return true;
}

function linkOf(row: HTMLElement | undefined): HTMLElement | null {
  return row?.querySelector("a") ?? null;
}

/** The button knows the keys that open its menu. */
function openMenu(button: HTMLElement | null): void {
  button?.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }));
}
