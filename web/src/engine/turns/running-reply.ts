// One reply in the making, as the session on the screen sees it: events are folded at once, shown once per frame.
import type { EndStatus, Message } from "@plumb/protocol/conversation/message";
import {
  getMessage,
  removeMessage,
  replaceMessage,
  updateMessage,
  type MessageTree,
} from "@plumb/protocol/conversation/message-tree";
import {
  emptyReply,
  reduceReply,
  startResponse,
  type ReplyState,
} from "@plumb/protocol/stream/reply-reducer";
import type { ReceivedEvent } from "@plumb/protocol/stream/stream-event";
import type { Quota } from "@plumb/protocol/wire/accounts";
import type { Session } from "@plumb/protocol/wire/sessions";
import type { Browser } from "../browser.ts";
import type { ClientMessage, GenerateState } from "../sessions/client-message.ts";
import type { ClientSession } from "../sessions/client-session.ts";
import { sessionPath, type Reactions } from "../reactions.ts";
import type { FollowedReply } from "../replies/auto-resume.ts";
import { createFrameBatch } from "../replies/frame-batch.ts";
import type { SessionList } from "../sessions/session-list.ts";
import { agentOfNewChat } from "../sessions/client-session.ts";
import type { SessionStore } from "../sessions/session-store.ts";
import { generateStateOf, laterState } from "./generate-state.ts";
import { showTitle, takeTitle } from "./session-title.ts";
import { finishReasonText, streamHint } from "./turn-failures.ts";

export interface RunningReplyDeps {
  browser: Browser;
  sessions: SessionStore;
  list: SessionList;
  reactions: Reactions;
  /** True while the user is where the send was made: only then may the page move on by itself. */
  isOnScreen(key: string): boolean;
  onQuota(quota: Quota): void;
  /** An id for a message that isn't the server's (any more). */
  nextLocalId(): number;
  /** The server has stored the pair: its session has messages now. */
  onStored(run: RunningReply): void;
  /** The reply has its end status, or what was sent isn't kept; a title may still come. */
  onSettled(run: RunningReply): void;
}

export interface RunningReplyInit {
  key: string;
  /** Placeholders of a send, or the real ids of a reply that is resumed. */
  userId: number;
  replyId: number;
  /** Null for a resumed reply. */
  prompt: string | null;
  clientStreamId: string | null;
}

export type RunningReply = ReturnType<typeof createRunningReply>;

