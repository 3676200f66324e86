import { findComposer } from "../../hooks/composer-element.ts";

// Where the focus can go in the sidebar that is on the page; there is one at a time.

/** The id of the link of a row. */
export function rowElementId(sessionId: string): string {
  return `session-${sessionId}`;
}

/** The id of the button that folds and opens the sidebar. */
export const toggleElementId = "sidebar-toggle";

/** Gives the focus of the pressed button, which went with its sidebar, to the one that stands for it now. */
export function keepToggleFocus(): void {
  if (document.activeElement === document.body) document.getElementById(toggleElementId)?.focus();
}

export const newChatElementId = "new-chat";

/** The link of a session's row, if it is in the list. */
export function findRow(sessionId: string | null): HTMLElement | null {
  return sessionId === null ? null : document.getElementById(rowElementId(sessionId));
}

/** The button for a new chat; on the page of a new chat, which has none, the place to write. */
export function findNewChat(): HTMLElement | null {
  return document.getElementById(newChatElementId) ?? findComposer();
}
