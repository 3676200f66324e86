// All of a user's history goes: in steps, and whoever dies meanwhile; on both databases.
// That no word of it is left: test/deleted-words.test.ts.
import { deleteAllSessions } from "@plumb/protocol/wire/history";
import { createSession } from "@plumb/protocol/wire/sessions";
import { describe, expect, it } from "vitest";
import type { TestApp } from "../../../test/create-test-app.ts";
import { testApps } from "../../../test/test-apps.ts";
import { orphanedJob, storedSession } from "../../../test/stored-rows.ts";
import type { TestClient } from "../../../test/test-client.ts";
import { engines } from "../../../test/test-databases.ts";
import { HISTORY_JOB } from "./delete-history.ts";
import { insertSession } from "./session-store.ts";

describe.each(engines)("deleting all history on %s", (engine) => {
  const open = testApps({ engine });

  const idOf = (person: TestClient) => person.user?.id ?? "";
  const liveSessions = async (app: TestApp, person: TestClient) =>
    (
      await app.db.kysely
        .selectFrom("sessions")
        .select("id")
        .where("user_id", "=", idOf(person))
        .where("deleted_at", "is", null)
        .execute()
    ).map(({ id }) => id);

  /** As if made long ago, without the calls. */
  async function makeSessions(app: TestApp, person: TestClient, count: number): Promise<void> {
    await app.db.transaction(async (trx) => {
      for (let n = 1; n <= count; n += 1) {
        await insertSession(
          trx,
          storedSession({
            id: crypto.randomUUID(),
            user_id: idOf(person),
            seq_id: n,
            title: `Session ${n}`,
            inserted_at: 1000 + n,
            updated_at: 1000 + n,
            pinned_at: n % 100 === 0 ? 5 : null,
          }),
        );
      }
      await trx.updateTable("users").set({ last_seq_id: count }).where("id", "=", idOf(person)).execute();
    });
  }

  it("takes some sessions at a time, others are served between, and what is made meanwhile stays [EXP-018]", async () => {
    const app = await open();
    const [person, other] = [await app.signedIn(), await app.signedIn()];
    await makeSessions(app, person, 500);
    await makeSessions(app, other, 3);
    const steps: number[] = [];
    let made: string | null = null;
    app.app.deps.events.on("sessionsDeleting", async ({ sessionIds }) => {
      steps.push(sessionIds.length);
      if (steps.length === 2) made = (await person.another().ok(createSession, {})).id;
    });
    await person.ok(deleteAllSessions, {});
    expect(made).not.toBeNull();
    expect(await liveSessions(app, person)).toEqual([made]);
    expect(await liveSessions(app, other)).toHaveLength(3);
    expect(steps.reduce((sum, step) => sum + step, 0)).toBe(500);
    expect(Math.max(...steps)).toBeLessThanOrEqual(100);
    expect(steps.length).toBeGreaterThan(4);
    // How large they are is known when the first is gone.
    expect(steps[0]).toBe(1);
    expect(await app.db.kysely.selectFrom("jobs").selectAll().execute()).toEqual([]);
    await person.ok(deleteAllSessions, {});
    expect(await liveSessions(app, person)).toEqual([]);
  });

  it("also deletes what another process's clock, which is ahead, has dated later", async () => {
    const app = await open();
    const person = await app.signedIn();
    await person.ok(createSession, {});
    await app.db.kysely
      .updateTable("sessions")
      .set({ inserted_at: Date.now() + 60_000 })
      .execute();
    await person.ok(deleteAllSessions, {});
    expect(await liveSessions(app, person)).toEqual([]);
  });

  it("goes on after an error in the middle, which is told [EXP-018]", async () => {
    const app = await open();
    const person = await app.signedIn();
    await makeSessions(app, person, 60);
    let steps = 0;
    app.app.deps.events.on("sessionsDeleting", async () => {
      steps += 1;
      if (steps === 2) throw new Error("the disk is full");
    });
    const { envelope } = await person.call(deleteAllSessions, {});
    expect(envelope.data).toMatchObject({ biz_code: 1, biz_msg: "DELETE_ALL_FAILED", biz_data: null });
    const later = (await person.ok(createSession, {})).id;
    await expect.poll(() => liveSessions(app, person)).toEqual([later]);
  });

  it("is finished by another process when the one that began it has died", async () => {
    const app = await open();
    const person = await app.signedIn();
    await makeSessions(app, person, 30);
    await app.db.kysely
      .insertInto("jobs")
      .values(
        orphanedJob({
          subject: `${HISTORY_JOB}.1020.${crypto.randomUUID()}`,
          kind: HISTORY_JOB,
          user_id: idOf(person),
        }),
      )
      .execute();
    await expect.poll(() => app.db.kysely.selectFrom("jobs").selectAll().execute()).toEqual([]);
    // Ten were made after the call.
    expect(await liveSessions(app, person)).toHaveLength(10);
  });
});
