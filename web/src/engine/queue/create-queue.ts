// The next message of a chat, queued while a reply is written: one for each chat, sent when that reply has ended well.
import type { StoreApi } from "zustand/vanilla";
import type { Browser } from "../browser.ts";
import type { FilesPart } from "../load-files.ts";
import type { Reactions } from "../reactions.ts";
import { agentOfNewChat, shareOfKey } from "../sessions/client-session.ts";
import { nextDraftKey } from "../sessions/edit-drafts.ts";
import type { SessionsState, SessionStore } from "../sessions/session-store.ts";
import { refusalToast } from "../site/toast.ts";
import { newClientStreamId } from "../turns/client-stream-id.ts";
import { checkPrompt, checkStanding } from "../turns/composer-rules.ts";
import type { NextMessage } from "../turns/create-turns.ts";
import type { TurnModes } from "../turns/turn-modes.ts";
import { readKeptQueue, writeKeptQueue } from "./kept-queue.ts";
import {
  awaitedReply,
  BETWEEN_TEXTS,
  queueStep,
  type Queued,
  type QueueState,
  type QueueStep,
  type WhyKept,
} from "./queue-rules.ts";
import { createUnopenedChats, type UnopenedDeps } from "./unopened-chats.ts";

export interface QueueDeps extends UnopenedDeps {
  browser: Browser;
  store: StoreApi<QueueState>;
  sessions: SessionStore;
  files: Pick<FilesPart, "shown" | "check" | "areAwaited" | "moves">;
  reactions: Reactions;
  userId(): string | null;
  /** What is stored has changed: other tabs are told. */
  onStored(userId: string): void;
  /** What a message from here is sent with now. */
  modes(key: string): TurnModes;
  /** False = nothing was sent, which was said. */
  send(key: string, prompt: string, next?: NextMessage): Promise<boolean>;
}

export type QueueWork = ReturnType<typeof createQueueWork>;

