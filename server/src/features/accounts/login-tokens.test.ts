import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { TestClock } from "../../../test/test-clock.ts";
import { engines, openTestDatabase, type TestDatabase } from "../../../test/test-databases.ts";
import { EventBus } from "../../events.ts";
import type { Database } from "../../platform/database/database.ts";
import { accountGatekeepers } from "./authenticate.ts";
import { hashToken, issueToken, LoginTokens } from "./login-tokens.ts";
import { insertUser } from "./user-store.ts";

const NOW = 1_800_000_000_000;
const DAY_MS = 86_400_000;

describe.each(engines)("login tokens on %s", (engine) => {
  let opened: TestDatabase;
  let another: Database;
  let clock: TestClock;
  const started: LoginTokens[] = [];

  beforeEach(async () => {
    opened = await openTestDatabase(engine);
    another = await opened.openAnother();
    clock = new TestClock(NOW);
    for (const [id, email] of [
      ["user", "a@x.org"],
      ["other", "b@x.org"],
    ] as const) {
      await insertUser(opened.db.kysely, { id, email, mobile: null, password_hash: "", created_at: NOW });
    }
  });
  afterEach(async () => {
    for (const tokens of started.splice(0)) await tokens.stop();
    await another.close();
    await opened.close();
  });

  /** One process: its own cache, its own listeners. */
  async function processOn(db: Database) {
    const events = new EventBus();
    const revoked: unknown[] = [];
    events.on("tokensRevoked", async (event) => {
      revoked.push(event);
    });
    const tokens = new LoginTokens({ db, ports: { clock }, events, log: pino({ level: "silent" }) });
    await tokens.start();
    started.push(tokens);
    return { tokens, revoked, gate: accountGatekeepers(tokens, clock, { requireMobile: true, minAge: 18 }) };
  }
  const issue = (userId = "user") =>
    issueToken(opened.db.kysely, userId, clock.nowMs, { client: "", region: null });

  test("64 URL-safe characters, stored only as their hash", async () => {
    const token = await issue();
    expect(token).toMatch(/^[A-Za-z0-9_-]{64}$/);
    const rows = await opened.db.kysely.selectFrom("login_tokens").selectAll().execute();
    expect(rows.map((row) => row.token_hash)).toEqual([hashToken(token)]);
  });

  test("lives 30 days from its last use, which is written every five minutes at most", async () => {
    const { tokens } = await processOn(opened.db);
    const hash = hashToken(await issue());
    const lastUse = async () =>
      (await opened.db.kysely.selectFrom("login_tokens").select("last_used_at").executeTakeFirstOrThrow())
        .last_used_at;
    clock.nowMs += 300_000;
    expect(await tokens.find(hash)).toBeDefined();
    expect(await lastUse()).toBe(NOW);
    clock.nowMs += 1000;
    const others = await processOn(another);
    await Promise.all([tokens, others.tokens, tokens].map((one) => one.find(hash)));
    expect(await lastUse()).toBe(clock.nowMs);
    clock.nowMs = NOW + 29 * DAY_MS;
    expect(await tokens.find(hash)).toBeDefined();
    expect(await lastUse()).toBe(clock.nowMs);
    clock.nowMs += 30 * DAY_MS;
    expect(await tokens.find(hash)).toBeUndefined();
  });

  test("a revoked token is refused at once here, and elsewhere without a notification within a second", async () => {
    const here = await processOn(opened.db);
    const elsewhere = await processOn(another);
    await elsewhere.tokens.stop();
    const hash = hashToken(await issue());
    expect(await here.tokens.find(hash)).toBeDefined();
    expect(await elsewhere.tokens.find(hash)).toBeDefined();
    await here.tokens.revoke("user", hash);
    expect(await here.tokens.find(hash)).toBeUndefined();
    clock.nowMs += 999;
    expect(await elsewhere.tokens.find(hash)).toBeUndefined();
  });

  test("revoking all ends the user's tokens alone and is told to this process", async () => {
    const { tokens, revoked } = await processOn(opened.db);
    const [one, two, foreign] = [await issue(), await issue(), await issue("other")].map(hashToken);
    for (const hash of [one, two, foreign]) await tokens.find(hash ?? "");
    await tokens.revokeAll("user");
    expect(await tokens.find(one ?? "")).toBeUndefined();
    expect(await tokens.find(two ?? "")).toBeUndefined();
    expect(await tokens.find(foreign ?? "")).toBeDefined();
    await expect.poll(() => revoked).toEqual([{ userId: "user", tokenHash: null }]);
  });

  // Two processes on one SQLite file do not notify each other: there the cache's life bounds it.
  test.runIf(engine === "postgres")(
    "another process hears of a revocation and drops what it remembers",
    async () => {
      const here = await processOn(opened.db);
      const elsewhere = await processOn(another);
      const hash = hashToken(await issue());
      await elsewhere.tokens.find(hash);
      await here.tokens.revoke("user", hash);
      await expect.poll(() => elsewhere.revoked).toEqual([{ userId: "user", tokenHash: hash }]);
      expect(await elsewhere.tokens.find(hash)).toBeUndefined();
    },
  );

  test("a look-up that was under way while its token was revoked is not remembered", async () => {
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    let read = () => {};
    const hasRead = new Promise<void>((resolve) => {
      read = resolve;
    });
    const slow = opened.db.kysely.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        read();
        await held;
        return result;
      },
    });
    const { tokens } = await processOn({ ...opened.db, kysely: slow });
    const hash = hashToken(await issue());
    const underWay = tokens.find(hash);
    await hasRead;
    await tokens.revoke("user", hash);
    letGo();
    expect(await underWay).toBeDefined();
    expect(await tokens.find(hash)).toBeUndefined();
  });

  test("[ERR-007] unknown and malformed tokens are 40003", async () => {
    const { gate } = await processOn(opened.db);
    for (const token of ["x", "x".repeat(64), "", `${"x".repeat(63)}'`]) {
      expect(await gate.authenticate(token)).toMatchObject({ global: { code: 40003 } });
    }
  });

  test("[ERR-009] a banned account is 40012, and its token ends", async () => {
    const { gate } = await processOn(opened.db);
    const token = await issue();
    await opened.db.kysely.updateTable("users").set({ banned_at: NOW }).where("id", "=", "user").execute();
    expect(await gate.authenticate(token)).toMatchObject({ global: { code: 40012 } });
    clock.nowMs += 1000;
    expect(await gate.authenticate(token)).toMatchObject({ global: { code: 40003 } });
  });

  test("tells the mute in seconds, and refuses speaking without a phone, under review and before the birthday [ACCT-050]", async () => {
    const { gate } = await processOn(opened.db);
    const token = await issue();
    const set = (values: {
      muted_until?: number;
      under_review?: number;
      mobile?: string;
      birth_year?: number;
      birth_month?: number;
    }) => opened.db.kysely.updateTable("users").set(values).where("id", "=", "user").execute();
    const context = { user: { id: "user", tokenHash: hashToken(token), mutedUntil: null } } as never;
    const refused = async (accountStatus: "any" | "speaking") => {
      clock.nowMs += 1000;
      return gate.checkAccountStatus(context, accountStatus).then(
        () => null,
        (error: { global: { code: number } }) => error.global.code,
      );
    };
    await set({ muted_until: NOW + 1500 });
    expect(await gate.authenticate(token)).toMatchObject({ id: "user", mutedUntil: NOW / 1000 + 2 });
    clock.nowMs += 1500;
    expect(await gate.authenticate(token)).toMatchObject({ mutedUntil: null });
    await set({ under_review: 1 });
    expect(await refused("speaking")).toBe(40013);
    await set({ mobile: "13812345678" });
    expect(await refused("speaking")).toBe(40014);
    expect(await refused("any")).toBe(null);
    await set({ under_review: 0 });
    expect(await refused("speaking")).toBe(40015);
    await set({ birth_year: 2009, birth_month: 2 });
    expect(await refused("speaking")).toBe(40015);
    await set({ birth_month: 1 });
    expect(await refused("speaking")).toBe(null);
  });
});
