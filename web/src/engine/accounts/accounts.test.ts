import { describe, expect, it } from "vitest";
import { globalError, ok, refused } from "../testing/fake-answers.ts";
import { createFakeServer, type FakeServer } from "../testing/fake-server.ts";
import { wireMessage } from "../testing/wire-message.ts";
import { openPage, signedInDisk, type Page } from "../testing/open-page.ts";
import { emptyDisk } from "../testing/fake-browser.ts";
import { sha256Ascii } from "../guard/sha256.ts";

const LOGIN = "/api/v0/users/login";
const REGISTER = "/api/v0/users/register";
const CODE = "/api/v0/users/create_email_verification_code";
const CURRENT = "/api/v0/users/current";
const GUEST = "/api/v0/users/create_guest_challenge";
const user = { id: "user-1", token: "token-1", chat: { is_muted: 0, mute_until: null } };

function serverWithGuests() {
  const server = createFakeServer();
  server.answer(GUEST, () =>
    ok({
      guest_challenge: {
        algorithm: "SHA-256",
        challenge: sha256Ascii("salt_1800000000000_1"),
        salt: "salt",
        signature: "",
        difficulty: 3,
        expire_at: 1_800_000_000_000,
        expire_after: 300_000,
        target_path: "",
      },
    }),
  );
  return server;
}

describe("the stored token", () => {
  it("[AUTH-006] is pending until checked, then yes; without one no", async () => {
    const server = createFakeServer();
    let release: ((response: Response) => void) | undefined;
    server.answer(CURRENT, () => new Promise((resolve) => (release = resolve)));
    const page = await openPage(server);
    expect(page.engine.accounts.auth.getState().status).toBe("pending");
    release?.(ok(user));
    await page.browser.settle();
    expect(page.engine.accounts.auth.getState()).toMatchObject({ status: "yes", user: { id: "user-1" } });
    expect(server.calls(CURRENT)[0]?.headers["authorization"]).toBe("Bearer token-1");
    page.close();

    const guest = await openPage(createFakeServer(), emptyDisk());
    expect(guest.engine.accounts.auth.getState()).toEqual({ status: "no", user: null, reason: "none" });
    guest.close();
  });

  it("[ACCT-008] stays pending while the server can't be reached, and is asked again every 20 minutes", async () => {
    const server = createFakeServer();
    server.setDown(true);
    const page = await openPage(server);
    await page.browser.advance(3000);
    expect(page.engine.accounts.auth.getState().status).toBe("pending");
    server.setDown(false);
    await page.browser.advance(8000);
    expect(page.engine.accounts.auth.getState().status).toBe("yes");
    const before = server.calls(CURRENT).length;
    await page.browser.advance(20 * 60_000);
    expect(server.calls(CURRENT).length).toBe(before + 1);
    page.close();
  });

  it.each<[what: string, answer: () => Response]>([
    ["a proxy's page", () => new Response("<h1>Forbidden</h1>", { status: 403 })],
    ["a path that is not there for now", () => globalError(40400, "NOT_FOUND", 404)],
    ["a challenge that was not passed", () => globalError(40310, "BOT_CHALLENGE", 403)],
  ])(
    "is kept where %s answers for the server, and checked until that has answered",
    async (_what, answer) => {
      const server = createFakeServer();
      server.answer(CURRENT, answer);
      const page = await openPage(server);
      await page.browser.advance(3000);
      expect(page.engine.accounts.auth.getState().status).toBe("pending");
      expect(page.disk.values.get("plumb.token")).toBe("token-1");
      server.answerAsUsual(CURRENT);
      await page.browser.advance(8000);
      expect(page.engine.accounts.auth.getState().status).toBe("yes");
      page.close();
    },
  );

  it("40003 anywhere signs out, clears all but what is typed and leads to sign-in with a toast", async () => {
    const server = createFakeServer();
    const said = [wireMessage({ message_id: 1, parent_id: null, role: "USER" })];
    server.addSession("s1", said);
    const disk = signedInDisk();
    const page = await openPage(server, disk);
    page.engine.sessions.open("s1");
    page.engine.sessions.setDraft("s1", "secret");
    await page.browser.settle();
    server.answer("/api/v0/chat_session/update_title", () => globalError(40003, "INVALID_TOKEN"));
    expect(await page.engine.sessions.rename("s1", "x")).toBe(false);
    expect(page.engine.accounts.auth.getState()).toEqual({ status: "no", user: null, reason: "expired" });
    expect(page.engine.site.toasts.getState().toasts.map(({ text }) => text)).toEqual([{ key: "signedOut" }]);
    expect(page.engine.site.navigation.getState().to).toBe("/sign_in");
    expect(page.engine.sessions.store.getState()).toEqual({ byId: {}, drafts: {}, unkept: [] });
    expect(page.engine.sessions.list.getState().state).toBe("init");
    await page.browser.settle();
    expect([...disk.values.keys()]).toEqual(["plumb.drafts"]);
    expect(disk.records.size).toBe(0);
    page.close();
  });

  it.each<[way: string, come: (page: Page, server: FakeServer) => Promise<unknown>]>([
    [
      "by password",
      ({ engine }, server) => {
        server.answer(LOGIN, () => refused(10, "USER_IS_BANNED"));
        return engine.accounts.signIn({ identifier: "b@b.co", password: "12345678" });
      },
    ],
    [
      "by a code",
      ({ engine }, server) => {
        server.answer("/api/v0/users/login_by_mobile_sms", () => refused(3, "USER_IS_BANNED"));
        return engine.accounts.signInByCode({ mobile: "13812345678", code: "123456" });
      },
    ],
    [
      "from elsewhere",
      ({ engine }, server) => {
        server.answer("/api/v0/users/oauth/get_token", () => refused(10, "USER_IS_BANNED"));
        return engine.accounts.finishOauth({ nonce: "n", provider: "GOOGLE" });
      },
    ],
  ])("what is typed waits for its owner though somebody banned comes first: %s", async (_way, come) => {
    const server = serverWithGuests();
    const page = await openPage(server);
    page.engine.sessions.setDraft("new:chat", "half a thought");
    await page.browser.settle();
    server.answer("/api/v0/chat_session/update_title", () => globalError(40003, "INVALID_TOKEN"));
    await page.engine.sessions.rename("s1", "x");
    await come(page, server);
    expect(page.engine.accounts.auth.getState()).toMatchObject({ status: "no", reason: "banned" });
    expect(page.engine.site.navigation.getState().to).toBe("/banned");
    server.answerAsUsual(LOGIN);
    await page.engine.accounts.signIn({ identifier: "a@b.co", password: "12345678" });
    await page.browser.settle();
    expect(page.engine.sessions.store.getState().drafts).toEqual({ "new:chat": "half a thought" });
    page.close();
  });

  it("40012 leads to the banned page", async () => {
    const server = createFakeServer();
    server.answer(CURRENT, () => globalError(40012, "USER_IS_BANNED"));
    const page = await openPage(server);
    expect(page.engine.accounts.auth.getState()).toMatchObject({ status: "no", reason: "banned" });
    expect(page.engine.site.navigation.getState().to).toBe("/banned");
    page.close();
  });

  it("a late refusal of an older token doesn't sign out the newer one", async () => {
    const server = createFakeServer();
    const page = await openPage(server);
    let release: ((response: Response) => void) | undefined;
    server.answer("/api/v0/chat_session/update_title", () => new Promise((resolve) => (release = resolve)));
    const renaming = page.engine.sessions.rename("s1", "x");
    await page.engine.accounts.signOut();
    server.answer(LOGIN, () => ok({ code: 0, msg: "", user: { ...user, token: "token-2" } }));
    await page.engine.accounts.signIn({ identifier: "a@b.co", password: "12345678" });
    release?.(globalError(40003, "INVALID_TOKEN"));
    await renaming;
    expect(page.engine.accounts.auth.getState().status).toBe("yes");
    page.close();
  });
});

