import { createSlideCaptcha } from "@plumb/protocol/wire/captcha";
import { clearance } from "@plumb/protocol/wire/clearance";
import { clientSettings, STATUS_PATH, VERSION_PATH } from "@plumb/protocol/wire/site";
import { createHash } from "node:crypto";
import { afterEach, describe, expect, it } from "vitest";
import { type Answered, bizData, type FrontDoor, openFrontDoor } from "../../../test/front-door.ts";
import { engines } from "../../../test/test-databases.ts";
import { meetsChallenge } from "../../platform/http/route.ts";

const GUEST = "/api/v0/users/create_guest_challenge";
const IP_INFO = "/api/v0/client/ip_info";
const CURRENT = "/api/v0/users/current";
const COMPLETION = "/api/v0/chat/completion";
const DAY_MS = 86_400_000;

const hcaptcha = { CAPTCHA: "hcaptcha", CAPTCHA_SITE_KEY: "site", CAPTCHA_SECRET: "s3cret" };
const judge = {
  passes: async ({ hcaptcha_token }: { hcaptcha_token: string | null }) => hcaptcha_token === "good",
};

describe.each(engines)("the bot challenge on %s", (engine) => {
  let door: FrontDoor;
  afterEach(() => door.close());
  const open = async (
    settings: Record<string, string>,
    changes: Parameters<typeof openFrontDoor>[1] = {},
    captcha: typeof judge = judge,
  ) => {
    door = await openFrontDoor(engine, changes, { captcha, settings: { ...hcaptcha, ...settings } });
  };

  const codeOf = ({ body }: Answered) => body.code;
  const clear = (token: string, options: { ip?: string } = {}) =>
    door.post(clearance.path, { hcaptcha_token: token }, options);
  const cookieOf = ({ headers }: Answered) => String(headers["set-cookie"]).split(";")[0] ?? "";
  const asked = (path: string, cookie?: string, ip = "192.0.2.1") =>
    door.get(path, { ip, ...(cookie === undefined ? {} : { headers: { cookie } }) });

  it("is nobody's where it is off, and nothing clears", async () => {
    await open({});
    expect(codeOf(await asked(IP_INFO))).toBe(0);
    const { body, headers } = await clear("good");
    expect([body.data?.biz_code, body.data?.biz_msg]).toEqual([1, "CHALLENGE_FAILED"]);
    expect(headers["set-cookie"]).toBeUndefined();
    expect(
      bizData<{ captcha: { challenge: unknown } }>(await door.get(clientSettings.path)).captcha.challenge,
    ).toBe(null);
  });

  it("stands for all before the token is looked at, on streams too; a passed one lets the browser through for a day", async () => {
    await open({ BOT_CHALLENGE: "all" });
    for (const answered of [
      await asked(IP_INFO),
      await door.get(CURRENT, { token: "no such token" }),
      await door.post(COMPLETION, { nonsense: true }),
    ]) {
      expect([answered.status, answered.body.code, answered.body.msg]).toEqual([403, 40310, "BOT_CHALLENGE"]);
    }

    const cleared = await clear("good");
    const expireAt = bizData<{ expire_at: number }>(cleared).expire_at;
    expect(expireAt).toBe(Math.floor((door.time.nowMs + DAY_MS) / 1000));
    expect(cleared.headers["set-cookie"]).toMatch(
      /^plumb_clear=[\w-]+; Path=\/; Max-Age=86400; HttpOnly; SameSite=Lax$/u,
    );
    const cookie = cookieOf(cleared);
    expect(codeOf(await asked(IP_INFO, cookie))).toBe(0);
    expect(codeOf(await asked(CURRENT, cookie))).toBe(40002);
    door.time.nowMs += DAY_MS - 1000;
    expect(codeOf(await asked(IP_INFO, cookie))).toBe(0);
    door.time.nowMs += 1000;
    expect(codeOf(await asked(IP_INFO, cookie))).toBe(40310);
  });

  it("has a cookie that no script and no other host of the domain can set, where people come by https", async () => {
    await open({ BOT_CHALLENGE: "all", PUBLIC_URL: "https://chat.example" });
    const cleared = await clear("good");
    expect(cleared.headers["set-cookie"]).toMatch(/^__Host-plumb_clear=.*; HttpOnly; SameSite=Lax; Secure$/u);
    const [, value = ""] = cookieOf(cleared).split("=");
    expect(codeOf(await asked(IP_INFO, `__Host-plumb_clear=${value}`))).toBe(0);
    expect(codeOf(await asked(IP_INFO, `plumb_clear=${value}`))).toBe(40310);
  });

  it("takes no cookie that is not its own, and none of another server", async () => {
    await open({ BOT_CHALLENGE: "all" });
    const [, value = ""] = cookieOf(await clear("good")).split("=");
    const bytes = Buffer.from(value, "base64url");
    const later = Buffer.concat([Buffer.from("9"), bytes.subarray(1)]).toString("base64url");
    for (const forged of [
      later,
      value.slice(1),
      `${value}A`,
      "",
      "x",
      Buffer.from("9999999999.x").toString("base64url"),
    ])
      expect([forged, codeOf(await asked(IP_INFO, `plumb_clear=${forged}`))]).toEqual([forged, 40310]);
    await door.close();
    await open({ BOT_CHALLENGE: "all", SECRET_KEY: "the key of another server" });
    expect(codeOf(await asked(IP_INFO, `plumb_clear=${value}`))).toBe(40310);
  });

  it("never stands before what passes it, nor before what no program can repeat", async () => {
    await open({ BOT_CHALLENGE: "all", CAPTCHA: "slide" });
    for (const path of [clientSettings.path, STATUS_PATH, VERSION_PATH])
      expect([path, (await asked(path)).status]).toEqual([path, 200]);
    expect(codeOf(await door.post(createSlideCaptcha.path, {}))).toBe(0);
    expect(codeOf(await clear("x"))).toBe(0);
    const free = door.routes.filter((route) => !meetsChallenge(route)).map(({ call }) => call.path);
    expect(free.toSorted()).toEqual(
      [
        clearance.path,
        clientSettings.path,
        STATUS_PATH,
        VERSION_PATH,
        createSlideCaptcha.path,
        "/api/v0/users/check_slide_captcha",
        "/api/v0/users/oauth/google/authorize",
        "/api/v0/users/oauth/google/callback",
        "/oauth/wechat/callback",
        "/api/v0/export/file",
        "/api/v0/file/raw",
      ].toSorted(),
    );
  });

  it("our own puzzle gives a clearance, once, also where no captcha stands before codes", async () => {
    await open({ BOT_CHALLENGE: "all", CAPTCHA: "none" });
    const settings = bizData<{ captcha: Record<string, unknown> }>(await door.get(clientSettings.path));
    expect(settings.captcha).toMatchObject({
      mode: "none",
      challenge: { provider: "slide", script_url: null },
    });
    const { captcha_id } = bizData(await door.post(createSlideCaptcha.path, {}));
    const id_hash = createHash("sha256").update(String(captcha_id)).digest("hex");
    const slides = door.opened.db.kysely.selectFrom("slide_captchas").select("x");
    const { x } = await slides.where("id_hash", "=", id_hash).executeTakeFirstOrThrow();
    const track = Array.from({ length: 12 }, (_, at) => ({ x: (x * at) / 11, y: 0, t: at * 40 + (at % 2) }));
    const { rid } = bizData(await door.post("/api/v0/users/check_slide_captcha", { captcha_id, x, track }));
    const pass = { shumei_verification: { region: "CN", rid } };
    const first = await door.post(clearance.path, pass);
    expect(codeOf(await asked(IP_INFO, cookieOf(first)))).toBe(0);
    const again = await door.post(clearance.path, pass);
    expect([again.body.data?.biz_code, again.headers["set-cookie"]]).toEqual([1, undefined]);
  });

  it("tells the page what to show, as the captcha of the installation is configured", async () => {
    await open({ BOT_CHALLENGE: "suspects", CAPTCHA_SCRIPT_URL: "https://own.example/h.js" });
    const { captcha } = bizData<{ captcha: unknown }>(await door.get(clientSettings.path));
    expect(captcha).toMatchObject({
      challenge: { provider: "hcaptcha", site_key: "site", script_url: "https://own.example/h.js" },
    });
  });

  it("is met by an address that keeps asking beyond its limit, for an hour, and by no other", async () => {
    await open({ BOT_CHALLENGE: "suspects" }, { rateLimits: { guest_ip_minute: 1, refused_ip_hour: 3 } });
    await asked(GUEST);
    for (let count = 0; count < 2; count++) expect(codeOf(await asked(GUEST))).toBe(40029);
    expect(codeOf(await asked(IP_INFO))).toBe(0);
    // The rate is told before the challenge, which stands before all else from the third refusal on.
    expect(codeOf(await asked(GUEST))).toBe(40029);
    expect(codeOf(await asked(IP_INFO))).toBe(40310);
    expect(codeOf(await asked(IP_INFO, undefined, "192.0.2.2"))).toBe(0);

    door.time.nowMs += 60_000;
    const cleared = await clear("good");
    expect(codeOf(await asked(IP_INFO, cookieOf(cleared)))).toBe(0);
    expect(codeOf(await asked(IP_INFO))).toBe(40310);
    // A clearance lifts no limit.
    expect(codeOf(await asked(GUEST, cookieOf(cleared)))).toBe(40029);
    door.time.nowMs += 3_600_000;
    expect(codeOf(await asked(IP_INFO))).toBe(0);
  });

  it("a clearance that is passed around is none any more: it counts in sixteen networks", async () => {
    await open({ BOT_CHALLENGE: "all" });
    const cookie = cookieOf(await clear("good"));
    const codes: number[] = [];
    for (let at = 0; at < 18; at++) codes.push(codeOf(await asked(IP_INFO, cookie, `198.51.100.${at}`)));
    expect(codes).toEqual([...Array.from({ length: 16 }, () => 0), 40310, 40310]);
    expect(codeOf(await asked(IP_INFO, cookie, "198.51.100.3"))).toBe(0);
    expect(codeOf(await asked(IP_INFO, cookieOf(await clear("good")), "198.51.100.17"))).toBe(0);
  });

  it("a flood costs little before anybody is known: 30 a minute and address, 20 judged at once", async () => {
    let judged = 0;
    let most = 0;
    let go: () => void = () => {};
    const held = new Promise<void>((resolve) => (go = resolve));
    const captcha = {
      async passes() {
        most = Math.max(most, ++judged);
        await held;
        judged -= 1;
        return false;
      },
    };
    await open({ BOT_CHALLENGE: "all" }, {}, captcha);
    const refused: Answered[] = [];
    const flood = Array.from({ length: 60 }, async (_, at) => {
      const answered = await clear("x", { ip: `198.51.100.${at}` });
      if (answered.status === 429) refused.push(answered);
      if (refused.length === 40) go();
    });
    await Promise.all(flood);
    expect([most, judged]).toEqual([20, 0]);
    const told = refused.map(({ body, headers }) => [body.msg, headers["retry-after"]]);
    expect(told).toEqual(told.map(() => ["SERVER_BUSY", "1"]));

    const ofOne = [];
    for (let at = 0; at < 31; at++) ofOne.push(codeOf(await clear("x", { ip: "203.0.113.1" })));
    expect([ofOne.slice(0, 30).every((code) => code === 0), ofOne[30]]).toEqual([true, 40029]);
  });
});
