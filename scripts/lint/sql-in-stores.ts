// Where SQL may be written: in stores, the database's own folder and migrations. Pure.

/** Methods of Kysely that begin a statement. */
const begins = ["selectFrom", "insertInto", "updateTable", "deleteFrom", "mergeInto", "replaceInto"];

/** True for files that may hold SQL; all outside the server's source may. */
export function mayHoldSql(file: string): boolean {
  if (!file.startsWith("server/src/")) return true;
  return /(-store|\.test)\.ts$/.test(file) || file.startsWith("server/src/platform/database/");
}

/** True when a method of this name begins a statement. */
export function beginsStatement(method: string): boolean {
  return begins.includes(method);
}
