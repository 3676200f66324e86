import { afterEach, describe, expect, it } from "vitest";
import { globalError, ok, refused } from "../testing/fake-answers.ts";
import { createFakeServer } from "../testing/fake-server.ts";
import { openPage, signedInDisk } from "../testing/open-page.ts";

const users = (name: string) => `/api/v0/users/${name}`;
const quota = { quota: 50, used: 0, reset_at: 1 };
const user = { id: "user-1", token: "token-1", chat: { is_muted: 0, mute_until: null }, need_birthday: true };

type Page = Awaited<ReturnType<typeof openPage>>;
let page: Page;
afterEach(() => page.close());

async function open(server = createFakeServer()) {
  const disk = signedInDisk();
  page = await openPage(server, disk);
  await page.browser.settle();
  const account = await page.engine.ownAccount();
  if (account === null) throw new Error("the part is not here");
  return { server, disk, account };
}
const auth = () => page.engine.accounts.auth.getState();
const toasts = () => page.engine.site.toasts.getState().toasts.map(({ text }) => text);
const down = () => Promise.reject(new TypeError("failed to fetch"));

describe("the training switch [ACCT-020] [ACCT-025] [ACCT-026]", () => {
  it("is unknown until the server has said it, and shows a wish at once", async () => {
    const { server, account } = await open();
    const { training } = account;
    server.answer(users("settings"), () => ok({ training_allowed: false, thinking_quota: quota }));
    expect(training.store.getState().allowed).toBe(null);
    await training.load();
    expect(training.store.getState()).toEqual({ allowed: false, saving: false, failed: false });
    let release = (): void => {};
    server.answer(
      users("update_settings"),
      ({ body }) =>
        new Promise((resolve) => {
          release = () => resolve(ok({ training_allowed: body["training_allowed"], thinking_quota: quota }));
        }),
    );
    const saving = training.set(true);
    expect(training.store.getState()).toEqual({ allowed: true, saving: true, failed: false });
    await training.set(false);
    await page.browser.settle();
    release();
    await saving;
    expect(training.store.getState()).toEqual({ allowed: true, saving: false, failed: false });
    expect(server.calls(users("update_settings"))).toHaveLength(1);
  });

  it("shows what was before and a toast where the server cannot be reached [ACCT-027]", async () => {
    const { server, account } = await open();
    const { training } = account;
    server.answer(users("settings"), () => ok({ training_allowed: true, thinking_quota: quota }));
    await training.load();
    server.answer(users("update_settings"), down);
    await training.set(false);
    expect(training.store.getState()).toEqual({ allowed: true, saving: false, failed: false });
    expect(toasts()).toEqual([{ key: "allowTrainingSwitchNetworkError" }]);
  });

  it("is asked for again by itself where it could not be read", async () => {
    const { server, account } = await open();
    server.answer(users("settings"), down);
    await account.training.load();
    server.answer(users("settings"), () => ok({ training_allowed: true, thinking_quota: quota }));
    await page.browser.advance(5000);
    expect(account.training.store.getState()).toMatchObject({ allowed: true, failed: false });
    const asked = server.calls(users("settings")).length;
    await page.browser.advance(60_000);
    expect(server.calls(users("settings"))).toHaveLength(asked);
  });

  it("can be asked for again where it could not be read", async () => {
    const { server, account } = await open();
    server.answer(users("settings"), down);
    await account.training.load();
    expect(account.training.store.getState()).toMatchObject({ allowed: null, failed: true });
    server.answer(users("settings"), () => ok({ training_allowed: true, thinking_quota: quota }));
    await account.training.load();
    expect(account.training.store.getState()).toMatchObject({ allowed: true, failed: false });
  });
});

