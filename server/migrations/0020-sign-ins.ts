// Sign-ins that their owner can tell apart and end one by one, and birthdays for the age gate. A birthday that is asked for
// follows from MIN_AGE and from what was answered, so nothing is stored of it.
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>, engine: "sqlite" | "postgres"): Promise<void> {
  const int = engine === "postgres" ? sql`bigint` : sql`integer`;
  await db.schema.alterTable("login_tokens").addColumn("sign_in_id", "text").execute();
  await db.schema.alterTable("login_tokens").addColumn("client", "text").execute();
  await db.schema.alterTable("login_tokens").addColumn("region", "text").execute();
  const random = engine === "postgres" ? sql`gen_random_uuid()::text` : sql`lower(hex(randomblob(16)))`;
  await sql`update login_tokens set sign_in_id = ${random}, client = ''`.execute(db);

  await db.schema.alterTable("users").addColumn("birth_year", int).execute();
  await db.schema.alterTable("users").addColumn("birth_month", int).execute();
  await db.schema.alterTable("users").dropColumn("need_birthday").execute();
}
