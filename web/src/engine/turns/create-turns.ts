// The turns of this page: each is given a plan, gets what its request needs, and is read to its end.
import { LIMITS } from "@plumb/protocol/limits";
import { getMessage, siblingsOf, updateMessage } from "@plumb/protocol/conversation/message-tree";
import type { History, Session } from "@plumb/protocol/wire/sessions";
import type { Proof } from "../guard/proof-of-work.ts";
import { pause } from "../pause.ts";
import { followReply, type FollowDeps } from "../replies/follow-reply.ts";
import { replyReader } from "../replies/reply-reader.ts";
import { agentPath } from "../reactions.ts";
import { agentOfNewChat, isAside, newChatKey, type ClientSession } from "../sessions/client-session.ts";
import { nextDraftKey } from "../sessions/edit-drafts.ts";
import { refusalToast } from "../site/toast.ts";
import { newClientStreamId } from "./client-stream-id.ts";
import { checkSubmit, composerAction, type SubmitCheck } from "./composer-rules.ts";
import { endTurn, type ReadTurn } from "./end-turn.ts";
import { sessionForNewChat } from "./new-chat-session.ts";
import { parentForSend, withoutUnsent } from "./plan-on-tree.ts";
import { promptOf, type TurnInput } from "./placeholders.ts";
import type { LostTurns } from "./lost-turns.ts";
import { lookForTitle } from "./session-title.ts";
import { needsStop } from "./message-rules.ts";
import { dropGivenBack, forgetArrived, isToBeStopped, postStop, stopTurn } from "./stop-turn.ts";
import { clientStreamIdOf, needsProof, requestFor } from "./turn-call.ts";
import type { TurnDeps } from "./turn-deps.ts";
import { CONNECTION_LOST, errorHint, NO_PROOF, onceNoneRuns, reactionTo } from "./turn-failures.ts";
import {
  draftKeyOf,
  planContinue,
  planEdit,
  planNew,
  planRegenerate,
  planResume,
  type TurnPlan,
} from "./turn-plan.ts";
import { createTurnRegister, type LostTurn } from "./turn-register.ts";
import type { Turn } from "./turn.ts";
import type { TurnModes } from "./turn-modes.ts";

/** What a queued message is sent with. */
export interface NextMessage {
  modes: TurnModes;
  clientStreamId: string;
}

