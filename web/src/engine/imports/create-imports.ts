// Conversations of elsewhere: a file is sent, its import followed to its end, and cancelled on the way (wire-contract.md §19.6).
import { LIMITS } from "@plumb/protocol/limits";
import { Global } from "@plumb/protocol/wire/global-codes";
import {
  beginImport,
  cancelImport,
  ImportRefusal,
  type ImportStatus,
  lastImport,
} from "@plumb/protocol/wire/imports";
import { createStore } from "zustand/vanilla";
import type { ApiError } from "../api-errors.ts";
import type { LocalFile } from "../browser.ts";
import { type SendDeps, sendFile } from "../files/send-file.ts";
import type { Reactions } from "../reactions.ts";
import type { createOverlays } from "../site/overlays.ts";
import { type Asked, createPoll } from "../poll.ts";

/** While the server is away it is asked less and less often, at last this often. */
const SLOWEST_POLL_MS = 60_000;

/** A file that was not taken, and why. */
interface RefusedFile {
  name: string;
  why: ImportProblem;
}

export type ImportProblem =
  "unsupported" | "too-large" | "too-often" | "running" | "storage-full" | "muted" | "network" | "failed";

export interface ImportsState {
  /** "unknown" until the server has said it; "none": there was none; "sending": the file is on its way. */
  phase: "unknown" | "none" | "sending" | "going" | "ended";
  /** What the server said last of one; null where it knows none. */
  status: ImportStatus | null;
  /** The file on its way, and how much of it is. */
  sending: { name: string; percent: number } | null;
  /** The newest file, where it was not taken. */
  refused: RefusedFile | null;
  /** What there is could not be asked for; it is asked again, and can be by hand. */
  failed: boolean;
}

export interface ImportsDeps extends SendDeps {
  reactions: Pick<Reactions, "toast">;
  overlays: Pick<ReturnType<typeof createOverlays>, "store">;
  /** Sessions came into the list, at any place of it. */
  onImported(): void;
}

const UNKNOWN: ImportsState = {
  phase: "unknown",
  status: null,
  sending: null,
  refused: null,
  failed: false,
};

