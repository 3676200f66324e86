// One PostgreSQL server for a whole run of the server's tests (vitest's globalSetup), with a migrated template
// database that test-databases.ts copies; and one of SQLite. TEST_POSTGRES_URL names a running server to use instead.
import { execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import pg from "pg";
import { pino } from "pino";
import type { TestProject } from "vitest/node";
import type { Database } from "../src/platform/database/database.ts";
import { migrate } from "../src/platform/database/migrate.ts";
import { openDatabase } from "../src/platform/database/open-database.ts";
import { openPostgres } from "../src/platform/database/open-postgres.ts";
import { deadlocksIn } from "./deadlocks.ts";

declare module "vitest" {
  interface ProvidedContext {
    postgresUrl: string;
    /** The name of a migrated database, and how it is best copied. */
    postgresTemplate: string;
    /** The file of a migrated database, where one was made: another project's tests migrate each of theirs. */
    sqliteTemplate: string | undefined;
  }
}

export interface RunningServer {
  url: string;
  /** Prints the deadlocks it met, each of which is a fault in the order of our locks; in a long run they fail the run. */
  stop(): Promise<void>;
}

/** A server that a test stops and starts again on the same data and port. */
export interface RestartableServer extends RunningServer {
  /** "orderly" ends open connections and writes everything out; "crash" ends at once and recovers when it starts. */
  halt(how: "orderly" | "crash"): Promise<void>;
  /** Resolves when it answers again. */
  resume(): Promise<void>;
  /** What waited for each other until one was refused: of each deadlock the words of the server's log. */
  deadlocks(): string[];
}

export interface PostgresOptions {
  /** Commits survive a crash of the server's processes (not one of the machine). */
  keepsCommits?: boolean;
  /** The test makes deadlocks itself. */
  expectsDeadlocks?: boolean;
}

const programs = "/usr/lib/postgresql";

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const sqlite = mkdtempSync(join(tmpdir(), "plumb-template-"));
  const given = process.env["TEST_POSTGRES_URL"];
  const server =
    given === undefined || given === "" ? await startPostgres() : { url: given, stop: async () => {} };
  try {
    const template = `plumb_template_${randomBytes(6).toString("hex")}`;
    await administer(server.url, `create database ${template}`);
    const db = await openPostgres({
      url: withDatabase(server.url, template),
      log: pino({ level: "silent" }),
      poolSize: 1,
    });
    await migrate(db);
    const copied = await copiedBy(db, given);
    await db.close();
    const embedded = await openDatabase({ databaseUrl: null, dataDir: sqlite }, pino({ level: "silent" }));
    await embedded.close();
    project.provide("sqliteTemplate", join(sqlite, "plumb.db"));
    project.provide("postgresUrl", server.url);
    project.provide("postgresTemplate", `${template} ${copied}`);
    return async () => {
      await administer(server.url, `drop database ${template} with (force)`);
      rmSync(sqlite, { recursive: true, force: true });
      await server.stop();
    };
  } catch (error) {
    rmSync(sqlite, { recursive: true, force: true });
    await server.stop();
    throw error;
  }
}

/** In memory, copying files takes half of what writing every page into the log takes; before PostgreSQL 15 it is the one way. */
async function copiedBy(db: Database, given: string | undefined): Promise<string> {
  const inMemory = (given ?? "") === "" && process.env["TEST_MEMORY_FOLDER"] !== undefined;
  const { rows } = await sql<{
    version: string;
  }>`select current_setting('server_version_num') as version`.execute(db.kysely);
  return inMemory && Number(rows[0]?.version) >= 150_000 ? "strategy file_copy" : "";
}

/** The same server, another database. */
export function withDatabase(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.href;
}

