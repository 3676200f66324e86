// Live verification codes: one row per channel, target and scenario.
import type { Database, Queryable, Trx } from "../../platform/database/database.ts";
import { deleteExpired } from "../../platform/database/delete-expired.ts";

export interface CodeKey {
  channel: "email" | "sms";
  /** The address in lower case, or the phone number. */
  target: string;
  scenario: string;
}

interface StoredCode {
  code_hash: string;
  device_id: string | null;
  tries: number;
  expires_at: number;
}

/** Stores a new code in place of the older one, which is void from then on. */
export async function replaceCode(
  q: Queryable,
  key: CodeKey,
  code: { code_hash: string; device_id: string | null; created_at: number; expires_at: number },
): Promise<void> {
  await q
    .insertInto("verification_codes")
    .values({ ...key, ...code, tries: 0 })
    .onConflict((conflict) =>
      conflict.columns(["channel", "target", "scenario"]).doUpdateSet({ ...code, tries: 0 }),
    )
    .execute();
}

/** The code, locked against every other use until the transaction ends. */
export async function lockCode(db: Database, trx: Trx, key: CodeKey): Promise<StoredCode | undefined> {
  return trx
    .selectFrom("verification_codes")
    .select(["code_hash", "device_id", "tries", "expires_at"])
    .where("channel", "=", key.channel)
    .where("target", "=", key.target)
    .where("scenario", "=", key.scenario)
    .modifyEnd(db.forUpdate)
    .executeTakeFirst();
}

export async function countWrongTry(trx: Trx, key: CodeKey): Promise<void> {
  await trx
    .updateTable("verification_codes")
    .set((row) => ({ tries: row("tries", "+", 1) }))
    .where("channel", "=", key.channel)
    .where("target", "=", key.target)
    .where("scenario", "=", key.scenario)
    .execute();
}

export async function deleteCode(q: Queryable, key: CodeKey): Promise<void> {
  await q
    .deleteFrom("verification_codes")
    .where("channel", "=", key.channel)
    .where("target", "=", key.target)
    .where("scenario", "=", key.scenario)
    .execute();
}

export async function deleteExpiredCodes(db: Database, nowMs: number): Promise<void> {
  await deleteExpired(db, "verification_codes", nowMs + 1);
}

/** Forgets the codes that were sent to somebody. */
export async function deleteCodesOf(
  q: Queryable,
  { email, mobile }: { email: string | null; mobile: string | null },
): Promise<void> {
  const targets = [email, mobile].filter((target) => target !== null);
  if (targets.length > 0) await q.deleteFrom("verification_codes").where("target", "in", targets).execute();
}
