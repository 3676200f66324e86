// A test run tells of deadlocks: PostgreSQL ends one of the two, the product tries again, and nobody would see it.
import pg from "pg";
import { expect, test } from "vitest";
import { deadlocksIn } from "./deadlocks.ts";
import { startPostgres } from "./postgres.ts";

test("two that wait for each other's rows are in the log, with their statements", async () => {
  const server = await startPostgres({ expectsDeadlocks: true });
  const clients = [1, 2].map(() => new pg.Client({ connectionString: server.url }));
  try {
    const [first, second] = clients as [pg.Client, pg.Client];
    for (const client of clients) await client.connect();
    await first.query("create table held (id int primary key, word text)");
    await first.query("insert into held values (1, 'a'), (2, 'b'), (3, 'c')");
    await expect(first.query("insert into held values (1, 'twice')")).rejects.toThrow("duplicate key");
    expect(server.deadlocks()).toEqual([]);

    const hold = (id: number, word: string) => `update held set word = '${word}' where id = ${id}`;
    await first.query("begin");
    await second.query("begin");
    await first.query(hold(1, "first"));
    await second.query(hold(2, "second"));
    const ends = await Promise.allSettled([
      first.query(hold(2, "first crosses")),
      second.query(hold(1, "second crosses")),
    ]);
    expect(ends.filter(({ status }) => status === "rejected")).toHaveLength(1);
    const [deadlock, ...further] = server.deadlocks();
    expect(further).toEqual([]);
    expect(deadlock).toContain("first crosses");
    expect(deadlock).toContain("second crosses");
  } finally {
    for (const client of clients) await client.end();
    await server.stop();
  }
});

test("each deadlock has its own details, whatever was logged between", () => {
  const prefix = "2026-11-23 21:00:00.000 UTC [7]";
  const waits = (letter: string) => [
    `${prefix} ERROR:  deadlock detected`,
    `${prefix} DETAIL:  Process 1 waits for ${letter}.`,
    `\tProcess 2: update ${letter}`,
    `\t  set word = 1`,
    `${prefix} HINT:  See server log for query details.`,
  ];
  const other = [`${prefix} ERROR:  duplicate key`, `${prefix} DETAIL:  Key (deadlock detected) exists.`];
  const log = [...other, ...waits("a"), ...other, ...waits("b")].join("\n");
  const found = deadlocksIn(log);
  expect(found).toHaveLength(2);
  expect(found[0]).toContain("waits for a.\n\tProcess 2: update a\n\t  set word = 1");
  expect(found[1]).not.toContain("HINT");
  expect(deadlocksIn("")).toEqual([]);
});