describe("own sign-ins", () => {
  const entry = (id: string, current: boolean) => ({
    id,
    current,
    client: "Chrome on Linux",
    region: null,
    created_at: 1,
    last_used_at: 2,
  });
  const listed = { sign_ins: [entry("here", true), entry("there", false), entry("elsewhere", false)] };
  const ids = (account: Awaited<ReturnType<typeof open>>["account"]) =>
    account.signIns.store.getState().entries?.map(({ id }) => id);

  it("one that is ended goes from the list, and so does one that had ended", async () => {
    const { server, account } = await open();
    server.answer(users("sign_ins"), () => ok(listed));
    await account.signIns.load();
    server.answer(users("end_sign_in"), ({ body }) =>
      body["id"] === "there" ? ok(null) : refused(1, "SIGN_IN_NOT_FOUND"),
    );
    await account.signIns.end("there");
    expect(ids(account)).toEqual(["here", "elsewhere"]);
    await account.signIns.end("elsewhere");
    expect(ids(account)).toEqual(["here"]);
    expect(auth().status).toBe("yes");
    expect(toasts()).toEqual([]);
  });

  it("stays in the list with a toast where it could not be ended", async () => {
    const { server, account } = await open();
    server.answer(users("sign_ins"), () => ok(listed));
    await account.signIns.load();
    server.answer(users("end_sign_in"), () => refused(9, "OTHER"));
    await account.signIns.end("there");
    expect(ids(account)).toEqual(["here", "there", "elsewhere"]);
    expect(account.signIns.store.getState().ending).toEqual([]);
    expect(toasts()).toEqual([{ key: "endSignInFailed" }]);
  });

  it("the end of this one is a logout", async () => {
    const { server, account, disk } = await open();
    server.answer(users("sign_ins"), () => ok(listed));
    await account.signIns.load();
    server.answer(users("end_sign_in"), () => ok(null));
    await account.signIns.end("here");
    expect(auth()).toMatchObject({ status: "no", reason: "signed-out" });
    expect([...disk.values.keys()]).not.toContain("plumb.token");
    expect(account.signIns.store.getState().entries).toBe(null);
  });

  it("all are ended with this one [ACCT-031], or a toast says that they were not [ACCT-032]", async () => {
    const { server, account } = await open();
    for (const answer of [() => refused(1, "LOGOUT_FAILED"), down, () => refused(7, "OTHER")]) {
      server.answer(users("logout_all_sessions"), answer);
      expect(await account.signIns.endAll()).toBe(false);
    }
    expect(auth().status).toBe("yes");
    expect(toasts()).toEqual([{ key: "logoutAllDevicesFail" }]);
    server.answer(users("logout_all_sessions"), () => ok(null));
    expect(await account.signIns.endAll()).toBe(true);
    expect(auth()).toMatchObject({ status: "no", reason: "signed-out" });
    expect(server.calls(users("logout_all_sessions"))[0]?.headers["authorization"]).toBe("Bearer token-1");
  });
});

describe("deleting the account", () => {
  it("leaves nothing of it in this browser, and says that it is gone [ACCT-037]", async () => {
    const server = createFakeServer();
    server.addSession("s1", []);
    const { account, disk } = await open(server);
    page.engine.sessions.setDraft("s1", "a secret");
    await page.browser.settle();
    server.answer(users("unregister"), () => ok(null));
    expect(await account.remove()).toBe(true);
    expect(auth()).toMatchObject({ status: "no", user: null });
    expect(toasts()).toEqual([{ key: "accountDeleted" }]);
    expect(page.engine.sessions.list.getState().sessions).toEqual([]);
    expect(JSON.stringify([[...disk.values], [...disk.records]])).not.toMatch(/token-1|a secret|s1/u);
  });

  it("leads who was banned meanwhile to the page that says so [ACCT-040] [ACCT-051]", async () => {
    const { server, account } = await open();
    server.answer(users("unregister"), () => refused(3, "USER_IS_BANNED"));
    expect(await account.remove()).toBe(false);
    expect(auth()).toMatchObject({ status: "no", reason: "banned" });
    expect(page.engine.site.navigation.getState().to).toBe("/banned");
    expect(toasts()).toEqual([{ key: "accountSuspended" }]);
  });

  it.each<[why: string, answer: () => Response | Promise<Response>, text: object]>([
    ["not found [ACCT-038] [ACCT-041]", () => refused(1, "NOT_FOUND"), { key: "deleteAccountFailed" }],
    ["too frequent [ACCT-039]", () => refused(2, "TOO_FREQUENT"), { key: "deleteAccountTooFrequent" }],
    [
      "an unknown number [ACCT-041]",
      () => refused(9, "OTHER"),
      { key: "deleteAccountFailedCode", params: { code: 9 } },
    ],
    ["no network [ACCT-041]", down, { key: "deleteAccountFailed" }],
    [
      "a broken server [ACCT-041]",
      () => globalError(50000, "INTERNAL_ERROR", 500),
      { key: "deleteAccountFailed" },
    ],
  ])("says why it was not deleted: %s", async (_why, answer, text) => {
    const { server, account } = await open();
    server.answer(users("unregister"), answer);
    expect(await account.remove()).toBe(false);
    expect(auth().status).toBe("yes");
    expect(toasts()).toEqual([text]);
  });
});

