// Codes, signing up, in and out, and the account's own settings (wire-contract.md §2.3, §7–§9).
import { expect, it } from "vitest";
import type { Json, Person } from "./person.ts";
import type { World } from "./world.ts";

const users = (name: string): string => `/api/v0/users/${name}`;
const codes = users("create_email_verification_code");
let addresses = 0;
const newAddress = (): string => `a${process.pid}-${Date.now()}-${(addresses += 1)}@example.org`;

export function accountCases(world: World): void {
  async function guestPost(path: string, body: Json, person: Person = world.guest()) {
    return person.post(path, body, await person.guestProof(path));
  }

  it.each([undefined, "", "nonsense", "a@b", "a b@c.de", "@c.de", "a@b@c.de", `${"a".repeat(250)}@b.cd`])(
    "no code goes to %j",
    async (email) => {
      const said = await guestPost(codes, email === undefined ? {} : { email });
      expect([said.biz, said.msg]).toEqual([3, "INVALID_EMAIL_FORMAT"]);
      expect(said.data).toMatchObject({ code: 3, msg: "INVALID_EMAIL_FORMAT" });
    },
  );

  it("a code is sent once a minute to one address, in any letter case", async () => {
    const email = newAddress();
    const first = await guestPost(codes, { email });
    expect(first.envelope.data?.biz_data).toEqual({ code: 0, msg: "", send_window_secs: 60 });
    const again = await guestPost(codes, { email: email.toUpperCase() });
    expect([again.biz, again.msg]).toEqual([1, "EMAIL_SEND_TOO_FREQUENT"]);
    expect(again.data["send_window_secs"]).toBeGreaterThan(0);
    expect(again.data["send_window_secs"]).toBeLessThanOrEqual(60);
  });

  const good = { email_verification_code: "123456", password: "long enough" };
  it.each([
    { name: "no address", payload: { ...good, email: "nonsense" }, code: 3 },
    { name: "no code", payload: { ...good, email_verification_code: "" }, code: 2 },
    { name: "a code that is none", payload: { ...good, email_verification_code: "12345a" }, code: 2 },
    { name: "a short password", payload: { ...good, password: "1234567" }, code: 4 },
    { name: "a long password", payload: { ...good, password: "x".repeat(51) }, code: 4 },
    { name: "a password of spaces", payload: { ...good, password: " ".repeat(10) }, code: 4 },
    { name: "a password with other letters", payload: { ...good, password: "pässword1" }, code: 4 },
    { name: "a common password", payload: { ...good, password: "PassWord1" }, code: 13 },
    { name: "a code that was never sent", payload: good, code: 7 },
  ])("register refuses $name", async ({ payload, code }) => {
    const said = await guestPost(users("register"), { payload: { email: newAddress(), ...payload } });
    expect(said.biz, said.text).toBe(code);
    expect(said.data).toMatchObject({ code, msg: said.msg });
  });

  it.each([
    { name: "a short password", body: { password: "1234567" }, code: 4, msg: "INVALID_PASSWORD" },
    { name: "a common password", body: { password: "PassWord1" }, code: 13, msg: "PASSWORD_TOO_COMMON" },
    { name: "a code that is none", body: { email_verification_code: "12345a" }, code: 8, msg: "CODE_WRONG" },
    { name: "a code that was never sent", body: {}, code: 7, msg: "RESET_EXPIRED" },
  ])("a reset refuses $name", async ({ body, code, msg }) => {
    const asked = { email: newAddress(), ...good, ...body };
    const said = await world.guest().post(users("email_reset_password"), asked);
    expect([said.biz, said.msg]).toEqual([code, msg]);
    expect(said.data).toMatchObject({ code, msg });
  });

  it("a wrong code is refused, and an address with an account only to who holds a right one", async () => {
    const email = newAddress();
    await guestPost(codes, { email });
    const code = world.target.codeFor(email);
    const wrong = code === "000000" ? "000001" : "000000";
    const register = (email_verification_code: string) =>
      guestPost(users("register"), { payload: { email, email_verification_code, password: "long enough" } });
    expect((await register(wrong)).biz).toBe(8);
    const made = await register(code);
    expect(made.biz).toBe(0);
    expect((await register(code)).biz).toBe(7);
  });

  it("a user has all fields, a masked address and a token of 64 characters", async () => {
    const person = await world.newPerson();
    const said = await person.get(users("current"));
    const { user, ...flat } = said.data as Json & { user: Json };
    expect(flat).toEqual(user);
    expect(said.envelope.data).toHaveProperty("user", user);
    expect(flat["token"]).toMatch(/^[\w-]{64}$/);
    expect(flat["token"]).toBe(person.token);
    expect(flat["email"]).toMatch(/^co\*+.@example\.org$/);
    expect(flat).toMatchObject({
      mobile: "",
      mobile_number: "",
      area_code: "",
      status: 0,
      id_profile: null,
      id_profiles: [],
      chat: { is_muted: 0, mute_until: null },
      has_legacy_chat_history: false,
      need_birthday: false,
    });
  });

  it("every sign-in makes a token of its own; logging out ends one, logging out everywhere all", async () => {
    const person = await world.newPerson();
    const { email, password } = person;
    const login = async (): Promise<string> => {
      const said = await world.guest().post(users("login"), { email: email.toUpperCase(), password });
      return (said.data["user"] as { token: string }).token;
    };
    const codeWith = async (token: string): Promise<number> => {
      const guest = world.guest();
      guest.token = token;
      return (await guest.get(users("settings"))).envelope.code;
    };
    const [one, two] = [await login(), await login()];
    expect(new Set([one, two, person.token]).size).toBe(3);
    const first = world.guest();
    first.token = one;
    expect((await first.post(users("logout"))).biz).toBe(0);
    await expect.poll(() => codeWith(one), { timeout: 5000 }).toBe(40003);
    expect(await codeWith(two)).toBe(0);
    expect((await person.post(users("logout_all_sessions"))).biz).toBe(0);
    await expect.poll(() => codeWith(two), { timeout: 5000 }).toBe(40003);
    await expect.poll(() => codeWith(person.token ?? ""), { timeout: 5000 }).toBe(40003);
  });

  it("signing in without an account, a password or an address is one and the same refusal", async () => {
    const person = await world.person();
    const bodies: Json[] = [
      { email: person.email, password: "another password" },
      { email: newAddress(), password: "another password" },
      { mobile: "13800138000", password: "another password" },
      { password: "another password" },
      { email: "", mobile: "", password: "" },
    ];
    for (const body of bodies) {
      const said = await world.guest().post(users("login"), body);
      expect([said.biz, said.envelope.data?.biz_data], said.text).toEqual([
        2,
        { code: 2, msg: "PASSWORD_OR_USER_NAME_IS_WRONG" },
      ]);
    }
  });

  it("settings are saved and answered as saved; an absent key is left as it is", async () => {
    const person = await world.newPerson();
    const training = async () => (await person.get(users("settings"))).data["training_allowed"];
    expect(await training()).toBe(false);
    const saved = await person.post(users("update_settings"), { training_allowed: true });
    expect(saved.data["training_allowed"]).toBe(true);
    expect((await person.post(users("update_settings"), {})).data["training_allowed"]).toBe(true);
    expect(await training()).toBe(true);
  });

  it("whoever has just signed in is confirmed, and sees the ways into the account", async () => {
    const person = await world.newPerson();
    const said = await person.get(users("security"));
    const until = Number(said.data["confirmed_until"]);
    expect(until - Date.now() / 1000).toBeGreaterThan(500);
    expect(until - Date.now() / 1000).toBeLessThanOrEqual(605);
    expect(said.data).toEqual({
      confirmed_until: until,
      ways: ["password", "email"],
      bindings: [
        {
          kind: "email",
          label: expect.stringMatching(/^co\*+.@example\.org$/) as string,
          bound_at: expect.any(Number) as number,
          removable: false,
        },
      ],
    });
  });

  it.each([
    { name: "nothing", body: {}, code: 9, msg: "WAY_NOT_AVAILABLE" },
    {
      name: "two ways at once",
      body: { password: "x", email_verification_code: "1" },
      code: 9,
      msg: "WAY_NOT_AVAILABLE",
    },
    { name: "a nonce without its provider", body: { nonce: "x" }, code: 9, msg: "WAY_NOT_AVAILABLE" },
    {
      name: "a phone that it does not have",
      body: { sms_verification_code: "123456" },
      code: 9,
      msg: "WAY_NOT_AVAILABLE",
    },
    { name: "a nonce of nobody", body: { nonce: "x", provider: "GOOGLE" }, code: 1, msg: "NONCE_INVALID" },
    {
      name: "a wrong password",
      body: { password: "another one" },
      code: 2,
      msg: "PASSWORD_OR_USER_NAME_IS_WRONG",
    },
    { name: "a code that is none", body: { email_verification_code: "12345a" }, code: 8, msg: "CODE_WRONG" },
    {
      name: "a code that was never sent",
      body: { email_verification_code: "123456" },
      code: 7,
      msg: "CODE_EXPIRED",
    },
  ])("nobody is confirmed by $name", async ({ body, code, msg }) => {
    const said = await (await world.person()).post(users("confirm_identity"), body);
    expect([said.biz, said.msg]).toEqual([code, msg]);
    expect(said.data).toEqual({ code, msg });
  });

  it("a password confirms; a code goes to the account's own address alone, once a minute", async () => {
    const person = await world.newPerson();
    const { password } = person;
    const confirmed = await person.post(users("confirm_identity"), { password });
    expect(confirmed.data).toEqual({ code: 0, msg: "", confirmed_until: expect.any(Number) as number });
    // The code of the sign-up was sent to the same address less than a minute ago.
    const refused = await person.post(users("confirm_code"), { channel: "email" });
    expect([refused.biz, refused.msg]).toEqual([1, "CODE_SEND_TOO_FREQUENT"]);
    expect(refused.data["send_window_secs"]).toBeGreaterThan(0);
    const none = await person.post(users("confirm_code"), { channel: "sms" });
    expect([none.biz, none.msg]).toEqual([9, "WAY_NOT_AVAILABLE"]);
  });

  it("what is not bound cannot be unbound, and a link of nobody undoes nothing", async () => {
    const person = await world.person();
    for (const kind of ["phone", "wechat", "google"]) {
      const said = await person.post(users("unbind"), { kind });
      expect([said.biz, said.msg, said.data]).toEqual([1, "NOT_BOUND", { code: 1, msg: "NOT_BOUND" }]);
    }
    expect((await person.post(users("unbind"), { kind: "email" })).envelope.code).toBe(42200);
    const undone = await world.guest().post(users("undo_binding"), { token: "x" });
    expect([undone.biz, undone.data]).toEqual([1, { code: 1, msg: "LINK_INVALID" }]);
  });

  it("the quota of deep thinking is the same in both calls and ends at a Beijing midnight", async () => {
    const person = await world.newPerson();
    const { thinking } = (await person.get(users("feature_quota"))).data as { thinking: Json };
    expect((await person.get(users("settings"))).data["thinking_quota"]).toEqual(thinking);
    expect(thinking).toMatchObject({ quota: 3, used: 0 });
    const reset = Number(thinking["reset_at"]);
    expect((reset + 8 * 3600) % 86_400).toBe(0);
    expect(reset - Date.now() / 1000).toBeGreaterThan(0);
    expect(reset - Date.now() / 1000).toBeLessThanOrEqual(86_400);
  });

  const paths = [
    "/api/v0/chat/completion",
    "/api/v0/chat/regenerate",
    "/v0/chat/edit_message",
    "/api/v0/chat/continue",
  ];
  it.each(paths)("a puzzle is given for %s", async (target_path) => {
    const said = await (await world.person()).post("/api/v0/chat/create_pow_challenge", { target_path });
    expect(said.data["challenge"]).toEqual({
      algorithm: "SHA-256",
      challenge: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      salt: expect.stringMatching(/^[0-9a-f]{20}$/) as string,
      signature: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      difficulty: 20,
      expire_at: expect.any(Number) as number,
      expire_after: 300_000,
      target_path: target_path.startsWith("/api") ? target_path : `/api${target_path}`,
    });
  });

  it.each(["", "/api/v0/users/login", "/nothing", "/api/v0/chat/stop", "__proto__"])(
    "no puzzle is given for %j",
    async (target_path) => {
      const asUser = await (await world.person()).post("/api/v0/chat/create_pow_challenge", { target_path });
      expect([asUser.biz, asUser.msg]).toEqual([1, "INVALID_TARGET_PATH"]);
      const asGuest = await world.guest().post(users("create_guest_challenge"), { target_path });
      expect([asGuest.biz, asGuest.msg]).toEqual([1, "INVALID_TARGET_PATH"]);
    },
  );

  it("a guest's proof is good once and for its own call", async () => {
    const guest = world.guest();
    const proof = await guest.guestProof(codes);
    expect(
      (await guest.post(users("register"), { payload: { email: "", password: "" } }, proof)).envelope.code,
    ).toBe(40301);
    const other = await guest.guestProof(codes);
    expect((await guest.post(codes, {}, other)).biz).toBe(3);
    expect((await guest.post(codes, {}, other)).envelope.code).toBe(40301);
    expect((await guest.post(codes, {})).envelope.code).toBe(40300);
  });

  it.each([
    ["", 40300],
    ["%%%", 40300],
    ["bnVsbA==", 40300],
    ["e30=", 40300],
    ["A".repeat(5000), 40300],
  ])("the proof %j is none", async (header, code) => {
    const person = await world.person();
    const said = await person.post(
      "/api/v0/chat/completion",
      { chat_session_id: "x", prompt: "x" },
      { "x-ds-pow-response": header },
    );
    expect(said.envelope.code).toBe(code);
  });

  it("a proof of another user is refused", async () => {
    const [one, other] = [await world.person(), await world.newPerson()];
    const said = await one.post(
      "/api/v0/chat/completion",
      { chat_session_id: "x", prompt: "x" },
      await other.proof(),
    );
    expect(said.envelope.code).toBe(40301);
  });
}