export function createImports(deps: ImportsDeps) {
  const { browser, api, reactions, overlays, onImported } = deps;
  const store = createStore<ImportsState>(() => UNKNOWN);
  const poll = createPoll({
    browser,
    everyMs: LIMITS.importPollMs,
    slowestMs: SLOWEST_POLL_MS,
    ask: () => ask(),
  });
  let account = new AbortController();
  /** How many times the history went: what was asked for before that is told of no more. */
  let forgotten = 0;
  let upload: AbortController | null = null;

  function take(status: ImportStatus | null, wasGoing = store.getState().phase === "going"): void {
    const isGoing = status?.status === "QUEUED" || status?.status === "RUNNING";
    store.setState({ status, phase: status === null ? "none" : isGoing ? "going" : "ended", failed: false });
    if (isGoing) poll.start();
    else poll.stop();
    if (!wasGoing || isGoing) return;
    onImported();
    // It was another one that ran.
    if (store.getState().refused?.why === "running") store.setState({ refused: null });
    if (status !== null) tellEnd(status);
  }

  /** Where its row is on show, that says it. Who cancels it knows. */
  function tellEnd({ status, sessions_done: done, sessions_skipped: skipped }: ImportStatus): void {
    if (status === "CANCELLED" || overlays.store.getState().settings === "data") return;
    reactions.toast(
      status === "FINISHED"
        ? { type: "success", text: { key: "importDone", params: { count: done - skipped } } }
        : { type: "error", text: { key: "importBroken" } },
    );
  }

  /** `wasGoing`: one was under way a moment ago, also where nothing of it was shown. */
  async function ask(wasGoing?: boolean): Promise<Asked> {
    const { signal } = account;
    const before = forgotten;
    const result = await api.call(lastImport, {}, { signal });
    // What is being sent is newer than any answer.
    if (signal.aborted || before !== forgotten || store.getState().phase === "sending")
      return { outcome: "nothing" };
    if (!result.ok) {
      browser.log("the import could not be asked for", result.error);
      if (store.getState().phase === "unknown") {
        store.setState({ failed: true });
        poll.start();
      }
      return { outcome: "failed", error: result.error };
    }
    take(result.data, wasGoing);
    return { outcome: "answered" };
  }

  /** Sends a file to be imported; what becomes of it is followed. */
  async function send(file: LocalFile): Promise<void> {
    const { phase } = store.getState();
    if (phase === "sending" || phase === "going") return;
    const refuse = (why: ImportProblem): void => store.setState({ refused: { name: file.name, why } });
    if (file.size > LIMITS.fileBytes) return refuse("too-large");
    const { signal } = account;
    const mine = (upload = new AbortController());
    const onPercent = (percent: number): void => {
      if (upload === mine) store.setState({ sending: { name: file.name, percent } });
    };
    store.setState({ phase: "sending", sending: { name: file.name, percent: 0 }, refused: null });
    const sent = await sendFile(deps, beginImport, file, { signal: mine.signal, onPercent });
    if (signal.aborted || upload !== mine) return;
    upload = null;
    store.setState({ sending: null });
    if (sent.kind === "answered") return take(sent.data);
    take(store.getState().status);
    if (sent.kind === "cancelled") return;
    browser.log("a file was not taken to be imported", sent.error);
    const problem = sent.error === null ? "network" : problemOf(sent.error);
    refuse(problem);
    // One that another page began. It may have ended meanwhile.
    if (problem === "running") await ask(true);
  }

  /** Ends what is under way: the file on its way, or its import. What was imported stays. */
  async function cancel(): Promise<void> {
    const { phase, status } = store.getState();
    if (phase === "sending") {
      upload?.abort();
      upload = null;
      store.setState({ sending: null });
      return take(status);
    }
    if (phase !== "going" || status === null) return;
    const { signal } = account;
    const before = forgotten;
    const result = await api.call(cancelImport, { import_id: status.id }, { signal });
    if (signal.aborted || before !== forgotten) return;
    if (result.ok) return take(result.data);
    browser.log("an import was not cancelled", result.error);
    // It may have ended meanwhile.
    await ask();
  }

  return {
    store,
    /** Asks what there is. While the server is away that goes on by itself. */
    async look(): Promise<void> {
      // Why a file was not taken is of the time when it was sent.
      store.setState({ refused: null, failed: false });
      await ask();
    },
    send,
    cancel,
    /** There is none any more: it went with the history. A file on its way stays so. */
    forget(): void {
      forgotten += 1;
      if (store.getState().phase === "sending") store.setState({ status: null });
      else take(null);
    },
    clear(): void {
      account.abort();
      account = new AbortController();
      upload?.abort();
      upload = null;
      poll.stop();
      store.setState(UNKNOWN);
    },
  };
}

const PROBLEMS = new Map<number, ImportProblem>([
  [ImportRefusal.RateLimit.code, "too-often"],
  [ImportRefusal.UnsupportedFormat.code, "unsupported"],
  [ImportRefusal.FileTooLarge.code, "too-large"],
  [ImportRefusal.ImportRunning.code, "running"],
  [ImportRefusal.StorageQuotaExceeded.code, "storage-full"],
]);

/** What of an account keeps it from bringing chats in. */
const OF_ACCOUNT = [
  Global.UserIsMuted,
  Global.AccountUnderReview,
  Global.MobileNotVerified,
  Global.BirthdayRequired,
].map(({ code }): number => code);

function problemOf(error: ApiError): ImportProblem {
  if (error.kind === "refused") {
    const known = error.scope === "call" ? PROBLEMS.get(error.code) : undefined;
    const isOfAccount = error.scope === "global" && OF_ACCOUNT.includes(error.code);
    return known ?? (isOfAccount ? "muted" : "failed");
  }
  if (error.kind === "http") return error.status === 413 ? "too-large" : "failed";
  return "network";
}
