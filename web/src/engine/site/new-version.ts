// A newer version of the page is there: a word about it, and a reload where nobody would notice.
import type { Browser, Cancel } from "../browser.ts";
import { isReplying } from "../sessions/client-session.ts";
import type { Engine } from "../engine.ts";
import { STAYS_MS, type ToastInput } from "./toast.ts";

/** A page that is hidden for so long is not about to be looked at again (milliseconds). */
const HIDDEN_MS = 60_000;

/**
 * Whether something goes on that a reload would end, or somebody has begun: text and files that are not sent, a reply, an
 * upload, a dialog or a panel, a form before sign-in.
 */
export function isAtWork(engine: Engine): boolean {
  if (!engine.isChatHere() || engine.accounts.auth.getState().status !== "yes") return true;
  const { byId, drafts } = engine.sessions.store.getState();
  const files = Object.values(engine.files.store.getState().byKey);
  return (
    Object.values(drafts).some((text) => text !== "") ||
    Object.values(byId).some(isReplying) ||
    files.some((ofDraft) => ofDraft.length > 0) ||
    Object.values(engine.site.overlays.getState()).some((open) => open !== null && open !== false)
  );
}

interface NewVersionDeps {
  browser: Browser;
  isAtWork(): boolean;
  showToast(toast: ToastInput): void;
  /** What is typed is kept by then. */
  reload(): void;
}

export function createNewVersion({ browser, isAtWork: isBusy, showToast, reload }: NewVersionDeps) {
  const known = new Set<string>();
  let waiting: Cancel | null = null;

  function onTime(): void {
    waiting = null;
    if (browser.visible()) return;
    if (isBusy()) wait();
    else reload();
  }

  /** Reloads when the page has been hidden for a while, as soon as nothing is going on. */
  function wait(): void {
    waiting ??= browser.after(HIDDEN_MS, onTime);
  }

  return {
    /** A build is there that this page is not of; `id` names it. Said once for each. */
    found(id: string): void {
      if (known.has(id)) return;
      if (known.size === 0) {
        browser.onHidden(wait);
        browser.onVisible(() => {
          waiting?.();
          waiting = null;
        });
        if (!browser.visible()) wait();
      }
      known.add(id);
      showToast({
        type: "info",
        text: { key: "newVersion.ready" },
        action: { text: { key: "newVersion.reload" }, run: reload },
        duration: STAYS_MS,
        dedupeKey: "new-version",
      });
    },
  };
}
