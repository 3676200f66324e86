// Commands for whoever runs the server: `npm run operator -- check` and `npm run operator -- migrate`.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { readConfig } from "./config.ts";
import { checkInvariants } from "./operator/check-invariants.ts";
import { openDatabase } from "./platform/database/open-database.ts";
import { readDotenvFile } from "./platform/dotenv-file.ts";
import { createLogger } from "./platform/logger.ts";
import { keepNewFilesPrivate } from "./platform/private-files.ts";
import { StartError } from "./platform/start-error.ts";

const usage = `Usage: npm run operator -- COMMAND
  check    reads what is stored, of a stopped or a running server, and tells what must never be
  migrate  brings the database to this version's schema
`;

type Command = (out: (line: string) => void) => Promise<number>;

const commands: Record<string, Command> = {
  async check(out) {
    const db = await openStored({ mustExist: true });
    try {
      const { sessions, replies, violations } = await checkInvariants(db);
      for (const { invariant, where, what } of violations) out(`${invariant}  ${where}: ${what}`);
      out(`${sessions} sessions and ${replies} replies checked, ${violations.length} violations`);
      return violations.length === 0 ? 0 : 1;
    } finally {
      await db.close();
    }
  },

  async migrate(out) {
    const db = await openStored({ mustExist: false });
    await db.close();
    out("The database has this version's schema.");
    return 0;
  },
};

/** The database by the server's own settings, beside a running server if there is one. Opening it migrates it. */
async function openStored({ mustExist }: { mustExist: boolean }) {
  const config = readConfig(process.env, { dotenvText: readDotenvFile() });
  const file = join(config.dataDir, "plumb.db");
  if (mustExist && config.databaseUrl === null && !existsSync(file)) {
    throw new StartError(`There is no data to check: ${file} is not there. DATA_DIR says where to look.`);
  }
  return openDatabase(config, createLogger("warn"), { exclusive: false });
}

keepNewFilesPrivate();
const command = commands[process.argv[2] ?? ""];
if (command === undefined) {
  process.stderr.write(usage);
  process.exitCode = 2;
} else {
  try {
    process.exitCode = await command((line) => process.stdout.write(`${line}\n`));
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