export function createQueueWork(deps: QueueDeps) {
  const { browser, store, sessions, files, reactions } = deps;
  /** Sessions whose next step is looked at as soon as what happens now is over. */
  const due = new Set<string>();
  /** Ids of the requests by which this tab has sent what was queued. */
  const sentHere = new Set<string>();
  /** Of what another tab has queued: it is shown here, and that tab sends it, which knows how its chat goes on. */
  const seenOnly = new Set<string>();
  const unsubscribe = sessions.store.subscribe((now, before) => {
    for (const [key, queued] of Object.entries(store.getState().byKey)) {
      const next = nextDraftKey(key);
      if (now.byId[key] !== before.byId[key]) {
        nameReply(key, queued);
        follow(key, { now, before });
      } else if (now.drafts[next] === before.drafts[next]) continue;
      look(key);
    }
  });

  const stopSeen = browser.onVisible(lookAtAll);
  const unopened = createUnopenedChats(deps, (key) => stepOf(key) === "open");

  /** Other tabs may have queued more meanwhile, sent it or taken it back. What they left is this tab's from now on. */
  function lookAtAll(): void {
    const owner = deps.userId();
    if (owner === null) return;
    seenOnly.clear();
    for (const key of Object.keys({ ...readKeptQueue(browser, owner), ...store.getState().byKey }))
      if (upToDate(key) !== undefined) look(key);
  }

  /** Shows what is stored by now, and sends nothing of it. */
  function showStored(): void {
    const owner = deps.userId();
    if (owner === null) return;
    const kept = readKeptQueue(browser, owner);
    for (const key of Object.keys({ ...kept, ...store.getState().byKey })) {
      const [stored, known] = [kept[key], get(key)];
      if (known !== undefined && !seenOnly.has(known.clientStreamId)) {
        upToDate(key);
      } else if (stored === undefined || stored.phase === "sending") {
        if (known !== undefined && agentOfNewChat(key) === null) leaveToOthers(key);
      } else {
        seenOnly.add(stored.clientStreamId);
        show(key, stored);
        sessions.showDraft(nextDraftKey(key), sessions.keptText(nextDraftKey(key)));
      }
    }
  }

  const get = (key: string): Queued | undefined => store.getState().byKey[key];
  const draftOf = (key: string): string => sessions.store.getState().drafts[key] ?? "";
  const textOf = (key: string): string => draftOf(nextDraftKey(key));

  /** Here alone: other tabs have what is stored. */
  function show(key: string, queued: Queued | null): void {
    store.setState(({ byKey: { [key]: _old, ...others } }) => ({
      byKey: queued === null ? others : { ...others, [key]: queued },
    }));
  }

  /** Of a new chat nothing is noted but the draft: it is not known what its session will be called. */
  function put(key: string, queued: Queued | null): void {
    // What is done with it here makes it this tab's.
    if (queued !== null) seenOnly.delete(queued.clientStreamId);
    const owner = deps.userId();
    if (owner !== null && agentOfNewChat(key) === null) {
      writeKeptQueue(browser, owner, key, queued);
      deps.onStored(owner);
    }
    show(key, queued);
  }

  /** It was sent. What another tab has queued in its place stays, and is this tab's, too. */
  function putAway(key: string, sent: Queued): void {
    const owner = deps.userId();
    const stored = owner === null ? undefined : readKeptQueue(browser, owner)[key];
    if (stored === undefined || stored.clientStreamId === sent.clientStreamId) return put(key, null);
    show(key, null);
    if (upToDate(key) !== undefined) look(key);
  }

  /** The reply that is awaited has got its name. */
  function nameReply(key: string, queued: Queued): void {
    const awaits = queued.awaits < 0 ? awaitedReply(sessions.get(key)) : null;
    if (queued.phase === "waiting" && awaits !== null && awaits > 0) put(key, { ...queued, awaits });
  }

  /** A new chat has become a session: what was queued in it goes along. */
  function follow(from: string, { now, before }: Record<"now" | "before", SessionsState>): void {
    const tree = before.byId[from]?.tree;
    if (agentOfNewChat(from) === null || now.byId[from] !== undefined || tree === undefined) return;
    const to = Object.keys(now.byId).find((key) => now.byId[key]?.tree === tree);
    const queued = get(from);
    if (to === undefined || queued === undefined) return;
    show(from, null);
    sessions.moveDraft(nextDraftKey(from), nextDraftKey(to));
    put(to, queued);
    look(to);
  }

  /** Another tab has sent it, or taken it back: it is no message of this tab any more. */
  function leaveToOthers(key: string): void {
    show(key, null);
    sessions.showDraft(nextDraftKey(key), "");
  }

  /**
   * What is queued in this chat by what is stored, where any tab may have queued more, sent it or taken it back; undefined for
   * nothing that is still to be sent.
   */
  function upToDate(key: string): Queued | undefined {
    const [known, owner] = [get(key), deps.userId()];
    if (agentOfNewChat(key) !== null) return known;
    const stored = owner === null ? undefined : readKeptQueue(browser, owner)[key];
    if (stored === undefined || stored.phase === "sending") {
      if (known !== undefined && known.phase !== "sending") leaveToOthers(key);
      return undefined;
    }
    if (stored.clientStreamId !== known?.clientStreamId) {
      show(key, stored);
      sessions.showDraft(nextDraftKey(key), sessions.keptText(nextDraftKey(key)));
    }
    return stored;
  }

  /** Another tab is sending what was queued before. That tab may be gone: how it ends is looked at here, too. */
  function isSentElsewhere(key: string): boolean {
    const owner = deps.userId();
    const stored = owner === null ? undefined : readKeptQueue(browser, owner)[key];
    if (stored?.phase !== "sending" || sentHere.has(stored.clientStreamId)) return false;
    show(key, stored);
    look(key);
    return true;
  }

  async function send(key: string): Promise<void> {
    const queued = upToDate(key);
    if (queued === undefined) return;
    const next = nextDraftKey(key);
    // Another tab has queued it anew, with other files: those come to this one when it is loaded again.
    if (!files.areAwaited(next) && files.shown(next).length !== queued.files) return keep(key, "unsent");
    sentHere.add(queued.clientStreamId);
    put(key, { ...queued, phase: "sending", why: null });
    if (!(await deps.send(key, textOf(key), queued))) keep(key, "unsent");
  }

  function keep(key: string, why: WhyKept): void {
    const queued = get(key);
    if (queued !== undefined) put(key, { ...queued, phase: "kept", why });
  }

  function look(key: string): void {
    if (due.has(key)) return;
    due.add(key);
    // The turn that ends has still to be put away.
    browser.after(0, () => {
      due.delete(key);
      step(key);
    });
  }

  function stepOf(key: string): QueueStep {
    const queued = get(key);
    if (queued === undefined || seenOnly.has(queued.clientStreamId)) return "wait";
    const next = nextDraftKey(key);
    return queueStep(queued, {
      session: sessions.get(key),
      isDrafted: textOf(key) !== "" || files.shown(next).length > 0 || files.areAwaited(next),
      isOnTheWay: sessions.sentAs(next) !== null,
    });
  }

  function step(key: string): void {
    const queued = get(key);
    const taken = stepOf(key);
    if (queued === undefined) return;
    switch (taken) {
      case "wait":
        return;
      case "open":
        return unopened.look(key);
      case "send":
        return void send(key);
      case "again":
        return put(key, { ...queued, phase: "waiting", why: null });
      case "done":
        return putAway(key, queued);
      default:
        keep(key, taken);
    }
  }

  /** Neither deep thinking nor search goes with files (requirements 1§5). */
  function newlyQueued(key: string, count: number): Queued {
    const modes = deps.modes(key);
    return {
      phase: "kept",
      awaits: 0,
      why: null,
      files: count,
      modes: count > 0 ? { ...modes, thinking: false, search: false } : modes,
      clientStreamId: newClientStreamId(browser),
    };
  }

  /** Queues what is typed and attached in this chat, below what is queued there already. */
  function add(key: string): void {
    const awaits = shareOfKey(key) === null ? awaitedReply(sessions.get(key)) : null;
    // The reply ended as the key was pressed, or it is a share that is being copied.
    if (awaits === null) return refuse({ key: "stillSending" });
    // Its end would take away what is queued in its place.
    if (isSentElsewhere(key)) return refuse({ key: "stillSending" });
    upToDate(key);
    const next = nextDraftKey(key);
    const attached = [...files.shown(next), ...files.shown(key)];
    const hasFiles = attached.length > 0;
    const prompt = [textOf(key), draftOf(key)].filter((part) => part.trim() !== "").join(BETWEEN_TEXTS);
    const check = checkPrompt(prompt, { hasFiles });
    if (!check.ok) return refuse(check.text);
    const fits = hasFiles ? files.check(key, attached) : null;
    if (fits !== null && fits.kind !== "ok") return refuse(fits.text);
    sessions.storeDraftNow(key, "");
    sessions.storeDraftNow(next, prompt);
    files.moves.move(key, next);
    put(key, { ...newlyQueued(key, attached.length), phase: "waiting", awaits });
    look(key);
  }

  function refuse(text: Parameters<Reactions["toast"]>[0]["text"] | null): void {
    if (text !== null) reactions.toast(refusalToast("info", text));
  }

  /** Gives the text and the files back to the composer, above what is typed there. */
  function edit(key: string): void {
    upToDate(key);
    if (get(key)?.phase === "sending") return;
    sessions.storeDraftNow(
      key,
      [textOf(key), draftOf(key)].filter((part) => part !== "").join(BETWEEN_TEXTS),
    );
    files.moves.move(nextDraftKey(key), key);
    sessions.storeDraftNow(nextDraftKey(key), "");
    put(key, null);
  }

  /** Where another tab has queued more meanwhile, that is shown first: nobody withdraws what they have not seen. */
  function withdraw(key: string): void {
    const seen = get(key)?.clientStreamId;
    const stored = upToDate(key);
    if (get(key)?.phase === "sending") return;
    if (stored !== undefined && stored.clientStreamId !== seen) return;
    sessions.storeDraftNow(nextDraftKey(key), "");
    files.moves.drop(nextDraftKey(key));
    put(key, null);
  }

  /** A new chat begins with it, after what its composer has: what was sent there before and has come back. */
  function beginWith(key: string): void {
    const before = draftOf(key);
    sessions.storeDraftNow(key, "");
    edit(key);
    const prompt = [before, draftOf(key)].filter((part) => part !== "").join(BETWEEN_TEXTS);
    sessions.storeDraftNow(key, prompt);
    if (before === "") void deps.send(key, prompt);
  }

  /** Sends it by hand: now, or after the reply that is being written. */
  function sendNow(key: string): void {
    if (agentOfNewChat(key) !== null && awaitedReply(sessions.get(key)) === null) return beginWith(key);
    upToDate(key);
    if (get(key) === undefined) {
      const count = files.shown(nextDraftKey(key)).length;
      if (textOf(key) === "" && count === 0) return;
      put(key, newlyQueued(key, count));
    }
    const queued = upToDate(key);
    if (queued === undefined) return;
    const awaits = awaitedReply(sessions.get(key));
    if (awaits !== null) return put(key, { ...queued, phase: "waiting", awaits, why: null });
    const check = checkStanding(key, sessions.get(key));
    if (check.ok) return void send(key);
    refuse(check.text);
  }

  return {
    add,
    edit,
    withdraw,
    sendNow,
    /** What this user had queued is there again. */
    open(userId: string): void {
      const kept = readKeptQueue(browser, userId);
      store.setState(({ byKey }) => ({ byKey: { ...kept, ...byKey } }));
      Object.keys(kept).forEach(look);
    },
    lookAtAll,
    showStored,
    sendsFrom(key: string): boolean {
      const queued = get(key);
      return queued?.phase === "waiting" && !seenOnly.has(queued.clientStreamId);
    },
    stop(): void {
      unsubscribe();
      stopSeen();
      unopened.stop();
    },
  };
}
