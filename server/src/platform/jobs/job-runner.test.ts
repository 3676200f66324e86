// Jobs on both databases: each is done once in its effect, by whoever holds it, whatever becomes of the others.
import { createLogger } from "../logger.ts";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { engines, openTestDatabase, type TestDatabase } from "../../../test/test-databases.ts";
import { type Clock, systemClock } from "../../ports/clock.ts";
import { Fenced } from "../database/lease-table.ts";
import { SkippingClock } from "../../../test/test-clock.ts";
import { changeJobs, insertJob, type JobRow } from "./job-store.ts";
import { type HeldJob, JobRunner, type Turns } from "./job-runner.ts";

const soon = (check: () => void | Promise<void>) => vi.waitFor(check, { timeout: 10_000, interval: 10 });

describe.each(engines)("jobs on %s", (engine) => {
  let data: TestDatabase;
  const runners: JobRunner[] = [];
  beforeEach(async () => {
    data = await openTestDatabase(engine);
  });
  afterEach(async () => {
    for (const runner of runners.splice(0)) await runner.stop();
    await data.close();
  });

  /** A process with leases of a moment that does what `run` says. */
  function runner(
    run: (job: HeldJob) => Promise<void>,
    atOnce = 1,
    leaseTimeoutMs = 300,
    { turns, clock = systemClock }: { turns?: Turns; clock?: Clock } = {},
  ): JobRunner {
    const made = new JobRunner(
      {
        db: data.db,
        log: createLogger("silent"),
        ports: { clock },
        config: { leaseRenewMs: 30, leaseTimeoutMs },
      },
      [{ kind: "work", atOnce, run, ...(turns === undefined ? {} : { turns }) }],
    );
    runners.push(made);
    return made;
  }
  const add = (subject: string, kind = "work", user = "u") =>
    data.db.transaction((trx) => insertJob(data.db, trx, { subject, kind, user_id: user }));
  const jobs = (): Promise<JobRow[]> => data.db.kysely.selectFrom("jobs").selectAll().execute();
  const done = (job: HeldJob) => data.db.transaction((trx) => job.finish(trx));

  it("does what is due, so many at once, and then it is gone", async () => {
    const held: (() => void)[] = [];
    const seen: string[] = [];
    const one = runner(async (job) => {
      seen.push(job.row.subject);
      await new Promise<void>((resolve) => held.push(resolve));
      await done(job);
    }, 2);
    for (const subject of ["a", "b", "c"]) await add(subject);
    await add("other", "another kind");
    await one.start();
    await soon(() => expect(seen.toSorted()).toEqual(["a", "b"]));
    held[0]?.();
    await soon(() => expect(seen.toSorted()).toEqual(["a", "b", "c"]));
    for (const end of held) end();
    await soon(async () => expect((await jobs()).map(({ kind }) => kind)).toEqual(["another kind"]));
  });

  it("one of several processes does a job", async () => {
    const seen: string[] = [];
    const all = Array.from({ length: 3 }, () =>
      runner(async (job) => {
        seen.push(job.row.subject);
        await done(job);
      }, 4),
    );
    const subjects = Array.from({ length: 30 }, (_, index) => `job-${index}`);
    for (const subject of subjects) await add(subject);
    await Promise.all(all.map((one) => one.start()));
    await soon(async () => expect(await jobs()).toEqual([]));
    expect(seen.toSorted()).toEqual(subjects.toSorted());
  });

  it("users take turns: 60 jobs of one do not go before the one of another", async () => {
    for (let job = 0; job < 60; job += 1) await add(`many-${String(job).padStart(2, "0")}`, "work", "many");
    await data.db.kysely.updateTable("jobs").set({ due_at: 1 }).execute();
    const seen: string[] = [];
    const holding: (() => void)[] = [];
    const work = async (job: HeldJob): Promise<void> => {
      seen.push(job.row.subject);
      if (seen.length <= 2) await new Promise<void>((resolve) => holding.push(resolve));
      await done(job);
    };
    // Two processes, as replicas are: what the other one is doing counts.
    const two = [1, 2].map(() => runner(work, 1, 60_000, { turns: { perUser: 1 } }));
    await Promise.all(two.map((one) => one.start()));
    await soon(() => expect(seen).toHaveLength(2));
    await add("of another", "work", "one");
    await add("of a third", "work", "two");
    holding[0]?.();
    await soon(() => expect(seen.length).toBeGreaterThan(4));
    // The two were added within a moment.
    expect(seen.slice(2, 4).toSorted()).toEqual(["of a third", "of another"]);
    expect(seen[4]).toBe("many-02");
    holding[1]?.();
    await soon(async () => expect(await jobs()).toEqual([]));
    expect(new Set(seen).size).toBe(62);
  });

  it("one user has not all places of a process, though nobody else wants them", async () => {
    const held = new Map<string, () => void>();
    const one = runner(
      async (job) => {
        await new Promise<void>((resolve) => held.set(job.row.subject, resolve));
        await done(job);
      },
      3,
      60_000,
      { turns: { perUser: 2 } },
    );
    for (const job of ["a", "b", "c", "d"]) await add(job, "work", "many");
    await one.start();
    await soon(() => expect([...held.keys()]).toEqual(["a", "b"]));
    // The last look has left the others where they are.
    await add("e", "work", "one");
    one.wake();
    await soon(() => expect([...held.keys()]).toEqual(["a", "b", "e"]));
    held.get("a")?.();
    await soon(() => expect([...held.keys()]).toEqual(["a", "b", "e", "c"]));
    for (const end of ["b", "e", "c"]) held.get(end)?.();
    await soon(() => expect([...held.keys()]).toContain("d"));
    held.get("d")?.();
    await soon(async () => expect(await jobs()).toEqual([]));
  });

  it("a place that is held long does not stop others: a short one is for who used little, and ends what is long", async () => {
    const clock = new SkippingClock();
    const held = new Map<string, () => void>();
    const one = runner(
      async (job) => {
        await new Promise<void>((resolve, reject) => {
          held.set(job.row.subject, resolve);
          job.signal.addEventListener("abort", () => reject(new Error("called off")));
        }).finally(() => held.delete(job.row.subject));
        await done(job);
      },
      1,
      60_000,
      { turns: { perUser: 1, short: { places: 1, ms: 5000 } }, clock },
    );
    for (const subject of ["hog-1", "hog-2"]) await add(subject, "work", "hog");
    await one.start();
    await soon(() => expect([...held.keys()]).toEqual(["hog-1"]));
    // The hog has a run already: the short place is not for it, though it is free.
    await add("long", "work", "slow");
    one.wake();
    await soon(() => expect([...held.keys()]).toEqual(["hog-1", "long"]));
    await add("small", "work", "newcomer");
    clock.skip(5000);
    await soon(() => expect(held.has("small") && !held.has("long")).toBe(true));
    expect((await jobs()).find(({ subject }) => subject === "long")).toMatchObject({
      owner: "",
      attempts: 0,
      is_long: 1,
    });
    held.get("small")?.();
    // It has the short place no second time, and goes on when the ordinary one is free: before the hog's second, since the hog
    // has used more by then.
    await soon(async () => expect((await jobs()).map(({ subject }) => subject)).not.toContain("small"));
    clock.skip(20_000);
    one.wake();
    held.get("hog-1")?.();
    await soon(() => expect(held.has("long") && !held.has("hog-2")).toBe(true));
    for (const subject of ["long", "hog-2"]) {
      await soon(() => expect(held.has(subject)).toBe(true));
      held.get(subject)?.();
    }
    await soon(async () => expect(await jobs()).toEqual([]));
  });

  it("work of requests takes no place: what a dead process has left is done meanwhile", async () => {
    const seen: string[] = [];
    const one = runner(async (job) => {
      seen.push(job.row.subject);
      await done(job);
    });
    await one.start();
    let end = (): void => {};
    const owning = one.own(
      { subject: "own", kind: "work", user_id: "u" },
      async () => {},
      async (job) => {
        await new Promise<void>((resolve) => (end = resolve));
        await done(job);
      },
    );
    await add("left");
    one.wake();
    await soon(() => expect(seen).toEqual(["left"]));
    end();
    await owning;
  });

  it("a job that breaks is tried again, later, and counted", async () => {
    const attempts: number[] = [];
    const one = runner(async (job) => {
      attempts.push(job.row.attempts);
      if (attempts.length < 3) throw new Error("broken");
      await done(job);
    });
    await add("a");
    await one.start();
    // The waits between the tries are not what is looked at; each is longer than the one before.
    for (const tried of [1, 2]) {
      await soon(() => expect(attempts).toHaveLength(tried));
      await soon(async () => expect((await jobs())[0]?.owner).toBe(""));
      await data.db.kysely.updateTable("jobs").set({ due_at: 0 }).execute();
    }
    await soon(async () => expect(await jobs()).toEqual([]));
    expect(attempts).toEqual([0, 1, 2]);
  });

  it("a dead process's job is taken up and counted; one that was handed over is not", async () => {
    await add("a");
    await data.db.kysely.updateTable("jobs").set({ owner: "dead", renewed_at: 1 }).execute();
    const attempts: number[] = [];
    const first = runner(async (job) => {
      attempts.push(job.row.attempts);
      await new Promise<void>((resolve) => job.signal.addEventListener("abort", () => resolve()));
      job.signal.throwIfAborted();
    });
    await first.start();
    await soon(() => expect(attempts).toEqual([1]));
    await first.stop();
    expect(await jobs()).toMatchObject([{ owner: "", attempts: 1 }]);
    const second = runner(async (job) => {
      attempts.push(job.row.attempts);
      await done(job);
    });
    await second.start();
    await soon(async () => expect(await jobs()).toEqual([]));
    expect(attempts).toEqual([1, 1]);
  });

  it("who has lost a job learns of it, and cannot end it", async () => {
    let lost: HeldJob | undefined;
    const one = runner(async (job) => {
      lost = job;
      await new Promise<void>((resolve) => job.signal.addEventListener("abort", () => resolve()));
      await done(job);
    });
    await add("a");
    await one.start();
    await soon(() => expect(lost).toBeDefined());
    await data.db.kysely.updateTable("jobs").set({ owner: "other", epoch: 9, due_at: 9e15 }).execute();
    await soon(() => expect(lost?.signal.aborted).toBe(true));
    await expect(data.db.transaction((trx) => lost?.finish(trx) ?? Promise.resolve())).rejects.toBeInstanceOf(
      Fenced,
    );
    expect(await jobs()).toMatchObject([{ owner: "other", epoch: 9 }]);
  });

  it("becomes another kind: the old one is not ended, the new one begins after it", async () => {
    const held: HeldJob[] = [];
    const one = runner(async (job) => {
      held.push(job);
      await new Promise<void>((resolve) => job.signal.addEventListener("abort", () => resolve()));
      await done(job);
    });
    await add("a");
    await one.start();
    await soon(() => expect(held).toHaveLength(1));
    await data.db.transaction((trx) =>
      changeJobs(data.db, trx, { subjects: ["a", "b"], kind: "remove", userId: "u" }),
    );
    await soon(async () => {
      const rows = (await jobs()).toSorted((first, second) => first.subject.localeCompare(second.subject));
      expect(rows.map(({ subject, kind, owner }) => [subject, kind, owner])).toEqual([
        ["a", "remove", ""],
        ["b", "remove", ""],
      ]);
    });
  });

  it("own work is passed on, or left to be run where it breaks off", async () => {
    const seen: string[] = [];
    const one = runner(async (job) => {
      seen.push(job.row.subject);
      await done(job);
    });
    await one.start();
    const job = { kind: "work", user_id: "u" };
    await one.own(
      { ...job, subject: "a" },
      async () => {},
      async (held) => {
        expect(await jobs()).toMatchObject([{ subject: "a", owner: held.row.owner }]);
        await data.db.transaction((trx) => held.passOn(trx, "another kind"));
      },
    );
    await expect(
      one.own(
        { ...job, subject: "b" },
        async () => {},
        async () => {
          throw new Error("broken off");
        },
      ),
    ).rejects.toThrow("broken off");
    await soon(() => expect(seen).toEqual(["b"]));
    await soon(async () =>
      expect(await jobs()).toMatchObject([{ subject: "a", kind: "another kind", owner: "" }]),
    );
    const refused = one.own(
      { ...job, subject: "c" },
      async () => {
        throw new Error("not stored");
      },
      async () => {},
    );
    await expect(refused).rejects.toThrow("not stored");
    expect((await jobs()).map(({ subject }) => subject)).toEqual(["a"]);
  });

  it("a run that hears nothing does not keep its process from ending", async () => {
    const one = runner(() => new Promise(() => {}));
    await add("a");
    await one.start();
    await soon(async () => expect((await jobs())[0]?.owner).not.toBe(""));
    await one.stop();
    expect(await jobs()).toMatchObject([{ owner: "", attempts: 0 }]);
  });
});
