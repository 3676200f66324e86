import { createHash } from "node:crypto";
import type { Challenge } from "@plumb/protocol/proof-of-work/challenge";
import { solve } from "@plumb/protocol/proof-of-work/puzzle";
import { createPowChallenge } from "@plumb/protocol/wire/guard";
import { encodePowResponse } from "@plumb/protocol/wire/headers";
import { afterEach, describe, expect, test } from "vitest";
import { bizData, type FrontDoor, openFrontDoor } from "../../../test/front-door.ts";
import { engines } from "../../../test/test-databases.ts";
import type { SignedInContext } from "../../platform/http/route.ts";
import { guardFeature } from "./guard-feature.ts";
import { deleteExpiredGuardRows } from "./proof-store.ts";

const COMPLETION = "/api/v0/chat/completion";
const GUEST = "/api/v0/users/create_guest_challenge";
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

describe.each(engines)("the guard on %s", (engine) => {
  let door: FrontDoor;
  afterEach(() => door.close());

  test("[POW-004] create_pow_challenge answers a challenge for the path, 1 for a path without a scene", async () => {
    door = await openFrontDoor(engine);
    const token = await door.signUp("a@x.org");
    const ask = (target_path: unknown) =>
      door.post("/api/v0/chat/create_pow_challenge", { target_path }, { token });
    const answered = await ask("/v0/chat/completion");
    expect(answered.body.data?.biz_data?.["challenge"]).toMatchObject({
      target_path: COMPLETION,
      difficulty: 20,
    });
    const refused = await ask("/api/v0/users/login");
    expect([refused.body.data?.biz_code, refused.body.data?.biz_msg]).toEqual([1, "INVALID_TARGET_PATH"]);
    expect((await ask(7)).body.code).toBe(42200);
    expect(
      (await door.post("/api/v0/chat/create_pow_challenge", { target_path: COMPLETION })).body.code,
    ).toBe(40002);
  });

  test("[AUTH-075] create_guest_challenge answers the same by POST and GET, with or without a path by GET", async () => {
    door = await openFrontDoor(engine);
    const path = "/api/v0/users/register";
    const posted = await door.post(GUEST, { target_path: "/v0/users/register" });
    expect(posted.body.data?.biz_data?.["guest_challenge"]).toMatchObject({
      target_path: path,
      expire_after: 300_000,
      expire_at: door.time.nowMs + 300_000,
    });
    const got = await door.get(`${GUEST}?target_path=${encodeURIComponent(path)}`);
    expect(got.body.data?.biz_data?.["guest_challenge"]).toMatchObject({ target_path: path });
    expect((await door.get(GUEST)).body.data?.biz_code).toBe(0);
    expect((await door.post(GUEST, { target_path: COMPLETION })).body.data?.biz_code).toBe(1);
  });

  test("[POW-007] [POW-013] [POW-014] a user's proof is read from its header and spent once", async () => {
    door = await openFrontDoor(engine);
    const token = await door.signUp("a@x.org");
    const asked = await door.post(
      "/api/v0/chat/create_pow_challenge",
      { target_path: COMPLETION },
      { token },
    );
    const { challenge } = bizData<{ challenge: Challenge }>(asked);
    const { id } = bizData<{ id: string }>(await door.get("/api/v0/users/current", { token }));
    const guard = guardFeature(door.deps);
    const call = { ...createPowChallenge, path: COMPLETION, proof: "user:completion_like" } as never;
    const check = (header: string | undefined) =>
      guard
        .checkProof(
          { user: { id }, headers: { "x-ds-pow-response": header } } as unknown as SignedInContext,
          call,
        )
        .then(
          () => 0,
          (error: { global: { code: number } }) => error.global.code,
        );
    const header = encodePowResponse({ ...challenge, answer: solve(challenge, sha256) ?? -1 });
    expect(await check(undefined)).toBe(40300);
    expect(await check("%%%")).toBe(40300);
    expect(await check(Buffer.from('{"salt":"x"}').toString("base64"))).toBe(40300);
    expect(await check(header.replaceAll("=", ""))).toBe(0);
    expect(await check(header)).toBe(40301);
  });

  test("[ERR-008] too many guest and public requests of one address are 40029 with Retry-After", async () => {
    door = await openFrontDoor(engine, { rateLimits: { guest_ip_minute: 2, public_ip_minute: 1 } });
    for (let count = 0; count < 2; count++) expect((await door.get(GUEST)).status).toBe(200);
    const refused = await door.get(GUEST);
    expect([refused.status, refused.body.code, refused.headers["retry-after"]]).toEqual([429, 40029, "60"]);
    expect((await door.get(GUEST, { ip: "2001:db8::1" })).status).toBe(200);
    expect((await door.get(GUEST, { ip: "2001:db8::2" })).status).toBe(200);
    expect((await door.get(GUEST, { ip: "2001:db8::3" })).status).toBe(429);
    expect((await door.get("/api/v0/client/ip_info")).status).toBe(200);
    expect((await door.get("/api/v0/client/ip_info")).status).toBe(429);
    door.time.nowMs += 60_000;
    expect((await door.get(GUEST)).status).toBe(200);
  });

  test("the class api is 42903 per user, login 40029 per address", async () => {
    door = await openFrontDoor(engine, { rateLimits: { api_user_minute: 2, login_ip_minute: 3 } });
    const [one, two] = [await door.signUp("a@x.org"), await door.signUp("b@x.org")];
    const current = async (token: string) => (await door.get("/api/v0/users/current", { token })).body.code;
    expect([await current(one), await current(one), await current(one)]).toEqual([0, 0, 42903]);
    expect(await current(two)).toBe(0);
    const login = async () => (await door.post("/api/v0/users/login", { password: "x" })).body.code;
    expect([await login(), await login()]).toEqual([0, 40029]);
  });

  test("the clean-up removes what has expired and nothing else", async () => {
    door = await openFrontDoor(engine);
    await door.signUp("a@x.org");
    await door.get(GUEST);
    const { kysely } = door.opened.db;
    await kysely
      .insertInto("used_proofs")
      .values({ signature: "s", expires_at: door.time.nowMs + 1000 })
      .execute();
    const counts = async () =>
      Promise.all(
        (["guest_challenges", "used_proofs", "rate_counters"] as const).map(
          async (table) => (await kysely.selectFrom(table).selectAll().execute()).length,
        ),
      );
    const before = await counts();
    await deleteExpiredGuardRows(door.opened.db, door.time.nowMs);
    expect(await counts()).toEqual(before);
    await deleteExpiredGuardRows(door.opened.db, door.time.nowMs + 86_400_001);
    expect(await counts()).toEqual([0, 0, 0]);
  });
});
