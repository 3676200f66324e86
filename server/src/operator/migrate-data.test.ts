import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { currentUser } from "@plumb/protocol/wire/accounts";
import { fetchFiles } from "@plumb/protocol/wire/files";
import { searchSessions } from "@plumb/protocol/wire/history";
import { createSession, deleteSession, historyMessages } from "@plumb/protocol/wire/sessions";
import { completion } from "@plumb/protocol/wire/turns";
import { expect, it } from "vitest";
import { createTestApp, type TestApp } from "../../test/create-test-app.ts";
import { operate } from "../../test/operate.ts";
import { openTestDatabase } from "../../test/test-databases.ts";
import { checkFiles } from "./check-files.ts";
import { checkInvariants } from "./check-invariants.ts";

function migrateData(dataDir: string, databaseUrl: string | null, ...more: string[]) {
  const settings = {
    DATA_DIR: dataDir,
    SECRET_KEY: "a key for tests only",
    ...(databaseUrl === null ? {} : { DATABASE_URL: databaseUrl }),
  };
  return operate({ settings }, "migrate-data", ...more);
}

it("a stopped server's data goes to PostgreSQL and is served there as it was; continued, nothing is doubled", async () => {
  const app = await createTestApp();
  const { dataDir } = app.database;
  const target = await openTestDatabase("postgres");
  let moved: TestApp | null = null;
  try {
    const person = await app.signedIn();
    const file = await person.uploaded("notes.txt", "The secret word is xylophone.");
    const { id } = await person.ok(createSession, {});
    const prompt = "Which word? 木琴 \u{1F3B6}";
    const said = await person.stream(completion, { chat_session_id: id, prompt, ref_file_ids: [file.id] });
    await said.ended;
    const before = await person.ok(historyMessages, { chat_session_id: id });
    expect((await migrateData(dataDir, target.databaseUrl)).stderr).toMatch(/Another server already runs/u);
    expect((await migrateData(dataDir, null)).stderr).toMatch(/Set DATABASE_URL/u);
    await app.app.drain(0);
    await app.app.close();
    await app.db.close();

    for (const more of [[], ["continue"]]) {
      const { status, stdout, stderr } = await migrateData(dataDir, target.databaseUrl, ...more);
      expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
      expect(stdout).toMatch(/^users: 1 rows$/mu);
      expect(stdout).toMatch(/^The data is in PostgreSQL: 1 sessions, 0 violations\.$/mu);
    }
    const beside = { database: { ...target, openAnother: target.openAnother } } as unknown as TestApp;
    moved = await createTestApp({ engine: "postgres", beside, config: { dataDir } });
    const again = moved.client(person);
    expect((await again.ok(currentUser, {})).id).toBe(person.user?.id);
    expect(await again.ok(historyMessages, { chat_session_id: id })).toEqual(before);
    const { files } = await again.ok(fetchFiles, { file_ids: file.id });
    expect(files[0]).toMatchObject({ status: "SUCCESS", file_name: "notes.txt" });
    // New numbers go on after the old ones, and what was said is found.
    const more = await again.stream(completion, {
      chat_session_id: id,
      parent_message_id: 2,
      prompt: "And?",
    });
    await more.ended;
    await expect
      .poll(async () => (await again.ok(searchSessions, { q: "木琴" })).hits.length, { timeout: 20_000 })
      .toBe(2);
    expect((await checkInvariants(moved.db)).violations).toEqual([]);
    expect((await checkFiles(moved.db, moved.app.deps.ports.objectStore)).violations).toEqual([]);

    // What was deleted since does not come back unasked.
    await again.ok(deleteSession, { chat_session_id: id });
    expect(await migrateData(dataDir, target.databaseUrl)).toMatchObject({
      status: 1,
      stdout: "",
      stderr: expect.stringMatching(/^The database of DATABASE_URL has accounts of this folder already\./u),
    });
    const left = await again.call(historyMessages, { chat_session_id: id });
    expect(left.envelope.data?.biz_code).toBe(1);
    expect(await moved.db.kysely.selectFrom("messages").select("message_id").execute()).toEqual([]);

    // A database of somebody else's is left alone.
    await moved.signedIn();
    expect((await migrateData(dataDir, target.databaseUrl)).stderr).toMatch(/has other accounts already/u);
    expect((await migrateData(dataDir, target.databaseUrl, "continue")).stderr).toMatch(
      /has other accounts already/u,
    );
    writeFileSync(join(dataDir, "plumb.db"), "");
    expect((await migrateData(dataDir, target.databaseUrl)).status).toBe(1);
  } finally {
    await moved?.close();
    await target.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}, 90_000);
