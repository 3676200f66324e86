// The announcement that the operator has set (wire-contract.md §6.6). There is one at most.
import { readBanner } from "@plumb/protocol/rules/banner-rules";
import { parseJson } from "@plumb/protocol/wire/json";
import type { Banner } from "@plumb/protocol/wire/site";
import type { Queryable } from "../../platform/database/database.ts";

const PLACE = "page";

/** Null where none is set. */
export async function findBanner(q: Queryable): Promise<Banner | null> {
  const row = await q.selectFrom("banner").select("document").where("place", "=", PLACE).executeTakeFirst();
  const parsed = parseJson(row?.document ?? "");
  return parsed.ok ? readBanner(parsed.value) : null;
}

/** Puts it in the place of the one before. */
export async function setBanner(q: Queryable, banner: Banner, nowMs: number): Promise<void> {
  const values = { document: JSON.stringify(banner), set_at: nowMs };
  await q
    .insertInto("banner")
    .values({ place: PLACE, ...values })
    .onConflict((conflict) => conflict.column("place").doUpdateSet(values))
    .execute();
}

export async function clearBanner(q: Queryable): Promise<void> {
  await q.deleteFrom("banner").where("place", "=", PLACE).execute();
}
