import { randomUUID } from "node:crypto";
import { hash } from "@node-rs/argon2";
import { LoginRefusal } from "@plumb/protocol/wire/sign-in";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { TestClock } from "../../../test/test-clock.ts";
import { engines, openTestDatabase, type TestDatabase } from "../../../test/test-databases.ts";
import { Refusal } from "../../platform/refusal.ts";
import { countTokensOf, deleteTokensOf } from "./login-token-store.ts";
import { type PasswordGuess, PasswordTries } from "./password-tries.ts";
import { hashPassword } from "./passwords.ts";
import { signIn } from "./sign-in.ts";
import { deleteUser, findUser, insertUser, setPasswordHash } from "./user-store.ts";

const EMAIL = "a@x.org";
const OLD = "correct horse";
const nowMs = new TestClock().now();

/** Something happens after the password was found right and before its sign-in goes on. */
class TriesWithPause extends PasswordTries {
  meanwhile = async (): Promise<unknown> => undefined;

  override async guess(guess: PasswordGuess, compare: () => Promise<boolean>): Promise<boolean> {
    const fits = await super.guess(guess, compare);
    await this.meanwhile();
    return fits;
  }
}

describe.each(engines)("signing in by password on %s", (engine) => {
  let opened: TestDatabase;
  let tries: TriesWithPause;
  const id = randomUUID();
  beforeEach(async () => {
    opened = await openTestDatabase(engine);
    tries = new TriesWithPause({
      db: opened.db,
      ports: { clock: new TestClock() },
    });
    const password_hash = await hashPassword(OLD);
    const account = { id, email: EMAIL, mobile: null, password_hash, created_at: nowMs };
    await insertUser(opened.db.kysely, account);
  });
  afterEach(() => opened.close());

  const enter = () =>
    signIn(
      { db: opened.db, tries },
      { email: EMAIL, mobile: null, password: OLD },
      { network: "192.0.2.1", deviceFor: () => null, origin: { client: "", region: null } },
      nowMs,
    );

  test("a password that is changed while it is compared opens nothing afterwards", async () => {
    tries.meanwhile = async () => {
      const next = await hashPassword("battery staple");
      await opened.db.transaction(async (trx) => {
        await setPasswordHash(trx, id, next);
        await deleteTokensOf(trx, id);
      });
    };
    await expect(enter()).rejects.toEqual(new Refusal(LoginRefusal.PasswordOrUserNameIsWrong));
    expect(await countTokensOf(opened.db.kysely, id, nowMs)).toBe(0);
  });

  test("an account that is deleted meanwhile is as if it had never been", async () => {
    tries.meanwhile = () => deleteUser(opened.db.kysely, id);
    await expect(enter()).rejects.toEqual(new Refusal(LoginRefusal.PasswordOrUserNameIsWrong));
  });

  test("a hash that is weaker than today's is replaced at the sign-in, once", async () => {
    const stored = async () => (await findUser(opened.db.kysely, { id }))?.password_hash;
    const weak = await hash(OLD, { memoryCost: 4096, timeCost: 1, parallelism: 1 });
    await setPasswordHash(opened.db.kysely, id, weak);

    const { user } = await enter();
    const replaced = await stored();
    expect(replaced).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/u);
    // The browser is made known to the account under the new one.
    expect(user.password_hash).toBe(replaced);

    await enter();
    expect(await stored()).toBe(replaced);
    expect(await countTokensOf(opened.db.kysely, id, nowMs)).toBe(2);
  });

  test("of two sign-ins that would replace a weak hash both are let in", async () => {
    const weak = await hash(OLD, { memoryCost: 4096, timeCost: 1, parallelism: 1 });
    await setPasswordHash(opened.db.kysely, id, weak);
    const replaced = await hashPassword(OLD);
    tries.meanwhile = () => setPasswordHash(opened.db.kysely, id, replaced);

    const { user } = await enter();
    expect(user.password_hash).toBe(replaced);
    expect(await countTokensOf(opened.db.kysely, id, nowMs)).toBe(1);
  });

  test("a password that was changed meanwhile is not put back by a weak hash's replacement", async () => {
    const weak = await hash(OLD, { memoryCost: 4096, timeCost: 1, parallelism: 1 });
    await setPasswordHash(opened.db.kysely, id, weak);
    const next = await hashPassword("battery staple");
    tries.meanwhile = () => setPasswordHash(opened.db.kysely, id, next);

    await expect(enter()).rejects.toEqual(new Refusal(LoginRefusal.PasswordOrUserNameIsWrong));
    expect((await findUser(opened.db.kysely, { id }))?.password_hash).toBe(next);
    expect(await countTokensOf(opened.db.kysely, id, nowMs)).toBe(0);
  });
});