export function createTurns(deps: TurnDeps) {
  const { browser, api, sessions, reactions } = deps;
  const follow: FollowDeps = { browser, api, reader: replyReader, ...deps.follow };
  const register = createTurnRegister(deps);
  let lostTurns: LostTurns | null = null;
  /** Turns that have ended while their chats stood aside. */
  const over = new Set<Turn>();

  /** Neither deep thinking nor search goes with files (requirements 1§5). */
  function newInput({ agentId }: ClientSession, files: readonly unknown[], model?: string): TurnInput {
    const modes = deps.modes(agentId, model);
    return {
      ...(files.length === 0 ? modes : { ...modes, thinking: false, search: false }),
      userId: register.nextLocalId(),
      replyId: register.nextLocalId(),
      clientStreamId: newClientStreamId(browser),
      now: browser.now(),
    };
  }

  /** The session the turn is sent to; null when there is none, which was shown. */
  async function sessionOf(turn: Turn): Promise<string | null> {
    const agentId = agentOfNewChat(turn.key());
    if (agentId === null) return turn.key();
    const made = await sessionForNewChat(deps, register, turn.key, agentId);
    if (turn.signal.aborted) return null;
    if ("session" in made) {
      turn.setSession(made.session);
      return made.session.id;
    }
    if (made.text !== null) reactions.toast({ type: "error", text: made.text });
    if (made.isAgentGone) deps.onAgentGone(agentId);
    turn.rollback(null);
    return null;
  }

  /** The proof of work for the request, null where it needs none; false when there is none, which was shown. */
  async function proofFor(turn: Turn, plan: TurnPlan): Promise<Proof | null | false> {
    if (plan.call === null || !needsProof(plan.call)) return null;
    const proof = await deps.proofs.take();
    if (turn.signal.aborted) return false;
    if (proof.ok) return proof;
    const reaction = proof.error === null ? null : reactionTo(proof.error, plan.scene);
    const waitSecs = reaction?.show === "hint" ? (reaction.waitSecs ?? null) : null;
    const hint = errorHint({ ...NO_PROOF, waitSecs }, { now: browser.now() });
    turn.rollback(reaction?.show === "silent" ? null : hint);
    return false;
  }

  /** A reply whose line was lost may go on at the server: whoever asks for something else has done with it. */
  async function stopLost(key: string, { turn }: LostTurn): Promise<void> {
    const id = turn.responseId();
    const tree = sessions.get(key)?.tree;
    const reply = id === null || tree === undefined ? undefined : getMessage(tree, id);
    if (reply === undefined || !needsStop(reply.status)) return;
    await Promise.race([postStop(deps, key, id), pause(browser, LIMITS.stopReadOnMs)]);
  }

  /** Begins a turn; true once its request is on the way. */
  async function start(key: string, plan: TurnPlan): Promise<boolean> {
    const lost = register.lost.get(key);
    const turn = register.begin({ key, plan, session: null });
    const { scene, typed } = plan;
    if (scene === "regenerate" || scene === "editMessage") deps.onBranchLeft();
    if (typed !== null) sessions.hideDraft(draftKeyOf(typed, key), typed.text, typed.fileIds);
    if (lost !== undefined) await stopLost(key, lost);
    const sessionId = turn.signal.aborted ? null : await sessionOf(turn);
    const proof = sessionId === null ? false : await proofFor(turn, plan);
    if (sessionId === null || proof === false || plan.call === null) {
      release(turn);
      return false;
    }
    depart({ turn, sessionId, request: requestFor(deps, plan.call, { sessionId, proof }) });
    return true;
  }

  /** The request leaves; a later load of the page asks by its id whether it has arrived. */
  function depart(reading: ReadTurn): void {
    const { turn, sessionId, request } = reading;
    const { typed } = turn.plan;
    const clientStreamId = request?.clientStreamId ?? null;
    if (typed !== null && clientStreamId !== null) {
      sessions.noteSent(draftKeyOf(typed, turn.key()), typed.text, { sessionId, clientStreamId });
    }
    turn.dispatch({ type: "sent" });
    void read(reading);
  }

  /** Nothing more is read of it. */
  function release(turn: Turn): void {
    register.release(turn);
    if (isAside(turn.key())) over.add(turn);
    giveBackAside();
  }

  /** Chats that stand aside give back what was written in them, where they became no session. */
  function giveBackAside(): void {
    const { byId, drafts } = sessions.store.getState();
    if (!Object.keys({ ...byId, ...drafts, ...deps.files.face.store.getState().byKey }).some(isAside)) return;
    void withLost(({ giveBackAll }) => giveBackAll());
  }

  /** At once where the code is here; null where it cannot be had. */
  async function withLost<T>(run: (here: LostTurns) => T): Promise<T | null> {
    try {
      if (lostTurns === null) {
        const { createLostTurns } = await import("./lost-turns.ts");
        lostTurns ??= createLostTurns(deps, register, { over, restart });
      }
      return run(lostTurns);
    } catch (error) {
      // It is looked at again, what stays in storage by the next load of the page, too.
      browser.log("lost turns were not looked at", error);
      return null;
    }
  }

  /** Begins a lost turn once more, with the request it had. */
  function restart(key: string, { turn: old, request }: LostTurn): void {
    const { plan } = old;
    // The text was given back; it is on its way again.
    if (plan.typed !== null)
      sessions.hideDraft(draftKeyOf(plan.typed, key), plan.typed.text, plan.typed.fileIds);
    const turn = register.begin({ key, plan, session: old.session() });
    depart({ turn, sessionId: old.sessionId() ?? key, request });
  }

  /** Reads the reply of a turn to its end. */
  async function read(reading: ReadTurn): Promise<void> {
    const { turn, sessionId, request } = reading;
    const target = { sessionId, from: turn.plan.foldFrom, request };
    try {
      for await (const news of followReply(follow, target, turn.signal)) {
        if (news.kind === "event") deps.onEvent(news.event);
        if (news.kind !== "end") turn.take(news);
        else {
          turn.flush();
          await endTurn(deps, register, reading, news.end);
        }
      }
    } catch (error) {
      browser.log("a turn failed", error);
      turn.cutOff("cut", null);
    } finally {
      release(turn);
    }
  }

  /** The session, where a turn may begin in it now. */
  function idleSession(key: string): ClientSession | undefined {
    const session = sessions.get(key);
    return session !== undefined && composerAction(key, session) === "send" ? session : undefined;
  }

  async function startPlanned(key: string, plan: TurnPlan | null): Promise<boolean> {
    return plan === null ? false : start(key, plan);
  }

  function showRefusal({ type, text }: Extract<SubmitCheck, { ok: false }>): void {
    if (text !== null) reactions.toast(refusalToast(type, text));
  }

  /** What is typed and attached stands in a new chat of the same agent, which is shown. */
  function toNewChat(key: string, { agentId }: ClientSession): void {
    const newKey = newChatKey(agentId);
    register.setAside(newKey);
    if ((sessions.store.getState().drafts[newKey] ?? "") === "") sessions.moveDraft(key, newKey);
    else sessions.moveFiles(key, newKey);
    reactions.go(agentPath(agentId));
  }

  /**
   * Sends what was typed, with its files; of a message that was queued, `next` is what goes with it. False: nothing was sent
   * and the text is where it was.
   */
  async function send(key: string, prompt: string, next?: NextMessage): Promise<boolean> {
    // Its id may have arrived with the question that it was sent below: below another one it would be refused.
    const lostCall = register.lost.get(key)?.turn.plan.call ?? null;
    if (next?.clientStreamId === clientStreamIdOf(lostCall) && (await goBack(key)))
      return !register.lost.has(key);
    const session = agentOfNewChat(key) === null ? sessions.get(key) : sessions.ensure(key);
    const draft = next === undefined ? key : nextDraftKey(key);
    const drafted = deps.files.shown(draft);
    const isAwaited = deps.files.bring(draft);
    const check = checkSubmit(key, session, prompt, { hasFiles: isAwaited || drafted.length > 0 });
    if (!check.ok) {
      showRefusal(check);
      return false;
    }
    if (session === undefined) return false;
    const fits = drafted.length === 0 && !isAwaited ? null : deps.files.check(key, drafted, draft);
    if (fits?.kind === "block" || (fits?.kind === "new-chat" && next !== undefined)) {
      showRefusal({ ok: false, type: "info", text: fits.text });
      return false;
    }
    if (fits?.kind === "new-chat") {
      toNewChat(key, session);
      return false;
    }
    const files = drafted.flatMap(({ stored }) => stored?.info ?? []);
    const parentId = parentForSend(withoutUnsent(session.tree));
    const knownLast = knownLastId(session);
    const isNext = next !== undefined;
    const input = { ...newInput(session, files), ...next?.modes };
    if (isNext) input.clientStreamId = next.clientStreamId;
    return start(key, planNew(input, { parentId, prompt, files, knownLastId: knownLast, isNext }));
  }

  /** Asks for another reply to the same prompt, beside this one. False: nothing was sent. */
  async function regenerate(key: string, messageId: number, model?: string): Promise<boolean> {
    const session = idleSession(key);
    if (session === undefined) return false;
    const asked = getMessage(session.tree, getMessage(session.tree, messageId)?.parent_id ?? 0);
    const input = newInput(session, asked?.files ?? [], model);
    return startPlanned(key, planRegenerate(session.tree, input, messageId));
  }

  /** Sends another prompt beside this user message. False: nothing was sent. */
  async function editMessage(key: string, messageId: number, prompt: string): Promise<boolean> {
    const session = sessions.get(key);
    const check = checkSubmit(key, session, prompt);
    if (!check.ok) showRefusal(check);
    if (session === undefined || !check.ok) return false;
    const files = getMessage(session.tree, messageId)?.files ?? [];
    return startPlanned(key, planEdit(session.tree, newInput(session, files), { messageId, prompt }));
  }

  /** Goes back to a lost turn, by hand; where that cannot be done now, it is said. False: there is none. */
  async function goBack(key: string): Promise<boolean> {
    const lost = register.lost.get(key);
    if (lost === undefined) return false;
    // Meanwhile it may have been found.
    const going = withLost(({ recover }) => register.lost.get(key) !== lost || recover(key));
    const isLost = (await going) ?? true;
    if (isLost && register.lost.get(key) === lost)
      reactions.toast({ type: "error", text: CONNECTION_LOST.text, dedupeKey: "lost" });
    return isLost;
  }

  /** Lets an INCOMPLETE reply go on. False: nothing was sent. */
  async function continueReply(key: string, messageId: number): Promise<boolean> {
    const session = idleSession(key);
    if (session === undefined) return false;
    // One whose line was lost may run at the server, or have ended there: it is read on from there.
    if (register.lost.get(key)?.turn.responseId() === messageId) return goBack(key);
    return startPlanned(key, planContinue(session.tree, messageId));
  }

  /** Asks again for what failed at this message, as it was asked for, with a new client_stream_id. */
  async function retry(key: string, messageId: number): Promise<void> {
    const session = idleSession(key);
    const message = session && getMessage(session.tree, messageId);
    if (session === undefined || message === undefined) return;
    if (await goBack(key)) return;
    if (message.resendInfo?.scene === "regenerate") {
      return void (await regenerate(key, messageId, message.resendInfo.model));
    }
    if (message.resendInfo?.scene === "continue") return void (await continueReply(key, messageId));
    const isReply = message.role === "ASSISTANT";
    // A finished reply stays, as one that came of its question, and so does a question with other replies: the next is one more.
    if (isReply && (message.status === "FINISHED" || siblingsOf(session.tree, messageId).ids.length > 1))
      return void (await regenerate(key, messageId));
    const user = isReply ? getMessage(session.tree, message.parent_id ?? 0) : message;
    if (user === undefined) return;
    const { message_id: userId, parent_id: parentId, resendInfo, files } = user;
    const prompt = promptOf(user);
    if (resendInfo?.scene === "edit") {
      // An edit that is stored is itself what is edited again; one that is not has left the old message as it was.
      const edited = userId > 0 ? userId : resendInfo.editMessageId;
      await startPlanned(
        key,
        planEdit(session.tree, newInput(session, files), { prompt, messageId: edited }),
      );
    } else {
      const knownLast = knownLastId(session);
      const input = newInput(session, files);
      // One that was queued and is not stored stands in the queue, too, and leaves it so.
      const nextId = userId < 0 && resendInfo?.scene === "completion" ? resendInfo.nextId : undefined;
      input.clientStreamId = nextId ?? input.clientStreamId;
      const isNext = nextId !== undefined;
      await start(key, planNew(input, { prompt, parentId, files, knownLastId: knownLast, isNext }));
    }
  }

  /** Texts that were sent, and that stand in the history by now though nobody said so, are given up. */
  function dropArrived(key: string): void {
    const ids = new Set<string | null>();
    for (const { message } of sessions.get(key)?.tree.nodes.values() ?? []) {
      if (message.message_id > 0) ids.add(message.client_stream_id);
    }
    sessions.dropArrived(key, ({ clientStreamId }) => ids.has(clientStreamId));
    deps.files.dropArrived(key);
    forgetArrived(deps, register, key, ids);
    if (register.doubtful.size > 0) void withLost(({ dropDoubtful }) => dropDoubtful(key, ids));
  }

  /** No reply of another page runs here any more: none stands in the way of what was refused for it. */
  function showNoneRuns(key: string): void {
    sessions.update(key, ({ tree }) => {
      for (const id of tree.nodes.keys()) tree = updateMessage(tree, id, onceNoneRuns);
      return { tree };
    });
  }

  /** A history came in which a reply still runs: goes on reading it (wire-contract.md §10.6). */
  function resumeFrom({
    chat_session,
    chat_messages,
  }: Pick<History, "chat_session" | "chat_messages">): void {
    const key = chat_session.id;
    if (register.turnOf(key) !== undefined) return;
    const lost = register.lost.get(key);
    dropArrived(key);
    if (lost?.turn.isStored()) {
      // This is all that the server has of it.
      register.lost.delete(key);
      dropGivenBack(deps, lost.turn);
    }
    const running = chat_messages.find(({ status, role }) => status === "WIP" && role === "ASSISTANT");
    if (running === undefined) {
      showNoneRuns(key);
      return lookForLateTitle(chat_session, chat_messages.at(-1)?.status);
    }
    const turn = register.begin({ key, plan: planResume(running), session: chat_session });
    void turn.whenEnded.then(() => showNoneRuns(key));
    if (!register.mayResume(key, running.message_id)) {
      turn.cutOff("cut", null);
      return register.release(turn);
    }
    void read({ turn, sessionId: key, request: null });
    if (isToBeStopped(lost, running)) void stopTurn(deps, register, turn);
  }

  /** Finished and yet without its title: the reply ended a moment ago, and no event will bring the title. */
  function lookForLateTitle(session: Session, lastStatus: string | undefined): void {
    if (session.title_type !== "WIP" || lastStatus !== "FINISHED") return;
    void lookForTitle(deps, session, register.accountSignal());
  }

  /** Stops the running turn of a session; resolves when it is at rest. */
  async function stop(key: string): Promise<void> {
    const turn = register.turnOf(key);
    if (turn === undefined) return;
    await stopTurn(deps, register, turn);
    if (register.lost.has(turn.key())) void withLost(({ insist }) => void insist(turn.key()));
  }

  /** As `stop`, but gives up after 6 s: the session is to be deleted. */
  async function stopBeforeDelete(sessionId: string): Promise<void> {
    const turn = register.turnOf(sessionId);
    if (turn === undefined) return;
    await Promise.race([stopTurn(deps, register, turn), pause(browser, LIMITS.stopBeforeDeleteMs)]);
    turn.stopReading();
  }

  return {
    send,
    regenerate,
    editMessage,
    continueReply,
    retry,
    stop,
    stopBeforeDelete,
    dropArrived,
    resumeFrom,
    setAside: register.setAside,
    findSent(key: string): void {
      if (sessions.sentAs(key) !== null) void withLost(({ findSent }) => void findSent(key));
      giveBackAside();
    },
    recoverAll(): void {
      if (register.lost.size > 0) void withLost((here) => here.recoverAll());
    },
    /** Brings what is needed when a connection is lost, while there is one. */
    prepare: (): void => void withLost(() => {}),
    abandonAll: register.abandonAll,
    abandon: register.abandon,
    /** The history is gone, and what new chats were to begin with. */
    forgetUnused: (): void => register.unused.clear(),
  };
}

/** What is sent as known_last_message_id: null where no message was seen yet (wire-contract.md §11.2). */
function knownLastId({ lastMessageId }: ClientSession): number | null {
  return lastMessageId === 0 ? null : lastMessageId;
}
