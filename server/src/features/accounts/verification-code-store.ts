// Live verification codes: one row per channel, target, scenario and requester.
import { sql } from "kysely";
import type { Database, Queryable, Trx } from "../../platform/database/database.ts";
import { deleteExpired } from "../../platform/database/delete-expired.ts";

export interface CodeKey {
  channel: "email" | "sms";
  /** The address in lower case, or the phone number. */
  target: string;
  /** What the code was sent for; "any" of a text message whose sender did not say. */
  scenario: string;
}

/** Who holds a code: both are keyed hashes. */
export interface CodeHolder {
  requester: string;
  network: string;
}

export interface StoredCode extends CodeKey, Pick<CodeHolder, "requester"> {
  code_hash: string;
  device_id: string | null;
  tries: number;
  network_tries: number;
}

/** Far more than the limits of codes let through: only a bound on what one target can cost. */
const LIVE_CODES_PER_TARGET = 30;

/** Stores a new code in place of the requester's older one, which is void from then on. */
export async function replaceCode(
  q: Queryable,
  { channel, target, scenario }: CodeKey,
  { requester, network }: CodeHolder,
  code: { code_hash: string; device_id: string | null; created_at: number; expires_at: number },
): Promise<void> {
  const fresh = { ...code, network, tries: 0, network_tries: 0 };
  await q
    .insertInto("verification_codes")
    .values({ channel, target, scenario, requester, ...fresh })
    .onConflict((conflict) =>
      conflict.columns(["channel", "target", "scenario", "requester"]).doUpdateSet(fresh),
    )
    .execute();
  const beyond = await q
    .selectFrom("verification_codes")
    .select(["scenario", "requester"])
    .where("channel", "=", channel)
    .where("target", "=", target)
    .orderBy("created_at", "desc")
    .limit(LIVE_CODES_PER_TARGET)
    .offset(LIVE_CODES_PER_TARGET)
    .execute();
  for (const old of beyond) await deleteCode(q, { channel, target, ...old });
}

/**
 * The caller's live code, locked against every other use until the transaction ends: the newest that its browser asked for,
 * else the newest that its network did. `scenarios` are those that the use accepts.
 */
export async function lockCode(
  db: Database,
  trx: Trx,
  { channel, target }: CodeKey,
  { scenarios, requester, network }: { scenarios: readonly string[]; requester: string; network: string },
  nowMs: number,
): Promise<StoredCode | undefined> {
  const found = await trx
    .selectFrom("verification_codes")
    .select(["scenario", "requester", "code_hash", "device_id", "tries", "network_tries"])
    .where("channel", "=", channel)
    .where("target", "=", target)
    .where("scenario", "in", scenarios)
    .where("expires_at", ">", nowMs)
    .where((row) => row.or([row("requester", "=", requester), row("network", "=", network)]))
    .orderBy(sql`case requester when ${requester} then 0 else 1 end`)
    .orderBy("created_at", "desc")
    .limit(1)
    .modifyEnd(db.forUpdate)
    .executeTakeFirst();
  return found === undefined ? undefined : { channel, target, ...found };
}

/** `of`: the column of whoever tried. */
export async function countWrongTry(
  trx: Trx,
  code: StoredCode,
  of: "tries" | "network_tries",
): Promise<void> {
  await trx
    .updateTable("verification_codes")
    .set((row) => ({ [of]: row(of, "+", 1) }))
    .where("channel", "=", code.channel)
    .where("target", "=", code.target)
    .where("scenario", "=", code.scenario)
    .where("requester", "=", code.requester)
    .execute();
}

export async function deleteCode(
  q: Queryable,
  { channel, target, scenario, requester }: CodeKey & Pick<CodeHolder, "requester">,
): Promise<void> {
  await q
    .deleteFrom("verification_codes")
    .where("channel", "=", channel)
    .where("target", "=", target)
    .where("scenario", "=", scenario)
    .where("requester", "=", requester)
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
