// Compares what is counted of each account's storage with what is stored (migrations/0028-stored-bytes.ts), and counts it anew.
import { sql } from "kysely";
import type { Database } from "../platform/database/database.ts";

/**
 * Of each account whose count is wrong: what it lacks, in bytes. One statement, which sees a transaction with its count or
 * neither: others go on writing meanwhile. The sizes are those of the triggers.
 */
const differences = sql`
  select user_id, sum(bytes) as bytes from (
    select user_id, -bytes as bytes from stored_bytes
    union all select user_id, octet_length(fragments) + octet_length(files) + 512 from messages
    union all select user_id, octet_length(fragments) + octet_length(files) + 512 from share_messages
    union all select user_id, case when from_share = 0 then bytes + text_bytes else text_bytes end
      from files where removed_at is null
    union all select user_id, bytes from exports where object_key is not null and removed_at is null
  ) as sizes group by user_id having sum(bytes) <> 0`;

/** Accounts whose count is wrong, with the bytes that it lacks. */
export async function findMiscounted({
  kysely,
}: Pick<Database, "kysely">): Promise<{ userId: string; bytes: number }[]> {
  const { rows } = await sql<{ user_id: string; bytes: number | string }>`${differences}`.execute(kysely);
  return rows.map(({ user_id: userId, bytes }) => ({ userId, bytes: Number(bytes) }));
}

/** Corrects the counts that are wrong; returns how many. */
export async function recountStoredBytes({
  kysely,
  engine,
}: Pick<Database, "kysely" | "engine">): Promise<number> {
  const { rows } = await sql<{ user_id: string }>`
    insert into stored_bytes (user_id, bytes) select user_id, bytes from (${differences}) as lacking where true
    ${engine === "sqlite" ? sql`on conflict (user_id) do update set bytes = bytes + excluded.bytes` : sql``}
    returning user_id`.execute(kysely);
  return rows.length;
}
