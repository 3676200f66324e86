import { googleAuthorize, googleCallback, wechatCallback } from "@plumb/protocol/wire/oauth";
import { afterEach, describe, expect, test } from "vitest";
import { type FrontDoor, openFrontDoor } from "../../../test/front-door.ts";
import { engines } from "../../../test/test-databases.ts";

const pages = [
  ["GOOGLE", googleAuthorize.path],
  ["GOOGLE", googleCallback.path],
  ["WECHAT", wechatCallback.path],
] as const;

describe.each(engines)("whoever comes with a whole page on %s", (engine) => {
  let door: FrontDoor;
  afterEach(() => door.close());

  test.each(pages)(
    "is led to sign-in, with the reason, where too many of an address have come: %s %s [AUTH-136] [ERR-008]",
    async (provider, path) => {
      door = await openFrontDoor(engine, {}, { settings: { RATE_LIMITS: "login_ip_minute=1" } });
      await door.get(path);
      const said = await door.get(path);
      expect([said.status, said.headers["location"]]).toEqual([
        302,
        `/sign_in?provider=${provider}&error=IP_ACCESS_RESTRICTED&code=40029`,
      ]);
      expect(said.headers["cache-control"]).toBe("no-store");
      expect(Number(said.headers["retry-after"])).toBeGreaterThan(0);
    },
  );
});
