// Wires what the engine does for chats: sessions, turns and feedback. It decides nothing. Pages before sign-in do without
// it, so its code loads by itself (load-chat.ts).
import { LIMITS } from "@plumb/protocol/limits";
import type { Locale } from "@plumb/protocol/rules/edition-rules";
import type { AccountLifecycle, AccountPart } from "./accounts/account-lifecycle.ts";
import type { createAccountCheck } from "./accounts/account-check.ts";
import type { AuthState, AuthStore } from "./accounts/auth-store.ts";
import type { createThinkingQuota } from "./accounts/thinking-quota.ts";
import type { ApiClient } from "./api-client.ts";
import type { Browser } from "./browser.ts";
import type { Engine } from "./engine.ts";
import type { Feedback } from "./feedback/feedback-face.ts";
import type { ProofOfWork } from "./guard/proof-of-work.ts";
import { createAgentsPart, type Agents } from "./load-agents.ts";
import { createChangesPart } from "./load-changes.ts";
import { createFilesPart, type Files } from "./load-files.ts";
import { createQueuePart, type Queue } from "./load-queue.ts";
import { createSharingPart, type Sharing } from "./load-sharing.ts";
import { createOwnAccountPart } from "./load-own-account.ts";
import { createOwnDataPart } from "./load-own-data.ts";
import type { OwnAccount } from "./accounts/own-account.ts";
import type { OwnData } from "./exports/own-data.ts";
import { createPoll } from "./poll.ts";
import { DEFAULT_AGENT, type Reactions } from "./reactions.ts";
import { replyReader } from "./replies/reply-reader.ts";
import { createBegunChat } from "./sessions/begun-chat.ts";
import { createBranches } from "./sessions/branches.ts";
import { agentOfNewChat } from "./sessions/client-session.ts";
import { createDraftInput } from "./sessions/draft-input.ts";
import { createForgetSession } from "./sessions/forget-session.ts";
import type { EarlyHistory } from "./sessions/early-history.ts";
import type { HistoryCache } from "./sessions/history-cache.ts";
import { createHistory } from "./sessions/history.ts";
import { followLeftTabs } from "./sessions/left-tabs.ts";
import { createReadingPlaces } from "./sessions/reading-places.ts";
import { createRepliesElsewhere } from "./sessions/replies-elsewhere.ts";
import { createSessionList } from "./sessions/session-list.ts";
import { createSessionStore } from "./sessions/session-store.ts";
import type { Sessions } from "./sessions/sessions-face.ts";
import { createShownSession } from "./sessions/shown-session.ts";
import { createSoughtMessage } from "./sessions/sought-message.ts";
import type { createOverlays } from "./site/overlays.ts";
import type { createPreferences } from "./site/preferences.ts";
import type { createSettingsStore } from "./site/settings-store.ts";
import type { createStreamEvents } from "./site/stream-events.ts";
import type { createTabNews } from "./site/tab-news.ts";
import { createTurns } from "./turns/create-turns.ts";
import { closeEditBox } from "./turns/edit-box.ts";
import { createModelChoice } from "./turns/model-choice.ts";
import { turnModes } from "./turns/turn-modes.ts";
import { turnsFace, type Turns } from "./turns/turns-face.ts";

export interface ChatDeps {
  browser: Browser;
  cache: HistoryCache;
  takeEarly(sessionId: string): EarlyHistory | null;
  locale(): Locale;
  api: ApiClient;
  reactions: Reactions;
  auth: AuthStore;
  tabs: ReturnType<typeof createTabNews>;
  proofs: ProofOfWork;
  settings: ReturnType<typeof createSettingsStore>;
  preferences: ReturnType<typeof createPreferences>;
  overlays: ReturnType<typeof createOverlays>;
  thinkingQuota: ReturnType<typeof createThinkingQuota>;
  accountCheck: ReturnType<typeof createAccountCheck>;
  streamEvents: ReturnType<typeof createStreamEvents>;
  leave: AccountLifecycle["leave"];
}

export interface Chat extends AccountPart {
  start(): void;
  sessions: Sessions;
  turns: Turns;
  feedback: Feedback;
  files: Files;
  agents: Agents;
  sharing: Sharing;
  queue: Queue;
  beginSearch: Engine["beginSearch"];
  /** What the user can do with all that is theirs. Null where its code cannot be had, which was said. */
  ownData(options?: { says: boolean }): Promise<OwnData | null>;
  /** What the user can do with the account itself. Null likewise. */
  ownAccount(options?: { says: boolean }): Promise<OwnAccount | null>;
  /** Looks for replies whose connection was lost. */
  recoverReplies(): void;
  /** Asks the server for the history on show and the newest chats of the list. */
  refresh(): void;
  /** Loads what could not be loaded. */
  loadFailed(): void;
  stop(): void;
}

export type CreateChat = typeof createChat;

