import { expect, test } from "vitest";
import { presentUser } from "./present-user.ts";

const row = {
  id: "0b0e7f9a-0000-4000-8000-000000000000",
  email: "abcdefz@x.com",
  mobile: null,
  area_code: null,
  password_hash: "secret",
  last_seq_id: 0,
  training_allowed: 0,
  muted_until: null,
  banned_at: null,
  under_review: 0,
  birth_year: null,
  birth_month: null,
  email_bound_at: 1,
  email_proved_at: null,
  mobile_bound_at: null,
  mobile_proved_at: null,
  password_proved_by: null,
  former_mobile: null,
  former_mobile_until: null,
  link_generation: 0,
  created_at: 0,
};

test("[ACCT-002] [ACCT-003] [ACCT-006] [ACCT-007] has every key, and an empty text for what there is none of", () => {
  expect(presentUser(row, "token", { nowMs: 1000, minAge: null, identities: [] })).toEqual({
    id: row.id,
    token: "token",
    email: "ab*****z@x.com",
    mobile_number: "",
    mobile: "",
    area_code: "",
    status: 0,
    id_profile: null,
    id_profiles: [],
    chat: { is_muted: 0, mute_until: null },
    has_legacy_chat_history: false,
    need_birthday: false,
  });
});

test("[ACCT-005] [ACCT-053] tells a running mute in whole seconds, and a phone number masked twice", () => {
  const view = presentUser({ ...row, muted_until: 5500, mobile: "13812345678" }, "token", {
    nowMs: 5000,
    minAge: 13,
    identities: [],
  });
  expect(view.chat).toEqual({ is_muted: 1, mute_until: 6 });
  expect([view.mobile, view.mobile_number, view.area_code]).toEqual(["138****5678", "138****5678", "+86"]);
  expect(view.need_birthday).toBe(true);
  expect(
    presentUser({ ...row, muted_until: 5500 }, "token", { nowMs: 5500, minAge: null, identities: [] }).chat,
  ).toEqual({
    is_muted: 0,
    mute_until: null,
  });
});

test("[ACCT-004] shows whose person at a provider it is, the one used last first, with the address masked", () => {
  const identity = {
    issuer: "https://accounts.google.com",
    subject: "sub",
    provider: "GOOGLE" as const,
    user_id: row.id,
    name: "Ada",
    picture: null,
    locale: "en",
    email: "abcdefz@x.com",
    usage: null,
    created_at: 0,
    used_at: 0,
  };
  const wechat = { ...identity, provider: "WECHAT" as const, subject: "union", name: "艾达", email: null };
  const view = presentUser(row, "token", { nowMs: 1000, minAge: null, identities: [identity, wechat] });
  expect(view.id_profile).toEqual({
    provider: "GOOGLE",
    id: "sub",
    name: "Ada",
    picture: null,
    locale: "en",
    email: "ab*****z@x.com",
  });
  expect(view.id_profiles.map(({ provider, email }) => [provider, email])).toEqual([
    ["GOOGLE", "ab*****z@x.com"],
    ["WECHAT", null],
  ]);
});
