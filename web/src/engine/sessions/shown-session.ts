// The session or new chat that is on screen.

export type ShownSession = ReturnType<typeof createShownSession>;

export function createShownSession() {
  let shown: string | null = null;
  return {
    /** The key on show: a session id or `new:<agentId>`. */
    key: (): string | null => shown,
    is: (key: string): boolean => shown === key,
    show(key: string): void {
      shown = key;
    },
    clear(): void {
      shown = null;
    },
  };
}
