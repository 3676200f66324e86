// How much of an import SQLite is given in one turn of the event loop: everybody else waits for that.
import { StatementSync } from "node:sqlite";
import { afterEach, describe, expect, it, vi } from "vitest";
import { storedSession } from "../../../test/stored-rows.ts";
import { testApps } from "../../../test/test-apps.ts";
import { imported } from "./import.fixture.ts";

/** Messages that were stored, other statements among them, bytes that were handed in, rows that came out. */
const NOTHING = { messages: 0, statements: 0, bytes: 0, rows: 0 };
type Asked = typeof NOTHING;
/** Twice of it: the index of the history and leases have their steps in the same turns. */
const ALLOWED: Asked = { messages: 50, statements: 260, bytes: 260_000, rows: 1000 };

/** The most of each in any turn. */
function watchTurns() {
  const most = { ...NOTHING };
  let turn = { ...NOTHING };
  const { all, run } = StatementSync.prototype;
  const count = ({ sourceSQL }: StatementSync, parameters: readonly unknown[]): void => {
    turn.statements += 1;
    if (sourceSQL.startsWith('insert into "messages"')) turn.messages += 1;
    for (const value of parameters) if (typeof value === "string") turn.bytes += Buffer.byteLength(value);
  };
  vi.spyOn(StatementSync.prototype, "all").mockImplementation(function (this: StatementSync, ...parameters) {
    count(this, parameters);
    const rows = all.apply(this, parameters as Parameters<typeof all>);
    turn.rows += rows.length;
    return rows;
  });
  vi.spyOn(StatementSync.prototype, "run").mockImplementation(function (this: StatementSync, ...parameters) {
    count(this, parameters);
    return run.apply(this, parameters as Parameters<typeof run>);
  });
  let goesOn = true;
  const next = (): void => {
    for (const key of Object.keys(turn) as (keyof Asked)[]) most[key] = Math.max(most[key], turn[key]);
    turn = { ...NOTHING };
    if (goesOn) setImmediate(next);
  };
  next();
  return {
    most,
    begin: () => void Object.assign(most, NOTHING),
    stop: () => void (goesOn = false),
  };
}

const conversation = (n: number, length: number, words: string) => ({
  chat_session: { id: `session ${n}`, title: `Session ${n}`, updated_at: 1_700_000_000 + n },
  chat_messages: Array.from({ length }, (_none, m) => ({
    message_id: m + 1,
    parent_id: m === 0 ? null : m,
    role: m % 2 === 0 ? "USER" : "ASSISTANT",
    status: "FINISHED",
    inserted_at: 1_700_000_000,
    fragments: [{ type: m % 2 === 0 ? "REQUEST" : "RESPONSE", content: `${n} ${m} ${words}` }],
  })),
});
function expectWithin(most: Asked): void {
  const over = (Object.keys(ALLOWED) as (keyof Asked)[]).filter((key) => most[key] > ALLOWED[key]);
  expect([over, most]).toEqual([[], most]);
}

describe("a turn of the event loop", () => {
  const open = testApps({ engine: "sqlite" });
  afterEach(() => vi.restoreAllMocks());

  it.each([
    ["many messages", [conversation(1, 900, "short")]],
    ["long messages", [conversation(1, 60, "at some length ".repeat(2000))]],
    ["many chats", Array.from({ length: 400 }, (_none, n) => conversation(n, 2, "short"))],
  ])("has a bounded part of an import of %s, also where all of it is known", async (_what, chats) => {
    const app = await open();
    const person = await app.signedIn();
    const user_id = person.user?.id ?? "";
    // Among as many of the user's own, which find their places with them.
    const own = Array.from({ length: 3000 }, (_none, n) =>
      storedSession({ id: `own ${n}`, user_id, seq_id: n + 1, updated_at: 1_800_000_000_000 + n }),
    );
    for (let from = 0; from < own.length; from += 500)
      await app.db.kysely
        .insertInto("sessions")
        .values(own.slice(from, from + 500))
        .execute();
    await app.db.kysely
      .updateTable("users")
      .set({ last_seq_id: own.length })
      .where("id", "=", user_id)
      .execute();
    const turns = watchTurns();
    const text = JSON.stringify(chats);
    expect(await imported(person, "a.json", text)).toMatchObject({ sessions_skipped: 0 });
    expectWithin(turns.most);
    expect(turns.most.messages).toBeGreaterThan(1);
    turns.begin();
    expect(await imported(person, "a.json", text)).toMatchObject({ sessions_skipped: chats.length });
    expectWithin(turns.most);
    turns.stop();
  });
});
