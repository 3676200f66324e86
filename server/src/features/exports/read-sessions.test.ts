// Sessions of an export are read many at a time, and no more than is good of any: on both databases.
import { afterEach, describe, expect, it } from "vitest";
import { storedMessage, storedSession } from "../../../test/stored-rows.ts";
import { engines, openTestDatabase, type TestDatabase } from "../../../test/test-databases.ts";
import type { Database } from "../../platform/database/database.ts";
import type { StoredMessage } from "../sessions/message-pieces.ts";
import { insertMessages } from "../sessions/message-store.ts";
import { insertSession } from "../sessions/session-store.ts";
import { type ReadSession, readSessions } from "./read-sessions.ts";

const USER = "the-user";
async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

const idOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;

/** What a session has: so many messages, each of so many characters. */
interface Shape {
  messages: number;
  chars: number;
  /** The status of the last one. */
  status?: string;
}

describe.each(engines)("sessions of an export on %s", (engine) => {
  const databases: TestDatabase[] = [];
  afterEach(async () => {
    for (const database of databases.splice(0)) await database.close();
  });

  async function stored(shapes: readonly Shape[]): Promise<Database> {
    const database = await openTestDatabase(engine);
    databases.push(database);
    const { db } = database;
    await db.transaction(async (trx) => {
      for (const [n, { messages, chars, status = "FINISHED" }] of shapes.entries()) {
        const session = { id: idOf(n), user_id: USER, seq_id: n + 1, last_message_id: messages };
        await insertSession(trx, storedSession(session));
        const rows = Array.from({ length: messages }, (_none, index) =>
          storedMessage({
            session_id: session.id,
            message_id: index + 1,
            user_id: USER,
            status: index + 1 === messages ? status : "FINISHED",
            fragments: JSON.stringify([{ id: 1, type: "RESPONSE", content: `${n}`.padEnd(chars, "x") }]),
          }),
        );
        await insertMessages(trx, rows);
      }
    });
    return db;
  }

  /** What is read of the sessions in this order, and how many statements that took. */
  async function read(db: Database, order: readonly number[]): Promise<[ReadSession[], number]> {
    let statements = 0;
    const kysely = db.kysely.withPlugin({
      transformQuery({ node }) {
        statements += 1;
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    const found = await all(readSessions({ ...db, kysely }, USER, order.map(idOf)));
    return [found, statements];
  }

  const placeOf = ({ session }: ReadSession) => Number(session.id.slice(-12));
  const wordsOf = ({ fragments }: StoredMessage) =>
    (JSON.parse(fragments) as { content: string }[])[0]?.content;
  const idsIn = (one: ReadSession) =>
    (one.small === null ? one.heads : one.small.map(({ message }) => message)).map(
      ({ message_id: id }) => id,
    );

  it("small ones take no statement of their own, and come in the order that was asked for", async () => {
    const db = await stored(Array.from({ length: 100 }, () => ({ messages: 4, chars: 50 })));
    const order = Array.from({ length: 100 }, (_none, n) => (n * 37) % 100);
    const [found, statements] = await read(db, order);
    expect(found.map(placeOf)).toEqual(order);
    for (const one of found) {
      expect(one.small?.map(wordsOf)).toEqual(Array(4).fill(`${placeOf(one)}`.padEnd(50, "x")));
      expect(idsIn(one)).toEqual([1, 2, 3, 4]);
    }
    expect(statements).toBeLessThanOrEqual(6);
  });

  it("those with many or long messages, or a reply that runs, are read without their words", async () => {
    const shapes: [Shape, whole: boolean][] = [
      [{ messages: 200, chars: 10 }, true],
      [{ messages: 201, chars: 10 }, false],
      [{ messages: 2, chars: 10 }, true],
      [{ messages: 2, chars: 70_000 }, false],
      [{ messages: 1, chars: 120_000 }, true],
      [{ messages: 1, chars: 140_000 }, false],
      [{ messages: 2, chars: 10, status: "WIP" }, false],
      [{ messages: 2, chars: 10, status: "INCOMPLETE" }, true],
      [{ messages: 0, chars: 0 }, true],
    ];
    const db = await stored(shapes.map(([shape]) => shape));
    const [found] = await read(db, [...shapes.keys()]);
    expect(found.map((one) => [placeOf(one), one.small !== null, idsIn(one).length])).toEqual(
      shapes.map(([shape, whole], n) => [n, whole, shape.messages]),
    );
  });

  it("are never read together with more words than fit into two pieces", async () => {
    const db = await stored(Array.from({ length: 30 }, () => ({ messages: 1, chars: 60_000 })));
    const most: number[] = [];
    const kysely = db.kysely.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        most.push(JSON.stringify(result.rows).length);
        return result;
      },
    });
    const ids = Array.from({ length: 30 }, (_none, n) => idOf(n));
    expect(await all(readSessions({ ...db, kysely }, USER, ids))).toHaveLength(30);
    expect(Math.max(...most)).toBeGreaterThan(200_000);
    expect(Math.max(...most)).toBeLessThan(260_000);
  });

  it("that are deleted, or somebody else's, are left out", async () => {
    const db = await stored(Array.from({ length: 4 }, () => ({ messages: 1, chars: 5 })));
    await db.kysely.updateTable("sessions").set({ deleted_at: 5 }).where("id", "=", idOf(1)).execute();
    await db.kysely.updateTable("sessions").set({ user_id: "other" }).where("id", "=", idOf(2)).execute();
    const [found] = await read(db, [3, 2, 1, 0, 9]);
    expect(found.map(placeOf)).toEqual([3, 0]);
  });
});
