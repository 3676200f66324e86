// Tables as they are, from the embedded database into PostgreSQL. The index of the history is made anew: its words are kept
// otherwise there.
import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import { sql } from "kysely";
import type { Queryable } from "../platform/database/database.ts";

/** Rows may be megabytes: so few at once. */
const ROWS_AT_ONCE = 20;
const INDEX_TABLES = /^history_/u;
/** stored_bytes is counted as the rows come. */
const OWN_TABLES = new Set(["schema_migrations", "stored_bytes"]);

type Row = Record<string, SQLOutputValue>;

/** The tables to be copied. */
export function tablesOf(source: DatabaseSync): string[] {
  const rows = source
    .prepare("select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name")
    .all();
  return rows
    .map(({ name }) => String(name))
    .filter((name) => !INDEX_TABLES.test(name) && !OWN_TABLES.has(name));
}

/** Whether all accounts of the target are of the source: it is empty, or a copy was begun. */
export async function isOwnTarget(source: DatabaseSync, target: Queryable): Promise<boolean> {
  const ids = await target.selectFrom("users").select("id").limit(1000).execute();
  const known = source.prepare("select 1 from users where id = ?");
  return ids.every(({ id }) => known.get(id) !== undefined);
}

/** Whether the database is of people already: nobody can have deleted anything before there is an account. */
export async function hasAccounts(target: Queryable): Promise<boolean> {
  return (await target.selectFrom("users").select("id").limit(1).executeTakeFirst()) !== undefined;
}

/** Copies what is not there yet; resolves with the number of rows that the table has. */
export async function copyTable(source: DatabaseSync, target: Queryable, table: string): Promise<number> {
  const quoted = `"${table}"`;
  const page = source.prepare(
    `select rowid as copied_rowid, * from ${quoted} where rowid > ? order by rowid limit ${ROWS_AT_ONCE}`,
  );
  let rows = 0;
  for (let after = -1; ;) {
    const found = page.all(after) as Row[];
    const last = found.at(-1);
    if (last === undefined) return rows;
    after = Number(last["copied_rowid"]);
    rows += found.length;
    await insertRows(target, table, found);
  }
}

async function insertRows(target: Queryable, table: string, found: readonly Row[]): Promise<void> {
  const columns = Object.keys(found[0] ?? {}).filter((name) => name !== "copied_rowid");
  const values = found.map((row) => sql`(${sql.join(columns.map((name) => valueOf(row[name])))})`);
  await sql`insert into ${sql.table(table)} (${sql.join(columns.map((name) => sql.ref(name)))})
    values ${sql.join(values)} on conflict do nothing`.execute(target);
}

function valueOf(value: SQLOutputValue | undefined): unknown {
  return value instanceof Uint8Array ? Buffer.from(value) : (value ?? null);
}

export async function countRows(target: Queryable, table: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(
    target,
  );
  return Number(rows[0]?.count);
}

/** Numbers that the database gives go on after those that were copied; every conversation waits to be indexed. */
export async function finishCopy(target: Queryable): Promise<void> {
  const { rows } = await sql<{ table_name: string; column_name: string }>`
    select table_name, column_name from information_schema.columns
    where table_schema = current_schema() and column_default like 'nextval(%'`.execute(target);
  for (const { table_name: table, column_name: column } of rows) {
    await sql`select setval(pg_get_serial_sequence(${table}, ${column}),
      (select coalesce(max(${sql.ref(column)}), 0) + 1 from ${sql.table(table)}), false)`.execute(target);
  }
  await sql`insert into history_waiting (session_id, after_id)
    select id, 0 from sessions where deleted_at is null on conflict do nothing`.execute(target);
}
