// What another app has shared is a proposal: it goes into the draft of a new chat once its reader says so, and is never sent by
// itself. Any site can post a form to where the system posts what is shared, and a worker is told of no header and no referrer
// by which the two could be told apart (decision 0043).
import { firstCodePoints } from "@plumb/protocol/rules/code-points";
import { oneLine } from "@plumb/protocol/rules/one-line";
import { SHARE_LOST_QUERY } from "@plumb/protocol/wire/share-target";
import type { AuthState } from "../engine/accounts/auth-store.ts";
import { HOME } from "../engine/reactions.ts";
import { HOME_KEY } from "../engine/sessions/client-session.ts";
import { STAYS_MS } from "../engine/site/toast.ts";
import type { Engine } from "../engine/engine.ts";
import { askFor, type ToWorker } from "../service-worker/worker-messages.ts";

const ANSWER_MS = 5000;
/** So much of it is shown before it is taken. */
const SHOWN_CHARS = 120;
/** Names the proposal among the notices. */
const OFFER = "shared";

/** Asks whether to take what the worker keeps. */
export async function takeShared(engine: Engine, search: string): Promise<void> {
  // A reload shall not ask for it again.
  if (window.location.search === search)
    window.history.replaceState(window.history.state, "", window.location.pathname);
  const worker = search === `?${SHARE_LOST_QUERY}` ? null : (navigator.serviceWorker?.controller ?? null);
  const text =
    worker === null ? null : await askFor(worker, { kind: "take-shared" } satisfies ToWorker, ANSWER_MS);
  if (text === null || text === "") {
    engine.site.showToast({ type: "warning", text: { key: "share.lost" } });
    return;
  }
  // Whoever signs in first to go on is asked, too.
  await untilStatus(engine, (status) => status === "yes");
  await engine.loadChat();
  engine.site.showToast({
    type: "info",
    text: { key: "share.offer", params: { text: beginningOf(text) } },
    action: { text: { key: "share.take" }, run: () => write(engine, text) },
    duration: STAYS_MS,
    dedupeKey: OFFER,
  });
  // The next person gets nothing of it.
  await untilStatus(engine, (status) => status !== "yes");
  const left = engine.site.toasts.getState().toasts.find(({ dedupeKey }) => dedupeKey === OFFER);
  if (left !== undefined) engine.site.dismissToast(left.id);
}

/** On one line, with a sign where it goes on. */
function beginningOf(text: string): string {
  const line = oneLine(text.slice(0, 10 * SHOWN_CHARS));
  const shown = firstCodePoints(line, SHOWN_CHARS);
  return shown === line ? line : `${shown}…`;
}

/** Into the draft of a new chat, behind what stands there, and on show. */
function write(engine: Engine, text: string): void {
  const typed = engine.sessions.store.getState().drafts[HOME_KEY] ?? "";
  engine.sessions.setDraft(HOME_KEY, typed === "" ? text : `${typed}\n\n${text}`);
  if (window.location.pathname !== HOME) engine.site.navigation.setState({ to: HOME, replace: false });
}

/** Resolves once somebody is signed in, or nobody. */
function untilStatus(engine: Engine, isSo: (status: AuthState["status"]) => boolean): Promise<void> {
  const { auth } = engine.accounts;
  return new Promise((resolve) => {
    const stop = auth.subscribe(look);
    function look(): void {
      if (!isSo(auth.getState().status)) return;
      stop();
      resolve();
    }
    look();
  });
}