describe("signing in, up and out", () => {
  it("[AUTH-007] [AUTH-012] signs in by email or phone, stores the token and loads the list", async () => {
    const server = createFakeServer();
    const page = await openPage(server, emptyDisk());
    expect(await page.engine.accounts.signIn({ identifier: " a@b.co ", password: "12345678" })).toEqual({
      ok: true,
    });
    expect(server.calls(LOGIN)[0]?.body).toEqual({
      email: "a@b.co",
      password: "12345678",
      os: "web",
      device_id: expect.stringMatching(/^[\da-f]{32}$/),
    });
    await page.browser.settle();
    expect(page.disk.values.get("plumb.token")).toBe("token-1");
    expect(page.engine.accounts.auth.getState()).toMatchObject({ status: "yes", user: { id: "user-1" } });
    expect(page.engine.sessions.list.getState().state).toBe("loaded");
    // A page that nobody touches asks for no proof.
    expect(server.calls("/api/v0/chat/create_pow_challenge")).toHaveLength(0);
    page.engine.turns.prepare();
    await page.browser.settle();
    expect(server.calls("/api/v0/chat/create_pow_challenge")).toHaveLength(1);
    await page.engine.accounts.signOut();
    await page.engine.accounts.signIn({ identifier: "13812345678", password: "12345678" });
    expect(server.calls(LOGIN)[1]?.body).toMatchObject({ mobile: "13812345678" });
    page.close();
  });

  it.each([
    [
      () => refused(2, "PASSWORD_OR_USER_NAME_IS_WRONG", { code: 2, msg: "" }),
      { key: "passwordOrUserWrong" },
    ],
    [() => refused(50, "NEW"), { key: "loginFailedCode", params: { code: 50 } }],
    [() => globalError(42903, "OPERATION_TOO_FREQUENT", 429), { key: "operationTooFrequent" }],
    [() => new Response("<html>", { status: 200 }), { key: "networkError" }],
  ])("says why a sign-in failed (%#)", async (answer, text) => {
    const server = createFakeServer();
    server.answer(LOGIN, answer);
    const page = await openPage(server, emptyDisk());
    expect(await page.engine.accounts.signIn({ identifier: "a@b.co", password: "x" })).toEqual({
      ok: false,
      field: null,
      text,
    });
    page.close();
  });

  it("[AUTH-076] [POW-009] signs up with a guest proof, and names the field that is wrong", async () => {
    const server = serverWithGuests();
    const answers = [
      refused(8, "PASSCODE_FAILED"),
      refused(1, "EMAIL_EXISTS"),
      ok({ code: 0, msg: "", user }),
    ];
    server.answer(REGISTER, () => answers.shift()!);
    const page = await openPage(server, emptyDisk());
    const input = { email: "a@b.co", password: "12345678", code: "123456", invitation: null };
    expect(await page.engine.accounts.signUp(input)).toEqual({
      ok: false,
      field: "code",
      text: { key: "codeWrong" },
    });
    expect(await page.engine.accounts.signUp(input)).toEqual({
      ok: false,
      field: "email",
      text: { key: "emailExists" },
    });
    expect(await page.engine.accounts.signUp(input)).toEqual({ ok: true });
    expect(server.calls(GUEST).map(({ body }) => body)).toEqual(Array(3).fill({ target_path: REGISTER }));
    const proof = atob(server.calls(REGISTER)[0]?.headers["x-ds-guest-pow-response"] ?? "");
    expect(JSON.parse(proof)).toEqual({ salt: "salt", answer: 1 });
    expect(page.engine.accounts.auth.getState().status).toBe("yes");
    page.close();
  });

  it("starts the code timer with what the server says, also when it was too soon", async () => {
    const server = serverWithGuests();
    const answers = [
      ok({ code: 0, msg: "", send_window_secs: 60 }),
      refused(1, "EMAIL_SEND_TOO_FREQUENT", { send_window_secs: 41 }),
    ];
    server.answer(CODE, () => answers.shift()!);
    const page = await openPage(server, emptyDisk());
    const input = { target: "a@b.co", scenario: "register" as const, timer: "email" as const };
    expect(await page.engine.accounts.sendCode(input)).toEqual({ ok: true });
    expect(page.engine.accounts.codeTimer.getState().email).toBe(60);
    await page.browser.advance(10_000);
    expect(page.engine.accounts.codeTimer.getState().email).toBe(50);
    expect(await page.engine.accounts.sendCode(input)).toEqual({
      ok: false,
      field: null,
      text: { key: "codeTooFrequent" },
    });
    expect(page.engine.accounts.codeTimer.getState().email).toBe(41);
    await page.browser.advance(41_000);
    expect(page.engine.accounts.codeTimer.getState().email).toBe(0);
    page.close();
  });

  it("keeps nothing of where the account wanted to go, nor of its codes, for whoever comes next", async () => {
    const server = serverWithGuests();
    server.answer(CODE, () => ok({ code: 0, msg: "", send_window_secs: 60 }));
    const page = await openPage(server, signedInDisk());
    page.engine.site.setPreferences({ targetBeforeOauthLogin: "/a/chat/s/own-chat", theme: "dark" });
    await page.engine.accounts.sendCode({ target: "a@b.co", scenario: "register", timer: "email" });
    await page.engine.accounts.signOut();
    expect([...page.disk.values.values()].join(" ")).not.toContain("own-chat");
    expect(page.engine.site.preferences.getState()).toMatchObject({
      targetBeforeOauthLogin: "chat",
      theme: "dark",
    });
    expect(page.engine.accounts.codeTimer.getState().email).toBe(0);
    expect(page.engine.accounts.askedFor("email")).toBe("");
    expect(page.disk.tabValues.size).toBe(0);
    page.close();
  });

  it("a sign-out that the server could not be told of is told once it is back, also after another sign-in", async () => {
    const server = createFakeServer();
    const page = await openPage(server);
    server.setDown(true);
    await page.engine.accounts.signOut();
    // For whoever comes next the token is nowhere.
    expect(JSON.stringify([...page.disk.values, ...page.disk.tabValues])).not.toContain("token-1");
    await page.browser.advance(60_000);
    server.setDown(false);
    server.answer(LOGIN, () => ok({ code: 0, msg: "", user: { ...user, token: "token-2" } }));
    await page.engine.accounts.signIn({ identifier: "a@b.co", password: "12345678" });
    const before = server.calls("/api/v0/users/logout").length;
    await page.browser.advance(300_000);
    const told = server.calls("/api/v0/users/logout").slice(before);
    expect(told.map(({ headers }) => headers["authorization"])).toEqual(["Bearer token-1"]);
    expect(page.engine.accounts.auth.getState().status).toBe("yes");
    page.close();
  });

  it("[ACCT-029] signs out here even when the server can't be told, and says so", async () => {
    const server = createFakeServer();
    const page = await openPage(server);
    server.setDown(true);
    await page.engine.accounts.signOut();
    expect(page.engine.accounts.auth.getState()).toMatchObject({ status: "no", reason: "signed-out" });
    expect(page.engine.site.toasts.getState().toasts).toMatchObject([{ text: { key: "logoutFailed" } }]);
    expect(server.calls("/api/v0/users/logout")[0]?.headers["authorization"]).toBe("Bearer token-1");
    page.close();
  });
});
