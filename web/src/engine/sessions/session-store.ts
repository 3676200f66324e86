// The sessions this page knows, by id, and what is typed in each.
import type { User } from "@plumb/protocol/wire/accounts";
import type { Session } from "@plumb/protocol/wire/sessions";
import { createStore } from "zustand/vanilla";
import type { Browser } from "../browser.ts";
import { emptySession, type ClientSession } from "./client-session.ts";
import { editDraftsOf, isKeptBeside, nextDraftKey } from "./edit-drafts.ts";
import type { DraftsOnLeaving } from "../accounts/account-lifecycle.ts";
import { createKeptDrafts, withText, type SentNote } from "./kept-drafts.ts";
import type { DraftFileMoves } from "../files/draft-files.ts";

export interface SessionsState {
  /** Keyed by session id; a new chat that has no session yet lives under `new:<agentId>`. */
  byId: Readonly<Record<string, ClientSession>>;
  /** What is typed and not sent, by the same keys; survives reloads. */
  drafts: Readonly<Record<string, string>>;
  /** The keys of those that the storage of the browser did not take: a reload would lose what was typed last. */
  unkept: readonly string[];
}

export type SessionStore = ReturnType<typeof createSessionStore>;

/** What is typed besides a text that was given back, which stands above it; all of it where that text does not. */
function typedBelow(typed: string, text: string): string {
  if (typed === text) return "";
  return typed.startsWith(`${text}\n\n`) ? typed.slice(text.length + 2) : typed;
}

