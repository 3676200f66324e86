// Where a word still is, of all that a server keeps: every row of every table, and every byte of its folder.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import type { Database } from "../src/platform/database/database.ts";
import type { TestApp } from "./create-test-app.ts";

/** Each table, also those that FTS5 keeps its index in, as one text. A virtual one has no rows of its own to read. */
async function tablesAsText({ engine, kysely }: Database): Promise<Map<string, string>> {
  const { rows: tables } = await (
    engine === "sqlite"
      ? sql<{
          name: string;
        }>`select name from sqlite_master where type = 'table' and sql not like 'create virtual %'`
      : sql<{ name: string }>`select tablename as name from pg_tables where schemaname = current_schema()`
  ).execute(kysely);
  const texts = new Map<string, string>();
  for (const { name } of tables) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(kysely);
    texts.set(name, rows.flatMap((row) => Object.values(row).map(asText)).join("\n"));
  }
  return texts;
}

function asText(value: unknown): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString("latin1") : JSON.stringify(value);
}

/** `prompt in table messages`, `title in file ab/abc.content` and the like, of all places that have one of the words. */
export async function placesOfWords(
  { db, config }: TestApp,
  words: ReadonlyMap<string, string>,
): Promise<string[]> {
  const places = new Map<string, string>();
  for (const [name, text] of await tablesAsText(db)) places.set(`table ${name}`, text);
  for (const entry of readdirSync(config.dataDir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    places.set(`file ${path.slice(config.dataDir.length + 1)}`, readFileSync(path).toString("latin1"));
  }
  return [...words].flatMap(([name, word]) =>
    [...places].filter(([, text]) => text.includes(word)).map(([place]) => `${name} in ${place}`),
  );
}
