import { describe, expect, it } from "vitest";
import { globalError, ok, refused } from "../testing/fake-answers.ts";
import { emptyDisk } from "../testing/fake-browser.ts";
import { createFakeServer } from "../testing/fake-server.ts";
import { openPage, signedInDisk } from "../testing/open-page.ts";
import { googleAddress, providerOf, redirectText } from "./oauth-redirects.ts";

const TOKEN = "/api/v0/users/oauth/get_token";
const CURRENT = "/api/v0/users/current";
const input = { nonce: "nonce-1", provider: "GOOGLE" } as const;

describe("a sign-in elsewhere that came back", () => {
  it("becomes a token that is stored, and then an account [AUTH-138]", async () => {
    const server = createFakeServer();
    server.answer(TOKEN, () => ok({ code: 0, msg: "", token: "token-1" }));
    const page = await openPage(server, emptyDisk());
    expect(await page.engine.accounts.finishOauth(input)).toEqual({ ok: true });
    expect(page.disk.values.get("plumb.token")).toBe("token-1");
    expect(server.calls(TOKEN)).toMatchObject([{ body: input }]);
    expect(server.calls(CURRENT)[0]?.headers["authorization"]).toBe("Bearer token-1");
    expect(page.engine.accounts.auth.getState()).toMatchObject({ status: "yes", user: { id: "user-1" } });
    page.close();
  });

  it.each([
    [refused(1, "NONCE_INVALID", { code: 1, msg: "" }), { key: "loginFailed" }],
    [refused(77, "NEW"), { key: "loginFailedCode", params: { code: 77 } }],
    [globalError(40029, "IP_ACCESS_RESTRICTED", 429), { key: "tooManyRequests" }],
  ])("says why there is no token, and nothing is stored (%#)", async (answer, text) => {
    const server = createFakeServer();
    server.answer(TOKEN, () => answer);
    const page = await openPage(server, emptyDisk());
    expect(await page.engine.accounts.finishOauth(input)).toEqual({ ok: false, field: null, text });
    expect(page.disk.values.has("plumb.token")).toBe(false);
    expect(page.engine.accounts.auth.getState().status).toBe("no");
    page.close();
  });

  it("of a banned account leads to its page", async () => {
    const server = createFakeServer();
    server.answer(TOKEN, () => refused(10, "USER_IS_BANNED"));
    const page = await openPage(server, emptyDisk());
    await page.engine.accounts.finishOauth(input);
    expect(page.engine.accounts.auth.getState().reason).toBe("banned");
    page.close();
  });

  it("whose account cannot be read leaves the page signed out, with the reason [AUTH-140]", async () => {
    const server = createFakeServer();
    server.answer(TOKEN, () => ok({ code: 0, msg: "", token: "token-1" }));
    const page = await openPage(server, signedInDisk());
    const { accounts, sessions, site } = page.engine;
    // Whoever was signed in before has left something to come back to.
    sessions.setDraft("new:chat", "half a thought");
    await page.browser.settle();
    server.answer("/api/v0/chat_session/update_title", () => globalError(40003, "INVALID_TOKEN"));
    await sessions.rename("s1", "x");
    site.setPreferences({ targetBeforeOauthLogin: "coder" });
    server.answer(CURRENT, () => new Response("<html>", { status: 200 }));
    expect(await accounts.finishOauth(input)).toEqual({
      ok: false,
      field: null,
      text: { key: "networkError" },
    });
    expect(page.disk.values.has("plumb.token")).toBe(false);
    expect(accounts.auth.getState()).toEqual({ status: "no", user: null, reason: "signed-out" });
    // Nobody has the token any more: it is no sign-in of theirs.
    expect(server.calls("/api/v0/users/logout").map(({ headers }) => headers["authorization"])).toEqual([
      "Bearer token-1",
    ]);
    // The next try leads where this one was to lead, and finds what was typed.
    expect(site.preferences.getState().targetBeforeOauthLogin).toBe("coder");
    server.answerAsUsual(CURRENT);
    expect(await accounts.finishOauth(input)).toEqual({ ok: true });
    await page.browser.settle();
    expect(sessions.store.getState().drafts).toEqual({ "new:chat": "half a thought" });
    page.close();
  });
});

