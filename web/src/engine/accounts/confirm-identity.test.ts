import type { User } from "@plumb/protocol/wire/accounts";
import { afterEach, describe, expect, it } from "vitest";
import { globalError, ok, refused } from "../testing/fake-answers.ts";
import { createFakeServer, type FakeServer } from "../testing/fake-server.ts";
import { rememberedErrand, rememberErrand } from "./confirm-errand.ts";
import { openPage, signedInDisk } from "../testing/open-page.ts";

const users = (name: string) => `/api/v0/users/${name}`;
const NOT_CONFIRMED = () => refused(20, "IDENTITY_NOT_CONFIRMED");
const confirmedAnswer = () => ok({ code: 0, msg: "", confirmed_until: 1 });
const user = { id: "user-1", token: "token-1", mobile_number: "", chat: { is_muted: 0, mute_until: null } };
const google = { kind: "google", label: "ad***@x.com", bound_at: 5, removable: true } as const;
const phone = { kind: "phone", label: "138****5678", bound_at: null, removable: false } as const;

let page: Awaited<ReturnType<typeof openPage>>;
afterEach(() => page.close());

async function open(server = createFakeServer(), disk = signedInDisk()) {
  page = await openPage(server, disk);
  const account = await page.engine.ownAccount();
  if (account === null) throw new Error("the part is not here");
  return { server, account, disk };
}
const overlays = () => page.engine.site.overlays.getState();
const toasts = () => page.engine.site.toasts.getState().toasts.map(({ text }) => text);

/** The server takes the calls once one confirmation was right. */
function needsConfirmation(server: FakeServer, call: string, answer: () => Response) {
  let isConfirmed = false;
  server.answer(users(call), () => (isConfirmed ? answer() : NOT_CONFIRMED()));
  server.answer(users("confirm_identity"), () => {
    isConfirmed = true;
    return confirmedAnswer();
  });
}

describe("a call that needs a confirmed identity", () => {
  it.each([
    ["unregister", ok(null), "unregister"],
    ["bind_mobile", ok({ code: 0, msg: "", user: { ...user, mobile_number: "1" } }), "bind_mobile"],
    ["unbind", ok({ code: 0, msg: "", user }), "unbind"],
    ["set_birthday", ok(null), "set_birthday"],
  ] as const)(
    "%s is made again with the same body once its owner has confirmed it",
    async (call, answer, act) => {
      const { server, account } = await open();
      needsConfirmation(server, call, () => answer);
      const acts = {
        unregister: () => account.remove(),
        bind_mobile: () => account.bindMobile({ mobile: "13812345678", code: "123456" }),
        unbind: () => account.ways.remove("google"),
        set_birthday: () => account.setBirthday(1990, 5),
      };
      const done = acts[call]();
      await page.browser.settle();
      expect(overlays().confirming).toBe(act);
      expect(server.calls(users(call))).toHaveLength(1);
      expect(await account.confirm.withPassword("12345678")).toEqual({ ok: true });
      expect(await done).toEqual(call === "bind_mobile" ? { ok: true } : true);
      expect(overlays().confirming).toBe(null);
      expect(server.calls(users("confirm_identity"))[0]?.body).toEqual({ password: "12345678" });
      const [first, second, ...more] = server.calls(users(call));
      expect(second?.body).toEqual(first?.body);
      expect(more).toEqual([]);
    },
  );

  it("is not made again where its owner does not confirm it, which is said", async () => {
    const { server, account } = await open();
    server.answer(users("unregister"), NOT_CONFIRMED);
    server.answer(users("bind_mobile"), NOT_CONFIRMED);
    const removing = account.remove();
    await page.browser.settle();
    account.confirm.dismiss();
    expect(await removing).toBe(false);
    const text = { key: "identityNotConfirmed" };
    expect(toasts()).toEqual([text]);
    server.answer(users("set_birthday"), NOT_CONFIRMED);
    const telling = account.setBirthday(1990, 5);
    await page.browser.settle();
    account.confirm.dismiss();
    expect(await telling).toBe(false);
    expect(server.calls(users("set_birthday"))).toHaveLength(1);
    const binding = account.bindMobile({ mobile: "13812345678", code: "123456" });
    await page.browser.settle();
    account.confirm.dismiss();
    expect(await binding).toEqual({ ok: false, field: null, text });
    expect(server.calls(users("unregister"))).toHaveLength(1);
    expect(page.engine.accounts.auth.getState().status).toBe("yes");
  });

  it("is not made again for whoever has signed in meanwhile", async () => {
    const { server, account } = await open();
    server.answer(users("unregister"), NOT_CONFIRMED);
    const removing = account.remove();
    await page.browser.settle();
    await page.engine.accounts.signOut();
    expect(overlays().confirming).toBe(null);
    const other = { ...user, id: "user-2", token: "token-2" };
    server.answer(users("login"), () => ok({ code: 0, msg: "", user: other }));
    await page.engine.accounts.signIn({ identifier: "b@b.co", password: "12345678" });
    expect(await removing).toBe(false);
    expect(server.calls(users("unregister"))).toHaveLength(1);
  });
});

