import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { currentUser } from "@plumb/protocol/wire/accounts";
import { fetchFiles } from "@plumb/protocol/wire/files";
import { createSession, historyMessages } from "@plumb/protocol/wire/sessions";
import { completion } from "@plumb/protocol/wire/turns";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTestApp, type TestApp } from "../../test/create-test-app.ts";
import { operate as operateOn } from "../../test/operate.ts";
import { pino } from "pino";
import { openDatabase } from "../platform/database/open-database.ts";
import { checkInvariants } from "./check-invariants.ts";

const silent = pino({ level: "silent" });

const operate = (dataDir: string, ...words: string[]) =>
  operateOn({ settings: { DATA_DIR: dataDir } }, ...words);

/** The application on a folder of data, as a server is that is started there. */
async function openOn(dataDir: string): Promise<TestApp> {
  const config = { databaseUrl: null, dataDir };
  const database = { dataDir, databaseUrl: null, openAnother: () => openDatabase(config, silent) };
  return createTestApp({ beside: { database } as unknown as TestApp });
}

describe("a backup", () => {
  let app: TestApp;
  let parent: string;
  beforeEach(async () => {
    app = await createTestApp();
    parent = mkdtempSync(join(tmpdir(), "plumb-backup-"));
    writeFileSync(join(app.database.dataDir, "secret.key"), "the key of this server");
  });
  afterEach(async () => {
    await app.close();
    rmSync(parent, { recursive: true, force: true });
  });

  it("is made beside a running server, and brings everything of its moment back elsewhere", async () => {
    const person = await app.signedIn();
    const file = await person.uploaded("notes.txt", "The secret word is xylophone. ".repeat(1000));
    const { id } = await person.ok(createSession, {});
    const said = await person.stream(completion, {
      chat_session_id: id,
      prompt: "Which word?",
      ref_file_ids: [file.id],
    });
    await said.ended;
    // Others go on meanwhile: with files that come and go, and a reply under way.
    let over = false;
    const others = (async () => {
      const other = await app.signedIn();
      for (let round = 0; !over; round += 1) {
        await other.uploaded(`${round}.txt`, `Text ${round}`);
        const session = await other.ok(createSession, {});
        await (
          await other.stream(completion, { chat_session_id: session.id, prompt: "Go on" })
        ).ended;
      }
    })();
    const folder = join(parent, "copy");
    const made = await operate(app.database.dataDir, "backup", folder);
    over = true;
    await others;
    expect(made).toMatchObject({ status: 0, stderr: "" });
    expect(made.stdout).toMatch(/^The backup is in .*copy: the database and \d+ objects\.\n$/u);
    expect(statSync(folder).mode & 0o077).toBe(0);

    // What happens after it is not in it.
    const late = await person.ok(createSession, {});
    const before = await person.ok(historyMessages, { chat_session_id: id });
    const back = join(parent, "back");
    const brought = await operate(back, "restore", folder);
    expect(brought).toMatchObject({ status: 0, stderr: "" });
    expect(brought.stdout).toMatch(/, 0 violations\.\n$/u);
    const restored = await openOn(back);
    try {
      const again = restored.client(person);
      expect((await again.ok(currentUser, {})).id).toBe(person.user?.id);
      expect(await again.ok(historyMessages, { chat_session_id: id })).toEqual(before);
      const { files } = await again.ok(fetchFiles, { file_ids: file.id });
      expect(files[0]).toMatchObject({ status: "SUCCESS", file_name: "notes.txt" });
      expect((await again.call(historyMessages, { chat_session_id: late.id })).envelope.data?.biz_code).toBe(
        1,
      );
      expect((await checkInvariants(restored.db)).violations).toEqual([]);
      const more = await again.stream(completion, {
        chat_session_id: id,
        parent_message_id: 2,
        prompt: "And?",
      });
      await more.ended;
    } finally {
      await restored.close();
    }
    expect(readdirSync(back)).toContain("secret.key");
  }, 60_000);

  it("is not made where no folder can be, and says so in a sentence", async () => {
    const file = join(parent, "a file");
    writeFileSync(file, "not a folder");
    for (const place of [file, "/proc/plumb"]) {
      const made = await operate(app.database.dataDir, "backup", join(place, "copy"));
      expect(made).toMatchObject({ status: 1, stdout: "" });
      expect(made.stderr).toMatch(/^The backup could not be made: [^\n]+\. Nothing is left of it\.\n$/u);
    }
    const made = await operate(app.database.dataDir, "backup", file);
    expect(made).toMatchObject({ status: 1, stdout: "" });
    expect(made.stderr).toMatch(/^[^\n]*a file is no folder to look into [^\n]+\n$/u);
    expect(readdirSync(parent)).toEqual(["a file"]);
  }, 60_000);

  it("that lacks bytes of a file is brought back with a word on it and an exit status", async () => {
    const person = await app.signedIn();
    const file = await person.uploaded("notes.txt", "The secret word is xylophone.");
    const folder = join(parent, "copy");
    await operate(app.database.dataDir, "backup", folder);
    rmSync(join(folder, "objects"), { recursive: true });
    const brought = await operate(join(parent, "back"), "restore", folder);
    expect(brought).toMatchObject({ status: 1, stderr: "" });
    expect(brought.stdout).toContain(file.id);
    expect(brought.stdout).toMatch(/, 1 violations\.\n$/u);
  }, 60_000);

  it("is brought back with what somebody wrote into it who was killed before the database took it over", async () => {
    const folder = join(parent, "copy");
    await operate(app.database.dataDir, "backup", folder);
    const writer = new DatabaseSync(join(folder, "plumb.db"));
    writer.exec("pragma journal_mode = wal; create table of_the_killed (said text)");
    const killed = join(parent, "killed");
    cpSync(folder, killed, { recursive: true });
    writer.close();
    expect(statSync(join(killed, "plumb.db-wal")).size).toBeGreaterThan(0);
    const back = join(parent, "back");
    expect(await operate(back, "restore", killed)).toMatchObject({ status: 0, stderr: "" });
    const database = new DatabaseSync(join(back, "plumb.db"), { readOnly: true });
    expect(database.prepare("select count(*) as count from of_the_killed").get()).toEqual({ count: 0 });
    database.close();
    expect(readdirSync(back).filter((name) => name.includes("incoming"))).toEqual([]);
  }, 60_000);

  it("is not made over anything, and not brought back over data or beside a server", async () => {
    const taken = join(parent, "taken");
    const { dataDir } = app.database;
    expect((await operate(dataDir, "backup", dataDir)).stderr).toMatch(/is there already, and not empty/u);
    expect(await operate(join(parent, "nowhere"), "backup", taken)).toMatchObject({ status: 1 });
    expect(existsSync(taken)).toBe(false);
    expect((await operate(parent, "restore", join(parent, "none"))).stderr).toMatch(/no whole backup/u);
    await operate(dataDir, "backup", taken);
    expect((await operate(dataDir, "restore", taken)).stderr).toMatch(/has data already/u);
    // A server that was killed leaves what its database has not taken over yet.
    const left = join(parent, "left");
    mkdirSync(left);
    for (const end of ["-wal", "-journal"]) {
      writeFileSync(join(left, `plumb.db${end}`), "pages of another database");
      expect((await operate(left, "restore", taken)).stderr).toMatch(/has data already/u);
      rmSync(join(left, `plumb.db${end}`));
    }
    rmSync(join(taken, "backup.json"));
    expect((await operate(join(parent, "new"), "restore", taken)).stderr).toMatch(/no whole backup/u);
    expect(existsSync(join(parent, "new"))).toBe(false);
  }, 60_000);
});
