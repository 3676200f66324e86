import { Suspense, useEffect, useState } from "react";
import { Router, useLocation } from "wouter";
import type { Browser } from "../engine/browser.ts";
import type { Engine } from "../engine/engine.ts";
import { ToastStack } from "../features/notices/toast-stack.tsx";
import { EngineProvider, useEngine } from "../hooks/use-engine.tsx";
import { useSelector } from "../hooks/use-selector.ts";
import { setLocale } from "../i18n/i18n.ts";
import { languageTag } from "../i18n/language-tag.ts";
import { CaptchaHost } from "./captcha-host.tsx";
import { ErrorBoundary } from "./error-page.tsx";
import { navigateFromLayer, watchBack } from "../ui/layers.ts";
import { isLoggedOutOnly } from "./paths.ts";
import { lazyPart, whenIdle } from "../ui/lazy-part.tsx";
import { Routes } from "./routes.tsx";

/** Notices above every page. */
export const pageNotices = lazyPart(async () => (await import("./page-notices.tsx")).loadPageNotices());

/** The whole screen over an engine that has been started. */
export function App({ engine, browser }: { engine: Engine; browser: Browser }) {
  useEffect(watchBack, []);
  return (
    <EngineProvider engine={engine}>
      <ErrorBoundary>
        <Router aroundNav={navigateFromLayer}>
          <Appearance />
          <EngineNavigation />
          <Notices browser={browser} />
          <Routes />
          <CaptchaHost />
          <ToastStack />
        </Router>
      </ErrorBoundary>
    </EngineProvider>
  );
}

/** What is said on every page. It comes when the page has nothing else to do, but for an announcement that is known. */
function Notices({ browser }: { browser: Browser }) {
  const [here, setHere] = useState(pageNotices.isHere);
  useEffect(() => {
    if (!here) whenIdle(() => void pageNotices.preload().then(setHere));
  }, [here]);
  return <Suspense fallback={null}>{here && <pageNotices.Part browser={browser} />}</Suspense>;
}

/** Theme and language of the document, as chosen. */
function Appearance() {
  const { preferences, locale: localeStore } = useEngine().site;
  const theme = useSelector(preferences, (state) => state.theme);
  const locale = useSelector(localeStore, (state) => state.locale);

  useEffect(() => {
    if (theme === "system") delete document.documentElement.dataset["theme"];
    else document.documentElement.dataset["theme"] = theme;
  }, [theme]);

  useEffect(() => {
    void setLocale(locale).then(() => {
      document.documentElement.lang = languageTag(locale);
    });
  }, [locale]);
  return null;
}

/** Goes where the engine wants. The route guard leads to the pages before sign-in, with the way back. */
function EngineNavigation() {
  const { navigation } = useEngine().site;
  const [, navigate] = useLocation();
  useEffect(() => {
    const follow = () => {
      const { to, replace } = navigation.getState();
      if (to === null) return;
      navigation.setState({ to: null, replace: false });
      if (!isLoggedOutOnly(to)) navigate(to, { replace });
    };
    follow();
    return navigation.subscribe(follow);
  }, [navigation, navigate]);
  return null;
}
