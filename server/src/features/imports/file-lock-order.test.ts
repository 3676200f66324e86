// PostgreSQL: whoever has a file and its user to hold takes the file first, as whoever deletes a chat that carries it, edits
// a message with it, or deletes the account does. Two of them could wait for each other otherwise: then an import that went
// on beside them was given up after some of that.
import { deleteAllSessions } from "@plumb/protocol/wire/history";
import { fetchSessionPage } from "@plumb/protocol/wire/sessions";
import { sql } from "kysely";
import { expect, it } from "vitest";
import type { TestApp } from "../../../test/create-test-app.ts";
import { testApps } from "../../../test/test-apps.ts";
import type { TestClient } from "../../../test/test-client.ts";
import type { Trx } from "../../platform/database/database.ts";
import type { ObjectStore } from "../../ports/object-store.ts";
import { lockUser } from "../accounts/user-store.ts";
import { imported, sendImport, zipOf } from "./import.fixture.ts";

const open = testApps({ engine: "postgres" });
const FILE = "file-00000000-0000-4000-8000-000000000001";

const upload = () =>
  zipOf({
    "sessions.json": JSON.stringify([
      {
        chat_session: { id: "one", title: "One", title_type: "USER" },
        chat_messages: [
          {
            message_id: 1,
            parent_id: null,
            role: "USER",
            inserted_at: 1_700_000_000,
            fragments: [{ type: "REQUEST", content: "What does it say?" }],
            files: [{ id: FILE, file_name: "said.txt", file_size: 10 }],
          },
        ],
      },
    ]),
    [`files/any.${FILE}.txt`]: "It says nothing.",
  });

/** Calls `then` once, after the store's next `call`, and goes on when it has resolved. */
function after(app: TestApp, call: "put" | "remove", then: () => Promise<void>): void {
  const { ports } = app.app.deps;
  const store = ports.objectStore;
  const changed = Object.create(store) as ObjectStore;
  changed[call] = async (...given: unknown[]) => {
    const done = await (store[call] as (...all: unknown[]) => Promise<unknown>).apply(store, given);
    ports.objectStore = store;
    await then();
    return done as never;
  };
  ports.objectStore = changed;
}

/** So many wait for what the transaction holds, or for each other behind it. */
async function waiters(trx: Trx, count: number): Promise<void> {
  const waiting = sql`with recursive behind as (
    select pid from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))
    union select lock.pid from pg_locks as lock join behind on behind.pid = any(pg_blocking_pids(lock.pid))
    where not lock.granted) select pid from behind`;
  while ((await waiting.execute(trx)).rows.length < count);
}

/** A promise that is resolved from outside. */
function signal(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

/**
 * Holds the user until so many wait for it. `free`: the user's files that nobody holds when the first of them does; `looked`
 * resolves then.
 */
function holdUser({ db }: TestApp, person: TestClient, count = 1) {
  const [holding, looking] = [signal(), signal()];
  const userId = person.user?.id ?? "";
  const free = db.transaction(async (trx) => {
    await lockUser(db, trx, userId);
    holding.resolve();
    await waiters(trx, 1);
    const files = trx.selectFrom("files").select("id").where("user_id", "=", userId);
    const found = await files.modifyEnd(sql`for update skip locked`).execute();
    looking.resolve();
    await waiters(trx, count);
    return found;
  });
  return { held: holding.promise, looked: looking.promise, free };
}

it("an upload", async () => {
  const app = await open();
  const person = await app.signedIn();
  let free: unknown = null;
  after(app, "put", async () => {
    const holding = holdUser(app, person);
    free = holding.free;
    await holding.held;
  });
  await person.uploaded("said.txt", "It says nothing.");
  expect(await free).toEqual([]);
});

it("a chat that is taken in with a file", async () => {
  const app = await open();
  const person = await app.signedIn();
  const content = await upload();
  const free: unknown[] = [];
  // Of the upload itself.
  after(app, "put", async () =>
    after(app, "put", async () => {
      const copying = holdUser(app, person, 2);
      free.push(copying.free);
      // It waits behind the copy of the text, and before the chat.
      void copying.looked.then(() => free.push(holdUser(app, person).free));
      await copying.held;
    }),
  );
  expect(await imported(person, "chats.zip", content)).toMatchObject({ status: "FINISHED" });
  expect(await Promise.all(free)).toEqual([[], []]);
  await person.ok(deleteAllSessions, {});
  expect((await person.ok(fetchSessionPage, {})).chat_sessions).toEqual([]);
});

it("the end of an import, whose files are forgotten after the import is held", async () => {
  const app = await open();
  const person = await app.signedIn();
  const { db } = app;
  const free: Promise<unknown[]>[] = [];
  after(app, "remove", async () => {
    const held = signal();
    free.push(
      db.transaction(async (trx) => {
        await trx.selectFrom("imports").select("id").modifyEnd(db.forUpdate).execute();
        held.resolve();
        await waiters(trx, 1);
        const files = trx.selectFrom("imported").select("target").where("import_id", "is not", null);
        return files.modifyEnd(sql`for update skip locked`).execute();
      }),
    );
    await held.promise;
  });
  await sendImport(person, "chats.zip", await upload());
  await expect.poll(() => free, { timeout: 10_000 }).not.toEqual([]);
  expect(await free[0]).toHaveLength(1);
  const jobs = () => db.kysely.selectFrom("jobs").selectAll().execute();
  await expect.poll(jobs, { timeout: 10_000 }).toEqual([]);
});
