// Slide puzzles by the hash of their id, and passes by the hash of their rid.
import type { Insertable, Selectable } from "kysely";
import type { Database, Queryable } from "../../platform/database/database.ts";
import { deleteExpired } from "../../platform/database/delete-expired.ts";
import type { CaptchaPassesTable, SlideCaptchasTable } from "../../platform/database/schema.ts";

export async function insertSlide(q: Queryable, row: Insertable<SlideCaptchasTable>): Promise<void> {
  await q.insertInto("slide_captchas").values(row).execute();
}

/** Removes the puzzle: of many parallel tries one gets it. */
export async function takeSlide(
  q: Queryable,
  idHash: string,
): Promise<Omit<Selectable<SlideCaptchasTable>, "id_hash"> | undefined> {
  return q
    .deleteFrom("slide_captchas")
    .where("id_hash", "=", idHash)
    .returning(["x", "solved_before", "device_id", "expires_at"])
    .executeTakeFirst();
}

export async function insertPass(q: Queryable, row: Insertable<CaptchaPassesTable>): Promise<void> {
  await q.insertInto("captcha_passes").values(row).execute();
}

/** Removes the pass: of many parallel uses one gets it. */
export async function takePass(
  q: Queryable,
  ridHash: string,
): Promise<Pick<CaptchaPassesTable, "device_id" | "expires_at"> | undefined> {
  return q
    .deleteFrom("captcha_passes")
    .where("rid_hash", "=", ridHash)
    .returning(["device_id", "expires_at"])
    .executeTakeFirst();
}

export async function deleteExpiredSlides(db: Database, nowMs: number): Promise<void> {
  await deleteExpired(db, "slide_captchas", nowMs + 1);
  await deleteExpired(db, "captcha_passes", nowMs + 1);
}
