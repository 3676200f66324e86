// Guesses at the codes of one target from many networks and browsers, and codes that are used by who did not ask for them.
import { Global } from "@plumb/protocol/wire/global-codes";
import { afterEach, describe, expect, test } from "vitest";
import { createLogger } from "../../src/platform/logger.ts";
import { type Answered, type FrontDoor, openFrontDoor } from "../front-door.ts";
import { engines } from "../test-databases.ts";

const OWNER = "owner@x.org";
const NEW = "battery staple";
/** The limits per address, and that of codes sent, are lifted: here they must not be what stops anybody. */
const NO_ADDRESS_LIMIT = {
  rateLimits: {
    login_ip_minute: 1_000_000,
    code_ip_hour: 1_000_000,
    guest_ip_minute: 1_000_000,
    code_target_day: 1_000_000,
  },
};

interface Browser {
  ip: string;
  cookie?: string;
}

describe.each(engines)("guesses at codes on %s", (engine) => {
  let door: FrontDoor;
  afterEach(() => door.close());

  const outcome = ({ body }: Answered) => body.data?.biz_code ?? body.code;
  const options = ({ ip, cookie }: Browser) => ({
    ip,
    ...(cookie === undefined ? {} : { headers: { cookie } }),
  });
  /** Asks for a code and keeps the cookie, as browsers do; resolves with the code that was sent. */
  async function ask(browser: Browser, email = OWNER): Promise<string> {
    const answered = await door.askCode({ email, scenario: "reset_password" }, options(browser));
    expect(outcome(answered)).toBe(0);
    browser.cookie = String(answered.headers["set-cookie"]).split(";")[0] ?? "";
    return door.mails.at(-1)?.code ?? "";
  }
  const check = async (browser: Browser, code: string) =>
    outcome(
      await door.post(
        "/api/v0/users/check_email_code",
        { email: OWNER, email_verification_code: code },
        options(browser),
      ),
    );
  const reset = async (browser: Browser, code: string) =>
    outcome(
      await door.post(
        "/api/v0/users/email_reset_password",
        { email: OWNER, email_verification_code: code, password: NEW },
        options(browser),
      ),
    );
  const wrong = (...codes: string[]) =>
    ["000000", "000001", "000002"].find((guess) => !codes.includes(guess)) ?? "";

  test("a stranger's wrong tries leave the owner's code alone, with an own code and without", async () => {
    door = await openFrontDoor(engine, NO_ADDRESS_LIMIT);
    await door.signUp(OWNER);
    const owner: Browser = { ip: "192.0.2.7" };
    const stranger: Browser = { ip: "198.51.100.1" };
    const right = await ask(owner);
    for (let tries = 0; tries < 6; tries++) expect(await check(stranger, wrong(right))).toBe(7);
    const own = await ask(stranger);
    for (let tries = 0; tries < 5; tries++) expect(await check(stranger, wrong(right, own))).toBe(8);
    expect(await check(stranger, own)).toBe(7);
    expect(await check(owner, right)).toBe(0);
    expect(await reset(owner, right)).toBe(0);
  });

  test("a code that was overheard is worth nothing to another browser in another network", async () => {
    door = await openFrontDoor(engine, NO_ADDRESS_LIMIT);
    await door.signUp(OWNER);
    const owner: Browser = { ip: "192.0.2.7" };
    const thief: Browser = { ip: "198.51.100.1" };
    const right = await ask(owner);
    expect(await reset(thief, right)).toBe(7);
    await ask(thief, "thief@x.org");
    expect(await reset(thief, right)).toBe(7);
    expect(await reset({ ip: "198.51.100.1", cookie: `plumb_code=${"a".repeat(43)}` }, right)).toBe(7);
    // A telephone that changed its network; a client without cookies in the same one.
    expect(await check({ ip: "203.0.113.9", cookie: owner.cookie ?? "" }, right)).toBe(0);
    expect(await check({ ip: owner.ip }, right)).toBe(0);
  });

  test("a neighbour behind the owner's own address cannot void the code of the owner's browser", async () => {
    door = await openFrontDoor(engine, NO_ADDRESS_LIMIT);
    await door.signUp(OWNER);
    const owner: Browser = { ip: "192.0.2.7" };
    const right = await ask(owner);
    for (let tries = 0; tries < 5; tries++) expect(await check({ ip: owner.ip }, wrong(right))).toBe(8);
    expect(await check({ ip: owner.ip }, wrong(right))).toBe(7);
    const neighbour: Browser = { ip: owner.ip };
    await door.askCode({ email: OWNER, scenario: "reset_password" }, options(neighbour));
    expect(await reset(owner, right)).toBe(0);
  });

  test.each([["as shipped"], ["with RATE_LIMITS=off"]])(
    "%s any number of networks guesses 35 times a day, and a known browser of the owner is in no one's way",
    async (how) => {
      door = await openFrontDoor(engine, how === "as shipped" ? NO_ADDRESS_LIMIT : { rateLimits: "off" });
      await door.signUp(OWNER);
      const login = await door.post("/api/v0/users/login", { email: OWNER, password: "correct horse" });
      const known = String(login.headers["set-cookie"]).split(";")[0] ?? "";
      let compared = 0;
      let refused = 0;
      for (let network = 0; network < 5; network++) {
        // Of each network four browsers.
        for (let index = 0; index < 4; index++) {
          const guesser: Browser = { ip: `198.51.100.${network}` };
          const own = await ask(guesser);
          door.time.nowMs += 60_000;
          for (let tries = 0; tries < 5; tries++) {
            const said = await check(guesser, wrong(own));
            if (said === 8) compared += 1;
            else if (said === Global.OperationTooFrequent.code) refused += 1;
          }
        }
      }
      expect([compared, refused]).toEqual([35, 65]);
      const owner: Browser = { ip: "192.0.2.7", cookie: known };
      const asked = await door.askCode({ email: OWNER, scenario: "reset_password" }, options(owner));
      owner.cookie += `; ${String(asked.headers["set-cookie"]).split(";")[0]}`;
      expect(await reset(owner, door.mails.at(-1)?.code ?? "")).toBe(0);
    },
  );

  test("RATE_LIMITS=off stops guesses at passwords as well, and the start says what it is", async () => {
    const lines: string[] = [];
    const log = createLogger("warn", { write: (line: string) => void lines.push(line) });
    door = await openFrontDoor(engine, { rateLimits: "off" }, { log });
    expect(lines.join("")).toContain("RATE_LIMITS=off");
    await door.signUp(OWNER);
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_none, index) =>
        door.post(
          "/api/v0/users/login",
          { email: OWNER, password: `guess ${index}` },
          { ip: `10.0.0.${index}` },
        ),
      ),
    );
    expect(answers.map(outcome).filter((code) => code === 2)).toHaveLength(20);
  });

  test("a code by text message is good for what it was asked for alone", async () => {
    door = await openFrontDoor(engine, { ...NO_ADDRESS_LIMIT, edition: "mainland" });
    const who = { mobile_number: "13812345678" };
    await door.askText({ ...who, scenario: "login" });
    const sms_verification_code = door.texts.at(-1)?.code;
    const payload = { ...who, sms_verification_code, password: NEW };
    const answers = [
      await door.guestPost("/api/v0/users/register_by_mobile", { payload }),
      await door.post("/api/v0/users/check_sms_code", { ...who, sms_verification_code }),
      await door.post("/api/v0/users/mobile_reset_password", {
        ...who,
        sms_verification_code,
        password: NEW,
      }),
    ];
    expect(answers.map(outcome)).toEqual([7, 7, 7]);
    const signedIn = await door.guestPost("/api/v0/users/login_by_mobile_sms", {
      ...who,
      sms_verification_code,
    });
    expect(outcome(signedIn)).toBe(0);
  });
});
