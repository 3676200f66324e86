// A session as the page keeps it, and the keys of chats that have no session yet.
import { emptyTree, type MessageTree } from "@plumb/protocol/conversation/message-tree";
import type { Session } from "@plumb/protocol/wire/sessions";
import type { ClientMessage } from "./client-message.ts";

export interface ClientSession {
  id: string;
  title: string | null;
  titleType: "WIP" | "SYSTEM" | "USER";
  /** True once, when a generated title just arrived and shall be animated. */
  titleIsNew: boolean;
  /** Milliseconds. */
  updatedAt: number;
  agentId: string;
  state: "idleWithNoHistory" | "fetchingHistory" | "historyError" | "sending" | "completing" | "idle";
  /** "reconnecting" while attempts to resume go on; the screen shows it. */
  connection: "live" | "reconnecting";
  /** A reply ended here while the user looked at another chat. */
  endedUnseen: boolean;
  tree: MessageTree<ClientMessage>;
  /** The greatest message id seen, also of messages that are gone; 0 for none. */
  lastMessageId: number;
}

/** The key of the new chat at the root. */
export const HOME_KEY = "new:chat";

/** A reply is being asked for, or comes. */
export function isReplying({ state }: Pick<ClientSession, "state">): boolean {
  return state === "sending" || state === "completing";
}

/** The key of a chat with this agent that has no session yet. */
export function newChatKey(agentId: string): string {
  return `new:${agentId}`;
}

/** The key of a new chat whose first message is on its way by this request, and in whose place another one was begun. */
export function asideKey(agentId: string, clientStreamId: string): string {
  return `aside ${clientStreamId}:${agentId}`;
}

export function isAside(key: string): boolean {
  return key.startsWith("aside ");
}

/** The agent of a chat that has no session yet, by its key; null for the id of a session. */
export function agentOfNewChat(key: string): string | null {
  return /^(?:new|aside [^:]*):(.*)$/s.exec(key)?.[1] ?? null;
}

/** The key of a share that is read on this page, which is no session of the reader's. */
export function shareKey(shareId: string): string {
  return `share:${shareId}`;
}

/** The share under such a key, null for every other key. */
export function shareOfKey(key: string): string | null {
  return key.startsWith("share:") ? key.slice("share:".length) : null;
}

/** Whether the server has a session of this key's. */
export function isStoredSession(key: string): boolean {
  return agentOfNewChat(key) === null && shareOfKey(key) === null;
}

/** What a session's agent is named by here, in keys and in paths: an agent's id or a persona's (wire-contract.md §15). */
export function agentIdOf({
  agent,
  character_id: character,
}: Pick<Session, "agent" | "character_id">): string {
  return character ?? agent;
}

/** The wire's session as the page keeps it; `updatedAt` becomes milliseconds. */
export function clientSession(session: Session): ClientSession {
  return {
    id: session.id,
    title: session.title,
    titleType: session.title_type,
    titleIsNew: false,
    updatedAt: session.updated_at * 1000,
    agentId: agentIdOf(session),
    state: "idleWithNoHistory",
    connection: "live",
    endedUnseen: false,
    tree: emptyTree(),
    lastMessageId: 0,
  };
}

/** A session of which only the key is known. */
export function emptySession(key: string): ClientSession {
  return {
    id: key,
    title: null,
    titleType: "WIP",
    titleIsNew: false,
    updatedAt: 0,
    agentId: agentOfNewChat(key) ?? "chat",
    state: "idleWithNoHistory",
    connection: "live",
    endedUnseen: false,
    tree: emptyTree(),
    lastMessageId: 0,
  };
}
