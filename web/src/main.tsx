import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/print.css";
import { createRoot } from "react-dom/client";
import { App, pageNotices } from "./app/app.tsx";
import { guardBody } from "./app/body-guard.ts";
import { preventF12 } from "./app/prevent-f12.ts";
import { createRealBrowser } from "./app/real-browser.ts";
import { preloadScreen } from "./app/routes.tsx";
import { createEngine } from "./engine/create-engine.ts";
import { setLocale } from "./i18n/i18n.ts";
import { patiently } from "./ui/lazy-part.tsx";
import { watchStyles } from "./ui/lost-styles.ts";

/** The app's own part waits until the page has what it shows (milliseconds). */
const APP_AFTER_MS = 5000;

const openedAt = Date.now();
const { search } = window.location;
const browser = createRealBrowser();
const engine = createEngine(browser, () =>
  patiently(async () => (await import("./app/every-chat.ts")).createChat),
);
engine.start();
guardBody(document, browser.log);
watchStyles();
preventF12(() => engine.site.settings.getState().settings?.flags["preventF12"] !== false, browser.log);
// First of all, or parts would come with texts of another locale.
const textsHere = setLocale(engine.site.locale.getState().locale);
preloadScreen(engine, window.location.pathname);

const root = document.getElementById("root");
if (root === null) throw new Error("the page has no #root");
await textsHere;
// An announcement that is known already stands there from the first picture on, or it would push the page down.
if (/cachedBannerOptions":\{/.test(browser.storage.get("plumb.banner") ?? "")) await pageNotices.preload();
createRoot(root).render(<App engine={engine} browser={browser} />);

if (import.meta.env.PROD) {
  // Chromium offers to install the page once, early, and in its own way unless it is told not to.
  const offers: Event[] = [];
  window.addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    offers.push(event);
  });
  const start = (): void => {
    import("./app/installed-app.ts")
      .then(({ startInstalledApp }) => startInstalledApp(engine, browser, { search, offers, openedAt }))
      .catch((error: unknown) => browser.log("the app's own part", error));
  };
  setTimeout(start, search.startsWith("?shared") ? 0 : APP_AFTER_MS);
}
