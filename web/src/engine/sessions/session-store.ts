// The sessions this page knows, by id, and what is typed in each.
import { emptyTree } from "@plumb/protocol/conversation/message-tree";
import type { Message } from "@plumb/protocol/conversation/message";
import type { Session } from "@plumb/protocol/wire/sessions";
import { createStore } from "zustand/vanilla";
import type { Browser } from "../browser.ts";
import type { ClientMessage, ClientSession, SessionsState } from "../engine.ts";

const DRAFTS_STORED_AS = "plumb.drafts";

/** The agent of a `new:` key, null for the id of a session. */
export function agentOfNewChat(key: string): string | null {
  return key.startsWith("new:") ? key.slice("new:".length) : null;
}

/** A message of the wire with its run-time fields. */
export function clientMessage(message: Message): ClientMessage {
  return { ...message, generateState: null, hint: null };
}

/** The wire's session as the page keeps it; `updatedAt` becomes milliseconds. */
export function clientSession(session: Session): ClientSession {
  return {
    id: session.id,
    title: session.title,
    titleType: session.title_type,
    titleIsNew: false,
    updatedAt: session.updated_at * 1000,
    agentId: session.agent,
    state: "idleWithNoHistory",
    connection: "live",
    tree: emptyTree(),
  };
}

function emptySession(id: string, agentId: string): ClientSession {
  return {
    id,
    title: null,
    titleType: "WIP",
    titleIsNew: false,
    updatedAt: 0,
    agentId,
    state: "idleWithNoHistory",
    connection: "live",
    tree: emptyTree(),
  };
}

function readDrafts(json: string | null): Record<string, string> {
  if (json === null) return {};
  try {
    const stored: unknown = JSON.parse(json);
    if (typeof stored !== "object" || stored === null) return {};
    return Object.fromEntries(Object.entries(stored).filter(([, text]) => typeof text === "string"));
  } catch {
    return {};
  }
}

export type SessionStore = ReturnType<typeof createSessionStore>;

export function createSessionStore(browser: Browser) {
  let storedDrafts = readDrafts(browser.storage.get(DRAFTS_STORED_AS));
  const store = createStore<SessionsState>(() => ({ byId: {}, drafts: storedDrafts }));

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
    const made = emptySession(key, agentOfNewChat(key) ?? "chat");
    put(key, made);
    return made;
  }

  function remove(key: string): void {
    store.setState(({ byId }) => {
      const { [key]: _gone, ...rest } = byId;
      return { byId: rest };
    });
    storeDraft(key, "");
  }

  /** The new chat got its session: what was under `from` is under `to` now. */
  function rename(from: string, to: string, session: ClientSession): void {
    store.setState(({ byId }) => {
      const { [from]: _gone, ...rest } = byId;
      return { byId: { ...rest, [to]: session } };
    });
  }

  function withDraft(
    drafts: Readonly<Record<string, string>>,
    key: string,
    text: string,
  ): Record<string, string> {
    const { [key]: _old, ...rest } = drafts;
    return text === "" ? rest : { ...rest, [key]: text };
  }

  /** What is typed, here and for the next load of the page. */
  function storeDraft(key: string, text: string): void {
    store.setState(({ drafts }) => ({ drafts: withDraft(drafts, key, text) }));
    storedDrafts = withDraft(storedDrafts, key, text);
    if (Object.keys(storedDrafts).length === 0) browser.storage.remove(DRAFTS_STORED_AS);
    else browser.storage.set(DRAFTS_STORED_AS, JSON.stringify(storedDrafts));
  }

  /** Takes the text off the screen; a reload before it was sent finds it again. */
  function hideDraft(key: string): void {
    store.setState(({ drafts }) => ({ drafts: withDraft(drafts, key, "") }));
  }

  /** The text was sent: forgets it unless something else is typed by now. */
  function dropDraft(key: string, sent: string): void {
    const typed = store.getState().drafts[key] ?? "";
    storeDraft(key, typed === sent ? "" : typed);
  }

  /** The text was not sent: shows it again unless something else is typed by now. */
  function restoreDraft(key: string, text: string): void {
    if ((store.getState().drafts[key] ?? "") === "") storeDraft(key, text);
  }

  function clear(): void {
    storedDrafts = {};
    browser.storage.remove(DRAFTS_STORED_AS);
    store.setState({ byId: {}, drafts: {} });
  }

  return {
    store,
    get,
    put,
    update,
    ensure,
    remove,
    rename,
    storeDraft,
    hideDraft,
    dropDraft,
    restoreDraft,
    clear,
  };
}
