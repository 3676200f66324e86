// A slide puzzle may be judged once, so its tries are no longer counted. It says instead how many were solved before it in a row.
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  // They live for two minutes, and a count of wrong tries would read as pictures solved.
  await sql`delete from slide_captchas`.execute(db);
  await db.schema.alterTable("slide_captchas").renameColumn("tries", "solved_before").execute();
}
