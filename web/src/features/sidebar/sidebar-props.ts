/** What each form of the sidebar takes: column, rail and sheet. */
export interface SidebarProps {
  /** The session on show, marked in the list. */
  sessionId: string | null;
  /** Absent at the root, where the page is a new chat already. */
  onNewChat?: (() => void) | undefined;
}
