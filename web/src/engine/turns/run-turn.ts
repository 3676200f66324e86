// A turn from the prompt to the reply's end: placeholders, session, proof, stream, and what every end means.
import { LIMITS } from "@plumb/protocol/limits";
import { getMessage } from "@plumb/protocol/conversation/message-tree";
import { RequestHeader } from "@plumb/protocol/wire/headers";
import { createSession, historyMessages, type History, type Session } from "@plumb/protocol/wire/sessions";
import { completion } from "@plumb/protocol/wire/turns";
import { ReplyRefusal } from "@plumb/protocol/wire/replies";
import type { ApiClient, StreamAnswer } from "../api-client.ts";
import type { ApiError } from "../api-errors.ts";
import type { Browser } from "../browser.ts";
import type { ClientMessage, Text } from "../engine.ts";
import type { Proof, ProofOfWork } from "../guard/proof-of-work.ts";
import { pause } from "../pause.ts";
import type { Reactions } from "../reactions.ts";
import { followReply, type FollowDeps, type ReplyEnd, type Send } from "../replies/auto-resume.ts";
import type { HistoryLoader } from "../sessions/history.ts";
import type { SessionList } from "../sessions/session-list.ts";
import { agentOfNewChat, type SessionStore } from "../sessions/session-store.ts";
import { errorText } from "../texts.ts";
import { newClientStreamId } from "./client-stream-id.ts";
import { checkSubmit, composerAction } from "./composer-rules.ts";
import { takeTitle } from "./session-title.ts";
import {
  insertPlaceholders,
  parentForSend,
  promptOf,
  withoutFailedPair,
  withoutUnsent,
} from "./placeholders.ts";
import { createRunningReply, type RunningReply } from "./running-reply.ts";
import {
  CONNECTION_LOST,
  NO_PROOF,
  PROTOCOL_VIOLATION,
  reactionTo,
  type FailureReaction,
} from "./turn-failures.ts";

export interface TurnDeps {
  browser: Browser;
  api: ApiClient;
  proofs: ProofOfWork;
  sessions: SessionStore;
  list: SessionList;
  history: HistoryLoader;
  reactions: Reactions;
  follow: Pick<FollowDeps, "chunkLimits" | "readyTimeoutMs">;
  /** What the toggles say, as far as the installation offers it. */
  modes(): { thinking: boolean; search: boolean };
  isOnScreen(key: string): boolean;
  onMuted(untilSecs: number): void;
  /** The session can't be used any more; the notice is given by the caller. */
  onInvalidSession(sessionId: string): void;
}

/** A reply we lost sight of, and how to get back to it. */
interface Lost {
  run: RunningReply;
  send: Send | null;
}

