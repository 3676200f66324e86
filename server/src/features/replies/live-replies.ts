// The runs of this process.
import type { Metrics } from "../../platform/metrics.ts";
import type { ReplyRun } from "./run-reply.ts";

export class LiveReplies {
  /** Replies claimed by this process whose run could not begin, since the database went away. */
  readonly notBegun = new Set<number>();
  readonly #runs = new Map<number, ReplyRun>();
  readonly #metrics: Metrics;
  readonly #releaseLeases: () => Promise<void>;
  #closing = false;

  /** @param releaseLeases frees every lease of this process; never rejects */
  constructor(metrics: Metrics, releaseLeases: () => Promise<void>) {
    this.#metrics = metrics;
    this.#releaseLeases = releaseLeases;
  }

  /** True once the process hands its replies over: none begins any more. */
  get closing(): boolean {
    return this.#closing;
  }

  get(reply: number): ReplyRun | undefined {
    return this.#runs.get(reply);
  }

  all(): ReplyRun[] {
    return [...this.#runs.values()];
  }

  /** From now on `run` is the reply's; one that came before it has lost its lease. */
  add(run: ReplyRun): void {
    this.#runs.get(run.reply.id)?.fence();
    this.#runs.set(run.reply.id, run);
    this.#metrics.setRepliesRunning(this.#runs.size);
    void run.done.finally(() => {
      if (this.#runs.get(run.reply.id) === run) this.#runs.delete(run.reply.id);
      this.#metrics.setRepliesRunning(this.#runs.size);
    });
    // Begun while the others were being handed over.
    if (this.#closing) void this.handOverAll();
  }

  /** Hands every reply over; resolves when all leases are free, or will lapse. */
  async handOverAll(): Promise<void> {
    this.#closing = true;
    await Promise.all(this.all().map((run) => run.handOver()));
    await this.#releaseLeases();
  }
}
