// Which session a request to continue a share has made, so that the same request, sent again, gets the same one. A row is
// there as long as its session, and LIMITS.forkKnownSecs at most (wire-contract.md §13.5).
import { LIMITS } from "@plumb/protocol/limits";
import type { Database, Queryable, Trx } from "../../platform/database/database.ts";
import { deleteExpired } from "../../platform/database/delete-expired.ts";

/** What a request is known by: `clientForkId` is its sender's choice, and means nothing with another share or user. */
export interface ForkRequest {
  userId: string;
  shareId: string;
  clientForkId: string;
}

/** The session that this request has made; undefined where it has made none that is still there. */
export async function findForkedSession(
  q: Queryable,
  { userId, shareId, clientForkId }: ForkRequest,
): Promise<string | undefined> {
  const row = await q
    .selectFrom("share_forks")
    .select("session_id")
    .where("user_id", "=", userId)
    .where("share_id", "=", shareId)
    .where("client_fork_id", "=", clientForkId)
    .executeTakeFirst();
  return row?.session_id;
}

/** Notes what the request makes, in the transaction that makes it. False where it has made another one: waits for one that is about to. */
export async function insertFork(
  trx: Trx,
  { userId, shareId, clientForkId }: ForkRequest,
  { sessionId, now }: { sessionId: string; now: number },
): Promise<boolean> {
  const inserted = await trx
    .insertInto("share_forks")
    .values({
      user_id: userId,
      share_id: shareId,
      client_fork_id: clientForkId,
      session_id: sessionId,
      expires_at: now + LIMITS.forkKnownSecs * 1000,
    })
    .onConflict((conflict) => conflict.columns(["user_id", "share_id", "client_fork_id"]).doNothing())
    .returning("session_id")
    .execute();
  return inserted.length === 1;
}

/** The sessions are being deleted: a request that made one of them makes a new one. */
export async function deleteForksOfSessions(trx: Trx, sessionIds: readonly string[]): Promise<void> {
  await trx
    .deleteFrom("share_forks")
    .where("session_id", "in", [...sessionIds])
    .execute();
}

/** The account is being deleted. */
export async function deleteForksOfUser(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom("share_forks").where("user_id", "=", userId).execute();
}

/** Forgets the requests that nobody will repeat any more. */
export async function purgeForks(db: Database, nowMs: number): Promise<void> {
  await deleteExpired(db, "share_forks", nowMs);
}
