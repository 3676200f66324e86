// Deep-thinking replies counted per user and day.
import type { Queryable } from "../../platform/database/database.ts";

/** Counts one reply unless `limit` are counted; false then. One guarded statement, so that parallel ones never pass it. */
export async function countThinking(
  q: Queryable,
  { userId, day, limit }: { userId: string; day: string; limit: number },
): Promise<boolean> {
  const counted = await q
    .insertInto("thinking_usage")
    .values({ user_id: userId, day, used: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(["user_id", "day"])
        .doUpdateSet((row) => ({ used: row("thinking_usage.used", "+", 1) }))
        .where("thinking_usage.used", "<", limit),
    )
    .returning("used")
    .executeTakeFirst();
  return counted !== undefined;
}

/** Takes one reply back; never below 0. */
export async function uncountThinking(q: Queryable, userId: string, day: string): Promise<void> {
  await q
    .updateTable("thinking_usage")
    .set((row) => ({ used: row("used", "-", 1) }))
    .where("user_id", "=", userId)
    .where("day", "=", day)
    .where("used", ">", 0)
    .execute();
}

/** Replies counted on the day. */
export async function thinkingUsed(q: Queryable, userId: string, day: string): Promise<number> {
  const row = await q
    .selectFrom("thinking_usage")
    .select("used")
    .where("user_id", "=", userId)
    .where("day", "=", day)
    .executeTakeFirst();
  return row?.used ?? 0;
}

/** Nothing is counted on the day any more. */
export async function clearThinking(q: Queryable, userId: string, day: string): Promise<void> {
  await q.deleteFrom("thinking_usage").where("user_id", "=", userId).where("day", "=", day).execute();
}

/** The account is being deleted. */
export async function forgetThinking(q: Queryable, userId: string): Promise<void> {
  await q.deleteFrom("thinking_usage").where("user_id", "=", userId).execute();
}
