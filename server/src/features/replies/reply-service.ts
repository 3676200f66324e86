// What other features may ask of replies: begin one, follow one, answer a repeat.
import { LIMITS } from "@plumb/protocol/limits";
import type { NumberedEvent, StreamEvent } from "@plumb/protocol/stream/stream-event";
import { storedReply } from "@plumb/protocol/stream/reply-reducer";
import { ReplyRefusal, ResumeGotFullMessage } from "@plumb/protocol/wire/replies";
import { type JsonPiece, LargeJsonAnswer, StreamAnswer } from "../../platform/http/answers.ts";
import { createSseResponse } from "../../platform/http/sse-response.ts";
import { Refusal } from "../../platform/refusal.ts";
import { messageAsJson } from "../sessions/message-pieces.ts";
import {
  findMessageHead,
  type MessageHead,
  type MessageRow,
  presentHead,
  presentMessage,
} from "../sessions/message-store.ts";
import type { KnownReply } from "../sessions/reply-lookup-store.ts";
import type { ReplyRow } from "../sessions/reply-store.ts";
import { presentSession, type SessionRow } from "../sessions/session-store.ts";
import { replayReply } from "./replay-reply.ts";
import type { ReplyContext } from "./reply-context.ts";
import { buildPrompt } from "./build-prompt.ts";
import { EarlyCall } from "./early-call.ts";
import { openRun } from "./open-run.ts";
import type { FinishReason } from "./reply-events.ts";
import type { Reader, StreamSubscribers } from "./stream-subscribers.ts";

/** How long a repeat waits for the close of a reply in its tail: a title's time, or that of a take-over. */
const TAIL_MS = LIMITS.titleWaitMs + LIMITS.takeOverWithinMs;

export interface BegunReply {
  reply: ReplyRow;
  epoch: number;
  /** The reply's message as stored before this run. */
  row: MessageRow;
  branch: readonly number[];
  /** What the starting transaction logged, the first id being `reply.run_first_id`. */
  logged: StreamEvent[];
  wantsTitle: boolean;
  decided?: FinishReason;
  early: EarlyCall | null;
}

export interface ReplyService {
  readonly context: ReplyContext;
  /**
   * Asks the model for a reply that is being stored, `branch` being the messages from the root down to its request. What
   * it says is heard once the reply is begun; one that is not stored must abort the call.
   */
  callEarly(reply: ReplyRow, branch: readonly MessageRow[], message: MessageRow): Promise<EarlyCall>;
  /** Runs a reply that was just stored, and streams it to `reader` from its first event; `trace` is the request's. */
  begin(begun: BegunReply, reader: Reader, trace: string): StreamAnswer;
  /** The stream of a running reply, or the whole message of one that has ended (wire-contract.md §11.6). */
  resume(
    known: KnownReply,
    reader: Reader,
    lastEventId: number | null,
  ): Promise<StreamAnswer | LargeJsonAnswer>;
  /** The answer to the repeat of a known client_stream_id (wire-contract.md §11.2). */
  repeat(known: KnownReply, reader: Reader): Promise<StreamAnswer>;
}

export function createReplyService(context: ReplyContext, subscribers: StreamSubscribers): ReplyService {
  const { db, feeds, ports } = context;

  function begin(begun: BegunReply, reader: Reader, trace: string): StreamAnswer {
    const { reply, epoch, row, logged } = begun;
    const events = logged.map((event, index): NumberedEvent => ({
      ...event,
      id: reply.run_first_id + index,
    }));
    const before = storedReply({ ...presentMessage(row), status: "WIP" }, reply.run_first_id - 1);
    const { feed } = openRun(context, {
      reply,
      epoch,
      before,
      groups: [{ firstId: reply.run_first_id, epoch, at: reply.started_at, events: logged }],
      branch: begun.branch,
      wantsTitle: begun.wantsTitle,
      decided: begun.decided,
      early: begun.early ?? undefined,
      trace,
    });
    return new StreamAnswer((response) =>
      subscribers.subscribe(feed, createSseResponse(response), reader, { kind: "first", events }),
    );
  }

  /** Follows a reply while its status is WIP; null when it is not, or no longer. */
  async function follow(
    { head, reply }: KnownReply,
    reader: Reader,
    lastEventId: number | null,
  ): Promise<StreamAnswer | null> {
    if (head.status !== "WIP") return null;
    const feed = await feeds.open(reply);
    if (feed?.state.message?.status !== "WIP") return null;
    const usable =
      lastEventId !== null && lastEventId >= reply.run_first_id - 1 && lastEventId <= feed.state.lastEventId;
    return new StreamAnswer((response) =>
      subscribers.subscribe(feed, createSseResponse(response), reader, {
        kind: "resume",
        lastEventId: usable ? lastEventId : null,
        feedback: presentHead(head).feedback,
      }),
    );
  }

  async function headNow(head: MessageHead): Promise<MessageHead> {
    const now = await findMessageHead(db.kysely, head.session_id, head.message_id);
    // Removed since the look-up, by a deletion or a resend.
    if (now === undefined) throw new Refusal(ReplyRefusal.ResumeMessageNotFound);
    return now;
  }

  async function fullMessage(session: SessionRow, head: MessageHead): Promise<LargeJsonAnswer> {
    const message = await messageAsJson(db, head.status === "WIP" ? await headNow(head) : head);
    if (message === null) throw new Refusal(ReplyRefusal.ResumeMessageNotFound);
    async function* pieces(text: AsyncIterable<JsonPiece>): AsyncGenerator<JsonPiece> {
      yield '{"message":';
      yield* text;
      yield `,"chat_session":${JSON.stringify(presentSession(session))}}`;
    }
    return new LargeJsonAnswer(pieces(message), ResumeGotFullMessage);
  }

  /** Resolves when the reply has its close, wherever it runs, or after the time that a tail may take. */
  async function untilClosed(reply: ReplyRow): Promise<void> {
    if (reply.ended_at !== null) return;
    const feed = await feeds.open(reply);
    if (feed === null) return;
    let cancel = (): void => {};
    const late = new Promise<void>((resolve) => {
      cancel = ports.clock.after(TAIL_MS, resolve);
    });
    await Promise.race([feed.ended(), late]);
    cancel();
    feeds.forgetIfUnused(reply.id);
  }

  return {
    context,
    begin,
    async callEarly(reply, branch, message) {
      const rows = branch.map((row) => presentMessage(row));
      const request = await buildPrompt(reply, rows, presentMessage(message), []);
      return new EarlyCall(ports.model, request);
    },
    async resume(known, reader, lastEventId) {
      const stream = await follow(known, reader, lastEventId);
      return stream ?? fullMessage(known.session, known.head);
    },
    async repeat(known, reader) {
      const { session, reply } = known;
      const stream = await follow(known, reader, null);
      if (stream !== null) return stream;
      await untilClosed(reply);
      const head = await headNow(known.head);
      return new StreamAnswer((response) => {
        const sse = createSseResponse(response);
        subscribers.replay(reply.id, sse, reader, () =>
          replayReply(db, sse, { session, head, reply: reply.id }),
        );
      });
    },
  };
}
