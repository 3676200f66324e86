// A turn from the prompt to the reply's end: placeholders, session, proof, and the stream that is followed.
import { getMessage } from "@plumb/protocol/conversation/message-tree";
import { RequestHeader } from "@plumb/protocol/wire/headers";
import type { History } from "@plumb/protocol/wire/sessions";
import { completion } from "@plumb/protocol/wire/turns";
import type { StreamAnswer } from "../api-client.ts";
import type { Proof } from "../guard/proof-of-work.ts";
import { followReply, type FollowDeps, type Send } from "../replies/auto-resume.ts";
import { agentOfNewChat } from "../sessions/client-session.ts";
import { newClientStreamId } from "./client-stream-id.ts";
import { checkSubmit, composerAction } from "./composer-rules.ts";
import { endTurn } from "./end-turn.ts";
import { sessionForNewChat } from "./new-chat-session.ts";
import {
  insertPlaceholders,
  parentForSend,
  promptOf,
  withoutFailedPair,
  withoutUnsent,
} from "./placeholders.ts";
import { createRecovery } from "./recover-turn.ts";
import { createRunRegister } from "./run-register.ts";
import type { RunningReply } from "./running-reply.ts";
import { lookForTitle } from "./session-title.ts";
import type { TurnDeps } from "./turn-deps.ts";
import { errorHint, NO_PROOF, reactionTo } from "./turn-failures.ts";

export function createTurns(deps: TurnDeps) {
  const { browser, api, sessions, reactions } = deps;
  const follow: FollowDeps = { browser, api, ...deps.follow };
  const register = createRunRegister(deps);
  const recovery = createRecovery(deps, register, followToEnd);

  /** A stopped or signed-out run has been dealt with by whoever aborted it. */
  const isOver = (run: RunningReply): boolean => run.abort.signal.aborted;

  /** Sends under a parent; true once the request is on its way. */
  async function startTurn(key: string, parentId: number | null, prompt: string): Promise<boolean> {
    const { thinking, search } = deps.modes();
    const clientStreamId = newClientStreamId(browser);
    const userId = register.nextLocalId();
    const replyId = register.nextLocalId();
    const placeholders = {
      userId,
      replyId,
      parentId,
      prompt,
      thinking,
      search,
      clientStreamId,
      now: browser.now(),
    };
    sessions.update(key, ({ tree }) => ({
      state: "sending",
      connection: "live",
      tree: insertPlaceholders(withoutUnsent(tree), placeholders),
    }));
    const run = register.begin({ key, userId, replyId, prompt, clientStreamId });
    register.lost.delete(key);

    const agentId = agentOfNewChat(key);
    sessions.hideDraft(key, prompt);
    let sessionId = key;
    if (agentId !== null) {
      const made = await sessionForNewChat(api, register.unused, key, agentId);
      if (isOver(run)) return false;
      if ("text" in made) {
        if (made.text !== null) reactions.toast({ type: "error", text: made.text });
        run.giveBack({ hint: null });
        register.end(run);
        return false;
      }
      run.setSession(made.session);
      sessionId = made.session.id;
    }

    const proof = await deps.proofs.take();
    if (isOver(run)) return false;
    if (!proof.ok) {
      const silent = proof.error !== null && reactionTo(proof.error).show === "silent";
      run.giveBack({ hint: silent ? null : errorHint(NO_PROOF) });
      register.end(run);
      return false;
    }

    const input = {
      chat_session_id: sessionId,
      parent_message_id: parentId,
      prompt,
      ref_file_ids: [],
      thinking_enabled: thinking,
      search_enabled: search,
      client_stream_id: clientStreamId,
    };
    // The first opening spends this proof; a repeat takes another, since the first may have arrived.
    let unspent: Proof | null = proof;
    const send: Send = {
      clientStreamId,
      async open(signal): Promise<StreamAnswer> {
        const mine = unspent ?? (await deps.proofs.take());
        unspent = null;
        if (isOver(run)) return { kind: "error", error: { kind: "aborted" } };
        run.markSent();
        if (!mine.ok) return { kind: "error", error: mine.error ?? { kind: "network", reason: "no proof" } };
        const headers = { [RequestHeader.PowResponse]: mine.header };
        return api.openStream(completion, input, { signal, headers });
      },
    };
    void followToEnd(run, sessionId, send);
    return true;
  }

  async function followToEnd(run: RunningReply, sessionId: string, send: Send | null): Promise<void> {
    const end = await followReply(follow, run.followed(sessionId), send, run.abort.signal);
    run.flush();
    await endTurn(deps, register, { run, sessionId, send }, end);
    if (!register.lost.has(run.key())) register.end(run);
  }

  /** Sends what was typed. False: nothing was sent and the text is where it was. */
  async function send(key: string, prompt: string): Promise<boolean> {
    const session = agentOfNewChat(key) === null ? sessions.get(key) : sessions.ensure(key);
    const check = checkSubmit(key, session, prompt);
    if (!check.ok) {
      if (check.text !== null) reactions.toast({ type: "error", text: check.text });
      return false;
    }
    if (session === undefined) return false;
    return startTurn(key, parentForSend(withoutUnsent(session.tree)), prompt);
  }

  /** Sends a failed message again under the same parent, with a new client_stream_id. */
  async function retry(key: string, messageId: number): Promise<void> {
    const session = sessions.get(key);
    if (session === undefined || composerAction(key, session) !== "send") return;
    const message = getMessage(session.tree, messageId);
    const user = message?.role === "ASSISTANT" ? getMessage(session.tree, message.parent_id ?? 0) : message;
    if (user === undefined) return;
    if (await recovery.recover(key)) return;
    const prompt = promptOf(user);
    sessions.update(key, ({ tree }) => ({ tree: withoutFailedPair(tree, user.message_id) }));
    await startTurn(key, user.parent_id, prompt);
  }

  /** A history came in which a reply still runs: goes on reading it (wire-contract.md §10.6). */
  function resumeFrom({
    chat_session,
    chat_messages,
  }: Pick<History, "chat_session" | "chat_messages">): void {
    const key = chat_session.id;
    const wip = chat_messages.find(({ status, role }) => status === "WIP" && role === "ASSISTANT");
    if (register.runOf(key) !== undefined) return;
    if (wip === undefined) {
      // Finished and yet without its title: it ended a moment ago, and nobody else will tell us.
      const ended = chat_messages.at(-1)?.status === "FINISHED";
      if (chat_session.title_type === "WIP" && ended) void lookForTitle(deps, chat_session, register.era());
      return;
    }
    sessions.update(key, () => ({ state: "completing", connection: "live" }));
    const run = register.begin({
      key,
      userId: wip.parent_id ?? wip.message_id,
      replyId: wip.message_id,
      prompt: null,
      clientStreamId: wip.client_stream_id,
    });
    run.setSession(chat_session);
    void followToEnd(run, key, null);
  }

  return {
    send,
    retry,
    resumeFrom,
    recoverAll: recovery.recoverAll,
    abandonAll: register.abandonAll,
    abandon: register.abandon,
    runOf: register.runOf,
  };
}
