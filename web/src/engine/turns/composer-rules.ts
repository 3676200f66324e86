// May what is typed be sent now? (requirements 1§5). What its files say to that is in files/check-files.ts.
import { LIMITS } from "@plumb/protocol/limits";
import { promptProblem } from "@plumb/protocol/rules/prompt-rules";
import type { ClientSession } from "../sessions/client-session.ts";
import type { Text } from "../text.ts";
import { agentOfNewChat } from "../sessions/client-session.ts";

/** What the composer's button does: "wait" while a send is being verified or the history isn't there yet. */
export type ComposerAction = "send" | "stop" | "wait" | "reload";

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
    case "historyError":
      return "reload";
    default:
      return "wait";
  }
}

/** `text` is the reason, null where it is plain to see. */
export type SubmitCheck = { ok: true } | { ok: false; type: "info" | "error"; text: Text | null };

/** Whether anything may be sent from `key` now, by how its chat stands; why not. */
export function checkStanding(key: string, session: ClientSession | undefined): SubmitCheck {
  switch (composerAction(key, session)) {
    case "send":
      return { ok: true };
    case "stop":
      return { ok: false, type: "info", text: { key: "waitForReply" } };
    case "reload":
      return { ok: false, type: "info", text: { key: "chatNotLoaded" } };
    case "wait":
      return session?.state === "sending"
        ? { ok: false, type: "info", text: { key: "stillSending" } }
        : { ok: false, type: "info", text: { key: "chatStillLoading" } };
  }
}

/**
 * Whether `prompt` may ever be sent. With files it may be blank. One that has more characters than a prompt may have bytes is
 * not looked at: megabytes in a message, its title and its request stop the page for seconds.
 */
export function checkPrompt(prompt: string, { hasFiles = false } = {}): SubmitCheck {
  if (prompt.length > LIMITS.promptBytes)
    return { ok: false, type: "error", text: { key: "messageTooLong" } };
  switch (promptProblem(prompt, { hasFiles })) {
    case null:
      return { ok: true };
    case "empty":
      return { ok: false, type: "info", text: null };
    case "invalid-unicode":
      return { ok: false, type: "error", text: { key: "invalidUnicode" } };
  }
}

/** Whether `prompt` may be sent from `key` now. */
export function checkSubmit(
  key: string,
  session: ClientSession | undefined,
  prompt: string,
  files?: { hasFiles: boolean },
): SubmitCheck {
  const check = checkPrompt(prompt, files);
  return check.ok ? checkStanding(key, session) : check;
}
