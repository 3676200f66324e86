// Since when a token counts as its owner's own, since when an address or a phone is an account's, and the number that links to
// files and exports carry. Nobody was told yet when a phone was bound to an account that had an address first: that stays unknown.
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>, engine: "sqlite" | "postgres"): Promise<void> {
  const int = engine === "postgres" ? sql`bigint` : sql`integer`;
  await db.schema
    .alterTable("login_tokens")
    .addColumn("confirmed_until", int, (column) => column.notNull().defaultTo(0))
    .execute();
  for (const name of ["email_bound_at", "email_proved_at", "mobile_bound_at", "mobile_proved_at"])
    await db.schema.alterTable("users").addColumn(name, int).execute();
  await db.schema.alterTable("users").addColumn("password_proved_by", "text").execute();
  await db.schema.alterTable("users").addColumn("former_mobile", "text").execute();
  await db.schema.alterTable("users").addColumn("former_mobile_until", int).execute();
  await sql`create index users_former_mobile on users (former_mobile_until)
    where former_mobile_until is not null`.execute(db);
  await db.schema
    .alterTable("users")
    .addColumn("link_generation", int, (column) => column.notNull().defaultTo(0))
    .execute();
  // Until now an address came with its account alone.
  await sql`update users set email_bound_at = created_at where email is not null`.execute(db);
  await sql`update users set mobile_bound_at = created_at
    where mobile is not null and email is null
      and not exists (select 1 from identities where identities.user_id = users.id)`.execute(db);
}
