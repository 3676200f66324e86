// Compares what clients saw with what is stored: the part of I1 to I6 that cannot be checked by storage alone.
import { isDeepStrictEqual } from "node:util";
import { reduceReply } from "@plumb/protocol/stream/reply-reducer";
import { emptyReply } from "@plumb/protocol/stream/reply-state";
import type { NumberedEvent, StreamEvent } from "@plumb/protocol/stream/stream-event";
import { listMessages, presentMessage } from "../../server/src/features/sessions/message-store.ts";
import { eventsAfter, readLog } from "../../server/src/features/sessions/stream-log-store.ts";
import type { Database } from "../../server/src/platform/database/database.ts";
import { type ReplyReader, textOf } from "../support/reply-reader.ts";
import type { RecordedRequest, ScriptedUpstream } from "../support/scripted-upstream.ts";

export interface Seen {
  db: Database;
  upstream: Pick<ScriptedUpstream, "expected" | "requests">;
  /** A delete of the session was asked for: it may be gone, wholly. */
  mayBeDeleted: boolean;
}

/** What is wrong with one client's view; empty when all is well. */
export async function compareWithStore(reader: ReplyReader, seen: Seen): Promise<string[]> {
  const { sessionId, prompt, clientStreamId } = reader.options;
  const name = `“${prompt}”`;
  const problems = reader.problems.map((problem) => `${name}: ${problem}`);
  const report = (problem: string): void => void problems.push(`${name}: ${problem}`);
  const { db } = seen;

  const session = await db.kysely
    .selectFrom("sessions")
    .select("deleted_at")
    .where("id", "=", sessionId)
    .executeTakeFirst();
  if (session === undefined || session.deleted_at !== null) {
    if (!seen.mayBeDeleted) report("its session is gone");
    return problems;
  }
  const messages = await listMessages(db.kysely, sessionId);
  const asked = messages.filter(
    (message) => message.role === "USER" && textOfRequest(message.fragments) === prompt,
  );
  if (asked.length > 1) report(`I6: its user message is there ${asked.length} times`);
  const row = messages.find(
    (message) => message.client_stream_id === clientStreamId && message.role === "ASSISTANT",
  );
  if (reader.ready && asked.length === 0) report("I1: ready was seen and the user message is missing");
  if (row === undefined) {
    if (reader.ready) report("I1: ready was seen and the reply is missing");
    return problems;
  }
  const { responseMessageId } = reader.state;
  if (reader.ready && row.message_id !== responseMessageId) {
    report(`I6: it saw reply ${responseMessageId}, and ${row.message_id} is stored`);
  }
  if (row.status === "WIP") report("I5: its reply is still WIP");
  const reply = await db.kysely
    .selectFrom("replies")
    .selectAll()
    .where("session_id", "=", sessionId)
    .where("message_id", "=", row.message_id)
    .executeTakeFirst();
  if (reply === undefined) {
    report("I1: its reply has no row");
    return problems;
  }
  const log = eventsAfter(await readLog(db.kysely, reply.id, 1), 0);
  compareEvents(reader, log, report);

  const stored = presentMessage(row);
  const shown = reader.fullMessage ?? reader.state.message;
  if (reader.end === "closed" || reader.end === "full_message") {
    if (shown?.status !== stored.status) report(`it saw ${shown?.status}, and ${stored.status} is stored`);
    if (!isDeepStrictEqual(shown?.fragments, stored.fragments)) report("I2: its text is not the stored one");
  }
  if (reader.closes > 1) report(`I5: it saw ${reader.closes} close events`);
  if (stored.status === "FINISHED") {
    const expected = seen.upstream.expected(prompt);
    const answer = textOf(stored, "RESPONSE");
    if (answer !== expected.answer) report(difference("answer", answer, expected.answer));
    const thought = textOf(stored, "THINK");
    if (thought !== expected.reasoning) report(difference("thought", thought, expected.reasoning));
  }
  const epochs = await db.kysely
    .selectFrom("stream_log")
    .select(({ fn }) => fn.max("epoch").as("last"))
    .where("reply", "=", reply.id)
    .executeTakeFirstOrThrow();
  // A call begins while its turn is committed. One from before the stored turn is of a process that died before its commit.
  const calls = answerCalls(seen.upstream.requests, prompt).filter(({ at }) => at >= row.inserted_at);
  if (calls.length > Number(epochs.last)) {
    report(`I6: ${calls.length} upstream calls in ${String(epochs.last)} epochs`);
  }
  if (stored.status === "FINISHED" && calls.length === 0) report("it finished without an upstream call");
  return problems;
}

/** Upstream calls for the answer to a prompt, title calls apart. */
export function answerCalls(requests: readonly RecordedRequest[], prompt: string): RecordedRequest[] {
  return requests.filter((request) => request.kind !== "title" && request.question === prompt);
}

function compareEvents(
  reader: ReplyReader,
  log: readonly NumberedEvent[],
  report: (problem: string) => void,
): void {
  const byId = new Map(log.map((event) => [event.id, event]));
  for (const [id, event] of reader.events) {
    const logged = byId.get(id);
    if (logged === undefined) {
      report(`I2: it saw event ${id}, which is not in the log`);
      continue;
    }
    const { id: _id, ...plain } = logged;
    // After an empty snapshot the log's own snapshot comes as a BATCH (wire-contract.md §4.5 S0).
    if (isRootSet(plain)) continue;
    if (!isDeepStrictEqual(event, plain)) {
      report(`I2: event ${id} was ${JSON.stringify(event)}, and ${JSON.stringify(plain)} is in the log`);
    }
  }
  let state = emptyReply();
  const folds = new Map(reader.snapshots.map(({ id }) => [id, state.message]));
  for (const event of log) {
    state = reduceReply(state, event);
    if (folds.has(event.id)) folds.set(event.id, state.message);
  }
  for (const { id, message } of reader.snapshots) {
    const fold = folds.get(id);
    // Before the log's first snapshot there is nothing to fold: the reader got the empty one.
    const fragments = fold?.fragments ?? [];
    if (!isDeepStrictEqual(message.fragments, fragments)) {
      report(`I2: the snapshot at event ${id} is not the log's fold`);
    }
  }
}

function isRootSet(event: StreamEvent): boolean {
  return event.type === "delta" && event.data.p === "" && event.data.o === "SET";
}

function textOfRequest(fragments: string): string | undefined {
  return (JSON.parse(fragments) as { content?: string }[])[0]?.content;
}

function difference(what: string, got: string, expected: string): string {
  let at = 0;
  while (at < got.length && got[at] === expected[at]) at += 1;
  const around = (text: string): string => JSON.stringify(text.slice(Math.max(0, at - 20), at + 20));
  return (
    `I2: the ${what} differs from the undisturbed one at ${at} of ${expected.length}: ` +
    `${around(got)} for ${around(expected)}`
  );
}
