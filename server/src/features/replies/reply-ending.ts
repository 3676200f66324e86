// Stores the end of one reply, as often as it takes. What fails because the database is away is retried, while the reply
// keeps its lease; what fails for another reason would fail for ever: the reply is given up.
import type { Logger } from "../../platform/logger.ts";
import { DatabaseUnavailable } from "../../platform/database/database-unavailable.ts";
import type { StreamEvent } from "@plumb/protocol/stream/stream-event";
import type { ReplyRow } from "../sessions/reply-store.ts";
import { giveUpReply } from "./give-up-reply.ts";
import type { FinishReason } from "./reply-events.ts";
import type { ReplyFeed } from "./reply-feed.ts";
import { closeReply, isPassing, isSettled, type SettleContext, settleReply } from "./settle-reply.ts";

const RETRY_MS = 500;

export interface EndingContext extends SettleContext {
  log: Logger;
  /** Takes what the log has and the feed has not. */
  pull: (reply: number) => Promise<void>;
  /** True while the process hands its replies over: another one stores the end. */
  closing: () => boolean;
}

export class ReplyEnding {
  readonly #context: EndingContext;
  readonly #reply: ReplyRow;
  readonly #epoch: number;
  readonly #feed: ReplyFeed;

  constructor(context: EndingContext, reply: ReplyRow, epoch: number, feed: ReplyFeed) {
    this.#context = context;
    this.#reply = reply;
    this.#epoch = epoch;
    this.#feed = feed;
  }

  /** Stores the end status with what waits to be written. Throws Fenced, and what cannot be retried now. */
  async settle(reason: FinishReason, pending: readonly StreamEvent[], producedMs: number): Promise<void> {
    const [reply, epoch, feed] = [this.#reply, this.#epoch, this.#feed];
    await this.#retried(async () => {
      // A settlement whose answer was lost has happened: a second one would write its text and its end again.
      if (await isSettled(this.#context.db, reply)) return this.#context.pull(reply.id);
      const settlement = { reply, epoch, reason, state: feed.state, pending, producedMs };
      try {
        const { firstId, events } = await settleReply(this.#context, settlement);
        feed.publish(firstId, events);
      } catch (error) {
        // Committed late, after the look: then it is the first one that keeps this one out.
        if (isPassing(error) || !(await isSettled(this.#context.db, reply))) throw error;
        await this.#context.pull(reply.id);
      }
    });
  }

  /** Stores title and close, unless the settlement did. `title` null = the first words of the prompt. */
  async close(reason: FinishReason, title: string | null): Promise<void> {
    const [reply, epoch, feed] = [this.#reply, this.#epoch, this.#feed];
    await this.#retried(async () => {
      if (feed.closed) return;
      const { lastEventId } = feed.state;
      const { firstId, events } = await closeReply(this.#context, {
        reply,
        epoch,
        reason,
        lastEventId,
        title,
      });
      feed.publish(firstId, events);
    });
  }

  /** Ends the reply as failed, from what is stored of it. */
  async giveUp(): Promise<void> {
    await this.#retried(() => giveUpReply(this.#context, this.#reply, this.#epoch));
  }

  async #retried(write: () => Promise<void>): Promise<void> {
    const { clock, log, closing, pull } = this.#context;
    for (;;) {
      try {
        return await write();
      } catch (error) {
        if (!(error instanceof DatabaseUnavailable) || closing()) throw error;
        log.warn({ err: error, reply: this.#reply.id }, "storing the end of a reply failed; it is retried");
        await new Promise<void>((resolve) => clock.after(RETRY_MS, resolve));
        await pull(this.#reply.id);
      }
    }
  }
}
