// Fresh migrated databases for tests, on both engines: `describe.each(engines)("…", (engine) => …)`.
import { randomBytes } from "node:crypto";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { inject } from "vitest";
import type { Database } from "../src/platform/database/database.ts";
import { openDatabase } from "../src/platform/database/open-database.ts";
import { administer, withDatabase } from "./postgres.ts";

export type Engine = Database["engine"];

export const engines: readonly Engine[] = ["sqlite", "postgres"];

export interface TestDatabase {
  db: Database;
  /** A temporary folder of this database; on SQLite it holds the data. */
  dataDir: string;
  /** Null on SQLite. */
  databaseUrl: string | null;
  /** A second door to the same data, as another process would open it (SQLite: beside the lock). The caller closes it. */
  openAnother(): Promise<Database>;
  /** Closes `db` and removes the data. */
  close(): Promise<void>;
}

const silent = pino({ level: "silent" });

/** A new, empty, migrated database of the engine. */
export async function openTestDatabase(engine: Engine): Promise<TestDatabase> {
  const dataDir = mkdtempSync(join(tmpdir(), "plumb-test-"));
  const removeFolder = () => rmSync(dataDir, { recursive: true, force: true });
  if (engine === "sqlite") {
    const config = { databaseUrl: null, dataDir };
    const template = inject("sqliteTemplate");
    if (template !== undefined) copyFileSync(template, join(dataDir, "plumb.db"));
    const db = await openDatabase(config, silent);
    return {
      db,
      dataDir,
      databaseUrl: null,
      openAnother: () => openDatabase(config, silent, { exclusive: false }),
      async close() {
        await db.close();
        removeFolder();
      },
    };
  }
  const server = inject("postgresUrl");
  const name = `plumb_test_${randomBytes(6).toString("hex")}`;
  await administer(server, `create database ${name} template ${inject("postgresTemplate")}`);
  const config = { databaseUrl: withDatabase(server, name), dataDir };
  const db = await openDatabase(config, silent);
  return {
    db,
    dataDir,
    databaseUrl: config.databaseUrl,
    openAnother: () => openDatabase(config, silent),
    async close() {
      await db.close();
      await administer(server, `drop database ${name} with (force)`);
      removeFolder();
    },
  };
}
