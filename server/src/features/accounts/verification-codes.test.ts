import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { engines, openTestDatabase, type TestDatabase } from "../../../test/test-databases.ts";
import { checkCode, codeKeyOf, makeCode, storeCode } from "./verification-codes.ts";

const NOW = 1_800_000_000_000;
const codeKey = codeKeyOf("a server key");
const key = { channel: "email", target: "a@x.org", scenario: "register" } as const;

describe.each(engines)("verification codes on %s", (engine) => {
  let opened: TestDatabase;
  beforeEach(async () => {
    opened = await openTestDatabase(engine);
  });
  afterEach(() => opened.close());

  async function make(deviceId: string | null = null, madeWith = codeKey): Promise<string> {
    const code = makeCode();
    await storeCode(opened.db.kysely, madeWith, key, { code, deviceId }, NOW);
    return code;
  }
  const check = (
    code: string,
    { consume = true, deviceId = null as string | null, nowMs = NOW, scenario = "register" } = {},
  ) =>
    opened.db.transaction((trx) =>
      checkCode(opened.db, trx, codeKey, { ...key, scenario }, { code, deviceId, consume }, nowMs),
    );
  const other = (code: string) => (code === "000000" ? "000001" : "000000");

  test("[AUTH-050] six digits, good once; a check alone does not consume", async () => {
    const code = await make();
    expect(code).toMatch(/^\d{6}$/);
    expect(await check(code, { consume: false })).toBe("right");
    expect(await check(code)).toBe("right");
    expect(await check(code)).toBe("expired");
  });

  test("ends after ten minutes", async () => {
    const code = await make();
    expect(await check(code, { nowMs: NOW + 600_000 })).toBe("expired");
    expect(await check(code, { nowMs: NOW + 599_999 })).toBe("right");
  });

  test("five wrong tries void it, also parallel ones", async () => {
    const code = await make();
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => check(other(code))));
    expect(outcomes.filter((outcome) => outcome === "wrong")).toHaveLength(5);
    expect(outcomes.filter((outcome) => outcome === "expired")).toHaveLength(15);
    expect(await check(code)).toBe("expired");
  });

  test("four wrong tries leave it alive", async () => {
    const code = await make();
    for (let tries = 0; tries < 4; tries++) expect(await check(other(code))).toBe("wrong");
    expect(await check(code)).toBe("right");
  });

  test("a new code voids the older one and its tries; scenarios stand apart", async () => {
    const old = await make();
    for (let tries = 0; tries < 5; tries++) await check(other(old));
    let code = await make();
    while (code === old) code = await make();
    expect(await check(code, { scenario: "reset_password" })).toBe("expired");
    expect(await check(old)).toBe("wrong");
    expect(await check(code)).toBe("right");
  });

  test("two devices that differ do not fit; an absent one always does", async () => {
    const code = await make("phone");
    expect(await check(code, { deviceId: "laptop", consume: false })).toBe("wrong");
    expect(await check(code, { deviceId: "phone", consume: false })).toBe("right");
    expect(await check(code, { deviceId: "" })).toBe("right");
    expect(await check(await make(""), { deviceId: "laptop" })).toBe("right");
  });

  test("50 parallel uses of one code: one is right", async () => {
    const code = await make();
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => check(code)));
    expect(outcomes.filter((outcome) => outcome === "right")).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === "expired")).toHaveLength(49);
  });

  test("the table holds no code and no plain hash of one", async () => {
    const code = await make();
    const row = await opened.db.kysely.selectFrom("verification_codes").selectAll().executeTakeFirstOrThrow();
    expect(JSON.stringify({ ...row, created_at: 0, expires_at: 0, code_hash: "" })).not.toContain(code);
    expect(row.code_hash).toMatch(/^[0-9a-f]{64}$/);
    await make(null, codeKeyOf("another key"));
    expect(await check(code)).toBe("wrong");
  });
});