export function createTurns(deps: TurnDeps) {
  const { browser, api, sessions, history, reactions } = deps;
  const follow: FollowDeps = { browser, api, ...deps.follow };
  /** Replies that run; one that only awaits its title is in `all` alone. */
  const running = new Set<RunningReply>();
  const all = new Set<RunningReply>();
  const lost = new Map<string, Lost>();
  /** Sessions made for a new chat that have no message yet, by their `new:` key. */
  const unused = new Map<string, Session>();
  /** Ends with the account's stay on this page. */
  let era = new AbortController();
  /** Local ids count down from -2. */
  let localId = -1;
  const nextLocalId = (): number => --localId;

  /** The run of a session. Asked of the runs themselves, since that of a new chat changes its key on the way. */
  function runOf(key: string): RunningReply | undefined {
    return [...running].find((run) => run.key() === key);
  }

  const runDeps = {
    browser,
    sessions,
    list: deps.list,
    reactions,
    isOnScreen: deps.isOnScreen,
    nextLocalId,
    onStored: (run: RunningReply): void => {
      unused.delete(run.key());
    },
    onSettled(run: RunningReply): void {
      running.delete(run);
      history.outdate(run.key());
    },
  };

  const errorHint = (reaction: FailureReaction & { show: "hint" }): NonNullable<ClientMessage["hint"]> => ({
    text: reaction.text,
    type: "error",
    clickBehavior: reaction.click,
  });

  /** The session of a new chat: made now, or left over from a try that failed. */
  async function sessionFor(
    key: string,
    agentId: string,
  ): Promise<{ session: Session } | { text: Text | null }> {
    const left = unused.get(key);
    if (left !== undefined) return { session: left };
    const result = await api.call(createSession, { character_id: agentId });
    if (result.ok) {
      unused.set(key, result.data);
      return { session: result.data };
    }
    const { error } = result;
    if (error.kind === "aborted" || (error.kind === "refused" && error.scope === "global")) {
      return { text: errorText(error) };
    }
    return { text: error.kind === "network" ? { key: "sendOffline" } : { key: "createSessionFailed" } };
  }

  /** A stopped or signed-out run has been dealt with by whoever aborted it. */
  const isOver = (run: RunningReply): boolean => run.abort.signal.aborted;

  /** Sends under a parent; true once the request is on its way. */
  async function startTurn(key: string, parentId: number | null, prompt: string): Promise<boolean> {
    const { thinking, search } = deps.modes();
    const clientStreamId = newClientStreamId(browser);
    const userId = nextLocalId();
    const replyId = nextLocalId();
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
    const run = createRunningReply(runDeps, { key, userId, replyId, prompt, clientStreamId });
    running.add(run);
    all.add(run);
    lost.delete(key);

    const agentId = agentOfNewChat(key);
    sessions.hideDraft(key, prompt);
    let sessionId = key;
    if (agentId !== null) {
      const made = await sessionFor(key, agentId);
      if (isOver(run)) return false;
      if ("text" in made) {
        if (made.text !== null) reactions.toast({ type: "error", text: made.text });
        run.giveBack({ hint: null });
        all.delete(run);
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
      all.delete(run);
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
    await afterEnd(run, sessionId, send, end);
    if (!lost.has(run.key())) all.delete(run);
  }

  async function afterEnd(
    run: RunningReply,
    sessionId: string,
    send: Send | null,
    end: ReplyEnd,
  ): Promise<void> {
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
        if (end.full.chat_session.title_type === "WIP") void lookForTitle(end.full.chat_session);
        return;
      case "refused":
        return onRefused(run, sessionId, end.error);
      case "resume-refused":
        return onResumeRefused(run, sessionId, end.error);
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
        lost.set(run.key(), { run, send });
        run.endAs("INCOMPLETE", errorHint(CONNECTION_LOST));
        if (run.prompt !== null && !run.hasMessage()) sessions.restoreDraft(run.key(), run.prompt);
        return;
      case "aborted":
        return;
    }
  }

  function onRefused(run: RunningReply, sessionId: string, error: ApiError): void {
    const reaction = reactionTo(error);
    switch (reaction.show) {
      case "hint":
        if (reaction.mutedUntil !== undefined) deps.onMuted(reaction.mutedUntil);
        return run.giveBack({ hint: errorHint(reaction) });
      case "toast":
        reactions.toast({ type: "error", text: reaction.text });
        run.giveBack({ hint: null });
        if (reaction.dropSession) dropSession(run, sessionId);
        return;
      case "silent":
        if (reaction.log !== undefined) browser.log(reaction.log);
        return run.giveBack({ hint: null });
    }
  }

  function dropSession(run: RunningReply, sessionId: string): void {
    unused.delete(run.key());
    deps.onInvalidSession(sessionId);
  }

  async function onResumeRefused(run: RunningReply, sessionId: string, error: ApiError): Promise<void> {
    const reaction = reactionTo(error);
    if (reaction.show === "toast") reactions.toast({ type: "error", text: reaction.text });
    run.endAs("INCOMPLETE", null);
    if (reaction.show === "toast" && reaction.dropSession) dropSession(run, sessionId);
    else if (error.kind === "refused" && error.code === ReplyRefusal.ResumeTimeTooLong.code) {
      await history.load(sessionId, { byHand: true });
    }
  }

  /** Once more after 4 s: the title of a reply that ended out of our sight may still be in the making. */
  async function lookForTitle(seen: Session): Promise<void> {
    const { signal } = era;
    await pause(browser, LIMITS.titleLookAgainMs, signal);
    if (signal.aborted || sessions.get(seen.id) === undefined) return;
    // Asked with a version, the answer is all but the messages.
    const wanted = { chat_session_id: seen.id, cache_version: seen.version };
    const result = await api.call(historyMessages, wanted, { signal });
    if (result.ok && !signal.aborted) takeTitle(runDeps, result.data.chat_session);
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
    if (lost.has(key) && (await recover(key))) return;
    const prompt = promptOf(user);
    sessions.update(key, ({ tree }) => ({ tree: withoutFailedPair(tree, user.message_id) }));
    await startTurn(key, user.parent_id, prompt);
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
        lost.delete(key);
        all.delete(run);
      }
      return true;
    }
    if (send === null || run.prompt === null) return false;
    lost.delete(key);
    all.delete(run);
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
    const userId = nextLocalId();
    const replyId = nextLocalId();
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
    const run = createRunningReply(runDeps, { key, userId, replyId, prompt, clientStreamId });
    run.markSent();
    const made = unused.get(key);
    if (made !== undefined) run.setSession(made);
    running.add(run);
    all.add(run);
    return run;
  }

  /** The way is clear again: replies the server has are looked for without being asked. */
  function recoverAll(): void {
    for (const [key, { run }] of lost) if (run.responseId() !== null) void recover(key);
  }

  /** A history came in which a reply still runs: goes on reading it (wire.md §10.6). */
  function resumeFrom({
    chat_session,
    chat_messages,
  }: Pick<History, "chat_session" | "chat_messages">): void {
    const key = chat_session.id;
    const wip = chat_messages.find(({ status, role }) => status === "WIP" && role === "ASSISTANT");
    if (runOf(key) !== undefined) return;
    if (wip === undefined) {
      // Finished and yet without its title: it ended a moment ago, and nobody else will tell us.
      const ended = chat_messages.at(-1)?.status === "FINISHED";
      if (chat_session.title_type === "WIP" && ended) void lookForTitle(chat_session);
      return;
    }
    sessions.update(key, () => ({ state: "completing", connection: "live" }));
    const run = createRunningReply(runDeps, {
      key,
      userId: wip.parent_id ?? wip.message_id,
      replyId: wip.message_id,
      prompt: null,
      clientStreamId: wip.client_stream_id,
    });
    run.setSession(chat_session);
    running.add(run);
    all.add(run);
    void followToEnd(run, key, null);
  }

  /** Ends all reading, without a word to the server: replies go on there. */
  function abandonAll(): void {
    era.abort();
    era = new AbortController();
    for (const run of all) run.abort.abort();
    running.clear();
    all.clear();
    lost.clear();
    unused.clear();
  }

  /** The session is gone: nothing of it is read any more. */
  function abandon(sessionId: string): void {
    for (const run of all) {
      if (run.sessionId() !== sessionId) continue;
      run.abort.abort();
      all.delete(run);
      running.delete(run);
    }
    lost.delete(sessionId);
  }

  return {
    send,
    retry,
    resumeFrom,
    recoverAll,
    abandonAll,
    abandon,
    runOf,
  };
}