/** Runs one statement that takes no transaction, such as CREATE DATABASE. */
export async function administer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Starts a server on a temporary folder and a free loopback port, without durability. It ends with this process. */
export async function startPostgres({
  keepsCommits = false,
  expectsDeadlocks = false,
}: PostgresOptions = {}): Promise<RestartableServer> {
  const bin = newestPrograms();
  const user = ownerOfServer();
  // Not where TMPDIR says: that may be a folder which the server's user cannot enter.
  const folder = mkdtempSync(join(process.env["TEST_MEMORY_FOLDER"] ?? "/tmp", "plumb-postgres-"));
  if (user !== null) chownSync(folder, user.uid, user.gid);
  const data = join(folder, "data");
  const logFile = join(folder, "log");
  const deadlocks = () => deadlocksIn(readFileSync(logFile, "utf8"));
  const as = user ?? {};
  const options = ["--auth=trust", "--username=postgres", "--no-sync", "--encoding=UTF8", "--locale=C"];
  execFileSync(join(bin, "initdb"), ["-D", data, ...options], { ...as, cwd: folder, stdio: "pipe" });

  let failure: unknown;
  for (let attempt = 0; attempt < 5; attempt++) {
    const port = await freePort();
    const settings = {
      listen_addresses: "127.0.0.1",
      port,
      unix_socket_directories: "",
      fsync: "off",
      synchronous_commit: keepsCommits ? "on" : "off",
      full_page_writes: "off",
      // Its folder may be in memory. Databases are made by copying, which writes as much into the log.
      max_wal_size: "256MB",
      max_connections: 300,
      shared_buffers: "64MB",
      // Errors without their statements: those of a deadlock stand in its details.
      log_min_messages: "error",
      log_min_error_statement: "panic",
      log_checkpoints: "off",
    };
    const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    // The shell waits for a line or the end of its input, which closes with this process however it ends.
    const script = '"$@" 2>>"$0" & server=$!; read how; kill -${how:-INT} $server; wait $server';
    const start = () => {
      const child = spawn("/bin/sh", ["-c", script, logFile, join(bin, "postgres"), "-D", data, ...flags], {
        ...as,
        cwd: folder,
        stdio: ["pipe", "ignore", "ignore"],
      });
      const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
      return { child, ended };
    };
    let running = start();
    const end = async (signal: "INT" | "QUIT") => {
      running.child.stdin.end(`${signal}\n`);
      await running.ended;
    };
    const url = `postgresql://postgres@127.0.0.1:${port}/postgres`;
    try {
      await answers(url);
      return {
        url,
        halt: (how) => end(how === "orderly" ? "INT" : "QUIT"),
        async resume() {
          running = start();
          await answers(url);
        },
        deadlocks,
        async stop() {
          if (running.child.exitCode === null) await end("INT");
          const met = expectsDeadlocks ? [] : deadlocks();
          rmSync(folder, { recursive: true, force: true });
          report(met);
        },
      };
    } catch (error) {
      failure = error;
      await end("INT");
    }
  }
  rmSync(folder, { recursive: true, force: true });
  throw new Error("The PostgreSQL server for the tests did not start.", { cause: failure });
}

function report(deadlocks: readonly string[]): void {
  if (deadlocks.length === 0) return;
  const words = `PostgreSQL met ${deadlocks.length} deadlock(s):\n${deadlocks.join("\n")}`;
  if (process.env["TEST_LONG"] === "1") throw new Error(words);
  process.stderr.write(`${words}\n`);
}

function newestPrograms(): string {
  const versions = existsSync(programs) ? readdirSync(programs).sort((a, b) => Number(b) - Number(a)) : [];
  const bin = versions
    .map((version) => join(programs, version, "bin"))
    .find((path) => existsSync(join(path, "initdb")));
  if (bin === undefined) {
    throw new Error(
      `The server's tests run on PostgreSQL too, and none is installed under ${programs}. ` +
        "Install Debian's package `postgresql`, or name a server with TEST_POSTGRES_URL.",
    );
  }
  return bin;
}

/** initdb refuses root; the package's own user takes its place. */
function ownerOfServer(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const idOf = (flag: string) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }).trim());
  return { uid: idOf("-u"), gid: idOf("-g") };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => {
        if (address !== null && typeof address === "object") resolve(address.port);
        else reject(new Error("no port"));
      });
    });
  });
}

async function answers(url: string): Promise<void> {
  let failure: unknown;
  for (let tries = 0; tries < 200; tries++) {
    try {
      await administer(url, "select 1");
      return;
    } catch (error) {
      failure = error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  throw failure;
}
