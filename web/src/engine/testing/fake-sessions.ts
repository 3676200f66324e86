// The sessions of the fake server: stored messages, and replies folded from their logs.
import type { Message } from "@plumb/protocol/conversation/message";
import type { Session, SessionPage } from "@plumb/protocol/wire/sessions";
import { refused } from "./fake-answers.ts";
import type { ReplyLogs } from "./reply-logs.ts";
import { wireMessage } from "./wire-message.ts";

/** The moment the fake server lives at (unix seconds). */
export const SECS = 1_790_000_000;

interface Stored {
  title: string | null;
  titleType: Session["title_type"];
  version: number;
  agent: string;
  characterId: string | null;
  updatedAtSecs: number;
  messages: Message[];
  /** Raised when the session changes, over all sessions. */
  seqId: number;
  pinned: boolean;
  /** Ids are never used twice, also those of messages that are gone. */
  lastId: number;
}

export type FakeSessions = ReturnType<typeof createFakeSessions>;

export function createFakeSessions(replies: ReplyLogs) {
  const sessions = new Map<string, Stored>();
  const deleted = new Set<string>();
  let lastSession = 0;
  let lastSeqId = 0;

  function repliesOf(id: string) {
    return replies.all.filter(({ sessionId }) => sessionId === id);
  }

  function stored(id: string): Stored {
    const session = sessions.get(id);
    if (session === undefined) throw new Error(`no session ${id}`);
    return session;
  }

  /** The messages of the history. */
  function messagesOf(id: string): Message[] {
    const own = repliesOf(id);
    return (sessions.get(id)?.messages ?? [])
      .map((message) => {
        const reply = own.find(({ responseId }) => responseId === message.message_id);
        const written = (reply && replies.folded(reply)) ?? message;
        return message.feedback === null ? written : { ...written, feedback: message.feedback };
      })
      .toSorted((a, b) => a.message_id - b.message_id);
  }

  /** Grows with everything that changes the session's messages. */
  function versionOf(id: string): number {
    const { version = 1, messages = [] } = sessions.get(id) ?? {};
    return version + messages.length + repliesOf(id).reduce((sum, { produced }) => sum + produced, 0);
  }

  function present(id: string): Session {
    const known = sessions.get(id);
    const titling = repliesOf(id).findLast((reply) => replies.titleOf(reply) !== null);
    const newTitle = known?.titleType === "USER" ? null : replies.titleOf(titling);
    // Only a finished reply gives the final title (wire-contract.md §4.6).
    const newType = titling && replies.folded(titling)?.status === "FINISHED" ? "SYSTEM" : "WIP";
    const messages = messagesOf(id);
    return {
      id,
      seq_id: known?.seqId ?? 0,
      agent: known?.agent ?? "chat",
      character_id: known?.characterId ?? null,
      model_type: "default",
      title: newTitle ?? known?.title ?? null,
      title_type: newTitle === null ? (known?.titleType ?? "WIP") : newType,
      version: versionOf(id),
      current_message_id: messages.at(-1)?.message_id ?? null,
      pinned: known?.pinned ?? false,
      is_empty: messages.length === 0,
      route_id: null,
      inserted_at: SECS,
      updated_at: known?.updatedAtSecs ?? SECS,
    };
  }

  /** A session without messages. */
  function create(agent: string, characterId: string | null = null): Session {
    const id = `session-${++lastSession}`;
    const empty = { title: null, titleType: "WIP", version: 1, updatedAtSecs: SECS, pinned: false } as const;
    sessions.set(id, { ...empty, agent, characterId, messages: [], lastId: 0, seqId: ++lastSeqId });
    return present(id);
  }

  /** A session with these messages; it has a title once something was said. */
  function add(
    id: string,
    messages: readonly Message[] = [],
    { title = "Old", updatedAtSecs = SECS }: { title?: string | null; updatedAtSecs?: number } = {},
  ): void {
    const titled = messages.length > 0 && title !== null;
    sessions.set(id, {
      title: titled ? title : null,
      titleType: titled ? "SYSTEM" : "WIP",
      version: 7,
      agent: "chat",
      characterId: null,
      updatedAtSecs,
      messages: [...messages],
      seqId: ++lastSeqId,
      pinned: false,
      lastId: messages.at(-1)?.message_id ?? 0,
    });
  }

  /** Stores a message under the next free id, and gives that id. */
  function append(id: string, part: Omit<Parameters<typeof wireMessage>[0], "message_id">): number {
    const session = stored(id);
    const messageId = ++session.lastId;
    session.messages.push(wireMessage({ ...part, message_id: messageId }));
    session.seqId = ++lastSeqId;
    return messageId;
  }

  /** Puts a message in the place of the stored one with its id. */
  function replace(id: string, message: Message): void {
    const session = stored(id);
    session.messages = session.messages.map((one) => (one.message_id === message.message_id ? message : one));
  }

  /** A page of the list as the server gives it: those with messages, greatest seq_id first. */
  function page(beforeSeqId: number | null, count: number): SessionPage {
    const listed = [...sessions.keys()]
      .map(present)
      .filter((session) => !session.is_empty)
      .toSorted((a, b) => b.seq_id - a.seq_id);
    const behind = listed.filter(({ seq_id }) => beforeSeqId === null || seq_id < beforeSeqId);
    const part = { chat_sessions: behind.slice(0, count), has_more: behind.length > count };
    return beforeSeqId === null ? { ...part, pinned_sessions: listed.filter(({ pinned }) => pinned) } : part;
  }

  /** Changes a session: false where there is none. */
  function change(
    id: string,
    part: Partial<Pick<Stored, "title" | "titleType" | "updatedAtSecs" | "pinned">>,
  ): boolean {
    const session = sessions.get(id);
    if (session !== undefined)
      Object.assign(session, part, part.pinned === undefined ? { seqId: ++lastSeqId } : {});
    return session !== undefined;
  }

  /** Says why a session cannot be used. */
  function refuse(id: string): Response {
    return refused(1, deleted.has(id) ? "CHAT_SESSION_DELETED" : "ILLEGAL_CHAT_SESSION_ID");
  }

  function remove(id: string): boolean {
    if (sessions.has(id)) deleted.add(id);
    return sessions.delete(id);
  }

  const removeAll = (): void => [...sessions.keys()].forEach(remove);

  /** Keeps what a reader thinks of a reply. */
  function rate(id: string, messageId: number, feedback: Message["feedback"]): void {
    const session = stored(id);
    session.version += 1;
    session.messages = session.messages.map((one) =>
      one.message_id === messageId ? { ...one, feedback } : one,
    );
  }

  return {
    page,
    change,
    refuse,
    rate,
    remove,
    removeAll,
    has: (id: string): boolean => sessions.has(id),
    messagesOf,
    storedMessage: (id: string, messageId: number): Message | undefined =>
      sessions.get(id)?.messages.find(({ message_id }) => message_id === messageId),
    versionOf,
    present,
    create,
    add,
    append,
    replace,
  };
}
