// Where the text of an edit box, or of a queued message, is kept: among the drafts, under a key of its own beside that of
// its session.

/** The key of what is typed in the edit box of a message. */
export function editDraftKey(sessionId: string, messageId: number): string {
  return `${editDraftsOf(sessionId)}${messageId}`;
}

/** The key of what is queued to be sent next in a session. */
export function nextDraftKey(sessionId: string): string {
  return `${editDraftsOf(sessionId)}next`;
}

/** Whether it is such a key, and not the one of a composer. */
export function isKeptBeside(key: string): boolean {
  return key.includes("#");
}

/** How the keys of all edit boxes of a session begin. */
export function editDraftsOf(sessionId: string): string {
  return `${sessionId}#`;
}
