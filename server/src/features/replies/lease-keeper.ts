// Keeps this process's leases alive, learns who else has taken one, and claims those nobody renews.
import { type Periodic, periodic } from "../../platform/periodic.ts";
import { foreignLeases, lapsedLeases, type Lease, renewLeases } from "../sessions/stream-log-store.ts";
import type { ReplyContext } from "./reply-context.ts";
import type { ReplyRun } from "./run-reply.ts";
import { takeOver } from "./take-over-replies.ts";

/** Claimed per look, so that several processes share what a dead one left. */
const CLAIMS_PER_LOOK = 50;

export interface LeaseKeeper {
  start(): Promise<void>;
  stop(): Promise<void>;
}

export function createLeaseKeeper(context: ReplyContext): LeaseKeeper {
  const { config, db, live, owner, log } = context;
  let unclaimed = new Set<number>();

  /** One that cannot be taken over now keeps nobody from the others. */
  async function takeOverAll(leases: readonly Lease[]): Promise<void> {
    for (const lease of leases) {
      try {
        await takeOver(context, lease);
      } catch (error) {
        log.error({ err: error, reply: lease.reply }, "a reply could not be taken over; it is retried");
      }
    }
  }

  const renewing: Periodic = periodic(context, "renewing leases", config.leaseRenewMs, async () => {
    // A run that begins while the statement is under way is not in its answer, and no lost one.
    let runs: ReplyRun[] = [];
    const leases = await context.commit.exclusive(() => {
      runs = live.all();
      return renewLeases(db, owner);
    });
    const held = new Map(leases.map((lease) => [lease.reply, lease]));
    for (const run of runs) {
      const lease = held.get(run.reply.id);
      if (lease === undefined || lease.epoch !== run.epoch) run.fence();
      else if (lease.stop_requested === 1) void run.stop();
    }
    for (const reply of live.notBegun) if (!held.has(reply)) live.notBegun.delete(reply);
    // A lease of ours twice in a row without a run: the run broke. It is taken over like that of a dead process.
    const idle = leases.filter((lease) => live.get(lease.reply) === undefined);
    const orphans = live.closing ? [] : idle.filter((lease) => unclaimed.has(lease.reply));
    unclaimed = new Set(idle.map((lease) => lease.reply));
    await takeOverAll(orphans);
  });

  const claiming: Periodic = periodic(context, "claiming lapsed leases", config.leaseRenewMs, async () => {
    if (live.closing) return;
    const lapsed = await lapsedLeases(db, owner, config.leaseTimeoutMs, CLAIMS_PER_LOOK);
    await takeOverAll(lapsed);
  });

  return {
    async start() {
      // The process lock of the data folder proves every earlier owner dead: nothing to wait for.
      if (db.engine === "sqlite") {
        const left = await foreignLeases(db, owner);
        if (left.length > 0)
          log.info({ replies: left.length }, "going on with replies an earlier process left");
        await takeOverAll(left);
      }
      claiming.start();
      renewing.start();
    },
    async stop() {
      await Promise.all([renewing.stop(), claiming.stop()]);
    },
  };
}