describe("the ways to confirm it", () => {
  it("send the code of the account's own address or phone, or the password", async () => {
    const { server, account } = await open();
    server.answer(users("confirm_identity"), confirmedAnswer);
    await account.confirm.withCode("email", "111111");
    await account.confirm.withCode("sms", "222222");
    expect(server.calls(users("confirm_identity")).map(({ body }) => body)).toEqual([
      { email_verification_code: "111111" },
      { sms_verification_code: "222222" },
    ]);
  });

  it.each([
    [refused(2, "PASSWORD_OR_USER_NAME_IS_WRONG"), "password", { key: "confirmPasswordWrong" }],
    [refused(7, "CODE_EXPIRED"), "code", { key: "codeExpired" }],
    [refused(8, "CODE_WRONG"), "code", { key: "codeWrong" }],
    [refused(9, "WAY_NOT_AVAILABLE"), null, { key: "confirmWayGone" }],
    [refused(77, "NEW"), null, { key: "verificationFailedCode", params: { code: 77 } }],
    [globalError(40029, "IP_ACCESS_RESTRICTED", 429), null, { key: "tooManyRequests" }],
  ])("say what was refused, and the question stays (%#)", async (answer, field, text) => {
    const { server, account } = await open();
    server.answer(users("unregister"), NOT_CONFIRMED);
    void account.remove();
    await page.browser.settle();
    server.answer(users("confirm_identity"), () => answer);
    expect(await account.confirm.withPassword("x")).toEqual({ ok: false, field, text });
    expect(overlays().confirming).toBe("unregister");
  });

  it("have a code sent, whose countdown is no other form's", async () => {
    const { server } = await open();
    server.answer(users("confirm_code"), () => ok({ code: 0, msg: "", send_window_secs: 60 }));
    expect(await page.engine.accounts.sendOwnCode("sms")).toEqual({ ok: true });
    expect(server.calls(users("confirm_code"))[0]?.body).toEqual({ channel: "sms", locale: "en_US" });
    const timers = () => page.engine.accounts.codeTimer.getState();
    expect(timers()).toMatchObject({ ownPhone: 60, sms: 0 });
    const tooFrequent = { send_window_secs: 25 };
    server.answer(users("confirm_code"), () => refused(1, "CODE_SEND_TOO_FREQUENT", tooFrequent));
    expect(await page.engine.accounts.sendOwnCode("email")).toEqual({
      ok: false,
      field: null,
      text: { key: "codeTooFrequent" },
    });
    expect(timers().ownEmail).toBe(25);
    server.answer(users("confirm_code"), () => refused(1, "X", { send_window_secs: 7200 }));
    expect(await page.engine.accounts.sendOwnCode("email")).toMatchObject({ text: { key: "codeDayLimit" } });
  });
});

