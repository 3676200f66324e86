import { Global } from "@plumb/protocol/wire/global-codes";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openFrontDoor, type FrontDoor } from "../../../test/front-door.ts";
import { engines } from "../../../test/test-databases.ts";
import type { CurrentUser } from "../../platform/http/request-context.ts";
import { GlobalRefusal } from "../../platform/refusal.ts";
import { guardFeature } from "./guard-feature.ts";

const badToken = (number: number) => String(number).padStart(64, "x");

describe.each(engines)("unknown tokens on %s", (engine) => {
  let door: FrontDoor;
  beforeEach(async () => {
    door = await openFrontDoor(engine, { rateLimits: { unknown_token_ip_minute: 5, api_user_minute: 1000 } });
  });
  afterEach(() => door.close());
  const ask = async (token: string, ip: string) =>
    (await door.get("/api/v0/users/current", { token, ip })).body.code;

  test("an address has a bounded number of them a minute, then no look-up; others are not touched", async () => {
    const token = await door.signUp("a@x.org");
    for (let number = 0; number < 5; number++) expect(await ask(badToken(number), "192.0.2.7")).toBe(40003);
    const refused = await door.get("/api/v0/users/current", { token: badToken(9), ip: "192.0.2.7" });
    expect([refused.status, refused.body.code, refused.headers["retry-after"]]).toEqual([429, 42903, "60"]);
    expect(await ask(badToken(9), "192.0.2.8")).toBe(40003);
    expect(await ask(token, "192.0.2.8")).toBe(0);
    door.time.nowMs += 60_000;
    expect(await ask(token, "192.0.2.7")).toBe(0);
  });

  test("the same bad token again costs no query and is not counted again", async () => {
    const find = vi.fn<() => Promise<CurrentUser | GlobalRefusal>>(
      async () => new GlobalRefusal(Global.InvalidToken),
    );
    const guard = guardFeature(door.deps);
    for (let count = 0; count < 20; count++) {
      const answer = await guard.lookUpToken(badToken(1), "192.0.2.7", find);
      expect((answer as GlobalRefusal).global).toBe(Global.InvalidToken);
    }
    expect(find).toHaveBeenCalledTimes(1);
    door.time.nowMs += 31_000;
    await guard.lookUpToken(badToken(1), "192.0.2.7", find);
    expect(find).toHaveBeenCalledTimes(2);
  });
});
