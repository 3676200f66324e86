// Commands for whoever runs the server: `npm run operator -- COMMAND`. They work beside a running server.
import { existsSync } from "node:fs";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { createFolderObjectStore } from "./adapters/object-store/folder-object-store.ts";
import { readConfig } from "./config.ts";
import {
  ban,
  forgetBirthday,
  listUsers,
  mute,
  type Operation,
  review,
  showUser,
  unban,
  unmute,
  unreview,
} from "./operator/account-commands.ts";
import { backup, type BackupTools, restore } from "./operator/backup.ts";
import { announce, removeBanner, showBanner } from "./operator/banner-commands.ts";
import { invite } from "./operator/invite-command.ts";
import { continueMigration, migrateData } from "./operator/migrate-data.ts";
import { createUser, resetPassword } from "./operator/password-commands.ts";
import { recountStorage, resetQuota, showQuota } from "./operator/quota-commands.ts";
import { reindexSearch } from "./operator/search-command.ts";
import { disableShare, enableShare } from "./operator/share-commands.ts";
import { unbind } from "./operator/unbind-command.ts";
import { checkFiles } from "./operator/check-files.ts";
import { checkInvariants } from "./operator/check-invariants.ts";
import { openDatabase } from "./platform/database/open-database.ts";
import { readDotenvFile } from "./platform/dotenv-file.ts";
import { readKeptAddress } from "./platform/kept-address.ts";
import { createLogger } from "./platform/logger.ts";
import { keepNewFilesPrivate } from "./platform/private-files.ts";
import { placesOf, siteAddress } from "./platform/start-lines.ts";
import { StartError } from "./platform/start-error.ts";
import { systemClock } from "./ports/clock.ts";

const usage = `Usage: npm run operator -- COMMAND
  check             reads what is stored and tells what must never be
  check-files       tells files without their bytes, and bytes without a file
  migrate           brings the database to this version's schema
  users list        every account with its status
  users show WHO    one account; WHO is its id, its e-mail or its phone number
  ban WHO           signs the account out everywhere and stops its replies; it cannot sign in
  unban WHO         lets the account sign in again
  mute WHO --until TIME
                    lets the account read and not write until then; TIME is a span
                    such as 90m, 12h or 7d, or a moment such as 2027-01-31T18:00Z
  unmute WHO        lets the account write again
  review WHO        lets the account read and not write, until its review ends
  unreview WHO      ends the review
  create-user EMAIL makes an account and shows its password once
  reset-password WHO
                    gives the account another password, shown once, and signs it
                    out everywhere
  unbind WHO phone|wechat|google
                    takes that way to sign in from the account, with a password that
                    came by it, and signs it out everywhere; the last way in stays
  forget-birthday WHO
                    lets the account give its birthday once more, where the first one
                    was wrong or somebody else gave it
  invite [EMAIL]    a link with which one person signs up, also where sign-up is
                    closed; with EMAIL it is good for that address alone, and takes
                    no code; without EMAIL the address is proved by a code where
                    SMTP_URL is set
  quota WHO         how much of today's deep thinking is used, and of the storage
  quota reset WHO   gives the day's deep thinking back
  quota recount     counts what is stored of every account anew, where \`check\` says
                    that a count is wrong
  share disable ID  nobody can read the shared chat, or continue it, any more;
                    its link stands for its ID
  share enable ID   the shared chat can be read again
  banner show       the announcement at the top of the page
  banner set TEXT   announces it to everybody; @FILE instead of TEXT takes a JSON
                    document with texts for each language; TEXT may begin with "--"
                    where it has more than one word
  banner clear      takes it away
  search reindex    makes what was said before an update found as what is said now;
                    it may be interrupted, and begun again
  backup FOLDER     copies database, files and key into a new folder, beside the
                    running server
  migrate-data      moves the data of DATA_DIR to the PostgreSQL database of
                    DATABASE_URL, which has no accounts yet; the server must be
                    stopped
  migrate-data continue
                    goes on where that was interrupted; what was deleted in the
                    PostgreSQL database since would come back
  restore FOLDER    brings a backup back into DATA_DIR, which has no data yet
They take effect on a running server within a second. They read the same settings as the server does: \`.env\`, and
those of its start, such as DATA_DIR.
`;

interface Chooser {
  /** The words that choose it; its parameters follow them. */
  words: readonly string[];
  parameters: number;
  /** Stands before the last parameter. */
  option?: string;
  /** Makes the database when there is none. */
  makesData?: true;
}

interface DataCommand extends Chooser {
  /** The exit status; 0 when nothing is returned. */
  run(operation: Operation, ...parameters: string[]): Promise<number | void>;
}

/** Opens the data itself. */
interface FolderCommand extends Chooser {
  /** The number of violations found in what came of it, where it looks for any. */
  runOnFolder(tools: BackupTools, ...parameters: string[]): Promise<number | void>;
}

type Command = DataCommand | FolderCommand;

