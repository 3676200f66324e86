// `engine.turns`: sending, stopping and sending again.

export interface Turns {
  /** Sends the prompt from `key` (a session id or `new:<agentId>`). False = refused before anything was sent; the text is kept. */
  send(key: string, prompt: string): Promise<boolean>;
  /** Stops the running reply of the session. */
  stop(key: string): void;
  /** The click on a hint with clickBehavior retry: sends the failed message again. */
  retry(key: string, messageId: number): void;
  /** The last prompt sent in this session, for arrow-up in an empty composer. */
  lastPrompt(key: string): string | null;
}
