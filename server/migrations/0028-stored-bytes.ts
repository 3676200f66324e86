// How many bytes are stored of each account, for the storage quota. Triggers count, because a statement that stores or removes
// something cannot forget them, nor can a process of the version before while both run.
import { type Kysely, sql } from "kysely";

/** What a message takes beside its words: its row, that of its reply, their places in the indexes. */
const MESSAGE_ROW_BYTES = 512;

interface Counted {
  table: string;
  /** The columns that the size is made of. */
  columns: readonly string[];
  /** The bytes of the row `row`. */
  size(row: string): string;
}

const messageSize = (row: string): string =>
  `(octet_length(${row}.fragments) + octet_length(${row}.files) + ${MESSAGE_ROW_BYTES})`;

const counted: readonly Counted[] = [
  { table: "messages", columns: ["fragments", "files"], size: messageSize },
  { table: "share_messages", columns: ["fragments", "files"], size: messageSize },
  {
    table: "files",
    columns: ["bytes", "text_bytes", "from_share", "removed_at"],
    // One that was copied has a text alone; one that was removed is freed at once, though a job takes its bytes.
    size: (row) =>
      `(case when ${row}.removed_at is not null then 0 when ${row}.from_share = 0 ` +
      `then ${row}.bytes + ${row}.text_bytes else ${row}.text_bytes end)`,
  },
  {
    table: "exports",
    columns: ["bytes", "object_key", "removed_at"],
    size: (row) =>
      `(case when ${row}.object_key is null or ${row}.removed_at is not null then 0 else ${row}.bytes end)`,
  },
];

export async function up(db: Kysely<unknown>, engine: "sqlite" | "postgres"): Promise<void> {
  const statements = engine === "postgres" ? postgresStatements() : sqliteStatements();
  for (const statement of statements) await sql.raw(statement).execute(db);
  // What was stored before. On PostgreSQL the new triggers hold back other writers until this is committed.
  const sizes = counted.map(({ table, size }) => `select user_id, ${size(table)} as bytes from ${table}`);
  await sql
    .raw(
      `insert into stored_bytes (user_id, bytes) select user_id, sum(bytes) from (${sizes.join(" union all ")}) as sizes
       group by user_id having sum(bytes) > 0`,
    )
    .execute(db);
}

/** One row an account: SQLite has one writer at a time. */
function sqliteStatements(): string[] {
  const add = (owner: string, change: string): string =>
    `begin
       insert into stored_bytes (user_id, bytes) values (${owner}, ${change})
         on conflict (user_id) do update set bytes = bytes + excluded.bytes;
       delete from stored_bytes where user_id = ${owner} and bytes = 0;
     end`;
  return [
    "create table stored_bytes (user_id text primary key not null, bytes integer not null)",
    ...counted.flatMap(({ table, columns, size }) => [
      `create trigger ${table}_stored after insert on ${table} ${add("new.user_id", size("new"))}`,
      `create trigger ${table}_changed after update of ${columns.join(", ")} on ${table}
         ${add("new.user_id", `${size("new")} - ${size("old")}`)}`,
      `create trigger ${table}_removed after delete on ${table} ${add("old.user_id", `- ${size("old")}`)}`,
    ]),
  ];
}

/**
 * An account's bytes are the sum of its rows, commonly one. A transaction replaces those that nobody holds by one of its own and
 * leaves the others, so that no two wait for each other: they would deadlock over the sessions and files they hold besides.
 */
function postgresStatements(): string[] {
  const rowTrigger = ({ table }: Counted, name: string, event: string, change: string): string[] => [
    `create function ${table}_${name}() returns trigger language plpgsql as $$
       begin
         perform add_stored_bytes(new.user_id, ${change});
         return null;
       end $$`,
    `create trigger ${table}_${name} after ${event} on ${table}
       for each row execute function ${table}_${name}()`,
  ];
  return [
    "create table stored_bytes (user_id text not null, bytes bigint not null)",
    "create index stored_bytes_user on stored_bytes (user_id)",
    `create function add_stored_bytes(owner text, change bigint) returns void language plpgsql as $$
       begin
         if change = 0 then return; end if;
         with replaced as (
           delete from stored_bytes where ctid = any(array(
             select ctid from stored_bytes where user_id = owner for update skip locked))
           returning bytes
         ), total as (select change + coalesce(sum(bytes), 0) as bytes from replaced)
         insert into stored_bytes (user_id, bytes) select owner, bytes from total where bytes <> 0;
       end $$`,
    ...counted.flatMap((one) => [
      ...rowTrigger(one, "stored", "insert", one.size("new")),
      ...rowTrigger(
        one,
        "changed",
        `update of ${one.columns.join(", ")}`,
        `${one.size("new")} - ${one.size("old")}`,
      ),
      // Many go in one statement.
      `create function ${one.table}_removed() returns trigger language plpgsql as $$
         begin
           perform add_stored_bytes(user_id, - bytes) from (
             select user_id, sum(${one.size("removed")})::bigint as bytes from removed group by user_id
           ) as sums;
           return null;
         end $$`,
      `create trigger ${one.table}_removed after delete on ${one.table} referencing old table as removed
         for each statement execute function ${one.table}_removed()`,
    ]),
  ];
}
