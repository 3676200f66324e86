// What the operator may connect: a script that counts, reports of use and of errors. Nothing of it is loaded, and nothing is
// sent, unless the settings name it and the visitor may be counted (requirements 0§7, wire-contract.md §6.1, §6.3).
import { clientSpan } from "@plumb/protocol/wire/site";
import type { Browser } from "../engine/browser.ts";
import type { Engine } from "../engine/engine.ts";
import type { createCookieConsent } from "../engine/site/cookie-consent.ts";
import { createErrorReports, createSpanReports, type Span } from "../engine/site/page-reports.ts";
import { maskPersonal } from "../hooks/personal-data.ts";
import { matchRoute } from "./paths.ts";

export interface OutsideWired {
  browser: Browser;
  consent: ReturnType<typeof createCookieConsent>;
}

const screen = (): string => matchRoute(window.location.pathname)?.screen ?? "none";

/** Follows the settings and the visitor's word. Gives back the way to stop. */
export function startOutsideServices(engine: Engine, { browser, consent }: OutsideWired): () => void {
  const { settings: store } = engine.site;
  const spans = createSpanReports({ browser, post: postSpans });
  const stopped = new AbortController();
  const { signal } = stopped;
  const on = (type: string, run: (event: Event) => void): void =>
    window.addEventListener(type, run, { signal });
  let counting = false;
  let reportsErrors = false;

  function count(scriptUrl: string | null): void {
    counting = true;
    if (scriptUrl !== null) addScript(scriptUrl, browser.log);
    spans.start();
    const [paint] = performance.getEntriesByName("first-contentful-paint");
    spans.add({ name: "opened", screen: screen(), ...(paint && { ms: Math.round(paint.startTime) }) });
    let shown = screen();
    for (const type of ["popstate", "pushState", "replaceState"])
      on(type, () => {
        if (screen() === shown) return;
        shown = screen();
        spans.add({ name: "view", screen: shown });
      });
  }

  function tellErrors(address: string): void {
    reportsErrors = true;
    const report = createErrorReports({
      version: browser.appVersion,
      now: browser.now,
      screen,
      mask: maskPersonal,
      // As plain text: pages of another origin may send that without asking first.
      post: (one) =>
        void fetch(address, {
          method: "POST",
          mode: "no-cors",
          keepalive: true,
          body: JSON.stringify(one),
        }).catch(() => {}),
    });
    on("error", (event) => event instanceof ErrorEvent && report(event.error ?? event.message));
    on("unhandledrejection", (event) => report((event as PromiseRejectionEvent).reason));
    // What the screen has caught (error-page.tsx).
    on("screen-crash", (event) => report((event as CustomEvent<unknown>).detail));
  }

  function look(): void {
    const { settings, isKept } = store.getState();
    // Those of an earlier visit do not know where the visitor is.
    if (settings === null || isKept) return;
    const { analytics } = settings;
    if (analytics.error_report_url !== null && !reportsErrors) tellErrors(analytics.error_report_url);
    if (analytics.enabled && !counting && consent.mayCount(settings)) count(analytics.script_url);
    // A script that is loaded cannot be taken back, but what is ours ends at once.
    if (counting && !consent.mayCount(settings)) spans.stop();
  }
  const cancels = [store.subscribe(look), consent.store.subscribe(look)];
  look();
  return () => {
    cancels.forEach((cancel) => cancel());
    spans.stop();
    stopped.abort();
  };
}

async function postSpans(spans: readonly Span[]): Promise<void> {
  const headers = { "content-type": "application/json" };
  await fetch(clientSpan.path, {
    method: "POST",
    headers,
    keepalive: true,
    body: JSON.stringify(spans),
  }).catch(() => {});
}

function addScript(url: string, log: Browser["log"]): void {
  const script = document.createElement("script");
  script.src = url;
  script.async = true;
  script.addEventListener("error", () => log("the script of analytics was not loaded"));
  document.head.append(script);
}