describe("a sign-in elsewhere that confirms who is signed in", () => {
  const brought = { nonce: "nonce-1", provider: "GOOGLE" } as const;

  it.each([
    ["bind_mobile", { gate: "phone", settings: null }],
    ["unregister", { gate: null, settings: "account" }],
    ["unbind", { gate: null, settings: "account" }],
    ["set_birthday", { gate: null, settings: null }],
  ] as const)("opens what it was for again after the way through another page: %s", async (act, opened) => {
    const server = createFakeServer();
    const disk = signedInDisk();
    await open(server, disk);
    rememberErrand(page.browser, act);
    page.close();
    const { account } = await open(server, disk);
    expect(rememberedErrand(page.browser)).toBe(act);
    server.answer(users("confirm_identity"), confirmedAnswer);
    await account.confirm.finishElsewhere(brought);
    expect(server.calls(users("confirm_identity"))[0]?.body).toEqual(brought);
    expect(overlays()).toMatchObject(opened);
    expect(rememberedErrand(page.browser)).toBe(null);
    expect(toasts()).toEqual([{ key: "identityConfirmed" }]);
    // Nothing is done by coming back.
    for (const call of ["unregister", "unbind", "bind_mobile", "set_birthday"])
      expect(server.calls(users(call))).toEqual([]);
  });

  it("says so where it was of another account", async () => {
    const { server, account } = await open();
    server.answer(users("confirm_identity"), () => refused(1, "NONCE_INVALID"));
    rememberErrand(page.browser, "unbind");
    await account.confirm.finishElsewhere(brought);
    expect(toasts()).toEqual([{ key: "confirmOtherAccount" }]);
    expect(overlays().settings).toBe("account");
  });

  it("says why it came to nothing, with no call", async () => {
    const { server, account } = await open();
    rememberErrand(page.browser, "bind_mobile");
    await account.confirm.finishElsewhere({ failed: { key: "oauthExpired" } });
    expect(toasts()).toEqual([{ key: "oauthExpired" }]);
    expect(overlays().gate).toBe("phone");
    expect(server.calls(users("confirm_identity"))).toEqual([]);
  });

  it("is forgotten with the account", async () => {
    await open();
    rememberErrand(page.browser, "unbind");
    await page.engine.accounts.signOut();
    expect(rememberedErrand(page.browser)).toBe(null);
  });
});

describe("the ways into the account", () => {
  const security = { confirmed_until: 9, ways: ["password", "GOOGLE"], bindings: [google, phone] };

  it("are listed, and one that is removed goes from the list and from what is known of the user", async () => {
    const { server, account } = await open();
    server.answer(users("security"), () => ok(security));
    await account.ways.load();
    expect(account.ways.store.getState()).toEqual({
      bindings: [google, phone],
      confirmations: ["password", "GOOGLE"],
      failed: false,
    });
    const changed = { ...user, id_profile: null, email: "changed" };
    server.answer(users("unbind"), () => ok({ code: 0, msg: "", user: changed }));
    server.answer(users("security"), () => ok({ ...security, bindings: [phone] }));
    expect(await account.ways.remove("google")).toBe(true);
    expect(server.calls(users("unbind"))[0]?.body).toEqual({ kind: "google" });
    expect(account.ways.store.getState().bindings).toEqual([phone]);
    expect(page.engine.accounts.auth.getState().user).toEqual(changed as unknown as User);
  });

  it.each([
    ["the last way in", () => refused(2, "LAST_WAY_IN"), { key: "lastWayIn" }],
    ["an unknown number", () => refused(9, "X"), { key: "unbindFailed" }],
    ["no network", () => Promise.reject(new TypeError("x")), { key: "networkError" }],
  ])("stay with a reason: %s", async (_why, answer, text) => {
    const { server, account } = await open();
    server.answer(users("security"), () => ok(security));
    server.answer(users("unbind"), answer);
    expect(await account.ways.remove("google")).toBe(false);
    expect(toasts()).toEqual([text]);
  });

  it("that was removed elsewhere goes, which is said", async () => {
    const { server, account } = await open();
    server.answer(users("unbind"), () => refused(1, "NOT_BOUND"));
    expect(await account.ways.remove("google")).toBe(true);
    expect(toasts()).toEqual([{ key: "notBound" }]);
  });

  it("that could not be read can be asked for again", async () => {
    const { server, account } = await open();
    server.answer(users("security"), () => globalError(50000, "INTERNAL_ERROR", 500));
    await account.ways.load();
    expect(account.ways.store.getState()).toMatchObject({ bindings: null, failed: true });
    server.answer(users("security"), () => ok(security));
    await account.ways.load();
    expect(account.ways.store.getState()).toMatchObject({ bindings: [google, phone], failed: false });
  });
});
