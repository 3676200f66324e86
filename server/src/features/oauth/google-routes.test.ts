import { currentUser } from "@plumb/protocol/wire/accounts";
import { unregister } from "@plumb/protocol/wire/own-account";
import { getOauthToken, googleAuthorize } from "@plumb/protocol/wire/oauth";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type BrowserStandIn, browserStandIn } from "../../../test/browser-stand-in.ts";
import { createTestApp, type TestApp } from "../../../test/create-test-app.ts";
import { type Lie, openStandInOpenId, type StandInOpenId } from "../../../test/stand-in-openid.ts";
import { TestClock } from "../../../test/test-clock.ts";
import { engines } from "../../../test/test-databases.ts";
import { banAccount } from "../accounts/ban-account.ts";

const AUTHORIZE = `${googleAuthorize.path}?os=web`;
const MINUTE = 60_000;
let people = 0;
const somebody = (email: string | null = null) => {
  const sub = `sub-${++people}`;
  return { sub, name: "Ada", email: email ?? `${sub}@example.com`, email_verified: true };
};
const refusal = (error: string, code: number) => `/sign_in?provider=GOOGLE&error=${error}&code=${code}`;
const UNEXPECTED = refusal("UNEXPECTED_ERROR", 9);

describe.each(engines)("signing in with Google on %s", (engine) => {
  let app: TestApp;
  let provider: StandInOpenId;
  let browser: BrowserStandIn;
  const time = new TestClock();
  beforeAll(async () => {
    provider = await openStandInOpenId();
    app = await createTestApp({ engine, google: provider.port, clock: time });
  });
  beforeEach(() => {
    browser = browserStandIn(app.address);
  });
  afterAll(async () => {
    await app.close();
    await provider.close();
  });

  /** All the way to our answer to the provider's redirect. */
  async function come(person: { sub: string } & Record<string, unknown>, lie?: Lie): Promise<string> {
    const back = provider.accept(await browser.redirected(AUTHORIZE), person, lie);
    return browser.redirected(back.href);
  }
  async function signIn(person: { sub: string } & Record<string, unknown>) {
    const query = new URL(await come(person), app.address).searchParams;
    const answer = await browser.post(getOauthToken.path, { nonce: query.get("nonce"), provider: "GOOGLE" });
    const client = app.client();
    client.token = String(answer.biz_data["token"]);
    return { isNew: query.get("new"), client, user: (await client.ok(currentUser, {})).user };
  }
  const usersOf = (email: string) =>
    app.db.kysely.selectFrom("users").selectAll().where("email", "=", email).execute();

  it("goes to the provider with state, nonce and PKCE, and binds them to a cookie [AUTH-135]", async () => {
    const response = await browser.get(
      `${AUTHORIZE}&device_id=d&hcaptcha_token=x&shumei_verification=%7B%7D`,
    );
    const query = new URL(response.headers.get("location") ?? "").searchParams;
    expect(Object.fromEntries(query)).toMatchObject({
      response_type: "code",
      redirect_uri: `${app.address}/api/v0/users/oauth/google/callback`,
      code_challenge_method: "S256",
      scope: "openid email profile",
    });
    for (const name of ["state", "nonce", "code_challenge"]) expect(query.get(name)).toMatch(/^[\w-]{43}$/);
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^plumb_oauth=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/),
    ]);
    expect(response.headers.get("cache-control")).toBe("no-store");
  });

  it("makes an account, knows it again, and the nonce gives one token [AUTH-141]", async () => {
    const person = somebody("ada.ada@example.com");
    const first = await signIn(person);
    expect(first.isNew).toBe("1");
    expect(first.user).toMatchObject({
      email: "ad*****a@example.com",
      id_profile: { provider: "GOOGLE", id: person.sub, name: "Ada" },
    });
    const again = await signIn({ ...person, name: "Ada Lovelace", email: "moved@example.com" });
    expect([again.isNew, again.user.id]).toEqual(["0", first.user.id]);
    expect(again.user.id_profiles).toMatchObject([{ name: "Ada Lovelace" }]);
    // The account's own address is what it was made with.
    expect(again.user.email).toBe(first.user.email);
  });

  it("keeps whole characters of a long name", async () => {
    const { user } = await signIn({ ...somebody(), name: `x${"🐋".repeat(150)}` });
    expect(user.id_profile).toMatchObject({ name: `x${"🐋".repeat(99)}` });
  });

  it("never leads into an account by an address of e-mail, verified or not (CVE-2026-53516)", async () => {
    const victim = app.client();
    await victim.signUp("victim@example.com");
    expect(await come(somebody("Victim@Example.com"))).toBe(refusal("OAUTH_ALREADY_BOUND_TO_EMAIL", 2));
    const unverified = await signIn({ ...somebody("victim@example.com"), email_verified: false });
    expect(unverified.user).toMatchObject({ email: "", id_profile: { email: null } });
    expect(unverified.user.id).not.toBe(victim.user?.id);
    expect(await usersOf("victim@example.com")).toHaveLength(1);
  });

  it("of an address that another person of the provider has says so", async () => {
    await signIn(somebody("shared@example.com"));
    expect(await come(somebody("shared@example.com"))).toBe(refusal("EMAIL_ALREADY_BOUND_TO_OAUTH", 3));
  });

  it("an account that is banned gets no token, before the nonce and after it [AUTH-142]", async () => {
    const person = somebody();
    const { user } = await signIn(person);
    const nonce = new URL(await come(person), app.address).searchParams.get("nonce");
    await banAccount(app.db, user.id, time.now());
    expect(await browser.post(getOauthToken.path, { nonce, provider: "GOOGLE" })).toMatchObject({
      biz_code: 10,
      biz_data: { code: 10, msg: "USER_IS_BANNED" },
    });
    expect(await come(person)).toBe(refusal("USER_IS_BANNED", 10));
  });

  it("an account that was deleted is made anew", async () => {
    const person = somebody();
    const { user, client } = await signIn(person);
    const nonce = new URL(await come(person), app.address).searchParams.get("nonce");
    await client.ok(unregister, {});
    expect(await browser.post(getOauthToken.path, { nonce, provider: "GOOGLE" })).toMatchObject({
      biz_code: 1,
    });
    const again = await signIn(person);
    expect(again.isNew).toBe("1");
    expect(again.user.id).not.toBe(user.id);
  });

  it.each<[string, Lie]>([
    ["another nonce", { claims: { nonce: "another" } }],
    ["no nonce", { without: ["nonce"] }],
    ["another audience", { claims: { aud: "somebody-else" } }],
    ["another issuer", { claims: { iss: "https://accounts.example.org" } }],
    ["an end in the past", { claims: { exp: 1_600_000_000 } }],
    ["no signature", { alg: "none" }],
    ["a signature with the shared secret", { alg: "HS256" }],
    ["a stranger's signature", { foreignKey: true }],
    ["no subject", { without: ["sub"] }],
    ["an error of the server", { status: 500, body: { error: "server_error" } }],
    ["no ID token", { status: 200, body: { access_token: "x", token_type: "Bearer" } }],
    ["nonsense", { status: 200, body: "<html>" }],
  ])("believes no ID token with %s", async (_title, lie) => {
    const before = await app.db.kysely.selectFrom("users").select("id").execute();
    expect(await come(somebody(), lie)).toBe(UNEXPECTED);
    expect(await app.db.kysely.selectFrom("users").select("id").execute()).toHaveLength(before.length);
  });

  it("a code that the provider no longer takes is one to try again with [AUTH-136]", async () => {
    expect(await come(somebody(), { status: 400, body: { error: "invalid_grant" } })).toBe(
      refusal("SWAP_CODE_INVALID", 1),
    );
  });

  it("a state is good once, for ten minutes and in the browser that began", async () => {
    const begin = async () => provider.accept(await browser.redirected(AUTHORIZE), somebody());
    const back = await begin();
    const calls = provider.state.tokenCalls;
    const other = browserStandIn(app.address);
    expect(await other.redirected(back.href)).toBe(UNEXPECTED);
    await other.get(AUTHORIZE);
    expect(await other.redirected(back.href)).toBe(UNEXPECTED);
    expect(provider.state.tokenCalls).toBe(calls);
    // A stranger's try did not spend it.
    const both = await Promise.all([browser.redirected(back.href), browser.redirected(back.href)]);
    expect(both.filter((location) => location.startsWith("/authorized?"))).toHaveLength(1);
    expect(both).toContain(UNEXPECTED);
    expect(await browser.redirected(back.href)).toBe(UNEXPECTED);

    const late = await begin();
    time.nowMs += 10 * MINUTE;
    expect(await browser.redirected(late.href)).toBe(UNEXPECTED);
  });

  it("two tabs of one browser sign in at the same time", async () => {
    const [one, two] = [await browser.redirected(AUTHORIZE), await browser.redirected(AUTHORIZE)];
    for (const location of [one, two])
      expect(await browser.redirected(provider.accept(location, somebody()).href)).toMatch(/^\/authorized\?/);
  });

  it("a nonce is good once, for five minutes, in its browser and for its provider", async () => {
    const nonceOf = async () => new URL(await come(somebody()), app.address).searchParams.get("nonce");
    const exchange = (nonce: string | null, by = browser, as = "GOOGLE") =>
      by.post(getOauthToken.path, { nonce, provider: as });
    const nonce = await nonceOf();
    const other = browserStandIn(app.address);
    expect(await exchange(nonce, other)).toMatchObject({ biz_code: 1, biz_msg: "NONCE_INVALID" });
    await other.get(AUTHORIZE);
    expect((await exchange(nonce, other)).biz_code).toBe(1);
    expect((await exchange(nonce, browser, "WECHAT")).biz_code).toBe(1);
    const many = await Promise.all(Array.from({ length: 10 }, () => exchange(nonce)));
    expect(many.filter(({ biz_code }) => biz_code === 0)).toHaveLength(1);
    expect(many.filter(({ biz_code }) => biz_code === 1)).toHaveLength(9);
    const late = await nonceOf();
    time.nowMs += 5 * MINUTE;
    for (const bad of [late, nonce, "", "x", `${late}0`, "__proto__"])
      expect((await exchange(bad)).biz_code).toBe(1);
  });

  it.each(["", "?error=access_denied", "?code=x", "?state=x&code=y", "?state=&code=", "?code=a&code=b"])(
    "a callback with %j leads to the sign-in page and nowhere else",
    async (query) => {
      expect(await browser.redirected(`/api/v0/users/oauth/google/callback${query}`)).toBe(UNEXPECTED);
    },
  );

  it("who says no at the provider is back at the sign-in page, and the state is spent", async () => {
    const back = provider.accept(await browser.redirected(AUTHORIZE), somebody());
    const refused = new URL(back);
    refused.searchParams.delete("code");
    refused.searchParams.set("error", "access_denied");
    expect(await browser.redirected(refused.href)).toBe(UNEXPECTED);
    expect(await browser.redirected(back.href)).toBe(UNEXPECTED);
  });

  it("no parameter decides where a redirect leads", async () => {
    const evil = "redirect=https://evil.example&redirect_uri=https://evil.example&next=//evil.example";
    const location = new URL(await browser.redirected(`${AUTHORIZE}&${evil}`));
    expect(location.origin).toBe(provider.issuer);
    expect(location.searchParams.get("redirect_uri")).toBe(
      `${app.address}/api/v0/users/oauth/google/callback`,
    );
    const back = provider.accept(location.href, somebody());
    expect(await browser.redirected(`${back.href}&${evil}`)).toMatch(
      /^\/authorized\?nonce=[\w-]{43}&provider=GOOGLE&new=1$/,
    );
  });

  it("keeps nothing in the database that opens anything", async () => {
    const location = await browser.redirected(AUTHORIZE);
    const { searchParams } = new URL(location);
    const rows = JSON.stringify(await app.db.kysely.selectFrom("oauth_tickets").selectAll().execute());
    for (const secret of [
      searchParams.get("state"),
      searchParams.get("nonce"),
      browser.cookies.get("plumb_oauth"),
    ])
      expect(rows).not.toContain(secret);
  });

  it("a provider that is away leads back with an error, and is asked again", async () => {
    const away = await openStandInOpenId();
    const lonely = await createTestApp({ engine, google: away.port });
    away.state.down = true;
    const visitor = browserStandIn(lonely.address);
    expect(await visitor.redirected(AUTHORIZE)).toBe(UNEXPECTED);
    away.state.down = false;
    expect(new URL(await visitor.redirected(AUTHORIZE)).origin).toBe(away.issuer);
    await lonely.close();
    await away.close();
  });

  it("an answer of another issuer is not taken (mix-up, RFC 9207)", async () => {
    const named = await openStandInOpenId({ iss: true });
    const strict = await createTestApp({ engine, google: named.port });
    const visitor = browserStandIn(strict.address);
    const begin = async () => named.accept(await visitor.redirected(AUTHORIZE), somebody());
    const mixed = await begin();
    mixed.searchParams.set("iss", provider.issuer);
    expect(await visitor.redirected(mixed.href)).toBe(UNEXPECTED);
    const unnamed = await begin();
    unnamed.searchParams.delete("iss");
    expect(await visitor.redirected(unnamed.href)).toBe(UNEXPECTED);
    expect(named.state.tokenCalls).toBe(0);
    expect(await visitor.redirected((await begin()).href)).toMatch(/^\/authorized\?/);
    await strict.close();
    await named.close();
  });

  it("on https the cookie has its prefix, and addresses are those of PUBLIC_URL", async () => {
    const safe = await createTestApp({
      engine,
      google: provider.port,
      settings: { PUBLIC_URL: "https://chat.example.org" },
    });
    const response = await browserStandIn(safe.address).get(AUTHORIZE);
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-plumb_oauth=[\w-]{43}; .*SameSite=Lax; Secure$/),
    ]);
    expect(new URL(response.headers.get("location") ?? "").searchParams.get("redirect_uri")).toBe(
      "https://chat.example.org/api/v0/users/oauth/google/callback",
    );
    await safe.close();
  });

  it.each([
    [{ SIGN_UP: "closed" }, true, refusal("REGISTRATION_CLOSED", 5)],
    [{ SIGN_UP: "invitation", EMAIL_DOMAINS: "other.example" }, true, refusal("REGISTRATION_CLOSED", 5)],
    [{ EMAIL_DOMAINS: "other.example" }, true, refusal("EMAIL_DOMAIN_NOT_SUPPORTED", 6)],
    [{ EMAIL_DOMAINS: "example.com" }, false, refusal("EMAIL_DOMAIN_NOT_SUPPORTED", 6)],
    [{ EMAIL_DOMAINS: "example.com" }, true, null],
  ])("makes no account where %j does not allow one (verified: %s)", async (settings, verified, refused) => {
    const strict = await createTestApp({ engine, google: provider.port, settings });
    const visitor = browserStandIn(strict.address);
    const person = { ...somebody(), email_verified: verified };
    const back = provider.accept(await visitor.redirected(AUTHORIZE), person);
    const location = await visitor.redirected(back.href);
    if (refused === null) expect(location).toMatch(/^\/authorized\?/);
    else expect(location).toBe(refused);
    await strict.close();
  });

  it("without a provider nothing is begun", async () => {
    const plain = await createTestApp({ engine });
    expect(await browserStandIn(plain.address).redirected(AUTHORIZE)).toBe(UNEXPECTED);
    await plain.close();
  });
});