export function createChat({
  browser,
  cache,
  takeEarly,
  locale,
  api,
  reactions,
  auth,
  tabs,
  proofs,
  settings,
  preferences,
  overlays,
  thinkingQuota,
  accountCheck,
  streamEvents,
  leave,
}: ChatDeps): Chat {
  const userId = (): string | null => auth.store.getState().user?.id ?? null;
  const modes = (agentId: string, model = models.store.getState().chosen) =>
    turnModes(preferences.store.getState(), settings.store.getState().settings, { agentId, model });
  const agentOf = (key: string): string => sessions.get(key)?.agentId ?? agentOfNewChat(key) ?? DEFAULT_AGENT;
  const files = createFilesPart({
    browser,
    api,
    proofs,
    reactions,
    userId,
    settings: () => settings.store.getState().settings,
    session: (key) => sessions.get(key),
    personaTokens: (key) => agents.tokensOf(agentOf(key)),
    isThinking: () => modes(DEFAULT_AGENT).thinking,
    isSearching: (key) => modes(agentOf(key)).search,
    stopThinking: () => preferences.change({ thinkingEnabled: false }),
  });
  const agents = createAgentsPart({ browser, api, reactions, userId });
  const sessions = createSessionStore(browser, files.moves);
  const list = createSessionList({
    api,
    pageSize: settings.sessionPageSize,
    onReceived: (received) => received.forEach(sessions.takeListed),
    onPage: (page) => void cache.forgetMissing(page),
    onShown(session) {
      const owner = userId();
      if (owner !== null) tabs.tell({ about: "session", userId: owner, session });
    },
  });
  const shown = createShownSession();
  const begun = createBegunChat(browser);
  const branches = createBranches(browser, sessions);
  const places = createReadingPlaces(browser, sessions);
  const sought = createSoughtMessage(branches, places);
  const forgetSession = createForgetSession({
    sessions,
    list,
    cache,
    branches,
    shown,
    reactions,
    abandonReply: (sessionId) => turns.abandon(sessionId),
    closeDialogs: overlays.leaveSession,
    log: browser.log,
    onForgotten(sessionId) {
      const owner = userId();
      if (owner !== null) tabs.tell({ about: "removed", userId: owner, sessionId });
    },
  });
  const history = createHistory({
    browser,
    api,
    sessions,
    list,
    cache,
    branches,
    shown,
    takeEarly,
    forgetSession,
    isNextPerson: () => auth.store.getState().reason === "expired",
    onLoaded: (loaded) => turns.resumeFrom(loaded),
  });

  const historyPoll = createPoll({
    browser,
    everyMs: LIMITS.idleSessionAskMs,
    slowestMs: LIMITS.idleSessionSlowestMs,
    ask: history.checkShown,
  });
  const listPoll = createPoll({
    browser,
    everyMs: LIMITS.sessionListAskMs,
    slowestMs: LIMITS.sessionListSlowestMs,
    ask: list.refresh,
  });
  const elsewhere = createRepliesElsewhere({
    browser,
    tabs,
    sessions,
    shown,
    userId,
    async onRunning(sessionId) {
      await history.rest(sessionId);
      if (shown.is(sessionId)) historyPoll.now();
    },
  });

  const models = createModelChoice(browser);
  const turns = createTurns({
    browser,
    api,
    proofs,
    sessions,
    list,
    history,
    reactions,
    follow: {
      ...settings,
      isAwaited: (key) => queue.sendsFrom(key),
      onLeftElsewhere: elsewhere.onLeft,
    },
    modes,
    files,
    onAgentGone: agents.lose,
    onModelGone(model) {
      models.forget(model);
      settings.start();
    },
    isOnScreen: shown.is,
    // What the panel shows belongs to the branch it was opened on (requirements 1§2).
    onBranchLeft: overlays.closePanel,
    onQuota: thinkingQuota.update,
    onEvent: streamEvents.keep,
    onMuted: accountCheck.muted,
    onInvalidSession: forgetSession.lose,
  });

  const queue = createQueuePart({
    browser,
    sessions,
    files,
    reactions,
    userId,
    onStored: (owner) => tabs.tell({ about: "queued", userId: owner }),
    modes: (key) => modes(agentOf(key)),
    elsewhere,
    history,
    shown,
    send: turns.send,
  });
  const changes = createChangesPart({
    browser,
    api,
    sessions,
    list,
    reactions,
    forgetSession,
    stopRunning: turns.stopBeforeDelete,
  });
  const sharing = createSharingPart({
    browser,
    api,
    reactions,
    settings,
    sessions,
    overlays,
    forgetSession,
    closeEditBox: (key, messageId) => closeEditBox(sessions, key, messageId),
    list,
    history,
    shown,
    send: turns.send,
    hasFiles: (key) => files.shown(key).length > 0,
    checkAccount: accountCheck.start,
  });
  const asked = turnsFace({ turns, sessions, shown, models, prepare });
  const ownData = createOwnDataPart({
    browser,
    api,
    proofs,
    reactions,
    overlays,
    preferences,
    tabs,
    userId,
    sessions,
    list,
    cache,
    shown,
    branches,
    forgetSession,
    locale,
    abandonReply: turns.abandon,
    keptOfSessions: [cache, branches, places, sharing, { clear: turns.forgetUnused }],
  });
  const ownAccount = createOwnAccountPart({
    browser,
    api,
    auth,
    reactions,
    leave,
    overlays,
    checkAccount: accountCheck.start,
  });
  // Before any screen learns of the user, so that the composer finds its text in place.
  function openFor({ user }: AuthState): void {
    sessions.openDrafts(user);
    files.open(user?.id ?? null);
    queue.open(user?.id ?? null);
    // A history may have come before it was known whose texts are kept.
    for (const key of Object.keys(sessions.store.getState().byId)) turns.dropArrived(key);
    if (user !== null) elsewhere.start();
    models.open(user);
    const { gate } = overlays.store.getState();
    if (user?.need_birthday === true) overlays.change({ gate: "birthday" });
    // Another tab may have given it.
    else if (gate === "birthday" || (gate === "phone" && user?.mobile_number))
      overlays.change({ gate: null });
  }
  auth.store.subscribe(openFor);
  /** The welcome page shows the user's personas, which other devices change, too. */
  function refreshPersonas(): void {
    if (shown.is(`new:${DEFAULT_AGENT}`)) agents.refresh();
  }
  auth.store.subscribe(({ user }, before) => {
    if (user !== null && user.id !== before.user?.id) refreshPersonas();
  });
  /** A new chat on show whose question an earlier load of the page sent. */
  const findSent = (): void => {
    const key = shown.key();
    if (key !== null) turns.findSent(key);
  };
  auth.store.subscribe(findSent);

  const stopListening = tabs.listen((news) => {
    if (!("userId" in news) || news.userId !== userId()) return;
    if (news.about === "removed") forgetSession.loseElsewhere(news.sessionId);
    if (news.about === "queued") queue.changedElsewhere();
    if (news.about !== "session") return;
    list.takeWhole(news.session);
    sessions.takeListed(news.session);
  });
  const stopFollowing = followLeftTabs(browser, tabs, () => {
    sessions.takeLeftDrafts();
    queue.takeLeft();
  });
  /** Has ready what the next message needs, and what a hand on the page may do. */
  function prepare(): void {
    changes.prepare();
    proofs.prepare();
    void replyReader.get();
    turns.prepare();
  }
  /** What belongs to the account, in the order in which it is cleared. */
  const parts: readonly AccountPart[] = [
    { clear: turns.abandonAll },
    list,
    files,
    queue,
    sessions,
    history,
    cache,
    shown,
    branches,
    begun,
    places,
    sought,
    models,
    agents,
    sharing,
    elsewhere,
    ownData,
    ownAccount,
    { clear: historyPoll.stop },
    { clear: listPoll.stop },
  ];

  return {
    sessions: {
      store: sessions.store,
      list: list.store,
      elsewhere: elsewhere.store,
      loadMore: list.loadMore,
      retryList: list.retry,
      open(key) {
        sharing.leaveFor(key);
        history.open(key);
        refreshPersonas();
        elsewhere.update();
        findSent();
        const place = begun.placeOf(key);
        if (place !== null) reactions.go(place, { replace: true });
      },
      retryHistory(key) {
        if (!sharing.retry(key)) history.retry(key);
      },
      switchBranch(sessionId, messageId) {
        overlays.closePanel();
        branches.switchTo(sessionId, messageId);
      },
      readingPlace: places.read,
      keepReadingPlace: (sessionId, place) => places.keep(sessionId, place),
      sought: sought.store,
      soughtShown: sought.drop,
      rename: changes.rename,
      setPinned: changes.setPinned,
      remove: changes.remove,
      setDraft: createDraftInput({
        sessions,
        isSignedIn: auth.hasToken,
        prepareProof: prepare,
      }),
    },
    turns: { ...asked, send: (key, prompt) => sharing.send(key, prompt) ?? asked.send(key, prompt) },
    files: files.face,
    agents: agents.face,
    sharing: sharing.face,
    queue: queue.face,
    beginSearch: (create) => create({ browser, api, list, sessions, history, sought, reactions }),
    ownData: ownData.ownData,
    ownAccount: ownAccount.ownAccount,
    feedback: { give: changes.give },
    start(): void {
      openFor(auth.store.getState());
      list.start();
      historyPoll.start();
      listPoll.start();
      ownData.start();
    },
    clear: (options) => parts.forEach((part) => part.clear(options)),
    recoverReplies: turns.recoverAll,
    refresh() {
      refreshPersonas();
      list.retry();
      historyPoll.now();
      listPoll.now();
    },
    loadFailed() {
      history.loadFailed();
      list.retry();
      findSent();
    },
    stop(): void {
      stopListening();
      stopFollowing();
      for (const part of [sessions, files, queue, branches, places, elsewhere, historyPoll, listPoll])
        part.stop();
      turns.abandonAll();
    },
  };
}