/** Answers a call only after another tab has signed out and in as somebody else. */
function crossedBySignIn(server: ReturnType<typeof createFakeServer>, call: string, answer: () => Response) {
  server.answer(users(call), async () => {
    const other = { id: "user-2", token: "token-2", chat: { is_muted: 0, mute_until: null } };
    server.answer(users("login"), () => ok({ code: 0, msg: "", user: other }));
    server.answer(users("current"), () => ok({ ...other, need_birthday: true }));
    const tab = await openPage(createFakeServer(), page.disk);
    await tab.engine.accounts.signOut();
    tab.close();
    const again = await openPage(server, page.disk);
    await again.engine.accounts.signIn({ identifier: "b@b.co", password: "12345678" });
    await page.browser.settle();
    again.close();
    return answer();
  });
}

describe("whoever has signed in meanwhile", () => {
  it("is not signed out by the end of the account before", async () => {
    const { server, account, disk } = await open();
    crossedBySignIn(server, "unregister", () => ok(null));
    expect(await account.remove()).toBe(true);
    expect(auth()).toMatchObject({ status: "yes", user: { id: "user-2" } });
    expect(disk.values.get("plumb.token")).toBe("token-2");
    expect(toasts()).toContainEqual({ key: "accountDeleted" });
  });

  it.each([
    ["accepted", () => ok(null)],
    ["too young", () => refused(2, "TOO_YOUNG")],
  ])("is still asked for a birthday, whatever became of the one before: %s", async (_what, answer) => {
    const { server, account } = await open();
    crossedBySignIn(server, "set_birthday", answer);
    await account.setBirthday(2020, 5);
    expect(auth()).toMatchObject({ status: "yes", user: { id: "user-2", need_birthday: true } });
    expect(page.engine.site.overlays.getState().gate).toBe("birthday");
  });
});

describe("binding a phone", () => {
  const needed = { ...user, need_birthday: false, mobile_number: "", mobile: "", area_code: "" };
  const number = { mobile: "13812345678", code: "123456" };
  const gate = () => page.engine.site.overlays.getState().gate;
  const ask = async () => {
    const server = createFakeServer();
    server.answer(users("current"), () => ok(needed));
    server.addSession("s1", []);
    const opened = await open(server);
    server.answer("/api/v0/chat_session/update_title", () => globalError(40013, "MOBILE_NOT_VERIFIED"));
    await page.engine.sessions.rename("s1", "x");
    return opened;
  };

  it("is asked for where a call is refused for it, and ends with the phone [AUTH-005]", async () => {
    const { server, account } = await ask();
    expect(gate()).toBe("phone");
    // The account is read again meanwhile: the question stays.
    page.engine.accounts.auth.setState({ user: { ...needed } as never });
    expect(gate()).toBe("phone");
    const bound = { ...needed, mobile_number: "138****5678" };
    server.answer(users("bind_mobile"), () => ok({ code: 0, msg: "", user: bound }));
    expect(await account.bindMobile(number)).toEqual({ ok: true });
    expect(server.calls(users("bind_mobile"))[0]?.body).toEqual({
      area_code: "+86",
      mobile_number: "13812345678",
      sms_verification_code: "123456",
    });
    expect(auth().user?.mobile_number).toBe("138****5678");
    expect(gate()).toBe(null);
    expect(toasts()).toContainEqual({ key: "phoneBound" });
  });

  it.each([
    [3, "mobile", "phoneRegistered"],
    [7, "code", "codeExpired"],
    [8, "code", "codeWrong"],
    [12, "mobile", "phoneInvalid"],
  ])("refusal %i is said at the %s", async (code, field, key) => {
    const { server, account } = await ask();
    server.answer(users("bind_mobile"), () => refused(code, "X"));
    expect(await account.bindMobile(number)).toEqual({ ok: false, field, text: { key } });
    expect(gate()).toBe("phone");
  });

  it("is done where another page has bound one, and says what else fails", async () => {
    const { server, account } = await ask();
    server.answer(users("bind_mobile"), () => refused(9, "X"));
    const failed = { ok: false, field: null, text: { key: "verificationFailedCode", params: { code: 9 } } };
    expect(await account.bindMobile(number)).toEqual(failed);
    server.answer(users("bind_mobile"), () => refused(13, "ALREADY_BOUND"));
    const before = server.calls(users("current")).length;
    expect(await account.bindMobile(number)).toEqual({ ok: true });
    await page.browser.settle();
    expect(server.calls(users("current")).length).toBe(before + 1);
    expect(gate()).toBe(null);
  });
});

