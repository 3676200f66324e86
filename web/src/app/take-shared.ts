// What another app has shared is a proposal: it goes into the draft of a new chat once its reader says so, and is never sent by
// itself. Any site can post a form to where the system posts what is shared, and a worker is told of no header and no referrer
// by which the two could be told apart (decision 0043).
import { firstCodePoints } from "@plumb/protocol/rules/code-points";
import { oneLine } from "@plumb/protocol/rules/one-line";
import { SHARE_LOST_QUERY, SHARED_QUERY } from "@plumb/protocol/wire/share-target";
import type { AuthState } from "../engine/accounts/auth-store.ts";
import type { Browser } from "../engine/browser.ts";
import { HOME } from "../engine/reactions.ts";
import { HOME_KEY } from "../engine/sessions/client-session.ts";
import { STAYS_MS } from "../engine/site/toast.ts";
import type { Engine } from "../engine/engine.ts";
import { findComposer } from "../hooks/composer-element.ts";
import { askFor, type ToWorker } from "../service-worker/worker-messages.ts";

const ANSWER_MS = 5000;
/** So much of it is shown before it is taken (code points). */
const SHOWN_CHARS = 60;
/** So many are proposed at once; the oldest go. */
const MOST_PROPOSED = 3;
/** In the storage of the tab: a reload, or another share that opens in it, shall lose none. */
const STORED_AS = "plumb.shared";

interface Stored {
  text: string;
  /** The id of who was asked; null where nobody was yet. */
  of: string | null;
}

interface Proposal extends Stored {
  /** Names it among the notices. */
  key: string;
}

/** Asks whether to take what the worker keeps for this page, and what was proposed in this tab before. */
export async function takeShared(engine: Engine, search: string, log: Browser["log"]): Promise<void> {
  const { site } = engine;
  const { auth } = engine.accounts;
  const stored = readStored(log);
  if (search.startsWith(`?${SHARED_QUERY}`)) {
    const text = await fromWorker(search);
    if (text === "") site.showToast({ type: "warning", text: { key: "share.lost" } });
    else stored.push({ text, of: null });
  }
  let proposals: Proposal[] = [];
  keepOnly(stored.slice(-MOST_PROPOSED).map((one, index) => ({ ...one, key: `shared-${index}` })));

  function keepOnly(left: Proposal[]): void {
    const gone = proposals.filter(({ key }) => !left.some((one) => one.key === key));
    proposals = left;
    store(left, log);
    for (const { id, dedupeKey } of site.toasts.getState().toasts)
      if (gone.some(({ key }) => key === dedupeKey)) site.dismissToast(id);
  }

  async function show(): Promise<void> {
    if (proposals.length === 0) return;
    await engine.loadChat();
    for (const { key, text } of proposals)
      site.showToast({
        type: "info",
        text: { key: "share.offer", params: { text: beginningOf(text) } },
        action: { text: { key: "share.take" }, run: () => write(engine, text) },
        duration: STAYS_MS,
        dedupeKey: key,
      });
  }

  /** Whoever signs in first to go on is asked, too; the next person gets nothing of it. */
  function onPerson({ status, user, reason }: AuthState, before?: AuthState): void {
    if (status === "yes" && user !== null) {
      const { id } = user;
      keepOnly(proposals.filter(({ of }) => of === null || of === id).map((one) => ({ ...one, of: id })));
      show().catch((error: unknown) => log("what was shared could not be proposed", error));
    } else if (status === "no" || before?.status === "yes") {
      const isLeft = reason === "signed-out" || reason === "banned";
      keepOnly(isLeft ? [] : proposals.filter(({ of }) => of === null));
    }
  }

  // Closed, or taken.
  site.toasts.subscribe(({ toasts }, before) => {
    const closed = before.toasts.filter((toast) => !toasts.includes(toast));
    const left = proposals.filter(({ key }) => !closed.some(({ dedupeKey }) => dedupeKey === key));
    if (left.length < proposals.length) keepOnly(left);
  });
  auth.subscribe(onPerson);
  onPerson(auth.getState());
}

/** What the worker keeps for the page of this address; "" where nothing came. */
async function fromWorker(search: string): Promise<string> {
  // A reload shall not ask for it again.
  if (window.location.search === search)
    window.history.replaceState(window.history.state, "", window.location.pathname);
  const worker = navigator.serviceWorker?.controller ?? null;
  if (search === `?${SHARE_LOST_QUERY}` || worker === null) return "";
  const id = search.slice(`?${SHARED_QUERY}`.length);
  return (await askFor(worker, { kind: "take-shared", id } satisfies ToWorker, ANSWER_MS)) ?? "";
}

function store(proposals: readonly Proposal[], log: Browser["log"]): void {
  try {
    if (proposals.length === 0) window.sessionStorage.removeItem(STORED_AS);
    else {
      const kept = proposals.map(({ text, of }): Stored => ({ text, of }));
      window.sessionStorage.setItem(STORED_AS, JSON.stringify(kept));
    }
  } catch (error) {
    log("the storage refused what was shared: this page forgets it on reload", error);
  }
}

/** Anything else than what is written here is passed over. */
function readStored(log: Browser["log"]): Stored[] {
  try {
    const stored: unknown = JSON.parse(window.sessionStorage.getItem(STORED_AS) ?? "[]");
    return Array.isArray(stored) ? stored.filter(isStored) : [];
  } catch (error) {
    log("what was shared before cannot be read", error);
    return [];
  }
}

function isStored(value: unknown): value is Stored {
  const { text, of } = (value ?? {}) as Partial<Record<keyof Stored, unknown>>;
  return typeof text === "string" && (of === null || typeof of === "string");
}

/** On one line, with a sign where it goes on. */
function beginningOf(text: string): string {
  const line = oneLine(text.slice(0, 10 * SHOWN_CHARS));
  const shown = firstCodePoints(line, SHOWN_CHARS);
  return shown === line ? line : `${shown}…`;
}

/** Into the draft of a new chat, behind what stands there, and on show, to be written on: the pressed button goes. */
function write(engine: Engine, text: string): void {
  const typed = engine.sessions.store.getState().drafts[HOME_KEY] ?? "";
  engine.sessions.setDraft(HOME_KEY, typed === "" ? text : `${typed}\n\n${text}`);
  if (window.location.pathname === HOME) findComposer()?.focus();
  else engine.site.navigation.setState({ to: HOME, replace: false });
}
