import { expect, test } from "vitest";
import type { Config } from "../../config.ts";
import { readConfig } from "../../config.ts";
import { signInSettings } from "./sign-in-settings.ts";

type Kinds = Partial<{ mailer: "smtp" | "outbox"; smsSender: "webhook" | "outbox" }>;

function settings(changes: Partial<Config>, region: string | null, { mailer, smsSender }: Kinds = {}) {
  const senders = { mailer: { kind: mailer ?? "outbox" }, smsSender: { kind: smsSender ?? "outbox" } };
  return signInSettings({ ...readConfig({}), ...changes }, senders, region);
}

test("[AUTH-002] outside the mainland one signs in by email or phone with a password, and up by email", () => {
  expect(settings({}, null)).toEqual({
    methods: ["email_password", "mobile_password"],
    sign_up: ["email"],
    sms_blocked: false,
    google_forced: false,
    wechat_app_id: null,
    registration: "open",
    registration_open: true,
    email_outbox: true,
    sms_outbox: true,
  });
});

test("the mainland signs up by phone and in by code; the code is blocked where it is not served", () => {
  const told = settings({ edition: "mainland" }, "CN");
  expect(told).toMatchObject({
    methods: ["sms_code", "mobile_password", "email_password"],
    sign_up: ["mobile"],
    sms_blocked: false,
  });
  expect(settings({ edition: "mainland" }, "US").sms_blocked).toBe(true);
  expect(settings({ edition: "mainland", phoneRegions: "*" }, "US").sms_blocked).toBe(false);
  expect(settings({ edition: "mainland" }, null).sms_blocked).toBe(true);
});

test("phones join the international edition where there is a gateway and the region is let in", () => {
  const both = { methods: ["email_password", "mobile_password", "sms_code"], sign_up: ["email", "mobile"] };
  expect(settings({ phoneRegions: "*" }, null, { smsSender: "webhook" })).toMatchObject(both);
  expect(settings({}, "CN", { smsSender: "webhook" })).toMatchObject(both);
  expect(settings({}, "DE", { smsSender: "webhook" }).sign_up).toEqual(["email"]);
  expect(settings({ phoneRegions: "*" }, null).sign_up).toEqual(["email"]);
});

test("who comes from the mainland is offered a phone alone where the operator says so", () => {
  const off = { mainlandEmailSignUp: false };
  expect(settings(off, "CN")).toMatchObject({
    methods: ["email_password", "mobile_password"],
    sign_up: ["mobile"],
  });
  expect(settings(off, "CN", { smsSender: "webhook" }).sign_up).toEqual(["mobile"]);
  for (const region of ["HK", null]) expect(settings(off, region).sign_up).toEqual(["email"]);
  expect(settings({}, "CN").sign_up).toEqual(["email"]);
});

test.each(["invitation", "closed"] as const)("where sign-up is %s it is not open", (signUp) => {
  const told = settings({ signUp }, null, { mailer: "smtp", smsSender: "webhook" });
  expect(told).toMatchObject({
    registration: signUp,
    registration_open: false,
    email_outbox: false,
    sms_outbox: false,
  });
});
