import { randomUUID } from "node:crypto";
import { LoginRefusal } from "@plumb/protocol/wire/sign-in";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { TestClock } from "../../../test/test-clock.ts";
import { engines, openTestDatabase, type TestDatabase } from "../../../test/test-databases.ts";
import { Refusal } from "../../platform/refusal.ts";
import { countTokensOf, deleteTokensOf } from "./login-token-store.ts";
import { type PasswordGuess, PasswordTries } from "./password-tries.ts";
import { hashPassword } from "./passwords.ts";
import { signIn } from "./sign-in.ts";
import { deleteUser, insertUser, setPasswordHash } from "./user-store.ts";

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
      config: { rateLimits: {} },
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
});