export function createRunningReply(deps: RunningReplyDeps, init: RunningReplyInit) {
  const { browser, sessions, list, reactions } = deps;
  const abort = new AbortController();
  const batch = createFrameBatch(browser, commit);
  const isResumed = init.prompt === null;
  let { key, userId, replyId } = init;
  let session: Session | null = null;
  let reply: ReplyState = isResumed
    ? { ...emptyReply(), requestMessageId: init.userId, responseMessageId: init.replyId }
    : emptyReply();
  let shown: ReplyState = reply;
  let settled = false;
  let tellSettled: () => void = () => {};
  const whenSettled = new Promise<void>((resolve) => {
    tellSettled = resolve;
  });
  let sent = isResumed;
  let stopping = false;
  let traceId = "";
  let reconnecting = false;

  function change(part: (session: ClientSession) => Partial<ClientSession>): void {
    sessions.update(key, part);
  }

  function settle(): void {
    if (settled) return;
    settled = true;
    change(({ tree }) => ({ state: "idle", connection: "live", tree: withGenerateState(tree, null) }));
    deps.onSettled(run);
    tellSettled();
  }

  function withGenerateState(
    tree: MessageTree<ClientMessage>,
    generateState: GenerateState | null,
  ): MessageTree<ClientMessage> {
    return updateMessage(tree, replyId, (message) => ({ ...message, generateState }));
  }

  /** Swaps the placeholders for what the server calls them. */
  function withRealIds(tree: MessageTree<ClientMessage>, message: Message): MessageTree<ClientMessage> {
    if (replyId >= 0) return tree;
    const requestId = reply.requestMessageId ?? message.parent_id;
    const user = getMessage(tree, userId);
    if (requestId !== null && user !== undefined && !tree.nodes.has(requestId)) {
      tree = replaceMessage(tree, userId, { ...user, message_id: requestId, hint: null });
      userId = requestId;
    }
    const placeholder = getMessage(tree, replyId);
    if (placeholder !== undefined && !tree.nodes.has(message.message_id)) {
      tree = replaceMessage(tree, replyId, { ...placeholder, message_id: message.message_id });
      replyId = message.message_id;
    }
    return tree;
  }

  function grown(old: ClientMessage, message: Message): ClientMessage {
    return {
      ...message,
      key: old.key,
      parent_id: old.parent_id,
      message_id: old.message_id,
      generateState:
        message.status === "WIP" ? laterState(old.generateState, generateStateOf(message)) : null,
      hint: reply.hint === null ? old.hint : streamHint(reply.hint, traceId),
    };
  }

  /** The first delta of a new chat: its session comes to light. */
  function reveal(): void {
    if (init.prompt === null || session === null || key === session.id) return;
    const from = key;
    const under = sessions.get(from);
    if (under === undefined) return;
    const wasOnScreen = deps.isOnScreen(from);
    key = session.id;
    sessions.rename(from, key, {
      ...under,
      id: key,
      agentId: session.agent,
      updatedAt: session.updated_at * 1000,
    });
    list.show(session);
    sessions.releaseDraft(from);
    if (!wasOnScreen) return;
    sessions.moveDraft(from, key);
    reactions.go(sessionPath(session.agent, session.id));
  }

  function commit(): void {
    const { message } = reply;
    if (message === null || message === shown.message) {
      if (reply.hint !== shown.hint && message !== null) showHint();
      shown = reply;
      return;
    }
    const first = shown.message === null;
    shown = reply;
    if (first) {
      reveal();
      if (init.prompt !== null) sessions.releaseDraft(key);
    }
    change(({ tree }) => {
      const swapped = withRealIds(tree, message);
      return { tree: updateMessage(swapped, replyId, (old) => grown(old, message)) };
    });
    if (message.status !== "WIP") settle();
  }

  function showHint(): void {
    const { hint } = reply;
    if (hint === null) return;
    change(({ tree }) => ({
      tree: updateMessage(tree, replyId, (old) => ({ ...old, hint: streamHint(hint, traceId) })),
    }));
  }

  function onReady(): void {
    deps.onStored(run);
    if (settled) return;
    change(({ tree }) => ({
      state: "completing",
      tree: updateMessage(tree, replyId, (old) => ({
        ...old,
        generateState: laterState(old.generateState, "AWAITING_FIRST_CHANGE"),
      })),
    }));
  }

  function showUpdate(updatedAtSecs: number): void {
    if (session !== null) session = { ...session, updated_at: updatedAtSecs };
    change(() => ({ updatedAt: updatedAtSecs * 1000 }));
    list.change(key, { updated_at: updatedAtSecs });
  }

  function onEvent(event: ReceivedEvent): void {
    const before = reply;
    reply = reduceReply(before, event);
    if (event.type === "ready") onReady();
    if (reply === before) return;
    if (reply.hint !== null && reply.hint !== before.hint && reply.hint.clear_response) {
      return giveBack({ hint: streamHint(reply.hint, traceId) });
    }
    if (reply.updatedAt !== null && reply.updatedAt !== before.updatedAt) showUpdate(reply.updatedAt);
    if (reply.quota !== null && reply.quota !== before.quota) deps.onQuota(reply.quota);
    if (reply.title !== null && event.type === "title") {
      // After an end other than FINISHED the title is a stopgap that a later reply replaces (wire-contract.md §4.6).
      const type = reply.message?.status === "FINISHED" ? "SYSTEM" : "WIP";
      if (session !== null) session = { ...session, title: reply.title, title_type: type };
      showTitle(deps, key, reply.title, type);
    }
    if (event.type === "toast" && reply.toasts !== before.toasts) {
      const { type, content, finish_reason } = event.data;
      reactions.toast({
        type,
        text: finishReasonText(finish_reason, content),
        dedupeKey: `stream-toast:${key}:${String(event.id)}`,
      });
    }
    batch.mark();
    // Ends are shown at once: what follows (a new send, a history) must find them in place.
    if (reply.message !== null && reply.message.status !== "WIP" && !settled) batch.flush();
  }

  /**
   * Nothing of the send is kept by the server: the reply goes, the prompt is given back. With a hint the user message
   * stays as an unsent one and carries it, else it goes too.
   */
  function giveBack(options: { hint: ClientMessage["hint"] }): void {
    batch.cancel();
    change(({ tree, state }) => {
      tree = removeMessage(tree, replyId);
      const user = getMessage(tree, userId);
      if (options.hint === null) tree = removeMessage(tree, userId);
      else if (user !== undefined) {
        const id = userId < 0 ? userId : deps.nextLocalId();
        tree = replaceMessage(tree, userId, { ...user, message_id: id, hint: options.hint });
        userId = id;
      }
      return { tree, state, connection: "live" };
    });
    if (init.prompt !== null) sessions.restoreDraft(key, init.prompt);
    settle();
    if (sessions.get(key)?.tree.nodes.size === 0 && agentOfNewChat(key) !== null) {
      change(() => ({ state: "idleWithNoHistory" }));
    }
  }

  /** The reply ended without saying so: it keeps its text and gets this status; the hint goes to the user message. */
  function endAs(status: EndStatus, hint: ClientMessage["hint"]): void {
    batch.flush();
    if (settled) return;
    change(({ tree }) => {
      tree = updateMessage(tree, replyId, (old) => ({ ...old, status, has_pending_fragment: false }));
      if (hint !== null) tree = updateMessage(tree, userId, (old) => ({ ...old, hint }));
      return { tree };
    });
    settle();
  }

  /** The whole message came in place of its events. */
  function adopt(message: Message, from: Session): void {
    session = from;
    reply = {
      ...reply,
      message,
      requestMessageId: message.parent_id,
      responseMessageId: message.message_id,
    };
    batch.cancel();
    commit();
    showUpdate(from.updated_at);
    takeTitle(deps, from);
  }

  function found({ requestId, responseId }: { requestId: number; responseId: number }): void {
    reply = { ...reply, requestMessageId: requestId, responseMessageId: responseId };
    deps.onStored(run);
  }

  function followed(sessionId: string): FollowedReply {
    return {
      sessionId,
      responseId: () => reply.responseMessageId,
      lastEventId: () => reply.lastEventId,
      onBody: (id) => {
        // A failed reply is told on the stream that began it, or on one that resumed it: the newest is in the log.
        traceId = id;
        reply = startResponse(reply);
      },
      onEvent,
      onBroken: () => {
        reply = { ...reply, lastEventId: 0 };
      },
      onFound: found,
      onConnection: (connection) => {
        reconnecting = connection === "reconnecting";
        if (!settled && sessions.get(key)?.connection !== connection) change(() => ({ connection }));
      },
    };
  }

  const run = {
    abort,
    prompt: init.prompt,
    clientStreamId: init.clientStreamId,
    key: (): string => key,
    userId: (): number => userId,
    sessionId: (): string | null => session?.id ?? (isResumed ? key : null),
    /** The session the reply belongs to, as the server tells it. */
    setSession: (value: Session): void => {
      session = value;
    },
    responseId: (): number | null => reply.responseMessageId,
    hasMessage: (): boolean => reply.message !== null,
    isSettled: (): boolean => settled,
    whenSettled,
    /** Whether the request may have reached the server. */
    isSent: (): boolean => sent,
    markSent: (): void => {
      sent = true;
    },
    found,
    isReconnecting: (): boolean => reconnecting,
    stopping: (): boolean => stopping,
    markStopping: (): void => {
      stopping = true;
    },
    /** Shows what is due now. */
    flush: batch.flush,
    followed,
    giveBack,
    endAs,
    adopt,
  };
  return run;
}
