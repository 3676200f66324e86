// `engine.turns`: everything that asks for a reply, and stopping it.
import type { StoreApi } from "zustand/vanilla";
import { newChatKey } from "../sessions/client-session.ts";
import type { SessionStore } from "../sessions/session-store.ts";
import type { ShownSession } from "../sessions/shown-session.ts";
import type { createTurns } from "./create-turns.ts";
import { cancelEdit, openEditBox } from "./edit-box.ts";
import { lastPrompt } from "./last-prompt.ts";
import type { createModelChoice } from "./model-choice.ts";

export interface Turns {
  /** Somebody is at the page: what a send takes, its proof and the code that reads the reply, is made ready ahead. Typing does the same. */
  prepare(): void;
  /** Sends the prompt from `key` (a session id or `new:<agentId>`). False = refused before anything was sent; the text is kept. */
  send(key: string, prompt: string): Promise<boolean>;
  /** Makes room for another new chat with this agent: one on its way goes on by itself. */
  setAside(agentId: string): void;
  /**
   * Asks for another reply beside this one, on show as it arrives: of this model, or without one of the chosen one.
   * False = refused before anything was sent.
   */
  regenerate(key: string, messageId: number, model?: string): Promise<boolean>;
  /** Opens the edit box of a user message; its text is the draft under `editDraftKey`. False = it can't be edited now. */
  startEdit(key: string, messageId: number): boolean;
  /** Closes the edit box of a user message; what was typed there is given up. */
  cancelEdit(key: string, messageId: number): void;
  /** Sends another prompt beside this user message, with its files. False = refused before anything was sent. */
  editMessage(key: string, messageId: number, prompt: string): Promise<boolean>;
  /** Lets an INCOMPLETE reply that is the last of its branch go on. False = refused before anything was sent. */
  continueReply(key: string, messageId: number): Promise<boolean>;
  /** Stops the running reply of the session. */
  stop(key: string): void;
  /** The click on a hint with clickBehavior retry: sends the failed message again. */
  retry(key: string, messageId: number): void;
  /** The last prompt sent in this session, for arrow-up in an empty composer. */
  lastPrompt(key: string): string | null;
  /** Id of the model that is asked, as the user chose it; "" for the default one. It may be offered no longer. */
  model: StoreApi<{ chosen: string }>;
  chooseModel(model: string): void;
}

interface TurnsFaceParts {
  turns: ReturnType<typeof createTurns>;
  sessions: SessionStore;
  shown: ShownSession;
  models: ReturnType<typeof createModelChoice>;
  prepare: () => void;
}

/** The calls of the screen. Whoever asks for a reply looks at its chat. */
export function turnsFace({ turns, sessions, shown, models, prepare }: TurnsFaceParts): Turns {
  return {
    prepare,
    send(key, prompt) {
      shown.show(key);
      return turns.send(key, prompt);
    },
    setAside: (agentId) => turns.setAside(newChatKey(agentId)),
    regenerate(key, messageId, model) {
      shown.show(key);
      return turns.regenerate(key, messageId, model);
    },
    startEdit: (key, messageId) => openEditBox(sessions, key, messageId),
    cancelEdit: (key, messageId) => cancelEdit(sessions, key, messageId),
    editMessage(key, messageId, prompt) {
      shown.show(key);
      return turns.editMessage(key, messageId, prompt);
    },
    continueReply(key, messageId) {
      shown.show(key);
      return turns.continueReply(key, messageId);
    },
    stop: (key) => void turns.stop(key),
    retry(key, messageId) {
      shown.show(key);
      void turns.retry(key, messageId);
    },
    lastPrompt: (key) => lastPrompt(sessions.get(key)),
    model: models.store,
    chooseModel: models.choose,
  };
}
