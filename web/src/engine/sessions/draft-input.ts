// What is typed: it is kept, and a send is prepared for.
import type { SessionStore } from "./session-store.ts";

export interface DraftInputDeps {
  sessions: SessionStore;
  isSignedIn(): boolean;
  /** Solves a puzzle ahead of the send. */
  prepareProof(): void;
}

/** Keeps the text typed under `key`, and has a proof of work ready by the time it is sent. */
export function createDraftInput({ sessions, isSignedIn, prepareProof }: DraftInputDeps) {
  return (key: string, text: string): void => {
    if (text !== "" && isSignedIn()) prepareProof();
    sessions.storeDraft(key, text);
  };
}