describe("the way to Google", () => {
  const query = (address: string) => Object.fromEntries(new URL(address, "http://x").searchParams);

  it("carries what the captcha gave [AUTH-067]", () => {
    const rid = { region: "CN", rid: "r" };
    expect(query(googleAddress({ shumei_verification: rid }, "device"))).toEqual({
      os: "web",
      device_id: "device",
      shumei_verification: JSON.stringify(rid),
    });
    expect(query(googleAddress({ hcaptcha_token: "t" }, null))).toEqual({ os: "web", hcaptcha_token: "t" });
  });

  it("tells which device it is, as the forms do, where that has at most 500 characters [AUTH-074] [AUTH-135]", async () => {
    const server = createFakeServer();
    server.answer("/api/v0/client/settings", () =>
      ok({ flags: {}, ab_tests: {}, limits: {}, analytics: { device_fingerprint_url: null } }),
    );
    server.answer("/api/v0/users/login", () => refused(2, "PASSWORD_OR_USER_NAME_IS_WRONG"));
    const page = await openPage(server, emptyDisk());
    await page.engine.accounts.signIn({ identifier: "a@b.example", password: "x" });
    const device = server.calls("/api/v0/users/login")[0]?.body["device_id"];
    expect(device).toMatch(/^[\da-f]{32}$/u);
    const address = await page.engine.accounts.googleAddress({ hcaptcha_token: "t" });
    expect(query(address ?? "")).toEqual({ os: "web", device_id: device, hcaptcha_token: "t" });
    page.close();
    expect(query(googleAddress({}, "é".repeat(500)))).toHaveProperty("device_id");
    expect(query(googleAddress({}, "é".repeat(501)))).toEqual({ os: "web" });
  });
});

describe("what the sign-in page is told of a failed one", () => {
  const told = (provider: string, code: number | string) =>
    redirectText(`?provider=${provider}&error=X&code=${code}`);

  it.each([
    ["GOOGLE", 1, "oauthExpired"],
    ["GOOGLE", 2, "googleOtherAccount"],
    ["GOOGLE", 3, "googleOtherAccount"],
    ["GOOGLE", 5, "registrationClosed"],
    ["GOOGLE", 6, "oauthEmailDomain"],
    ["GOOGLE", 9, "oauthUnexpected"],
    ["GOOGLE", 10, "accountSuspended"],
    ["GOOGLE", 11, "deviceEnvironmentError"],
    ["GOOGLE", 12, "deviceEnvironmentError"],
    ["GOOGLE", 99, "loginFailed"],
    ["GOOGLE", "", "loginFailed"],
    ["WECHAT", 1, "oauthExpired"],
    ["WECHAT", 9, "oauthUnexpected"],
    ["WECHAT", 10, "accountSuspended"],
    ["WECHAT", 99, "loginFailed"],
    ["WECHAT", 2, "loginFailed"],
    ["WECHAT", 40029, "tooManyRequests"],
    ["GOOGLE", 50300, "serverUnavailable"],
  ])(
    "%s with %s is %s [AUTH-143] [AUTH-144] [AUTH-145] [AUTH-146] [AUTH-147] [AUTH-148] [AUTH-149]",
    (provider, code, key) => {
      expect(told(provider, code)).toEqual({ key });
    },
  );

  it.each([
    "",
    "?provider=GOOGLE",
    "?provider=EVIL&error=X&code=1",
    "?error=X&code=1",
    "?provider=__proto__&error=X",
  ])("is nothing in %j", (search) => {
    expect(redirectText(search)).toBeNull();
  });

  it("a provider is one of two words", () => {
    expect(["GOOGLE", "WECHAT", "google", "", null].map(providerOf)).toEqual([
      "GOOGLE",
      "WECHAT",
      null,
      null,
      null,
    ]);
  });
});
