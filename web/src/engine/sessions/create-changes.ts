// Wires what changes chats and replies that are there. It decides nothing.
import { createFeedback } from "../feedback/create-feedback.ts";
import { createPinSession, type PinSessionDeps } from "./pin-session.ts";
import { createSessionChanges, type SessionChangesDeps } from "./session-changes.ts";

export type ChangesDeps = SessionChangesDeps & PinSessionDeps;

export type Changes = ReturnType<typeof createChanges>;

export function createChanges(deps: ChangesDeps) {
  const { rename, remove } = createSessionChanges(deps);
  const setPinned = createPinSession(deps);
  const { give } = createFeedback(deps);
  return { rename, remove, setPinned, give };
}
