// Builds the engine from its host and wires its parts; the one file that knows them all.
import { getMessage, shownBranch } from "@plumb/protocol/conversation/message-tree";
import { LIMITS } from "@plumb/protocol/limits";
import { Global } from "@plumb/protocol/wire/global-codes";
import { SessionRefusal } from "@plumb/protocol/wire/sessions";
import { createAccountCheck } from "./accounts/account-check.ts";
import { createAuthStore } from "./accounts/auth-store.ts";
import { createCodeTimer } from "./accounts/code-timer.ts";
import { createSettingsStore } from "./accounts/settings-store.ts";
import { createSignIn } from "./accounts/sign-in.ts";
import { createThinkingQuota } from "./accounts/thinking-quota.ts";
import { createApiClient } from "./api-client.ts";
import type { Browser, Cancel } from "./browser.ts";
import type { AuthState, Engine } from "./engine.ts";
import { createProofOfWork } from "./guard/proof-of-work.ts";
import { createPuzzleSolver } from "./guard/puzzle-solver.ts";
import { pause } from "./pause.ts";
import { BANNED, HOME, sessionPath, SIGN_IN, type Reactions } from "./reactions.ts";
import { createHistoryCache } from "./sessions/history-cache.ts";
import { createHistory } from "./sessions/history.ts";
import { createSessionChanges } from "./sessions/session-changes.ts";
import { createSessionList } from "./sessions/session-list.ts";
import { agentOfNewChat, createSessionStore } from "./sessions/session-store.ts";
import { createNavigation } from "./site/navigation.ts";
import { createOverlays } from "./site/overlays.ts";
import { createPreferences } from "./site/preferences.ts";
import { createToasts } from "./site/toasts.ts";
import { globalText } from "./texts.ts";
import { promptOf } from "./turns/placeholders.ts";
import { createTurns } from "./turns/run-turn.ts";
import { stopTurn } from "./turns/stop-turn.ts";

/** So often, while the page shows, a reply is looked for that was lost sight of: nobody may touch a page left open. */
const LOST_LOOK_MS = 20_000;

