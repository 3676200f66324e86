// How many bytes are stored of an account. The database's triggers count them in each transaction that stores or removes
// messages, shared copies, files and exports (migrations/0028-stored-bytes.ts).
import type { Queryable } from "../../platform/database/database.ts";

/** Bytes stored of the user, those that the transaction has stored among them. Exact where the user's row is held. */
export async function storedBytesOf(q: Queryable, userId: string): Promise<number> {
  const { bytes } = await q
    .selectFrom("stored_bytes")
    .select(({ fn }) => fn.sum<number | string | null>("bytes").as("bytes"))
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  return Number(bytes ?? 0);
}
