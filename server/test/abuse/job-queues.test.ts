// Work that takes long, and uploads that do not end: they cost their senders, and nobody else's turn.
import { LIMITS } from "@plumb/protocol/limits";
import { downloadExportHistory, exportAll } from "@plumb/protocol/wire/exports";
import { fetchFiles, uploadFile } from "@plumb/protocol/wire/files";
import { lastImport } from "@plumb/protocol/wire/imports";
import { createSession } from "@plumb/protocol/wire/sessions";
import { completion } from "@plumb/protocol/wire/turns";
import { writeFile } from "node:fs/promises";
import { afterEach, expect, test, vi } from "vitest";
import { sendImport } from "../../src/features/imports/import.fixture.ts";
import { EXTENSIONS } from "@plumb/protocol/rules/upload-rules";
import type { ConversationReader } from "../../src/ports/conversation-reader.ts";
import type { DocumentReader } from "../../src/ports/document-reader.ts";
import { openRaw, postHead, type RawConnection } from "../raw-http.ts";
import { testApps } from "../test-apps.ts";
import type { TestClient } from "../test-client.ts";

const open = testApps();
const opened: RawConnection[] = [];
afterEach(() => {
  for (const { socket } of opened.splice(0)) socket.destroy();
});

const soon = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 20_000, interval: 20 });
const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));

test("documents that take a minute, of several accounts: a newcomer's is read meanwhile", async () => {
  let tries = 0;
  const documentReader: DocumentReader = {
    extensions: EXTENSIONS,
    async read({ extension, textPath, isShort }, signal) {
      if (extension === "pdf" && isShort) {
        tries += 1;
        return { kind: "long" };
      }
      if (extension === "pdf") return untilAborted(signal);
      await writeFile(textPath, "words");
      return { kind: "text", bytes: 5, tokens: 1 };
    },
    close: async () => {},
  };
  const app = await open({ documentReader });
  const people = await Promise.all(Array.from({ length: 4 }, () => app.signedIn()));
  for (const person of people)
    for (const at of [1, 2, 3]) expect((await person.upload(`${at}.pdf`, "x")).data.status).toBe("PENDING");
  const newcomer = await app.signedIn();
  const { data: file } = await newcomer.upload("a.txt", "x");
  const statusesOf = async (person: TestClient, ids: string) =>
    (await person.ok(fetchFiles, { file_ids: ids })).files.map(({ status }) => status);
  await soon(async () => expect(await statusesOf(newcomer, file.id)).toEqual(["SUCCESS"]));
  // One has the ordinary place; of the others each had its try.
  await soon(async () => expect(tries).toBeGreaterThanOrEqual(people.length - 1));
  const waiting = await app.db.kysely
    .selectFrom("jobs")
    .select("is_long")
    .where("kind", "=", "file-read")
    .execute();
  expect(waiting).toHaveLength(12);
  expect(waiting.filter(({ is_long: isLong }) => isLong === 1)).toHaveLength(tries);
});

test("imports that take minutes, of several accounts: a newcomer's is begun and ended meanwhile", async () => {
  const conversationReader: ConversationReader = {
    async read({ keptBytes, isShort, path }, signal) {
      expect(keptBytes).toBeGreaterThan(0);
      const isSmall = (await import("node:fs")).readFileSync(path, "utf8") === "small";
      if (isSmall) return { kind: "failed", error: "UNSUPPORTED_FORMAT" };
      return isShort ? { kind: "long" } : untilAborted(signal);
    },
    close: async () => {},
  };
  const app = await open({ conversationReader });
  for (const _ of [1, 2, 3]) {
    const person = await app.signedIn();
    expect((await sendImport(person, "a.json", "large")).data.status).toBe("QUEUED");
  }
  const newcomer = await app.signedIn();
  await sendImport(newcomer, "a.json", "small");
  await soon(async () =>
    expect(await newcomer.ok(lastImport, {})).toMatchObject({
      status: "FAILED",
      error: "UNSUPPORTED_FORMAT",
    }),
  );
});

test("an export that takes minutes: another's is written meanwhile", async () => {
  const app = await open();
  const { objectStore } = app.app.deps.ports;
  const store = objectStore.put.bind(objectStore);
  let held = 0;
  vi.spyOn(objectStore, "put").mockImplementation(async (key, content) => {
    if (held++ === 0) return new Promise<number>(() => {});
    return store(key, content);
  });
  const people = [await app.signedIn(), await app.signedIn()];
  for (const person of people) {
    const { id } = await person.ok(createSession, {});
    await (
      await person.stream(completion, { chat_session_id: id, prompt: "x" })
    ).ended;
    await person.ok(exportAll, {});
  }
  await soon(async () =>
    expect(await people[1]?.ok(downloadExportHistory, {})).toMatchObject({ status: "FINISHED" }),
  );
  expect((await people[0]?.ok(downloadExportHistory, {}))?.status).not.toBe("FINISHED");
});

test("uploads that trickle in and whose file never begins count: one account has no more than three", async () => {
  const app = await open();
  const anna = await app.signedIn();
  const send = async (text: string): Promise<RawConnection> => {
    const connection = await openRaw(app.address);
    opened.push(connection);
    const proof = Object.entries(await anna.proofFor(uploadFile)).map(([name, value]) => `${name}: ${value}`);
    connection.send(postHead(uploadFile.path, 1e6, `authorization: Bearer ${anna.token}`, ...proof));
    connection.send(text);
    return connection;
  };
  const all: RawConnection[] = [];
  for (let count = 0; count < LIMITS.uploadConcurrency + 2; count += 1)
    all.push(await send("--b\r\ncontent-"));
  await soon(async () => {
    expect(all.filter(({ heard }) => heard.includes("TOO_MANY_CONCURRENT"))).toHaveLength(2);
  });
  expect((await (await app.signedIn()).upload("a.txt", "x")).status).toBe(200);
});
