// Rows of what a sign-in under way has to remember, by the hash of the ticket that opens them.
import type { Insertable } from "kysely";
import type { Database, Queryable } from "../../platform/database/database.ts";
import { deleteExpired } from "../../platform/database/delete-expired.ts";
import type { OauthTicketsTable } from "../../platform/database/schema.ts";

export type TicketKey = Pick<OauthTicketsTable, "ticket_hash" | "kind" | "browser_hash">;

export async function insertTicket(q: Queryable, row: Insertable<OauthTicketsTable>): Promise<void> {
  await q.insertInto("oauth_tickets").values(row).execute();
}

export async function findTicket(
  q: Queryable,
  { ticket_hash, kind, browser_hash }: TicketKey,
): Promise<Pick<OauthTicketsTable, "content" | "expires_at"> | undefined> {
  return q
    .selectFrom("oauth_tickets")
    .select(["content", "expires_at"])
    .where("ticket_hash", "=", ticket_hash)
    .where("kind", "=", kind)
    .where("browser_hash", "=", browser_hash)
    .executeTakeFirst();
}

/** Removes the ticket: of many parallel uses one gets it. Another browser or another kind does not even remove it. */
export async function takeTicketRow(
  q: Queryable,
  { ticket_hash, kind, browser_hash }: TicketKey,
): Promise<Pick<OauthTicketsTable, "content" | "expires_at"> | undefined> {
  return q
    .deleteFrom("oauth_tickets")
    .where("ticket_hash", "=", ticket_hash)
    .where("kind", "=", kind)
    .where("browser_hash", "=", browser_hash)
    .returning(["content", "expires_at"])
    .executeTakeFirst();
}

export async function deleteExpiredTickets(db: Database, nowMs: number): Promise<void> {
  await deleteExpired(db, "oauth_tickets", nowMs + 1);
}
