import { describe, expect, test } from "vitest";
import { bindingsOf, boundSince, confirmationWays, isLastWayIn, type SignInMeans } from "./bindings.ts";
import type { IdentityRow } from "./identity-store.ts";
import type { UserRow } from "./user-store.ts";

const nobody: UserRow = {
  id: "u",
  email: null,
  mobile: null,
  area_code: null,
  password_hash: null,
  last_seq_id: 0,
  training_allowed: 0,
  muted_until: null,
  banned_at: null,
  under_review: 0,
  birth_year: null,
  birth_month: null,
  created_at: 100,
  email_bound_at: null,
  email_proved_at: null,
  mobile_bound_at: null,
  mobile_proved_at: null,
  password_proved_by: null,
  former_mobile: null,
  former_mobile_until: null,
  link_generation: 0,
};
const email = { email: "abcdefz@x.com", email_bound_at: 100 };
const phone = { mobile: "13812345678", area_code: "+86", mobile_bound_at: 500 };
const password = { password_hash: "hash" };
const identity = (provider: "GOOGLE" | "WECHAT", created_at = 100): IdentityRow => ({
  issuer: provider,
  subject: "s",
  provider,
  user_id: "u",
  name: "Ada",
  picture: null,
  locale: null,
  email: null,
  usage: null,
  created_at,
  used_at: created_at,
});
const HOUR = 3_600_000;
const google = identity("GOOGLE");
const wechat = identity("WECHAT", 600);
const everything: SignInMeans = { mail: true, sms: true, google: true, wechat: true };
const nothing: SignInMeans = { mail: false, sms: false, google: false, wechat: false };

describe("the last way in", () => {
  test.each<
    [title: string, user: Partial<UserRow>, identities: IdentityRow[], means: SignInMeans, last: boolean]
  >([
    ["a phone beside an address with a password", { ...email, ...phone, ...password }, [], nothing, false],
    ["a phone beside an address that gets codes", { ...email, ...phone }, [], everything, false],
    ["a phone beside an address that gets no mail", { ...email, ...phone }, [], nothing, true],
    ["a phone alone, with a password", { ...phone, ...password }, [], everything, true],
    ["a phone beside Google", phone, [google], everything, false],
    ["a phone beside a Google that is not set up", phone, [google], { ...everything, google: false }, true],
    ["a phone beside WeChat", phone, [wechat], { ...nothing, wechat: true }, false],
  ])("is %s: %#", (_title, user, identities, means, last) => {
    expect(isLastWayIn({ ...nobody, ...user }, identities, "phone", means)).toBe(last);
  });

  test("of an identity is told the same way", () => {
    expect(isLastWayIn(nobody, [google], "google", everything)).toBe(true);
    expect(isLastWayIn({ ...nobody, ...phone }, [google], "google", everything)).toBe(false);
    expect(isLastWayIn({ ...nobody, ...phone }, [google], "google", { ...everything, sms: false })).toBe(
      true,
    );
  });
});

describe("what was bound since the address was proved", () => {
  const kindsSince = (changes: Partial<UserRow>, proof: "email" | "phone" = "email") =>
    boundSince({ ...nobody, ...email, ...phone, ...changes }, [google, wechat], proof).map(
      ({ kind }) => kind,
    );

  test("is what came after the account, and after a reset nothing of before it", () => {
    expect(kindsSince({})).toEqual(["phone", "wechat"]);
    expect(kindsSince({ email_proved_at: 550 })).toEqual(["wechat"]);
    expect(kindsSince({ email_proved_at: 600 })).toEqual([]);
  });

  test("never lists what came with the account to who proves something newer", () => {
    expect(kindsSince({}, "phone")).toEqual(["wechat"]);
  });

  test("lists what nobody knows the time of until the first reset", () => {
    expect(kindsSince({ mobile_bound_at: null })).toEqual(["phone", "wechat"]);
    expect(kindsSince({ mobile_bound_at: null, email_proved_at: 1000 })).toEqual([]);
  });
});

test("labels are masked, and an identity without an address has its name", () => {
  const identities = [google, { ...wechat, email: "abcdefz@x.com" }];
  expect(bindingsOf({ ...nobody, ...email, ...phone }, identities)).toEqual([
    { kind: "email", label: "ab*****z@x.com", boundAt: 100 },
    { kind: "phone", label: "138****5678", boundAt: 500 },
    { kind: "google", label: "Ada", boundAt: 100 },
    { kind: "wechat", label: "ab*****z@x.com", boundAt: 600 },
  ]);
});

test("an account confirms by what it has and the server serves", () => {
  const ways = (
    user: Partial<UserRow>,
    identities: IdentityRow[],
    means = everything,
    nowMs = 600 + 72 * HOUR,
  ) => confirmationWays({ ...nobody, ...user }, identities, means, nowMs);
  expect(ways({ ...email, ...phone, ...password }, [google, wechat])).toEqual([
    "password",
    "email",
    "sms",
    "GOOGLE",
    "WECHAT",
  ]);
  expect(ways(phone, [google, wechat], nothing)).toEqual(["sms"]);
  expect(ways({ ...email, ...phone }, [google, wechat], everything, 500 + 72 * HOUR)).toEqual([
    "email",
    "sms",
    "GOOGLE",
  ]);
  expect(ways({ ...email, ...phone }, [google, wechat], everything, 700)).toEqual(["email", "GOOGLE"]);
});
