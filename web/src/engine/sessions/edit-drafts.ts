// Where the text of an edit box is kept: among the drafts, under a key of its own beside that of its session.

/** The key of what is typed in the edit box of a message. */
export function editDraftKey(sessionId: string, messageId: number): string {
  return `${editDraftsOf(sessionId)}${messageId}`;
}

/** How the keys of all edit boxes of a session begin. */
export function editDraftsOf(sessionId: string): string {
  return `${sessionId}#`;
}
