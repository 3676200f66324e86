// Builds the engine over its host and wires its parts; with create-chat.ts the only files that know them all. It decides
// nothing.
import { createAccountCheck } from "./accounts/account-check.ts";
import { createAccountLifecycle } from "./accounts/account-lifecycle.ts";
import { createAuthStore } from "./accounts/auth-store.ts";
import { createCodeTimer } from "./accounts/code-timer.ts";
import { handleGlobalRefusal } from "./accounts/global-refusals.ts";
import { createMute } from "./accounts/mute.ts";
import { followAccountNews, followOtherTabs } from "./accounts/other-tabs.ts";
import { signOut } from "./accounts/sign-out.ts";
import { createThinkingQuota } from "./accounts/thinking-quota.ts";
import { createApiClient } from "./api-client.ts";
import { createStore } from "zustand/vanilla";
import type { Browser } from "./browser.ts";
import type { Text } from "./text.ts";
import type { Engine } from "./engine.ts";
import { captchaModeOf, challengeModeOf } from "./guard/captcha.ts";
import { createChallengeGate } from "./guard/challenge-gate.ts";
import { createCaptchaFace } from "./guard/create-captcha-face.ts";
import { createProofOfWork } from "./guard/proof-of-work.ts";
import { createPuzzleSolver } from "./guard/puzzle-solver.ts";
import { createLoadedChat, type LoadChat } from "./load-chat.ts";
import { createSignInPart } from "./load-sign-in.ts";
import type { Reactions } from "./reactions.ts";
import { KEPT_LIST } from "./sessions/kept-under.ts";
import { createLocale } from "./site/locale.ts";
import { createNavigation } from "./site/navigation.ts";
import { createNetworkState } from "./site/network-state.ts";
import type { InstallationState } from "./site/site-face.ts";
import { createOverlays } from "./site/overlays.ts";
import { createPageReturn } from "./site/page-return.ts";
import { createPreferences } from "./site/preferences.ts";
import { createSettingsStore } from "./site/settings-store.ts";
import { createStreamEvents } from "./site/stream-events.ts";
import { createTabNews } from "./site/tab-news.ts";
import { createToasts } from "./site/toasts.ts";

