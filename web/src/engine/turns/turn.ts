// One turn, as the session on the screen shows it: events are folded at once and shown once per frame.
import type { Hint, Message } from "@plumb/protocol/conversation/message";
import { updateMessage } from "@plumb/protocol/conversation/message-tree";
import type { ReplyState } from "@plumb/protocol/stream/reply-state";
import type { ReceivedEvent } from "@plumb/protocol/stream/stream-event";
import type { FullMessage } from "@plumb/protocol/wire/replies";
import type { Session } from "@plumb/protocol/wire/sessions";
import { sessionPath } from "../reactions.ts";
import type { ReplyNews } from "../replies/follow-reply.ts";
import { createFrameBatch } from "../replies/frame-batch.ts";
import { noteBegun } from "../sessions/begun-chat.ts";
import type { ClientMessage, MessageHint } from "../sessions/client-message.ts";
import {
  agentIdOf,
  agentOfNewChat,
  asideKey,
  isAside,
  type ClientSession,
} from "../sessions/client-session.ts";
import type { SentNote } from "../sessions/kept-drafts.ts";
import { generateStateOf, laterState } from "./generate-state.ts";
import { assignIds, beginPlan, rollbackPlan, withoutFailedSiblings, type TurnIds } from "./plan-on-tree.ts";
import { showTitle, takeTitle } from "./session-title.ts";
import type { TurnDeps } from "./turn-deps.ts";
import { finishReasonText, streamHint } from "./turn-failures.ts";
import {
  nextPhase,
  sessionInPhase,
  type TurnChange,
  type TurnOutcome,
  type TurnPhase,
} from "./turn-phase.ts";
import { clientStreamIdOf } from "./turn-call.ts";
import { draftKeyOf, type TurnPlan } from "./turn-plan.ts";

export interface TurnInit {
  key: string;
  plan: TurnPlan;
  /** The session where only the server's object of it is known: that of a new chat. */
  session: Session | null;
}

interface TurnContext extends TurnDeps {
  /** An id below 0 that no message has or had. */
  nextLocalId(): number;
  /** The server has stored the turn: its session has messages now. */
  onStored(key: string): void;
}

type Tree = ClientSession["tree"];

/** The server has stored the reply; its first text is awaited. */
function awaitingText(reply: ClientMessage): ClientMessage {
  return { ...reply, generateState: laterState(reply.generateState, "AWAITING_FIRST_CHANGE") };
}

export type Turn = ReturnType<typeof createTurn>;

