// What other features may ask of replies: begin one, follow one, answer a repeat.
import { LIMITS } from "@plumb/protocol/limits";
import type { NumberedEvent, StreamEvent } from "@plumb/protocol/stream/stream-event";
import { storedReply } from "@plumb/protocol/stream/reply-reducer";
import { ResumeGotFullMessage } from "@plumb/protocol/wire/replies";
import type { CurrentUser } from "../../platform/http/request-context.ts";
import { Answer, StreamAnswer } from "../../platform/http/answers.ts";
import { createSseResponse } from "../../platform/http/sse-response.ts";
import { toSeconds } from "../../platform/seconds.ts";
import { currentMessage } from "../sessions/read-history.ts";
import { findMessage, type MessageRow, presentMessage } from "../sessions/message-store.ts";
import { findReply, type ReplyRow } from "../sessions/reply-store.ts";
import { type SessionRow, presentSession } from "../sessions/session-store.ts";
import { eventsAfter, readLog } from "../sessions/stream-log-store.ts";
import type { Followers } from "./followers.ts";
import { isWhole, replayFromLog, replayFromStore } from "./replay-reply.ts";
import type { ReplyContext } from "./reply-context.ts";
import { isSnapshotEvent, type Outcome } from "./reply-events.ts";
import { ReplyRun } from "./run-reply.ts";

const TAIL_LOOK_MS = 100;
const TAIL_MS = LIMITS.titleWaitMs + LIMITS.takeOverWithinMs;

type Reader = Pick<CurrentUser, "id" | "tokenHash">;

export interface BegunReply {
  reply: ReplyRow;
  epoch: number;
  /** The reply's message as stored before this run. */
  row: MessageRow;
  branch: readonly number[];
  /** What the starting transaction logged, the first id being `reply.run_first_id`. */
  logged: StreamEvent[];
  wantsTitle: boolean;
  decided?: Outcome;
}

export interface ReplyService {
  readonly context: ReplyContext;
  /** Runs a reply that was just stored, and streams it to `reader` from its first event; `trace` is the request's. */
  begin(begun: BegunReply, reader: Reader, trace: string): StreamAnswer;
  /** The stream of a running reply, or the whole message of one that has ended (wire-contract.md §11.6). */
  resume(
    session: SessionRow,
    row: MessageRow,
    reply: ReplyRow,
    reader: Reader,
    lastEventId: number | null,
  ): Promise<StreamAnswer | Answer>;
  /** The answer to the repeat of a known client_stream_id (wire-contract.md §11.2). */
  repeat(session: SessionRow, row: MessageRow, reply: ReplyRow, reader: Reader): Promise<StreamAnswer>;
}

export function createReplyService(context: ReplyContext, followers: Followers): ReplyService {
  const { db, feeds, live } = context;

  function begin(begun: BegunReply, reader: Reader, trace: string): StreamAnswer {
    const { reply, epoch, row, logged } = begun;
    const events = logged.map((event, index): NumberedEvent => ({
      ...event,
      id: reply.run_first_id + index,
    }));
    const before = storedReply({ ...presentMessage(row), status: "WIP" }, reply.run_first_id - 1);
    const feed = feeds.openLocal(reply.id, before, reply.run_first_id);
    feed.publish(reply.run_first_id, logged);
    live.add(
      new ReplyRun(context, {
        reply,
        epoch,
        feed,
        trace,
        branch: begun.branch,
        snapshotLogged: logged.some(isSnapshotEvent),
        thoughtMs: 0,
        wantsTitle: begun.wantsTitle,
        ...(begun.decided === undefined ? {} : { decided: begun.decided }),
      }),
    );
    return new StreamAnswer((response) =>
      followers.follow(feed, createSseResponse(response), reader, { kind: "first", events }),
    );
  }

  async function fullMessage(session: SessionRow, row: MessageRow): Promise<Answer> {
    const message = await currentMessage(db.kysely, row);
    return new Answer(ResumeGotFullMessage, { message, chat_session: presentSession(session) });
  }

  return {
    context,
    begin,
    async resume(session, row, reply, reader, lastEventId) {
      if (row.status !== "WIP") return fullMessage(session, row);
      const feed = await feeds.open(reply);
      if (feed?.state.message?.status !== "WIP") return fullMessage(session, row);
      const usable =
        lastEventId !== null &&
        lastEventId >= reply.run_first_id - 1 &&
        lastEventId <= feed.state.lastEventId;
      return new StreamAnswer((response) =>
        followers.follow(feed, createSseResponse(response), reader, {
          kind: "resume",
          lastEventId: usable ? lastEventId : null,
        }),
      );
    },
    async repeat(session, row, reply, reader) {
      if (row.status === "WIP") {
        const feed = await feeds.open(reply);
        if (feed?.state.message?.status === "WIP") {
          return new StreamAnswer((response) =>
            followers.follow(feed, createSseResponse(response), reader, {
              kind: "resume",
              lastEventId: null,
            }),
          );
        }
      }
      const events = await untilClosed(reply);
      // The row of before may be that of a reply that still ran.
      const stored = (await findMessage(db.kysely, row.session_id, row.message_id)) ?? row;
      const message = presentMessage(stored);
      return new StreamAnswer((response) => {
        const sse = createSseResponse(response);
        if (isWhole(events)) replayFromLog(sse, message, events);
        else replayFromStore(sse, message, stored.last_event_id, toSeconds(session.updated_at));
      });
    },
  };

  /** The events of the run; a reply in its tail is waited for, wherever it runs: a title's time, or that of a take-over. */
  async function untilClosed(reply: ReplyRow): Promise<NumberedEvent[]> {
    for (let waited = 0; ; waited += TAIL_LOOK_MS) {
      const current = await findReply(db.kysely, reply.id);
      const groups = await readLog(db.kysely, reply.id, reply.run_first_id);
      const over = current === undefined || current.ended_at !== null || waited >= TAIL_MS;
      if (over) return eventsAfter(groups, reply.run_first_id - 1);
      await new Promise<void>((resolve) => context.ports.clock.after(TAIL_LOOK_MS, resolve));
    }
  }
}