const commands: readonly Command[] = [
  { words: ["check"], parameters: 0, run: check },
  { words: ["check-files"], parameters: 0, run: checkAllFiles },
  {
    words: ["migrate"],
    parameters: 0,
    makesData: true,
    run: async ({ out }) => out("The database has this version's schema."),
  },
  { words: ["users", "list"], parameters: 0, run: listUsers },
  { words: ["users", "show"], parameters: 1, run: showUser },
  { words: ["ban"], parameters: 1, run: ban },
  { words: ["unban"], parameters: 1, run: unban },
  { words: ["mute"], parameters: 2, option: "--until", run: mute },
  { words: ["unmute"], parameters: 1, run: unmute },
  { words: ["review"], parameters: 1, run: review },
  { words: ["unreview"], parameters: 1, run: unreview },
  { words: ["create-user"], parameters: 1, run: createUser },
  { words: ["reset-password"], parameters: 1, run: resetPassword },
  { words: ["unbind"], parameters: 2, run: unbind },
  { words: ["forget-birthday"], parameters: 1, run: forgetBirthday },
  { words: ["invite"], parameters: 0, run: invite },
  { words: ["invite"], parameters: 1, run: invite },
  { words: ["quota", "reset"], parameters: 1, run: resetQuota },
  { words: ["quota", "recount"], parameters: 0, run: recountStorage },
  { words: ["quota"], parameters: 1, run: showQuota },
  { words: ["banner", "show"], parameters: 0, run: showBanner },
  { words: ["banner", "set"], parameters: 1, run: announce },
  { words: ["banner", "clear"], parameters: 0, run: removeBanner },
  { words: ["search", "reindex"], parameters: 0, run: reindexSearch },
  { words: ["backup"], parameters: 1, runOnFolder: backup },
  { words: ["restore"], parameters: 1, runOnFolder: restore },
  { words: ["migrate-data"], parameters: 0, runOnFolder: migrateData },
  { words: ["migrate-data", "continue"], parameters: 0, runOnFolder: continueMigration },
  { words: ["share", "disable"], parameters: 1, run: disableShare },
  { words: ["share", "enable"], parameters: 1, run: enableShare },
];

async function check({ db, out }: Operation): Promise<number> {
  const { sessions, replies, violations } = await checkInvariants(db);
  for (const { invariant, where, what } of violations) out(`${invariant}  ${where}: ${what}`);
  out(`${sessions} sessions and ${replies} replies checked, ${violations.length} violations`);
  return violations.length === 0 ? 0 : 1;
}

async function checkAllFiles({ db, out, dataDir }: Operation): Promise<number> {
  const store = createFolderObjectStore(join(dataDir, "objects"));
  const { files, objects, violations } = await checkFiles(db, store);
  for (const { where, what } of violations) out(`${where}: ${what}`);
  out(`${files} files and ${objects} objects checked, ${violations.length} violations`);
  return violations.length === 0 ? 0 : 1;
}

interface Chosen {
  command: Command;
  parameters: readonly string[];
}

/** Whoever asks for help gets it, whatever stands beside it: nothing is named or announced "--help". */
const asksForHelp = (given: readonly string[]): boolean =>
  given[0] === "help" || given.some((word) => word === "--help" || word === "-h");

/** A word that is meant as an option, known or not. What has spaces or letters of a text in it is a text. */
const OPTION = /^--([a-z][\w-]*(=.*)?)?$/iu;

/** The command and its parameters; undefined when no command fits the given words. */
function choose(given: readonly string[]): Chosen | undefined {
  const options = new Set(commands.map(({ option }) => option));
  if (given.some((word) => OPTION.test(word) && !options.has(word))) return undefined;
  for (const command of commands) {
    const { words, option } = command;
    if (!words.every((word, index) => given[index] === word)) continue;
    const rest = given.slice(words.length);
    if (option !== undefined && rest.at(-2) !== option) continue;
    const parameters = rest.filter((_word, index) => option === undefined || index !== rest.length - 2);
    if (parameters.length === command.parameters) return { command, parameters };
  }
  return undefined;
}

/** What is wrong with words that no command fits. */
function whyNone(given: readonly string[]): string {
  const known = commands.some(({ words: [first] }) => first === given[0]);
  return known
    ? `${JSON.stringify(given.join(" "))} is no whole command, or has too many words.`
    : `There is no command ${JSON.stringify(given[0])}.`;
}

/** Runs the command on the server's own data, by the server's own settings. Opening the data migrates it. */
async function operate({ command, parameters }: Chosen): Promise<number> {
  const config = readConfig(process.env, { dotenvText: readDotenvFile() });
  const log = createLogger("warn");
  const out = (line: string): void => void process.stdout.write(`${line}\n`);
  const nowMs = systemClock.now();
  if ("runOnFolder" in command) {
    const tools = { ...config, log, out, nowMs, storeIn: createFolderObjectStore };
    const violations = (await command.runOnFolder(tools, ...parameters)) ?? 0;
    return violations === 0 ? 0 : 1;
  }
  const file = join(config.dataDir, "plumb.db");
  if (command.makesData !== true && config.databaseUrl === null && !existsSync(file)) {
    throw new StartError(`There is no data: ${file} is not there. DATA_DIR says where to look.`);
  }
  const db = await openDatabase(config, log, { exclusive: false, patient: true });
  try {
    const { port, host } = readKeptAddress(config.dataDir) ?? config;
    const at = { host, publicUrl: config.publicUrl };
    const site = { address: siteAddress(at, port), ...placesOf(at, port, networkInterfaces()) };
    const means = {
      mail: config.smtp !== null,
      sms: config.smsWebhook !== null,
      google: config.google !== null,
      wechat: config.wechat !== null,
    };
    return (await command.run({ db, out, nowMs, site, means, ...config }, ...parameters)) ?? 0;
  } finally {
    await db.close();
  }
}

keepNewFilesPrivate();
const given = process.argv.slice(2);
const chosen = choose(given);
if (asksForHelp(given)) process.stdout.write(usage);
else if (chosen === undefined) {
  process.stderr.write(given.length === 0 ? usage : `${usage}\n${whyNone(given)}\n`);
  process.exitCode = 2;
} else {
  try {
    process.exitCode = await operate(chosen);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
