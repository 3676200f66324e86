// Getting back to a reply after all attempts to resume it failed.
import { getMessage } from "@plumb/protocol/conversation/message-tree";
import type { Send } from "../replies/auto-resume.ts";
import { agentOfNewChat } from "../sessions/client-session.ts";
import { insertPlaceholders, withoutUnsent } from "./placeholders.ts";
import type { RunRegister } from "./run-register.ts";
import type { RunningReply } from "./running-reply.ts";
import type { TurnDeps } from "./turn-deps.ts";

type FollowToEnd = (run: RunningReply, sessionId: string, send: Send | null) => Promise<void>;

export function createRecovery(deps: TurnDeps, register: RunRegister, followToEnd: FollowToEnd) {
  const { browser, sessions, history } = deps;
  const { lost } = register;

  function found(key: string, run: RunningReply): void {
    lost.delete(key);
    register.end(run);
  }

  /**
   * Goes back to a reply we lost. One the server has is read from there: sending it again would ask the model twice.
   * One nobody knows to have arrived is sent again with its own id, so that it can't become two. False: nothing to
   * go back to.
   */
  async function recover(key: string): Promise<boolean> {
    const entry = lost.get(key);
    if (entry === undefined) return false;
    const { run, send } = entry;
    const sessionId = run.sessionId() ?? key;
    if (run.responseId() !== null && agentOfNewChat(key) === null) {
      if (await history.load(sessionId, { byHand: true })) {
        found(key, run);
        // It was given back when the reply was lost, and stands in the history now.
        if (run.prompt !== null) sessions.dropDraft(key, run.prompt);
      }
      return true;
    }
    if (send === null || run.prompt === null) return false;
    found(key, run);
    const again = restart(run);
    if (again === null) return false;
    await followToEnd(again, sessionId, send);
    return true;
  }

  /** A new run for the placeholders of one that was lost before its first delta. */
  function restart(old: RunningReply): RunningReply | null {
    const key = old.key();
    const { prompt, clientStreamId } = old;
    const session = sessions.get(key);
    const user = session && getMessage(session.tree, old.userId());
    if (session === undefined || user === undefined || prompt === null || clientStreamId === null)
      return null;
    const userId = register.nextLocalId();
    const replyId = register.nextLocalId();
    sessions.put(key, {
      ...session,
      state: "sending",
      tree: insertPlaceholders(withoutUnsent(session.tree), {
        userId,
        replyId,
        parentId: user.parent_id,
        prompt,
        thinking: user.thinking_enabled,
        search: user.search_enabled,
        clientStreamId,
        now: browser.now(),
      }),
    });
    // It was given back to the field; it is on its way again.
    sessions.hideDraft(key, prompt);
    const run = register.begin({ key, userId, replyId, prompt, clientStreamId });
    run.markSent();
    const made = register.unused.get(key);
    if (made !== undefined) run.setSession(made);
    return run;
  }

  /** The way is clear again: replies the server has are looked for without being asked. */
  function recoverAll(): void {
    for (const [key, { run }] of lost) if (run.responseId() !== null) void recover(key);
  }

  return { recover, recoverAll };
}
