// In which order PostgreSQL's locks are taken: two statements that lock the same leases in two orders deadlock.
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openTestDatabase, type TestDatabase } from "../../../test/test-databases.ts";
import { statementsThatWait } from "../../../test/lock-waits.ts";
import type { Database, Trx } from "../../platform/database/database.ts";
import { acquireLease, deleteLogs, releaseLeases, renewLeases } from "./stream-log-store.ts";

const OWNER = "this process";
const REPLIES = [3, 2, 1];

describe("leases are locked by number, not as they lie in the table", () => {
  let opened: TestDatabase;
  let other: Database;

  beforeEach(async () => {
    opened = await openTestDatabase("postgres");
    other = await opened.openAnother();
    const { db } = opened;
    await db.transaction(async (trx) => {
      for (const reply of REPLIES) {
        await sql`insert into replies (id, user_id, session_id, message_id, request_message_id, agent, model,
            thinking_enabled, search_enabled, locale, started_at)
          values (${reply}, 'u', 's', ${reply}, 1, 'chat', 'm', 0, 0, 'en_US', 0)`.execute(trx);
        await acquireLease(db, trx, { reply, userId: "u", owner: OWNER, epoch: 1 });
      }
    });
  });
  afterEach(async () => {
    await other.close();
    await opened.close();
  });

  const isWaitedFor = async (trx: Trx): Promise<void> => {
    await expect.poll(() => statementsThatWait(trx)).toBeGreaterThan(0);
  };

  const works: Record<string, (db: Database) => Promise<unknown>> = {
    "a renewal": (db) => renewLeases(db, OWNER),
    "a release": (db) => releaseLeases(db, OWNER),
    "a deletion": (db) =>
      db.transaction((trx) =>
        deleteLogs(db, trx, trx.selectFrom("replies").select("id").orderBy("id", "desc")),
      ),
  };

  test.each(Object.entries(works))(
    "%s that waits for the first lease holds none of the others",
    async (_name, work) => {
      let working: Promise<unknown> = Promise.resolve();
      await other.transaction(async (trx) => {
        await sql`select reply from reply_lease where reply = 1 for update`.execute(trx);
        working = work(opened.db);
        await isWaitedFor(trx);
        const rest =
          await sql`select reply from reply_lease where reply > 1 order by reply for update nowait`.execute(
            trx,
          );
        expect(rest.rows).toHaveLength(2);
      });
      await working;
    },
  );
});
