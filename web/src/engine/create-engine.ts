// Builds the engine over its host and wires its parts; the one file that knows them all. It decides nothing.
import { LIMITS } from "@plumb/protocol/limits";
import { createAccountCheck } from "./accounts/account-check.ts";
import { createAccountLifecycle } from "./accounts/account-lifecycle.ts";
import { createAuthStore } from "./accounts/auth-store.ts";
import { createCodeTimer } from "./accounts/code-timer.ts";
import { handleGlobalRefusal } from "./accounts/global-refusals.ts";
import { createMute } from "./accounts/mute.ts";
import { followAccountNews, followOtherTabs } from "./accounts/other-tabs.ts";
import { createSignIn } from "./accounts/sign-in.ts";
import { createThinkingQuota } from "./accounts/thinking-quota.ts";
import { createApiClient } from "./api-client.ts";
import type { Browser } from "./browser.ts";
import type { Engine } from "./engine.ts";
import { createFeedback } from "./feedback/create-feedback.ts";
import { createProofOfWork } from "./guard/proof-of-work.ts";
import { createPuzzleSolver } from "./guard/puzzle-solver.ts";
import { createPoll } from "./poll.ts";
import type { Reactions } from "./reactions.ts";
import { createBranches } from "./sessions/branches.ts";
import { createDraftInput } from "./sessions/draft-input.ts";
import { createForgetSession } from "./sessions/forget-session.ts";
import { createHistoryCache } from "./sessions/history-cache.ts";
import { createHistory } from "./sessions/history.ts";
import { createPinSession } from "./sessions/pin-session.ts";
import { createReadingPlaces } from "./sessions/reading-places.ts";
import { createRepliesElsewhere } from "./sessions/replies-elsewhere.ts";
import { createStoppedReplies } from "./sessions/stopped-replies.ts";
import { createSessionChanges } from "./sessions/session-changes.ts";
import { createSessionList } from "./sessions/session-list.ts";
import { createSessionStore } from "./sessions/session-store.ts";
import { createShownSession } from "./sessions/shown-session.ts";
import { createLocale } from "./site/locale.ts";
import { createNavigation } from "./site/navigation.ts";
import { createNetworkState } from "./site/network-state.ts";
import { createOverlays } from "./site/overlays.ts";
import { createPageReturn } from "./site/page-return.ts";
import { createPreferences } from "./site/preferences.ts";
import { createSettingsStore } from "./site/settings-store.ts";
import { createStreamEvents } from "./site/stream-events.ts";
import { createTabNews } from "./site/tab-news.ts";
import { createToasts } from "./site/toasts.ts";
import { createTurns } from "./turns/create-turns.ts";
import { createModelChoice } from "./turns/model-choice.ts";
import { turnModes } from "./turns/turn-modes.ts";
import { turnsFace } from "./turns/turns-face.ts";

