// What makes the page an app of its own: it opens without a network, knows of newer versions, is installed, and takes what
// others share. Loaded when all else is there.
import type { Browser } from "../engine/browser.ts";
import type { Engine } from "../engine/engine.ts";
import { createNewVersion, isAtWork } from "../engine/site/new-version.ts";
import { createVersionCheck } from "../engine/site/version-check.ts";
import { loadDialogTexts } from "../i18n/dialog-texts.ts";
import { offerInstall } from "./offer-install.ts";
import { registerWorker } from "./register-worker.ts";
import { takeShared } from "./take-shared.ts";

interface Opened {
  /** The query with which the page was opened. */
  search: string;
  /** The browser's offers to install it, so far. */
  offers: readonly Event[];
  /** Milliseconds since the epoch. */
  openedAt: number;
}

export async function startInstalledApp(
  engine: Engine,
  browser: Browser,
  { search, offers, openedAt }: Opened,
): Promise<void> {
  await loadDialogTexts();
  void takeShared(engine, search, browser.log);
  offerInstall(engine, offers);
  const { found } = createNewVersion({
    browser,
    isAtWork: () => isAtWork(engine),
    showToast: engine.site.showToast,
    reload: () => window.location.reload(),
  });
  const versions = createVersionCheck({ browser, found });
  versions.start(openedAt);
  /** The worker's word of a build and the server's of a version are of one update, and make one notice. */
  async function onOtherBuild(build: string): Promise<void> {
    const version = await versions.latest();
    found(version === null || version === browser.appVersion ? build : version);
  }
  // Without a worker no page opens where the server is away, so that nothing need be kept for it.
  if (!(await registerWorker({ log: browser.log, onOtherBuild: (build) => void onOtherBuild(build) })))
    return;
  // A file of its own, since a page that cannot reach the server needs it first of all.
  const { keepList } = await import("../engine/sessions/kept-list.ts");
  keepList(browser, engine);
}