/** Begins a turn: its placeholders are on show when this returns. */
export function createTurn(deps: TurnContext, { plan, ...init }: TurnInit) {
  const { browser, sessions, list, reactions } = deps;
  const reading = new AbortController();
  const batch = createFrameBatch(browser, show);
  let { key, session } = init;
  let ids: TurnIds = { userId: plan.userId, replyId: plan.replyId };
  let phase: TurnPhase = plan.startsIn;
  let reply: ReplyState = plan.foldFrom;
  let shown: ReplyState = reply;
  let traceId = "";
  let heldHint: { of: Hint; as: MessageHint } | null = null;
  let wasStopped = false;
  let resolveEnded: () => void = () => {};
  let resolveStored: () => void = () => {};
  const whenEnded = new Promise<void>((resolve) => {
    resolveEnded = resolve;
  });
  const whenStored = new Promise<void>((resolve) => {
    resolveStored = resolve;
  });

  function change(part: (session: ClientSession) => Partial<ClientSession>): void {
    sessions.update(key, part);
  }

  function withReply(tree: Tree, changed: (message: ClientMessage) => ClientMessage): Tree {
    return updateMessage(tree, ids.replyId, changed);
  }

  /** The reply once the turn has ended: INCOMPLETE after a stop, here or on another device, is what the user wanted. */
  function atRest(old: ClientMessage): ClientMessage {
    const isStopped = reply.message?.stopped === true || (wasStopped && old.status === "INCOMPLETE");
    return { ...old, generateState: null, isContinuing: false, isStopped };
  }

  function dispatch(happened: TurnChange): void {
    const before = phase;
    phase = nextPhase(phase, happened);
    if (phase === before) return;
    if (phase.name === "stopping") wasStopped = true;
    const isEnd = phase.name === "ended";
    change(({ tree }) => ({
      ...sessionInPhase(phase),
      ...(phase.name === "ended" && phase.outcome !== "rolled-back" && !deps.isOnScreen(key)
        ? { endedUnseen: true }
        : {}),
      tree: isEnd ? withReply(tree, atRest) : tree,
    }));
    if (isEnd) resolveEnded();
  }

  /** The id of the session at the server; null while a new chat has none. */
  function sessionId(): string | null {
    return agentOfNewChat(key) === null ? key : (session?.id ?? null);
  }

  /** The first delta of a new chat: what stood under its key is a session now, listed and with a route. */
  function promoteToSession(): void {
    if (session === null || agentOfNewChat(key) === null) return;
    const from = key;
    const under = sessions.get(from);
    if (under === undefined) return;
    const wasOnScreen = deps.isOnScreen(from);
    key = session.id;
    const { id, updated_at } = session;
    const agentId = agentIdOf(session);
    sessions.rename(from, key, { ...under, id, agentId, updatedAt: updated_at * 1000 });
    list.show(session);
    sessions.releaseDraft(from, clientStreamIdOf(plan.call));
    if (wasOnScreen || isAside(from)) sessions.moveDraft(from, key);
    if (!wasOnScreen) return;
    const path = sessionPath(agentId, id);
    noteBegun(browser, from, path);
    reactions.go(path);
  }

  /** Another new chat begins in the place of this one, which goes on under a key of its own with all that is typed in it. */
  function setAside(): void {
    const from = key;
    const under = sessions.get(from);
    const clientStreamId = clientStreamIdOf(plan.call);
    if (under === undefined || clientStreamId === null || plan.typed === null) return;
    const { text } = plan.typed;
    key = asideKey(under.agentId, clientStreamId);
    sessions.rename(from, key, { ...under, id: key });
    sessions.moveDraft(from, key);
    sessions.hideDraft(key, text);
    if (session !== null) sessions.noteSent(key, text, { sessionId: session.id, clientStreamId });
    sessions.releaseDraft(from, clientStreamId);
  }

  /** Shows the reply as it is folded by now. */
  function show(): void {
    const { message, hint } = reply;
    const before = shown;
    shown = reply;
    if (message === null) return;
    const isFirst = before.message === null;
    if (isFirst) promoteToSession();
    if (isFirst && plan.typed !== null)
      sessions.releaseDraft(draftKeyOf(plan.typed, key), clientStreamIdOf(plan.call));
    if (message !== before.message || hint !== before.hint) {
      change(({ tree }) => {
        const stored = isFirst && plan.placeholders.length > 0 ? withServerIds(tree, message) : tree;
        return { tree: withReply(stored, (old) => grown(old, message)) };
      });
    }
    if (message.status !== "WIP") dispatch({ type: "end", outcome: "status" });
  }

  function withServerIds(tree: Tree, message: Message): Tree {
    const requestId = reply.requestMessageId ?? message.parent_id;
    const isAsked = ids.userId < 0;
    const assigned = assignIds(tree, ids, { requestId, responseId: message.message_id });
    ids = assigned.ids;
    return withoutFailedSiblings(assigned.tree, isAsked ? ids.userId : ids.replyId);
  }

  function grown(old: ClientMessage, message: Message): ClientMessage {
    const { message_id, parent_id } = old;
    const hint = reply.hint === null ? old.hint : shownHint(reply.hint);
    const running = message.status === "WIP";
    const generateState = running ? laterState(old.generateState, generateStateOf(message)) : null;
    const isContinuing = running && old.isContinuing;
    return { ...old, ...message, message_id, parent_id, hint, generateState, isContinuing };
  }

  /** What it says of a wait counts from when it came. */
  function shownHint(hint: Hint): MessageHint {
    if (heldHint?.of !== hint) heldHint = { of: hint, as: streamHint(hint, { now: browser.now(), traceId }) };
    return heldHint.as;
  }

  function onStored(): void {
    deps.onStored(key);
    resolveStored();
    const { requestMessageId, responseMessageId } = reply;
    if (responseMessageId === null) return;
    const named = <M extends ClientMessage>(old: M): M => ({ ...old, requestMessageId, responseMessageId });
    change(({ tree, lastMessageId }) => ({
      lastMessageId: Math.max(lastMessageId, responseMessageId),
      tree:
        phase.name === "ended"
          ? tree
          : withReply(updateMessage(tree, ids.userId, named), (old) => awaitingText(named(old))),
    }));
  }

  function showUpdate(updatedAtSecs: number): void {
    if (session !== null) session = { ...session, updated_at: updatedAtSecs };
    change(() => ({ updatedAt: updatedAtSecs * 1000 }));
    list.change(key, { updated_at: updatedAtSecs });
  }

  function onTitle(title: string): void {
    // After an end other than FINISHED the title is a stopgap that a later reply replaces (wire-contract.md §4.6).
    const type = reply.message?.status === "FINISHED" ? "SYSTEM" : "WIP";
    if (session !== null) session = { ...session, title, title_type: type };
    showTitle(deps, key, title, type);
  }

  function onEvent(event: ReceivedEvent, folded: ReplyState): void {
    const before = reply;
    reply = folded;
    if (event.type === "ready") {
      onStored();
      dispatch({ type: "ready" });
    }
    // An event seen before changes nothing.
    if (reply === before) return;
    const { hint, updatedAt, quota } = reply;
    if (hint !== null && hint !== before.hint && hint.clear_response) {
      return rollback(shownHint(hint));
    }
    if (updatedAt !== null && updatedAt !== before.updatedAt) showUpdate(updatedAt);
    if (event.type === "update_session" && event.data.version !== undefined) {
      deps.history.advance(sessionId() ?? key, event.data.version);
    }
    if (quota !== null && quota !== before.quota) deps.onQuota(quota);
    if (event.type === "title") onTitle(event.data.content);
    if (event.type === "toast") {
      const { type, content, finish_reason } = event.data;
      reactions.toast({
        type,
        text: finishReasonText(finish_reason, content),
        dedupeKey: `stream-toast:${key}:${String(event.id)}`,
      });
    }
    batch.mark();
    // An end is shown at once: what follows (a new turn, a history) must find it in place.
    if (reply.message !== null && reply.message.status !== "WIP" && phase.name !== "ended") batch.flush();
  }

  /** Shows what `followReply` yields; `endTurn` deals with the end. */
  function take(news: Exclude<ReplyNews, { kind: "end" }>): void {
    switch (news.kind) {
      case "event":
        // A failed reply is logged under the response that began it, or resumed it: the newest is the one to look for.
        ({ traceId } = news);
        return onEvent(news.event, news.reply);
      case "found":
        ({ reply } = news);
        return onStored();
      case "connection":
        return dispatch({ type: news.connection === "live" ? "connected" : "dropped" });
    }
  }

  /**
   * Nothing of the turn is kept by the server: the text is given back where it was typed. See `rollbackPlan` for the
   * hint, and `restoreDraft` for `sent`.
   */
  function rollback(hint: MessageHint | null, sent: SentNote | null = null): void {
    batch.cancel();
    const localId = ids.userId < 0 ? ids.userId : deps.nextLocalId();
    change(({ tree }) => ({ tree: rollbackPlan(tree, plan, ids, { hint, localId }) }));
    if (plan.typed !== null) sessions.restoreDraft(draftKeyOf(plan.typed, key), plan.typed.text, sent);
    dispatch({ type: "end", outcome: "rolled-back" });
    if (agentOfNewChat(key) !== null && sessions.get(key)?.tree.nodes.size === 0) {
      change(() => ({ state: "idleWithNoHistory" }));
    }
  }

  /** The reply ended without saying so: it keeps its text as INCOMPLETE; the hint goes to the user message. */
  function cutOff(outcome: TurnOutcome, hint: MessageHint | null): void {
    batch.flush();
    if (phase.name === "ended") return;
    change(({ tree }) => {
      const { requestMessageId: requestId, responseMessageId: responseId } = reply;
      // What is stored must not stand as unsent: the history of a session with unsent messages is not loaded.
      if (responseId !== null && agentOfNewChat(key) === null) {
        ({ tree, ids } = assignIds(tree, ids, { requestId, responseId }));
      }
      tree = withReply(tree, (old) => ({ ...old, status: "INCOMPLETE", has_pending_fragment: false }));
      return { tree: hint === null ? tree : updateMessage(tree, ids.userId, (user) => ({ ...user, hint })) };
    });
    dispatch({ type: "end", outcome });
  }

  /** The whole message came in place of its events. */
  function adopt({ message, chat_session: from }: FullMessage): void {
    session = from;
    const { parent_id: requestMessageId, message_id: responseMessageId } = message;
    reply = { ...reply, message, requestMessageId, responseMessageId };
    batch.cancel();
    onStored();
    show();
    showUpdate(from.updated_at);
    takeTitle(deps, from);
  }

  /** Ends the reading for this page alone; the session is left as it is. */
  function abandon(): void {
    phase = nextPhase(phase, { type: "end", outcome: "abandoned" });
    batch.cancel();
    reading.abort();
    resolveEnded();
  }

  sessions.update(key, ({ tree }) => ({
    ...sessionInPhase(phase),
    tree: beginPlan(tree, plan, browser.now()),
  }));

  return {
    plan,
    key: (): string => key,
    phase: (): TurnPhase => phase,
    dispatch,
    /** Aborted when nothing more is read. */
    signal: reading.signal,
    stopReading: (): void => reading.abort(),
    whenEnded,
    /** Resolves once the server is known to have stored the turn. */
    whenStored,
    hasMessage: (): boolean => reply.message !== null,
    /** The reply's id at the server; null while it is not known. */
    responseId: (): number | null => reply.responseMessageId ?? (ids.replyId > 0 ? ids.replyId : null),
    /** True once the server is known to have stored the turn. */
    isStored: (): boolean => reply.responseMessageId !== null,
    /** A look-up found it stored after its reading had ended. */
    markStored: onStored,
    sessionId,
    session: (): Session | null => session,
    setSession: (made: Session): void => {
      session = made;
    },
    take,
    /** Shows what is due now. */
    flush: batch.flush,
    rollback,
    cutOff,
    setAside,
    adopt,
    abandon,
  };
}
