// What running replies have read of the pages they found.
import type { Queryable } from "../../platform/database/database.ts";

/** By cite_index; "" for a page that could not be read. */
export async function loadSourceTexts(q: Queryable, reply: number): Promise<Map<number, string>> {
  const rows = await q
    .selectFrom("source_texts")
    .select(["cite_index", "text"])
    .where("reply", "=", reply)
    .execute();
  return new Map(rows.map((row) => [row.cite_index, row.text]));
}

/** What was stored before stays: a page counts as it was first read. */
export async function storeSourceText(
  q: Queryable,
  row: { reply: number; cite_index: number; text: string },
): Promise<void> {
  await q
    .insertInto("source_texts")
    .values(row)
    .onConflict((conflict) => conflict.columns(["reply", "cite_index"]).doNothing())
    .execute();
}
