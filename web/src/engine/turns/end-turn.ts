// What every end of a reply means for the session on the screen.
import { LIMITS } from "@plumb/protocol/limits";
import { ReplyRefusal } from "@plumb/protocol/wire/replies";
import type { ApiError } from "../api-errors.ts";
import type { ReplyEnd, Send } from "../replies/auto-resume.ts";
import type { RunRegister } from "./run-register.ts";
import type { RunningReply } from "./running-reply.ts";
import { lookForTitle } from "./session-title.ts";
import type { TurnDeps } from "./turn-deps.ts";
import { CONNECTION_LOST, errorHint, PROTOCOL_VIOLATION, reactionTo } from "./turn-failures.ts";

/** The end of one run: what was read, where, and the send it began with (null for a resumed reply). */
interface EndedTurn {
  run: RunningReply;
  sessionId: string;
  send: Send | null;
}

/** Shows the end of a reply. Resolves when the session is as it shall be. */
export async function endTurn(
  deps: TurnDeps,
  register: RunRegister,
  turn: EndedTurn,
  end: ReplyEnd,
): Promise<void> {
  const { run, sessionId, send } = turn;
  const { sessions, history, reactions } = deps;
  switch (end.kind) {
    case "closed":
      if (run.hasMessage()) run.endAs("INCOMPLETE", null);
      else if (!run.isSettled()) {
        run.giveBack({ hint: null });
        await history.load(sessionId, { byHand: true });
      }
      return;
    case "full":
      run.adopt(end.full.message, end.full.chat_session);
      if (end.full.chat_session.title_type === "WIP") {
        void lookForTitle(deps, end.full.chat_session, register.era());
      }
      return;
    case "refused":
      return onRefused(deps, register, turn, end.error);
    case "resume-refused":
      return onResumeRefused(deps, register, turn, end.error);
    case "violation":
      reactions.toast({
        type: "error",
        text: PROTOCOL_VIOLATION,
        duration: LIMITS.protocolViolationToastMs,
        dedupeKey: "protocol-violation",
      });
      if (send === null) run.endAs("INCOMPLETE", null);
      else run.giveBack({ hint: null });
      return;
    case "lost":
      if (run.isSettled()) return;
      register.lost.set(run.key(), { run, send });
      run.endAs("INCOMPLETE", errorHint(CONNECTION_LOST));
      if (run.prompt !== null && !run.hasMessage()) sessions.restoreDraft(run.key(), run.prompt);
      return;
    case "aborted":
      return;
  }
}

function onRefused(deps: TurnDeps, register: RunRegister, turn: EndedTurn, error: ApiError): void {
  const { run } = turn;
  const reaction = reactionTo(error);
  switch (reaction.show) {
    case "hint":
      if (reaction.mutedUntil !== undefined) deps.onMuted(reaction.mutedUntil);
      return run.giveBack({ hint: errorHint(reaction, "logId" in error ? error.logId : "") });
    case "toast":
      deps.reactions.toast({ type: "error", text: reaction.text });
      run.giveBack({ hint: null });
      if (reaction.dropSession) dropSession(deps, register, turn);
      return;
    case "silent":
      if (reaction.log !== undefined) deps.browser.log(reaction.log);
      return run.giveBack({ hint: null });
  }
}

async function onResumeRefused(
  deps: TurnDeps,
  register: RunRegister,
  turn: EndedTurn,
  error: ApiError,
): Promise<void> {
  const reaction = reactionTo(error);
  if (reaction.show === "toast") deps.reactions.toast({ type: "error", text: reaction.text });
  turn.run.endAs("INCOMPLETE", null);
  if (reaction.show === "toast" && reaction.dropSession) dropSession(deps, register, turn);
  else if (error.kind === "refused" && error.code === ReplyRefusal.ResumeTimeTooLong.code) {
    await deps.history.load(turn.sessionId, { byHand: true });
  }
}

function dropSession(deps: TurnDeps, register: RunRegister, { run, sessionId }: EndedTurn): void {
  register.unused.delete(run.key());
  deps.onInvalidSession(sessionId);
}
