// May what is typed be sent now? (requirements 1§5; files come with their own issue)
import { promptProblem } from "@plumb/protocol/rules/prompt-rules";
import type { ClientSession } from "../sessions/client-session.ts";
import type { Text } from "../text.ts";
import { agentOfNewChat } from "../sessions/client-session.ts";

/** What the composer's button does: "wait" while a send is being verified or the history isn't there. */
export type ComposerAction = "send" | "stop" | "wait";

/** `session` undefined = a new chat nothing was sent in yet. */
export function composerAction(key: string, session: ClientSession | undefined): ComposerAction {
  if (session === undefined) return agentOfNewChat(key) === null ? "wait" : "send";
  switch (session.state) {
    case "idle":
      return "send";
    case "idleWithNoHistory":
      return agentOfNewChat(key) === null ? "wait" : "send";
    case "completing":
      return "stop";
    default:
      return "wait";
  }
}

export type SubmitCheck = { ok: true } | { ok: false; text: Text | null };

/** `text` is the reason, null where it is plain to see. */
export function checkSubmit(key: string, session: ClientSession | undefined, prompt: string): SubmitCheck {
  if (composerAction(key, session) !== "send") return { ok: false, text: null };
  switch (promptProblem(prompt, { hasFiles: false })) {
    case null:
      return { ok: true };
    case "empty":
      return { ok: false, text: null };
    case "invalid-unicode":
      return { ok: false, text: { key: "invalidUnicode" } };
  }
}
