// Asks whether the token is still good: at start until an answer came, then every 20 minutes.
import { LIMITS } from "@plumb/protocol/limits";
import { currentUser } from "@plumb/protocol/wire/accounts";
import type { ApiClient } from "../api-client.ts";
import { isPassing } from "../api-errors.ts";
import type { Browser } from "../browser.ts";
import { pause } from "../pause.ts";
import type { AuthStore } from "./auth-store.ts";

const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 8000;

export function createAccountCheck(
  browser: Browser,
  api: ApiClient,
  auth: AuthStore,
  { onBadToken, onUnreached }: { onBadToken(): void; onUnreached(): void },
) {
  let running = new AbortController();
  /** The token that the server has answered for. */
  let confirmed: string | null = null;

  const isPending = (): boolean => auth.store.getState().status === "pending";

  /**
   * One question. "retry" = the server could not be asked, or something else has answered for it: a proxy, a challenge that
   * was not passed. A refused token is handled where all global codes are.
   */
  async function ask(signal: AbortSignal): Promise<"known" | "retry"> {
    const token = auth.token();
    const result = await api.call(currentUser, {}, { signal });
    // Somebody else may be signed in by now.
    if (signal.aborted || token !== auth.token()) return "known";
    if (result.ok) {
      confirmed = token;
      auth.confirmed(result.data);
      return "known";
    }
    const { error } = result;
    if (isPassing(error) || (error.kind === "http" && confirmed !== token)) {
      if (isPending()) onUnreached();
      return "retry";
    }
    if (isPending()) onBadToken();
    return "known";
  }

  /** Checks now, repeating while the server can't be reached, and then every 20 minutes. */
  function start(): void {
    running.abort();
    running = new AbortController();
    const { signal } = running;
    void (async () => {
      let wait = FIRST_RETRY_MS;
      while (!signal.aborted) {
        const answer = await ask(signal);
        if (signal.aborted) return;
        if (answer === "known") wait = FIRST_RETRY_MS;
        await pause(browser, answer === "known" ? LIMITS.currentUserRefetchMs : wait, signal);
        if (answer === "retry") wait = Math.min(wait * 2, LAST_RETRY_MS);
      }
    })();
  }

  /** The network is back: checks at once what could not be checked. */
  function retry(): void {
    if (isPending()) start();
  }

  /** A call said that the account may not write until then: shown now, and checked now instead of in 20 minutes (§9). */
  function muted(untilSecs: number): void {
    auth.muted(untilSecs);
    start();
  }

  return { start, retry, muted, stop: (): void => running.abort() };
}
