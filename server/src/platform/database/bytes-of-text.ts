// A part of a long text, without the rest of it.
import { type RawBuilder, sql } from "kysely";
import type { Database } from "./database.ts";

/** Up to `count` bytes of a text column, UTF-8, from the byte `from` on. */
export function bytesOfText(
  { engine }: Pick<Database, "engine">,
  column: string,
  from: number,
  count: number,
): RawBuilder<Uint8Array> {
  const text = sql.ref(column);
  return engine === "postgres"
    ? sql`substring(convert_to(${text}, 'UTF8') from ${from + 1}::int for ${count}::int)`
    : sql`substr(cast(${text} as blob), ${from + 1}, ${count})`;
}
