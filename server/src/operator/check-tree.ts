// What must hold of one session and its messages: I6 to I8.
import type { MessageHead } from "../features/sessions/message-store.ts";
import type { ReplyRow } from "../features/sessions/reply-store.ts";
import type { SessionRow } from "../features/sessions/session-store.ts";
import type { Violation } from "./violation.ts";

export interface StoredSession {
  session: SessionRow;
  messages: readonly MessageHead[];
  replies: readonly ReplyRow[];
}

/** Violations of one session. */
export function checkSession({ session, messages, replies }: StoredSession): Violation[] {
  const found: Violation[] = [];
  const report = (invariant: string, what: string): void =>
    void found.push({ invariant, where: `session ${session.id}`, what });
  if (session.deleted_at !== null) {
    if (messages.length + replies.length > 0) report("I8", "it is deleted and not all of it is gone");
    return found;
  }
  const byId = new Map(messages.map((message) => [message.message_id, message]));
  for (const { message_id: id, parent_id: parentId, role } of messages) {
    if (id > session.last_message_id) report("I8", `message ${id} has an id that was never given out`);
    if (parentId === null) {
      if (role === "ASSISTANT") report("I8", `reply ${id} answers nothing`);
      continue;
    }
    const parent = byId.get(parentId);
    if (parent === undefined) report("I8", `message ${id} hangs under ${parentId}, which does not exist`);
    else if (parent.role === role) report("I8", `message ${id} and its parent are both ${role}`);
    // A parent is always older: with that there can be no cycle.
    if (parentId >= id) report("I8", `message ${id} hangs under the later ${parentId}`);
  }
  const current = session.current_message_id;
  if (current === null ? messages.length > 0 : !byId.has(current)) {
    report("I8", `its current message is ${current}, which does not exist`);
  }
  const working = messages.filter((message) => message.status === "WIP");
  if (working.length > 1) report("I7", `${working.length} of its replies are WIP`);
  for (const message of messages.filter(({ role }) => role === "ASSISTANT")) {
    const count = replies.filter((reply) => reply.message_id === message.message_id).length;
    if (count !== 1) report("I6", `message ${message.message_id} has ${count} reply rows`);
  }
  const streams = replies.flatMap((reply) => reply.client_stream_id ?? []);
  const doubled = streams.filter((stream, index) => streams.indexOf(stream) !== index);
  for (const stream of doubled) report("I6", `client stream ${stream} has two replies`);
  return found;
}
