// A ban stops the running replies of the account, on whichever process they run, within a second (wire-contract.md §1.8).
import type { Deps } from "../../platform/deps.ts";
import { type Periodic, periodic } from "../../platform/periodic.ts";
import { bannedAmong } from "../moderation/account-status-store.ts";
import type { LiveReplies } from "./live-replies.ts";

/** With the statement and the settlement itself under the second. */
const LOOK_MS = 500;

/** Each process looks after its own runs; a process without any asks nothing. */
export function stopBanned(context: Pick<Deps, "db" | "ports" | "log"> & { live: LiveReplies }): Periodic {
  const { db, live } = context;
  return periodic(context, "stopping replies of banned accounts", LOOK_MS, async () => {
    const runs = live.all();
    if (runs.length === 0) return;
    const banned = await bannedAmong(
      db.kysely,
      runs.map((run) => run.reply.user_id),
    );
    for (const run of runs) if (banned.has(run.reply.user_id)) void run.stop();
  });
}