/** The engine over a host. Nothing happens before `start`. */
export function createEngine(browser: Browser): Engine {
  const toasts = createToasts(browser);
  const navigation = createNavigation();
  const overlays = createOverlays();
  const preferences = createPreferences(browser);
  const reactions: Reactions = {
    toast: toasts.show,
    go: (path, options) => navigation.go(path, options?.replace ?? false),
  };
  const auth = createAuthStore(browser);
  const api = createApiClient(browser, { token: auth.token, locale: preferences.locale, onGlobalCode });
  const solver = createPuzzleSolver(browser);
  const proofs = createProofOfWork(browser, api, solver);
  const settings = createSettingsStore(browser, api);
  const codeTimer = createCodeTimer(browser);
  const thinkingQuota = createThinkingQuota(api);
  const accountCheck = createAccountCheck(browser, api, auth, () => leave("expired"));
  const sessions = createSessionStore(browser);
  const list = createSessionList(api, settings.sessionPageSize);
  const cache = createHistoryCache(browser);
  const history = createHistory({
    browser,
    api,
    sessions,
    cache,
    onInvalidSession: (sessionId, msg) => {
      sayInvalidSession(msg);
      forget(sessionId);
    },
    onLoaded: (loaded) => {
      const { id, title, title_type, updated_at } = loaded.chat_session;
      list.change(id, { title, title_type, updated_at });
      turns.resumeFrom(loaded);
    },
  });
  /** The session or new chat the user looks at, as far as we were told. */
  let onScreen: string | null = null;
  const turns = createTurns({
    browser,
    api,
    proofs,
    sessions,
    list,
    history,
    reactions,
    follow: settings,
    modes: () => {
      const { thinkingEnabled, searchEnabled } = preferences.store.getState();
      const offered = settings.store.getState().settings;
      const search = searchEnabled && offered?.search.available !== false;
      return { thinking: thinkingEnabled && !search && offered?.thinking.available !== false, search };
    },
    isOnScreen: (key) => onScreen === key,
    onQuota: thinkingQuota.tell,
    onMuted(untilSecs) {
      auth.muted(untilSecs);
      // The account as the server has it now, at once and not in 20 minutes (wire.md §9).
      accountCheck.start();
    },
    onInvalidSession: forget,
  });
  const signIn = createSignIn({
    api,
    proofs,
    auth,
    codeTimer,
    locale: preferences.locale,
    onSignedIn: enter,
    onBanned: () => leave("banned"),
    onSignedOut: () => leave("signed-out"),
    onLogoutFailed: () => toasts.show({ type: "error", text: { key: "logoutFailed" } }),
  });
  let listening: Cancel[] = [];
  // Before any screen is told of the user, so that the composer finds its text in place.
  auth.store.subscribe(({ user }) => {
    if (user !== null) sessions.openDrafts(user.id);
  });

  /** Codes that mean the same whatever was called (wire.md §18.1). */
  function onGlobalCode(code: number, token: string | null, logId: string): void {
    const sayIt = (): void => {
      const text = globalText(code, null, logId);
      if (text !== null) toasts.show({ type: "error", text, dedupeKey: `global-${code}` });
    };
    switch (code) {
      case Global.PowHeaderError.code:
      case Global.InvalidPowResponse.code:
        proofs.clear();
        return sayIt();
      case Global.MissingToken.code:
      case Global.InvalidToken.code:
      case Global.UserIsBanned.code:
        // A late answer to a token of before says nothing of the one we have now.
        if (token === null || token !== auth.token()) return;
        if (code === Global.InvalidToken.code) sayIt();
        return leave(code === Global.UserIsBanned.code ? "banned" : "expired");
      default:
        if (globalText(code, null, logId) === null) browser.log(`unknown global code ${code} (${logId})`);
    }
  }

  /** Everything a signed-in page does by itself. */
  function enter(): void {
    list.start();
    proofs.prepare();
    accountCheck.start();
    void thinkingQuota.load();
  }

  /** Takes everything of the account off this page. */
  function empty({ keepDrafts }: { keepDrafts: boolean }): void {
    accountCheck.stop();
    thinkingQuota.clear();
    turns.abandonAll();
    proofs.clear();
    sessions.clear({ keepDrafts });
    list.clear();
    history.clear();
    overlays.closeAll();
    onScreen = null;
    cache.clear().catch((error: unknown) => browser.log("the history cache was not cleared", error));
  }

  /** Leaves the account: nothing of it stays behind, but for what is typed where the user did not ask to leave. */
  function leave(reason: Exclude<AuthState["reason"], "none">): void {
    auth.signedOut(reason);
    empty({ keepDrafts: reason === "expired" });
    reactions.go(reason === "banned" ? BANNED : SIGN_IN, { replace: true });
  }

  /** Another tab signed out, or in: this one follows. What it showed belongs to the account of before. */
  function followOtherTabs(): void {
    if (!auth.isOutdated()) return;
    const wasSignedIn = auth.token() !== null;
    auth.followStored();
    // What is stored is the other tab's affair.
    if (wasSignedIn) empty({ keepDrafts: true });
    if (auth.token() === null) return reactions.go(SIGN_IN, { replace: true });
    if (wasSignedIn) reactions.go(HOME, { replace: true });
    enter();
  }

  /** The user is here again: what other tabs did meanwhile shows, and replies they began are followed. */
  function lookAgain(): void {
    followOtherTabs();
    turns.recoverAll();
    if (onScreen !== null && agentOfNewChat(onScreen) === null) void history.load(onScreen);
  }

  function sayInvalidSession(msg: string): void {
    const deleted = msg === SessionRefusal.ChatSessionDeleted.msg;
    const text = deleted ? { key: "chatDeleted" } : { key: "chatNotFound" };
    toasts.show({ type: "error", text, dedupeKey: "invalid-session" });
  }

  /** The session doesn't exist any more: nothing of it stays, and nobody keeps looking at it. */
  function forget(sessionId: string): void {
    turns.abandon(sessionId);
    sessions.remove(sessionId);
    list.remove(sessionId);
    cache.remove(sessionId).catch((error: unknown) => browser.log("a history was not removed", error));
    if (onScreen !== sessionId) return;
    onScreen = null;
    reactions.go(HOME, { replace: true });
  }

  const stopDeps = {
    browser,
    api,
    sessions,
    history,
    onFoundInNewChat(key: string, sessionId: string): void {
      const found = sessions.get(sessionId);
      if (found === undefined) return;
      list.clear();
      list.start();
      if (onScreen === key) reactions.go(sessionPath(found.agentId, sessionId));
    },
  };

  const changes = createSessionChanges({
    browser,
    api,
    sessions,
    list,
    reactions,
    async stopRunning(sessionId) {
      const run = turns.runOf(sessionId);
      if (run === undefined) return;
      await Promise.race([stopTurn(stopDeps, run), pause(browser, LIMITS.stopBeforeDeleteMs)]);
      run.abort.abort();
    },
    forget,
    sayInvalid: sayInvalidSession,
  });

  function lastPrompt(key: string): string | null {
    const tree = sessions.get(key)?.tree;
    if (tree === undefined) return null;
    for (const id of shownBranch(tree).toReversed()) {
      const message = getMessage(tree, id);
      if (message?.role === "USER") return promptOf(message);
    }
    return null;
  }

  return {
    auth: auth.store,
    clientSettings: settings.store,
    preferences: preferences.store,
    sessionList: list.store,
    sessions: sessions.store,
    toasts: toasts.store,
    overlays: overlays.store,
    codeTimer: codeTimer.store,
    thinkingQuota: thinkingQuota.store,
    navigation: navigation.store,

    start(): void {
      settings.start();
      if (auth.token() !== null) enter();
      listening = [
        browser.onOnline(turns.recoverAll),
        browser.onVisible(lookAgain),
        browser.onStorage(followOtherTabs),
        browser.every(LOST_LOOK_MS, () => browser.visible() && turns.recoverAll()),
      ];
    },
    stop(): void {
      for (const cancel of listening) cancel();
      listening = [];
      settings.stop();
      accountCheck.stop();
      codeTimer.stop();
      turns.abandonAll();
      proofs.clear();
      solver.stop();
    },

    setPreferences: preferences.change,
    signIn: signIn.signIn,
    signUp: signIn.signUp,
    sendEmailCode: signIn.sendEmailCode,
    signOut: signIn.signOut,

    loadMoreSessions: list.loadMore,
    retrySessionList: list.retry,
    renameSession: changes.rename,
    deleteSession: changes.remove,

    openSession(sessionId): void {
      onScreen = sessionId;
      void history.load(sessionId);
    },
    retryHistory(sessionId): void {
      void history.load(sessionId, { byHand: true });
    },
    setDraft(key, text): void {
      if (text !== "" && auth.token() !== null) proofs.prepare();
      sessions.storeDraft(key, text);
    },
    send(key, prompt): Promise<boolean> {
      onScreen = key;
      return turns.send(key, prompt);
    },
    stopReply(key): void {
      const run = turns.runOf(key);
      if (run !== undefined) void stopTurn(stopDeps, run);
    },
    retryMessage(key, messageId): void {
      onScreen = key;
      void turns.retry(key, messageId);
    },
    lastPrompt,

    showToast: toasts.show,
    dismissToast: toasts.dismiss,
    setOverlays: overlays.change,
  };
}
