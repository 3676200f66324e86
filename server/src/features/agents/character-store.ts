// Rows of personas. Every function takes the caller's transaction, or the database for a single statement.
import { isCharacterId } from "@plumb/protocol/rules/character-id";
import type { CharacterFields } from "@plumb/protocol/rules/character-rules";
import type { Character } from "@plumb/protocol/wire/agents";
import type { Selectable } from "kysely";
import type { Database, Queryable, Trx } from "../../platform/database/database.ts";
import { preparedQuery } from "../../platform/database/prepared-query.ts";
import type { CharactersTable } from "../../platform/database/schema.ts";
import { countTokens } from "../../platform/count-tokens.ts";
import { toSeconds } from "../../platform/seconds.ts";
import { lockUser } from "../accounts/user-store.ts";

export type CharacterRow = Selectable<CharactersTable>;

const select = preparedQuery<Pick<CharacterRow, "id" | "user_id">, CharacterRow>((q, value) =>
  q
    .selectFrom("characters")
    .selectAll()
    .where("id", "=", value("id"))
    .where("user_id", "=", value("user_id")),
);

/** The user's own; undefined for another's as for one that does not exist. */
export async function findCharacter(
  q: Queryable,
  userId: string,
  id: string,
): Promise<CharacterRow | undefined> {
  if (!isCharacterId(id)) return undefined;
  return (await select(q, { id, user_id: userId }))[0];
}

/** The latest update first. Not more than a user may have. */
export async function listOfCharacters(q: Queryable, userId: string): Promise<CharacterRow[]> {
  return q
    .selectFrom("characters")
    .selectAll()
    .where("user_id", "=", userId)
    .orderBy("updated_at", "desc")
    .orderBy("id")
    .execute();
}

/** How many the user has. Until `trx` ends nobody else of the user counts: the user's row is held. */
export async function countCharacters(db: Database, trx: Trx, userId: string): Promise<number> {
  await lockUser(db, trx, userId);
  const row = await trx
    .selectFrom("characters")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

export async function insertCharacter(q: Queryable, row: CharacterRow): Promise<void> {
  await q.insertInto("characters").values(row).execute();
}

/** Writes what is given and when (ms). Undefined when the user has no such persona, or no longer. */
export async function changeCharacter(
  q: Queryable,
  { id, user_id }: Pick<CharacterRow, "id" | "user_id">,
  change: Partial<CharacterFields> & { updated_at: number },
): Promise<CharacterRow | undefined> {
  return q
    .updateTable("characters")
    .set(change)
    .where("id", "=", id)
    .where("user_id", "=", user_id)
    .returningAll()
    .executeTakeFirst();
}

/** False when the user has no such persona. */
export async function removeCharacter(q: Queryable, userId: string, id: string): Promise<boolean> {
  if (!isCharacterId(id)) return false;
  const { numDeletedRows } = await q
    .deleteFrom("characters")
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** The account is being deleted. */
export async function deleteCharactersOfUser(q: Queryable, userId: string): Promise<void> {
  await q.deleteFrom("characters").where("user_id", "=", userId).execute();
}

/** The object of wire-contract.md §3.6. */
export async function presentCharacter(row: CharacterRow): Promise<Character> {
  const { user_id: _owner, created_at, updated_at, ...rest } = row;
  return {
    ...rest,
    token_usage: await countTokens(row.instructions),
    created_at: toSeconds(created_at),
    updated_at: toSeconds(updated_at),
  };
}