/** The engine over a host. Nothing happens before `start`. */
export function createEngine(browser: Browser): Engine {
  const toasts = createToasts(browser);
  const navigation = createNavigation();
  const overlays = createOverlays(browser);
  const preferences = createPreferences(browser);
  const locale = createLocale(browser, preferences);
  const reactions: Reactions = {
    toast: toasts.show,
    go: (path, options) => navigation.go(path, options?.replace ?? false),
  };
  const tabs = createTabNews(browser);
  const auth = createAuthStore(browser, (token) => tabs.tell({ about: "account", token }));
  const userId = (): string | null => auth.store.getState().user?.id ?? null;
  const api = createApiClient(browser, {
    token: auth.token,
    locale: locale.current,
    onGlobalCode: (code, token, logId) =>
      handleGlobalRefusal(
        {
          reactions,
          token: auth.token,
          clearProofs: proofs.clear,
          leave: account.leave,
          log: browser.log,
        },
        { code, token, logId },
      ),
  });
  const settings = createSettingsStore(browser, api);

  const solver = createPuzzleSolver(browser);
  const proofs = createProofOfWork(browser, api, solver);

  const sessions = createSessionStore(browser);
  const list = createSessionList({
    api,
    pageSize: settings.sessionPageSize,
    onShown(session) {
      const owner = userId();
      if (owner !== null) tabs.tell({ about: "session", userId: owner, session });
    },
    onReceived: (received) => received.forEach(sessions.takeListed),
  });
  const cache = createHistoryCache(browser);
  const shown = createShownSession();
  const branches = createBranches(browser, sessions);
  const places = createReadingPlaces(browser, sessions);
  const stopped = createStoppedReplies(browser);
  const forgetSession = createForgetSession({
    sessions,
    list,
    cache,
    branches,
    shown,
    reactions,
    abandonReply: (sessionId) => turns.abandon(sessionId),
    onForgotten(sessionId) {
      const owner = userId();
      if (owner !== null) tabs.tell({ about: "removed", userId: owner, sessionId });
    },
    log: browser.log,
  });
  const history = createHistory({
    browser,
    api,
    sessions,
    list,
    cache,
    branches,
    shown,
    stopped,
    forgetSession,
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
    onRunning(sessionId) {
      if (shown.is(sessionId)) historyPoll.now();
    },
  });

  const thinkingQuota = createThinkingQuota(api);
  const accountCheck = createAccountCheck(browser, api, auth, () => account.leave("expired"));
  const streamEvents = createStreamEvents(
    () => settings.store.getState().settings?.flags["enableEventsDisplay"] === true,
  );
  const mute = createMute(browser, auth, accountCheck.start);
  const models = createModelChoice(browser);
  const turns = createTurns({
    browser,
    api,
    proofs,
    sessions,
    list,
    history,
    stopped,
    reactions,
    follow: settings,
    modes: (model = models.store.getState().chosen) =>
      turnModes(preferences.store.getState(), settings.store.getState().settings, model),
    onModelGone(model) {
      models.forget(model);
      settings.start();
    },
    isOnScreen: shown.is,
    onQuota: thinkingQuota.update,
    onEvent: streamEvents.keep,
    onMuted: accountCheck.muted,
    onInvalidSession: forgetSession.lose,
  });

  const account = createAccountLifecycle({
    auth,
    reactions,
    parts: [
      { clear: turns.abandonAll },
      list,
      { start: proofs.prepare, clear: proofs.clear },
      { start: accountCheck.start, clear: accountCheck.stop },
      { start: thinkingQuota.load, clear: thinkingQuota.clear },
      sessions,
      history,
      cache,
      overlays,
      shown,
      branches,
      places,
      models,
      streamEvents,
      stopped,
      mute,
      elsewhere,
      { start: historyPoll.start, clear: historyPoll.stop },
      { start: listPoll.start, clear: listPoll.stop },
    ],
  });
  const codeTimer = createCodeTimer(browser);
  const signIn = createSignIn({
    api,
    proofs,
    auth,
    account,
    codeTimer,
    reactions,
    locale: locale.current,
  });

  const changes = createSessionChanges({
    browser,
    api,
    sessions,
    list,
    reactions,
    forgetSession,
    stopRunning: turns.stopBeforeDelete,
  });
  const setPinned = createPinSession({ browser, api, list, reactions, forgetSession });
  // Before any screen learns of the user, so that the composer finds its text in place.
  auth.store.subscribe(({ user }) => {
    sessions.openDrafts(user);
    // A history may have come before it was known whose texts are kept.
    for (const key of Object.keys(sessions.store.getState().byId)) turns.dropArrived(key);
    if (user !== null) elsewhere.start();
    models.open(user);
  });
  /** A new chat on show whose question an earlier load of the page sent. */
  const findSent = (): void => {
    const key = shown.key();
    if (key !== null) void turns.findSent(key);
  };
  auth.store.subscribe(findSent);

  const network = createNetworkState(browser);
  const following = { browser, auth, account, reactions };
  const stopListening = tabs.listen((news) => {
    if (news.about === "account") followAccountNews(following, news.token);
    if (!("userId" in news) || news.userId !== userId()) return;
    if (news.about === "removed") forgetSession.loseElsewhere(news.sessionId);
    if (news.about !== "session") return;
    list.takeWhole(news.session);
    sessions.takeListed(news.session);
  });
  const returning = createPageReturn({
    browser,
    followOtherTabs: () => followOtherTabs(following),
    recoverReplies: turns.recoverAll,
    refresh() {
      list.retry();
      historyPoll.now();
      listPoll.now();
    },
    loadFailed() {
      accountCheck.retry();
      settings.retry();
      history.loadFailed();
      list.retry();
      findSent();
    },
  });

  return {
    accounts: {
      auth: auth.store,
      codeTimer: codeTimer.store,
      thinkingQuota: thinkingQuota.store,
      mute: mute.store,
      ...signIn,
      acknowledgeBan: auth.acknowledgeBan,
    },
    sessions: {
      store: sessions.store,
      elsewhere: elsewhere.store,
      list: list.store,
      loadMore: list.loadMore,
      retryList: list.retry,
      open(key) {
        history.open(key);
        elsewhere.update();
        findSent();
      },
      retryHistory: history.retry,
      switchBranch(sessionId, messageId) {
        // What the panel shows belongs to the branch it was opened on (requirements 1§2).
        overlays.closePanel();
        branches.switchTo(sessionId, messageId);
      },
      readingPlace: places.read,
      keepReadingPlace: places.keep,
      rename: changes.rename,
      setPinned: (sessionId, pinned) => void setPinned(sessionId, pinned),
      remove: changes.remove,
      setDraft: createDraftInput({
        sessions,
        isSignedIn: auth.hasToken,
        prepareProof: proofs.prepare,
      }),
    },
    turns: turnsFace(turns, sessions, shown, models),
    feedback: createFeedback({ browser, api, sessions, reactions, forgetSession }),
    site: {
      settings: settings.store,
      network: network.store,
      preferences: preferences.store,
      locale: locale.store,
      toasts: toasts.store,
      overlays: overlays.store,
      streamEvents: streamEvents.store,
      navigation: navigation.store,
      setPreferences: preferences.change,
      showToast: toasts.show,
      dismissToast: toasts.dismiss,
      setOverlays: overlays.change,
      openPanel: overlays.openPanel,
      closePanel: overlays.closePanel,
    },
    start(): void {
      locale.start();
      settings.start();
      if (auth.hasToken()) account.enter();
      returning.start();
      network.start();
    },
    stop(): void {
      for (const part of [
        returning,
        network,
        locale,
        settings,
        accountCheck,
        mute,
        codeTimer,
        solver,
        sessions,
        branches,
        places,
        elsewhere,
        historyPoll,
        listPoll,
      ])
        part.stop();
      stopListening();
      tabs.close();
      turns.abandonAll();
      proofs.clear();
    },
  };
}
