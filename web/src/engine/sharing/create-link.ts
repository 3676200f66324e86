// Making a public link of the chosen turns, as its dialog shows it (requirements 1§4, wire-contract.md §13.1, §18.8).
import { LIMITS } from "@plumb/protocol/limits";
import { createShare, CreateShareRefusal } from "@plumb/protocol/wire/sharing";
import { createStore } from "zustand/vanilla";
import type { ApiClient } from "../api-client.ts";
import type { ApiError } from "../api-errors.ts";
import type { Browser, Cancel } from "../browser.ts";
import type { Reactions } from "../reactions.ts";
import type { ForgetSession } from "../sessions/forget-session.ts";
import type { Text } from "../text.ts";
import type { createOverlays } from "../site/overlays.ts";
import { sharePath } from "./share-path.ts";
import { type ShareSelection, shareTitle } from "./share-selection.ts";

/** The dialog: about to create a link, creating it, or showing it. `path`: of the share's page. */
export type CreateLinkState =
  { phase: "closed" | "idle" | "creating" } | { phase: "shown"; path: string; isCopied: boolean };

/** Copies the link to a page of this path: false where that may not be. */
export type CopyLink = (path: string) => Promise<boolean>;

export interface CreateLinkDeps {
  browser: Browser;
  api: ApiClient;
  reactions: Reactions;
  overlays: ReturnType<typeof createOverlays>;
  selection: ShareSelection;
  forgetSession: ForgetSession;
  /** Asks the server about the account once more. */
  checkAccount(): void;
}

const CLOSED: CreateLinkState = { phase: "closed" };

const OWN_TEXTS: ReadonlyMap<number, Text> = new Map([
  [CreateShareRefusal.StorageQuotaExceeded.code, { key: "shareStorageFull" }],
  [CreateShareRefusal.TooManySharesForThisSession.code, { key: "shareCreateLinkExceedLimitToast" }],
  [CreateShareRefusal.RateLimitReached.code, { key: "operationTooFastToast" }],
  [CreateShareRefusal.ShareTitleViolation.code, { key: "shareTitleViolation" }],
]);

export type CreateLink = ReturnType<typeof createCreateLink>;

export function createCreateLink(deps: CreateLinkDeps) {
  const { browser, api, reactions, overlays, selection, forgetSession } = deps;
  const store = createStore<CreateLinkState>(() => CLOSED);
  let account = new AbortController();
  let uncopied: Cancel = () => {};
  /** Takes away what was said of the last try. */
  let unsaid: Cancel = () => {};

  /** Another state replaces the whole one. */
  const show = (state: CreateLinkState): void => store.setState(state, true);

  /** Opens the dialog, where something is chosen. */
  function open(): void {
    if (selection.chosenIds().length > 0) show({ phase: "idle" });
  }

  /** Not while the link is created. With a link in it the choosing is over, too. */
  function close(): void {
    const { phase } = store.getState();
    if (phase === "creating") return;
    uncopied();
    show(CLOSED);
    if (phase === "shown") selection.end();
  }

  /** Copies the link that is shown; that it is copied shows for 5 s. */
  async function copy(run: CopyLink): Promise<void> {
    const before = store.getState();
    if (before.phase !== "shown") return;
    const { path } = before;
    const isCopied = await run(path);
    const now = store.getState();
    if (now.phase !== "shown" || now.path !== path) return;
    uncopied();
    if (!isCopied) {
      reactions.toast({
        type: "warning",
        text: { key: "shareCreateLinkCopyFailed" },
        dedupeKey: "share-not-copied",
      });
      return;
    }
    show({ phase: "shown", path, isCopied: true });
    uncopied = browser.after(LIMITS.copyLinkFeedbackMs, () =>
      show({ phase: "shown", path, isCopied: false }),
    );
  }

  function fail(sessionId: string, error: ApiError): void {
    browser.log("a link was not created", error);
    const code = error.kind === "refused" && error.scope === "call" ? error.code : null;
    if (error.kind === "refused" && code === CreateShareRefusal.IllegalChatSessionId.code) {
      show(CLOSED);
      selection.end();
      forgetSession.notifyInvalid(error.msg);
      return forgetSession.lose(sessionId);
    }
    // The title is changed where the turns are chosen.
    show(code === CreateShareRefusal.ShareTitleViolation.code ? CLOSED : { phase: "idle" });
    const text = OWN_TEXTS.get(code ?? 0) ?? { key: "shareCreateLinkFailedToast" };
    unsaid = reactions.toast({ type: "error", text, dedupeKey: "share-not-created" });
    if (code !== CreateShareRefusal.UserIsMuted.code) return;
    show(CLOSED);
    selection.end();
    deps.checkAccount();
  }

  /** Creates the link and copies it. A failure is said in a toast until the next try, and what is chosen stays. */
  async function create(run: CopyLink): Promise<void> {
    const sessionId = overlays.store.getState().selecting;
    const ids = selection.chosenIds();
    if (store.getState().phase !== "idle" || sessionId === null || ids.length === 0) return;
    unsaid();
    if (ids.length > LIMITS.shareMessagesMax) {
      const max = LIMITS.shareMessagesMax / 2;
      unsaid = reactions.toast({ type: "error", text: { key: "shareTooManyTurns", params: { max } } });
      return;
    }
    show({ phase: "creating" });
    const { signal } = account;
    const wanted = {
      chat_session_id: sessionId,
      message_ids: ids,
      title: shareTitle(selection.store.getState()),
    };
    const result = await api.call(createShare, wanted, { signal });
    if (signal.aborted) return;
    if (!result.ok) return fail(sessionId, result.error);
    show({ phase: "shown", path: sharePath(result.data.share_id), isCopied: false });
    await copy(run);
  }

  /** The account leaves, or another chat comes on show. */
  function clear(): void {
    account.abort();
    account = new AbortController();
    uncopied();
    show(CLOSED);
  }

  return { store, open, close, create, copy, clear };
}
