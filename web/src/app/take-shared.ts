import { SHARE_LOST_QUERY } from "@plumb/protocol/wire/share-target";
import { HOME_KEY } from "../engine/sessions/client-session.ts";
import type { Engine } from "../engine/engine.ts";
import { askFor, type ToWorker } from "../service-worker/worker-messages.ts";

const ANSWER_MS = 5000;

/** Puts what another app has shared into the draft of a new chat, behind what stands there; it is never sent by itself. */
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
  await signedIn(engine);
  await engine.loadChat();
  const typed = engine.sessions.store.getState().drafts[HOME_KEY] ?? "";
  engine.sessions.setDraft(HOME_KEY, typed === "" ? text : `${typed}\n\n${text}`);
}

/** Resolves when somebody is: whoever signs in first to go on gets the text, too. */
function signedIn(engine: Engine): Promise<void> {
  const { auth } = engine.accounts;
  return new Promise((resolve) => {
    const stop = auth.subscribe(look);
    function look(): void {
      if (auth.getState().status !== "yes") return;
      stop();
      resolve();
    }
    look();
  });
}