describe("the age gate", () => {
  const due = () => {
    const server = createFakeServer();
    server.answer(users("current"), () => ok(user));
    return server;
  };
  const gate = () => page.engine.site.overlays.getState().gate;

  it("shows while need_birthday is true, until the answer is accepted [ACCT-042] [ACCT-045] [ACCT-046]", async () => {
    const { server, account } = await open(due());
    expect(gate()).toBe("birthday");
    server.answer(users("set_birthday"), () => ok(null));
    expect(await account.setBirthday(1990, 5)).toBe(true);
    expect(server.calls(users("set_birthday"))[0]?.body).toEqual({ year: 1990, month: 5 });
    expect(gate()).toBe(null);
    expect(auth().user?.need_birthday).toBe(false);
  });

  it.each([
    // Here the server has ended all sign-ins itself.
    [2, "TOO_YOUNG", "ageGateRejectText", []],
    [1, "INVALID_DATE", "ageGetInvalidDate", ["Bearer token-1"]],
    [9, "OTHER", "ageGetInvalidDate", ["Bearer token-1"]],
  ])(
    "%i %s signs out, at the server too, and says why [ACCT-047] [ACCT-048]",
    async (code, msg, key, ended) => {
      const { server, account } = await open(due());
      server.answer(users("set_birthday"), () => refused(code, msg));
      expect(await account.setBirthday(2020, 5)).toBe(false);
      expect(auth()).toMatchObject({ status: "no", reason: "signed-out" });
      expect(toasts()).toEqual([{ key }]);
      expect(gate()).toBe(null);
      await page.browser.settle();
      expect(server.calls(users("logout")).map(({ headers }) => headers["authorization"])).toEqual(ended);
    },
  );

  it("stays where the server cannot be reached, with a toast [ACCT-049]", async () => {
    const { server, account } = await open(due());
    server.answer(users("set_birthday"), down);
    expect(await account.setBirthday(1990, 5)).toBe(false);
    expect(toasts()).toEqual([{ key: "ageGateNetworkError" }]);
    expect(gate()).toBe("birthday");
    expect(auth().status).toBe("yes");
  });

  it("gives way to no question for a phone, nor goes with the answer to one [ACCT-042]", async () => {
    const server = due();
    server.addSession("s1", []);
    const { account } = await open(server);
    server.answer("/api/v0/chat_session/update_title", () => globalError(40013, "MOBILE_NOT_VERIFIED"));
    await page.engine.sessions.rename("s1", "x");
    expect(gate()).toBe("birthday");
    const bound = { ...user, mobile_number: "138****5678" };
    server.answer(users("bind_mobile"), () => ok({ code: 0, msg: "", user: bound }));
    expect(await account.bindMobile({ mobile: "13812345678", code: "123456" })).toEqual({ ok: true });
    expect(gate()).toBe("birthday");
  });

  it("shows when a call is refused for it", async () => {
    const server = createFakeServer();
    await open(server);
    expect(gate()).toBe(null);
    server.answer(users("current"), () => ok(user));
    server.answer("/api/v0/chat_session/update_title", () => globalError(40015, "BIRTHDAY_REQUIRED"));
    server.addSession("s1", []);
    await page.engine.sessions.rename("s1", "x");
    await page.browser.settle();
    expect(gate()).toBe("birthday");
  });
});
