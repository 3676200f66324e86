// Somebody at a provider → an account here. Known by issuer and subject alone, never by an address of e-mail.
import type { Insertable, Selectable } from "kysely";
import type { Queryable } from "../../platform/database/database.ts";
import { preparedQuery } from "../../platform/database/prepared-query.ts";
import type { IdentitiesTable } from "../../platform/database/schema.ts";

export type IdentityRow = Selectable<IdentitiesTable>;
type Person = Pick<IdentityRow, "issuer" | "subject">;

export async function findIdentity(
  q: Queryable,
  { issuer, subject }: Person,
): Promise<IdentityRow | undefined> {
  return q
    .selectFrom("identities")
    .selectAll()
    .where("issuer", "=", issuer)
    .where("subject", "=", subject)
    .executeTakeFirst();
}

const selectIdentitiesOf = preparedQuery<{ user_id: string }, IdentityRow>((q, value) =>
  q
    .selectFrom("identities")
    .selectAll()
    .where("user_id", "=", value("user_id"))
    .orderBy("used_at", "desc")
    .orderBy("provider"),
);

/** The account's identities, the one used last first. */
export function listIdentitiesOf(q: Queryable, userId: string): Promise<IdentityRow[]> {
  return selectIdentitiesOf(q, { user_id: userId });
}

/** False when the person has an account already, or the account a person of this provider; also under a race. */
export async function insertIdentity(q: Queryable, row: Insertable<IdentitiesTable>): Promise<boolean> {
  const inserted = await q
    .insertInto("identities")
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning("subject")
    .executeTakeFirst();
  return inserted !== undefined;
}

/** The person was here, and the provider says this of them. */
export async function updateIdentity(
  q: Queryable,
  { issuer, subject }: Person,
  said: Pick<IdentityRow, "name" | "picture" | "locale" | "email" | "used_at">,
): Promise<void> {
  await q
    .updateTable("identities")
    .set(said)
    .where("issuer", "=", issuer)
    .where("subject", "=", subject)
    .execute();
}

export async function deleteIdentity(
  q: Queryable,
  userId: string,
  provider: IdentityRow["provider"],
): Promise<void> {
  await q.deleteFrom("identities").where("user_id", "=", userId).where("provider", "=", provider).execute();
}

export async function deleteIdentitiesOf(q: Queryable, userId: string): Promise<void> {
  await q.deleteFrom("identities").where("user_id", "=", userId).execute();
}
