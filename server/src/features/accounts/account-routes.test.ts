import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { bizData, type FrontDoor, openFrontDoor } from "../../../test/front-door.ts";
import { engines } from "../../../test/test-databases.ts";
import { chargeThinking } from "../guard/thinking-quota.ts";
import { hashToken } from "./login-tokens.ts";

const RESET_AT = Date.UTC(2027, 0, 15, 16) / 1000;

describe.each(engines)("the account on %s", (engine) => {
  let door: FrontDoor;
  let token: string;
  beforeEach(async () => {
    door = await openFrontDoor(engine);
    token = await door.signUp("abcd@x.org");
  });
  afterEach(() => door.close());
  const current = (presented: string) => door.get("/api/v0/users/current", { token: presented });
  const login = async () => {
    const answered = await door.post("/api/v0/users/login", {
      email: "abcd@x.org",
      password: "correct horse",
    });
    return bizData<{ user: { token: string } }>(answered).user.token;
  };

  test("[ACCT-001] [ACCT-002] current answers the user flat, under user, and beside biz_data, with the token presented", async () => {
    const { body, headers } = await current(token);
    const { user, ...flat } = body.data?.biz_data ?? {};
    expect(flat).toEqual(user);
    expect(body.data?.["user"]).toEqual(user);
    expect(user).toMatchObject({ token, email: "ab*****d@x.org", status: 0, id_profiles: [] });
    expect(headers["cache-control"]).toBe("no-store");
  });

  test("[ERR-006] [ERR-007] without a token 40002, with a wrong one 40003", async () => {
    const none = await door.get("/api/v0/users/current");
    expect([none.status, none.body.code, none.body.msg, none.body.data]).toEqual([
      200,
      40002,
      "MISSING_TOKEN",
      null,
    ]);
    const wrong = await current("x".repeat(64));
    expect([wrong.status, wrong.body.code, wrong.body.msg, wrong.body.data]).toEqual([
      200,
      40003,
      "INVALID_TOKEN",
      null,
    ]);
  });

  test("[ACCT-028] logout ends this token at once and tells it; another one goes on", async () => {
    const revoked = vi.fn<() => Promise<void>>(async () => {});
    door.deps.events.on("tokensRevoked", revoked);
    const second = await login();
    await current(token);
    const answered = await door.post("/api/v0/users/logout", undefined, { token });
    expect(answered.body.data).toEqual({ biz_code: 0, biz_msg: "", biz_data: null, code: 0 });
    expect((await current(token)).body.code).toBe(40003);
    const { id } = bizData<{ id: string }>(await current(second));
    await vi.waitFor(() => {
      expect(revoked).toHaveBeenCalledWith({ userId: id, tokenHash: hashToken(token) });
    }, 20_000);
  });

  test("[ACCT-031] logout_all_sessions ends every token of the account, this one too, and no other's", async () => {
    const second = await login();
    const foreign = await door.signUp("other@x.org");
    for (const one of [token, second, foreign]) await current(one);
    const answered = await door.post("/api/v0/users/logout_all_sessions", {}, { token: second });
    expect(answered.body.data?.biz_code).toBe(0);
    const codes = [token, second, foreign].map(async (one) => (await current(one)).body.code);
    expect(await Promise.all(codes)).toEqual([40003, 40003, 0]);
  });

  test("[ACCT-025] [ACCT-026] training_allowed starts false and is saved; an absent key changes nothing", async () => {
    const thinking_quota = { quota: 50, used: 0, reset_at: RESET_AT };
    const read = async () => (await door.get("/api/v0/users/settings", { token })).body.data?.biz_data;
    const update = async (body: unknown) =>
      (await door.post("/api/v0/users/update_settings", body, { token })).body.data?.biz_data;
    expect(await read()).toEqual({ training_allowed: false, thinking_quota });
    expect(await update({ training_allowed: true })).toEqual({ training_allowed: true, thinking_quota });
    expect(await update({})).toEqual({ training_allowed: true, thinking_quota });
    expect(await read()).toEqual({ training_allowed: true, thinking_quota });
    const wrong = await door.post("/api/v0/users/update_settings", { training_allowed: "yes" }, { token });
    expect([wrong.status, wrong.body.code]).toEqual([422, 42200]);
  });

  test("feature_quota tells what was used and when it is new", async () => {
    const { id } = bizData<{ id: string }>(await current(token));
    await chargeThinking(door.opened.db.kysely, 50, id, door.time.nowMs);
    const quota = await door.get("/api/v0/users/feature_quota", { token });
    expect(quota.body.data?.biz_data).toEqual({ thinking: { quota: 50, used: 1, reset_at: RESET_AT } });
  });

  test("[ACCT-053] the mute shows in current", async () => {
    await current(token);
    await door.opened.db.kysely
      .updateTable("users")
      .set({ muted_until: door.time.nowMs + 60_000 })
      .execute();
    expect((await current(token)).body.data?.biz_data?.["chat"]).toEqual({
      is_muted: 1,
      mute_until: door.time.nowMs / 1000 + 60,
    });
  });
});