/** The engine over a host. Nothing happens before `start`. `loadChat` brings what only a signed-in page needs. */
export function createEngine(browser: Browser, loadChat: LoadChat): Engine {
  const toasts = createToasts(browser);
  const navigation = createNavigation();
  const overlays = createOverlays(browser);
  const tabs = createTabNews(browser);
  const preferences = createPreferences(browser, (look) => tabs.tell({ about: "look", ...look }));
  const locale = createLocale(browser, preferences);
  const reactions: Reactions = {
    toast: toasts.show,
    go: (path, options) => navigation.go(path, options?.replace ?? false),
  };
  const auth = createAuthStore(browser, (token) => tabs.tell({ about: "account", token }));
  const challengeFailed = (text: Text): void => {
    reactions.toast({ type: "error", text, dedupeKey: "challenge" });
  };
  const gate = createChallengeGate(browser, {
    pass: () =>
      import("./guard/pass-challenge.ts").then(
        ({ passChallenge }) =>
          passChallenge({
            browser,
            api,
            challenge,
            settings: settings.store,
            tabs,
            onFailed: challengeFailed,
          }),
        (error: unknown) => {
          browser.log("the part for challenges was not loaded", error);
          challengeFailed({ key: "captchaLoadFailed" });
          return false;
        },
      ),
    onNotHeld: () => challengeFailed({ key: "clearanceFailed" }),
  });
  const api = createApiClient(browser, {
    gate,
    token: auth.token,
    locale: locale.current,
    onGlobalCode: (code, token, logId, data) =>
      handleGlobalRefusal(
        {
          reactions,
          token: auth.token,
          nobodyStored: () => auth.hasStored(null),
          followOtherTabs: () => followOtherTabs(following),
          checkAccount: () => accountCheck.start(),
          muted: (untilSecs) => accountCheck.muted(untilSecs),
          askForPhone: () => overlays.change({ gate: overlays.store.getState().gate ?? "phone" }),
          clearProofs: proofs.clear,
          leave: account.leave,
          log: browser.log,
        },
        { code, token, logId, data },
      ),
  });
  const settings = createSettingsStore(browser, api);

  const solver = createPuzzleSolver(browser);
  const proofs = createProofOfWork(browser, api, solver);

  const thinkingQuota = createThinkingQuota(browser, api);
  const accountCheck = createAccountCheck(browser, api, auth, {
    onBadToken: () => account.leave("expired"),
    onUnreached() {
      if (browser.storage.get(KEPT_LIST) === null) return;
      import("./sessions/kept-list.ts")
        .then(({ openKeptList }) =>
          openKeptList({ browser, auth, network: network.store, loadChat: chat.whenHere }),
        )
        .catch((error: unknown) => browser.log("what was kept could not be shown", error));
    },
  });
  const streamEvents = createStreamEvents(
    () => settings.store.getState().settings?.flags["enableEventsDisplay"] === true,
  );
  const mute = createMute(browser, auth, accountCheck.start);

  const chat = createLoadedChat(loadChat, {
    browser,
    locale: locale.current,
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
    leave: (reason) => account.leave(reason),
  });

  const network = createNetworkState(browser);
  const account = createAccountLifecycle({
    auth,
    reactions,
    parts: [
      chat,
      { clear: proofs.clear },
      { start: accountCheck.start, clear: accountCheck.stop },
      { start: thinkingQuota.load, clear: thinkingQuota.clear },
      overlays,
      streamEvents,
      mute,
      preferences,
      { start: () => codeTimer.enter(), clear: () => codeTimer.clear() },
    ],
  });
  const guarding = { browser, api, settings: () => settings.store.getState().settings };
  const captcha = createCaptchaFace(guarding, captchaModeOf);
  const challenge = createCaptchaFace(guarding, challengeModeOf);
  const codeTimer = createCodeTimer(browser);
  const forms = createSignInPart(browser, {
    api,
    captcha,
    proofs,
    auth,
    account,
    codeTimer,
    locale: locale.current,
    scriptUrl: () => settings.store.getState().settings?.analytics.device_fingerprint_url ?? null,
    remember: preferences.change,
    settings: () => settings.store.getState().settings,
  });

  const following = { browser, auth, account, reactions, checkAccount: accountCheck.start };
  const stopListening = tabs.listen((news) => {
    if (news.about === "account") followAccountNews(following, news.token);
    // The clearance is the browser's: what was passed elsewhere needs no passing here.
    if (news.about === "cleared") challenge.passed({});
    if (news.about === "look") preferences.adopt({ theme: news.theme, locale: news.locale });
  });
  const returning = createPageReturn({
    browser,
    followOtherTabs() {
      void followOtherTabs(following);
      // A page that was frozen was told nothing.
      preferences.followLook();
      if (auth.store.getState().user?.need_birthday === true) accountCheck.start();
    },
    recoverReplies: chat.recoverReplies,
    refresh: chat.refresh,
    loadFailed() {
      accountCheck.retry();
      settings.retry();
      chat.loadFailed();
    },
  });

  return {
    accounts: {
      auth: auth.store,
      codeTimer: codeTimer.store,
      askedFor: codeTimer.askedFor,
      ofTab: browser,
      thinkingQuota: thinkingQuota.store,
      mute: mute.store,
      ...forms,
      signOut: () => signOut({ browser, api, auth, account, reactions }),
      acknowledgeBan: auth.acknowledgeBan,
    },
    captcha,
    challenge,
    loadChat: chat.whenHere,
    isChatHere: chat.isHere,
    openEarly: chat.openEarly,
    get sessions() {
      return chat.here().sessions;
    },
    get turns() {
      return chat.here().turns;
    },
    get feedback() {
      return chat.here().feedback;
    },
    get files() {
      return chat.here().files;
    },
    get agents() {
      return chat.here().agents;
    },
    get sharing() {
      return chat.here().sharing;
    },
    get queue() {
      return chat.here().queue;
    },
    beginSearch: (create) => chat.here().beginSearch(create),
    ownData: (options) => chat.here().ownData(options),
    ownAccount: (options) => chat.here().ownAccount(options),
    site: {
      settings: settings.store,
      network: network.store,
      preferences: preferences.store,
      locale: locale.store,
      toasts: toasts.store,
      overlays: overlays.store,
      streamEvents: streamEvents.store,
      navigation: navigation.store,
      installation: createStore<InstallationState>(() => ({ install: null })),
      setPreferences: preferences.change,
      showToast: toasts.show,
      dismissToast: toasts.dismiss,
      setOverlays: overlays.change,
      openPanel: overlays.openPanel,
      updatePanel: overlays.updatePanel,
      closePanel: overlays.closePanel,
    },
    start(): void {
      locale.start();
      settings.start();
      if (auth.hasToken()) account.enter();
      codeTimer.resume();
      returning.start();
      network.start();
    },
    stop(): void {
      for (const part of [returning, network, locale, settings, accountCheck, mute, codeTimer, solver, chat])
        part.stop();
      stopListening();
      tabs.close();
      proofs.clear();
    },
  };
}
