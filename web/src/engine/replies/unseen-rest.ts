// A page that nobody sees lets go of a reply that it only follows. Over HTTP/1.1 a browser has six connections to a server for all its
// tabs: with six that follow a reply, the page of a seventh would never come.
import type { Browser, Cancel } from "../browser.ts";
import { pauseUntil } from "../pause.ts";

/** Who leaves a page and comes back to it sooner than this finds the connection that was there (milliseconds). */
const LET_GO_MS = 5000;
const LOOK_MS = 1000;
/** How often it is asked whether the reply has ended: the dots in the list of other tabs hang on it (milliseconds). */
const ASK_MS = 20_000;

export interface RestDeps {
  browser: Browser;
  /** A message that is queued in this chat is sent from here when the reply has ended. */
  isAwaited(sessionId: string): boolean;
  /** Runs when another tab reads the reply of this session no more: it may have ended. */
  onLeftElsewhere(sessionId: string, run: () => void): Cancel;
}

export function createUnseenRest({ browser, isAwaited, onLeftElsewhere }: RestDeps, sessionId: string) {
  let hasLetGo = false;
  const isUnseen = (): boolean => !browser.visible() && !isAwaited(sessionId);
  return {
    /** Calls `letGo` when nobody has seen the page for a while. */
    watch(letGo: () => void): Cancel {
      let seenAt = browser.now();
      return browser.every(LOOK_MS, () => {
        if (!isUnseen()) seenAt = browser.now();
        else if (browser.now() - seenAt >= LET_GO_MS) {
          hasLetGo = true;
          letGo();
        }
      });
    },
    /** Whether it was let go, and nobody has come since. */
    goesOn: (): boolean => (hasLetGo &&= isUnseen()),
    /** Waits until the page is seen, or it is time to ask whether the reply has ended. */
    wait: (signal: AbortSignal): Promise<boolean> =>
      pauseUntil(browser, ASK_MS, signal, [browser.onVisible, (wake) => onLeftElsewhere(sessionId, wake)]),
  };
}