/** `files` are those of the drafts: they go where the texts go. */
export function createSessionStore(browser: Browser, files: DraftFileMoves | null = null) {
  const kept = createKeptDrafts(browser, noteWritten);
  const store = createStore<SessionsState>(() => ({ byId: {}, drafts: {}, unkept: [] }));

  function get(key: string): ClientSession | undefined {
    return store.getState().byId[key];
  }

  function put(key: string, session: ClientSession): void {
    store.setState(({ byId }) => ({ byId: { ...byId, [key]: session } }));
  }

  /** Changes a session that is known; an unknown one is left alone. */
  function update(key: string, change: (session: ClientSession) => Partial<ClientSession>): void {
    const session = get(key);
    if (session !== undefined) put(key, { ...session, ...change(session) });
  }

  /** The session under this key, made if it is not known yet. */
  function ensure(key: string): ClientSession {
    const known = get(key);
    if (known !== undefined) return known;
    const made = emptySession(key);
    put(key, made);
    return made;
  }

  /** What the list says of a session that this page knows: its title and time, without ado. */
  function takeListed(listed: Session): void {
    const { id, title, title_type: titleType, updated_at } = listed;
    const known = get(id);
    const updatedAt = updated_at * 1000;
    if (known === undefined || updatedAt < known.updatedAt) return;
    const isKnown = known.title === title && known.titleType === titleType;
    if (isKnown && known.updatedAt === updatedAt) return;
    put(id, { ...known, title, titleType, titleIsNew: isKnown && known.titleIsNew, updatedAt });
  }

  function remove(key: string): void {
    store.setState(({ byId }) => {
      const { [key]: _gone, ...rest } = byId;
      return { byId: rest };
    });
    storeDraft(key, "");
    files?.drop(key);
    files?.drop(nextDraftKey(key));
    const boxes = editDraftsOf(key);
    kept.removeAll(boxes);
    store.setState(({ drafts }) => ({
      drafts: Object.fromEntries(Object.entries(drafts).filter(([draft]) => !draft.startsWith(boxes))),
    }));
  }

  /** The new chat got its session: what was under `from` is under `to` now. */
  function rename(from: string, to: string, session: ClientSession): void {
    store.setState(({ byId }) => {
      const { [from]: _gone, ...rest } = byId;
      return { byId: { ...rest, [to]: session } };
    });
  }

  /** Once the user is known, what this user typed before shows again, and what others typed is removed. */
  function openDrafts(user: Pick<User, "id"> | null): void {
    if (user === null) return;
    const texts = kept.open(user.id);
    if (texts !== null) store.setState(({ drafts }) => ({ drafts: { ...texts, ...drafts } }));
  }

  /** Composers that are empty here get what a tab has left there that is closed; typing there would take its place. */
  function takeLeftDrafts(): void {
    for (const [key, text] of Object.entries(kept.leftByOthers()))
      if (!isKeptBeside(key) && (store.getState().drafts[key] ?? "") === "") showDraft(key, text);
  }

  /** What stands on this page alone. */
  function showDraft(key: string, text: string): void {
    store.setState(({ drafts }) => ({ drafts: withText(drafts, key, text) }));
  }

  /** All drafts are written together: what is taken now holds what was refused before. */
  function noteWritten(keys: readonly string[], taken: boolean): void {
    const { unkept } = store.getState();
    if (!taken) store.setState({ unkept: [...new Set([...unkept, ...keys])] });
    else if (unkept.length > 0) store.setState({ unkept: [] });
  }

  /** What is typed, here and for the next load of the page; `sent` as in `restoreDraft`. */
  function storeDraft(key: string, text: string, sent: SentNote | null = null): void {
    showDraft(key, text);
    kept.set(key, text, sent);
  }

  /** As `storeDraft`, written at once: another tab may look for it. */
  function storeDraftNow(key: string, text: string): void {
    showDraft(key, text);
    kept.setNow(key, text);
  }

  /**
   * The text is being sent: it leaves the screen but stays in storage, for a reload before the server has it. Another
   * text that is typed by now stays. So do the files with these ids.
   */
  function hideDraft(key: string, sent: string, fileIds: readonly string[] = []): void {
    files?.hide(key, fileIds);
    const typed = store.getState().drafts[key] ?? "";
    const left = typedBelow(typed, sent);
    if (left === "") {
      showDraft(key, "");
      kept.setNow(key, sent);
    } else if (left !== typed) storeDraftNow(key, left);
  }

  /** The request by which a hidden text is sent; left out where something else is typed by now. */
  function noteSent(key: string, sent: string, note: SentNote): void {
    if ((store.getState().drafts[key] ?? "") === "") kept.setNow(key, sent, note);
  }

  /** A text that an earlier load of the page sent has arrived: it stands here no more. */
  function dropSent(key: string): void {
    files?.dropSent(key);
    showDraft(key, "");
    kept.setNow(key, "");
  }

  /** Drops the texts typed in a session, in its composer or an edit box, that an earlier load sent by such a request. */
  function dropArrived(key: string, hasArrived: (note: SentNote) => boolean): void {
    const boxes = editDraftsOf(key);
    const typed = Object.keys(store.getState().drafts).filter((draft) => draft.startsWith(boxes));
    for (const draft of [key, ...typed]) {
      const note = kept.sentAs(draft);
      if (note !== null && hasArrived(note)) dropSent(draft);
    }
  }

  /**
   * The server has the text that was sent by this request: only what is typed by now is kept, here or in another tab, even if it
   * is the same text.
   */
  function releaseDraft(key: string, clientStreamId: string | null): void {
    files?.release(key);
    const typed = store.getState().drafts[key] ?? "";
    if (typed !== "" || kept.isOwn(key, clientStreamId)) kept.setNow(key, typed);
  }

  /** A text that was put back had been stored by the server: removes it unless something else is typed by now. */
  function dropDraft(key: string, sent: string): void {
    const typed = store.getState().drafts[key] ?? "";
    storeDraftNow(key, typedBelow(typed, sent));
  }

  /** The text was not sent, or may have arrived by the request `sent`: shows it again, above what is typed by now. */
  function restoreDraft(key: string, text: string, sent: SentNote | null = null): void {
    files?.restore(key);
    const typed = store.getState().drafts[key] ?? "";
    if (typed === "") storeDraft(key, text, sent);
    else if (typedBelow(typed, text) === typed) storeDraft(key, text === "" ? typed : `${text}\n\n${typed}`);
  }

  /** What is typed after a send from a new chat moves to the session it became. */
  function moveDraft(from: string, to: string): void {
    files?.move(from, to);
    const typed = store.getState().drafts[from] ?? "";
    if (typed === "") return;
    storeDraft(from, "");
    storeDraft(to, typed);
  }

  /** Empties the page. */
  function clear({ drafts }: { drafts: DraftsOnLeaving }): void {
    if (drafts === "remove") kept.forget();
    else kept.close({ write: drafts === "keep" });
    store.setState({ byId: {}, drafts: {}, unkept: [] });
  }

  return {
    store,
    get,
    put,
    update,
    ensure,
    takeListed,
    remove,
    rename,
    openDrafts,
    takeLeftDrafts,
    showDraft,
    storeDraft,
    storeDraftNow,
    hideDraft,
    noteSent,
    sentAs: kept.sentAs,
    keptText: kept.textAt,
    dropSent,
    dropArrived,
    releaseDraft,
    dropDraft,
    restoreDraft,
    moveDraft,
    moveFiles: (from: string, to: string): void => files?.move(from, to),
    clear,
    stop: kept.stop,
  };
}
