// Strangers who use up what somebody needs to get in: codes, passwords, the server's mails.
import { Global } from "@plumb/protocol/wire/global-codes";
import { afterEach, describe, expect, test } from "vitest";
import { createLogger } from "../../src/platform/logger.ts";
import { type Answered, type CallOptions, type FrontDoor, openFrontDoor } from "../front-door.ts";
import { engines } from "../test-databases.ts";

const OWNER = "owner@x.org";
const PASSWORD = "correct horse";
const NEW = "battery staple";
const MINUTE = 60_000;
const HERE = "192.0.2.7";
/** The limits per address are lifted: here they must not be what stops anybody. */
const wide = { login_ip_minute: 1_000_000, code_ip_hour: 1_000_000, guest_ip_minute: 1_000_000 };

const outcome = ({ body }: Answered) => body.data?.biz_code ?? body.code;
const from = (ip: string, cookie?: string): CallOptions => ({
  ip,
  ...(cookie === undefined ? {} : { headers: { cookie } }),
});
const cookieOf = ({ headers }: Answered) => String(headers["set-cookie"]).split(";")[0] ?? "";

describe.each(engines)("strangers lock nobody out on %s", (engine) => {
  let door: FrontDoor;
  afterEach(() => door.close());

  const login = (password: string, options: CallOptions) =>
    door.post("/api/v0/users/login", { email: OWNER, password }, options);
  const askReset = (options: CallOptions, email = OWNER) =>
    door.askCode({ email, scenario: "reset_password" }, options);
  /** Asks for a code from there, and sets a new password with it. */
  async function resetFrom(ip: string, cookie?: string): Promise<number[]> {
    const asked = await askReset(from(ip, cookie));
    const cookies = [cookieOf(asked), ...(cookie === undefined ? [] : [cookie])].join("; ");
    const body = { email: OWNER, email_verification_code: door.mails.at(-1)?.code ?? "", password: NEW };
    const done = await door.post("/api/v0/users/email_reset_password", body, from(ip, cookies));
    return [outcome(asked), outcome(done)];
  }
  async function openWithOwner(rateLimits: Record<string, number> = {}): Promise<string> {
    door = await openFrontDoor(engine, { rateLimits: { ...wide, ...rateLimits } }, { mailerKind: "smtp" });
    await door.signUp(OWNER);
    const known = cookieOf(await login(PASSWORD, from(HERE)));
    door.time.nowMs += MINUTE;
    return known;
  }

  test("by ten requests for codes: a known and a fresh browser of the owner get and use theirs", async () => {
    const known = await openWithOwner();
    const sent: number[] = [];
    for (let asks = 0; asks < 10; asks++) {
      sent.push(outcome(await askReset(from("198.51.100.1"))));
      door.time.nowMs += MINUTE;
    }
    expect(sent.filter((code) => code === 0)).toHaveLength(6);
    expect(await resetFrom("203.0.113.5")).toEqual([0, 0]);
    door.time.nowMs += MINUTE;
    // The new password made the browser a stranger: it becomes known anew.
    expect(outcome(await login(NEW, from(HERE, known)))).toBe(0);
    expect(await resetFrom(HERE, cookieOf(await login(NEW, from(HERE))))).toEqual([0, 0]);
  });

  test("by requests from everywhere: a browser that the account knows gets and uses its code", async () => {
    const known = await openWithOwner();
    const sent: number[] = [];
    for (let network = 0; network < 40; network++)
      sent.push(outcome(await askReset(from(`10.0.${network}.1`))));
    // One of the twenty was the owner's own sign-up.
    expect(sent.filter((code) => code === 0)).toHaveLength(19);
    expect(outcome(await askReset(from("203.0.113.5")))).toBe(1);
    expect(await resetFrom(HERE, known)).toEqual([0, 0]);
  });

  test("by a request each minute at the same time: the owner's pause is an own one", async () => {
    await openWithOwner();
    expect(outcome(await askReset(from("198.51.100.1")))).toBe(0);
    expect(await resetFrom("203.0.113.5")).toEqual([0, 0]);
  });

  test("by mails for texts: what used up the one of an address has not used up the other", async () => {
    door = await openFrontDoor(engine, { phoneRegions: "*", rateLimits: { code_ip_hour: 1 } });
    const text = () => door.askText({ mobile_number: "13812345678" });
    expect([outcome(await askReset({})), outcome(await askReset({}, "b@x.org"))]).toEqual([0, 40029]);
    expect([outcome(await text()), outcome(await text())]).toEqual([0, 40029]);
  });

  test("by wrong passwords from everywhere: a known browser signs in, an unknown one resets by mail and then signs in", async () => {
    const known = await openWithOwner();
    const guesses = await Promise.all(
      Array.from({ length: 40 }, (_none, index) => login(`guess ${index}`, from(`10.0.${index}.1`))),
    );
    expect(guesses.map(outcome).filter((code) => code === 2)).toHaveLength(20);
    expect(outcome(await login(PASSWORD, from("203.0.113.5")))).toBe(Global.OperationTooFrequent.code);
    expect(outcome(await login(PASSWORD, from("203.0.113.5", known)))).toBe(0);
    expect(await resetFrom("203.0.113.5")).toEqual([0, 0]);
    expect(outcome(await login(NEW, from("203.0.113.5")))).toBe(0);
  });

  test("by wrong passwords for the address: the phone of the account has its own count, which tells nobody that both are one's", async () => {
    await openWithOwner();
    await door.opened.db.kysely.updateTable("users").set({ mobile: "13800138000" }).execute();
    const byPhone = (password: string, more: object) =>
      door.post("/api/v0/users/login", { mobile: "13800138000", password }, more);
    for (let index = 0; index < 20; index++) await login(`guess ${index}`, from(`10.0.${index}.1`));
    expect(outcome(await login(PASSWORD, from("203.0.113.5")))).toBe(Global.OperationTooFrequent.code);
    expect(outcome(await byPhone(PASSWORD, from("203.0.113.5")))).toBe(0);
  });

  test("by the server's mails of the hour: a third is left to known browsers, and the log says it once", async () => {
    const lines: string[] = [];
    const log = createLogger("warn", { write: (line: string) => void lines.push(line) });
    const rateLimits = { ...wide, message_server_hour: 6 };
    door = await openFrontDoor(engine, { rateLimits }, { mailerKind: "smtp", log });
    await door.signUp(OWNER);
    const known = cookieOf(await login(PASSWORD, from(HERE)));
    const strangers: number[] = [];
    for (let index = 0; index < 6; index++)
      strangers.push(outcome(await askReset(from(`10.0.${index}.1`), `stranger${index}@x.org`)));
    // One of the four was the owner's own sign-up.
    expect(strangers).toEqual([0, 0, 0, 99, 99, 99]);
    expect(await resetFrom(HERE, known)).toEqual([0, 0]);
    const said = () => lines.filter((line) => line.includes("message_server_hour"));
    expect(said()).toHaveLength(1);
    door.time.nowMs += 60 * MINUTE;
    expect(outcome(await askReset(from("10.0.9.1"), "stranger9@x.org"))).toBe(0);
    for (let index = 10; index < 16; index++)
      await askReset(from(`10.0.${index}.1`), `stranger${index}@x.org`);
    expect(said()).toHaveLength(2);
  });

  describe("a closed server", () => {
    const TEXT = "/api/v0/users/create_sms_verification_code";
    const KNOWN = "13812345678";
    async function openClosed(): Promise<void> {
      door = await openFrontDoor(
        engine,
        { signUp: "closed", edition: "mainland", rateLimits: wide },
        { mailerKind: "smtp" },
      );
      const account = { last_seq_id: 0, training_allowed: 0, under_review: 0, created_at: 1 };
      await door.opened.db.kysely
        .insertInto("users")
        .values({ id: "1", email: OWNER, mobile: KNOWN, ...account })
        .execute();
    }
    /** What an answer tells, without what differs between any two. */
    const told = ({ status, text, headers }: Answered) => [
      status,
      text.replace(/"logId":"[0-9a-f]{32}"/, ""),
      String(headers["set-cookie"]).replace(/=[\w-]{43};/, ""),
    ];

    test("mails and texts no strangers, and answers and counts alike", async () => {
      await openClosed();
      const ways = [
        (who: "known" | "stranger") => askReset(from(HERE), who === "known" ? OWNER : "stranger@x.org"),
        (who: "known" | "stranger") =>
          door.askText(
            { mobile_number: who === "known" ? KNOWN : "13900000000", scenario: "login" },
            from(HERE),
          ),
        (who: "known" | "stranger") =>
          door.askText(
            { mobile_number: who === "known" ? KNOWN : "13900000000", scenario: "bind_mobile" },
            from("192.0.2.8"),
          ),
      ];
      for (const ask of ways) {
        expect(told(await ask("stranger"))).toEqual(told(await ask("known")));
        // The same pause, and the same answer to a guess.
        expect(told(await ask("stranger"))).toEqual(told(await ask("known")));
      }
      const check = async (email: string) =>
        told(
          await door.post(
            "/api/v0/users/check_email_code",
            { email, email_verification_code: "none00" },
            from(HERE),
          ),
        );
      expect(await check("stranger@x.org")).toEqual(await check(OWNER));
      await expect.poll(() => [door.mails.length, door.texts.length]).toEqual([1, 2]);
      expect(door.mails.map(({ to }) => to)).toEqual([OWNER]);
      expect(door.texts.map(({ to }) => to)).toEqual([`+86${KNOWN}`, `+86${KNOWN}`]);
      const codes = await door.opened.db.kysely.selectFrom("verification_codes").select("target").execute();
      expect(codes).toHaveLength(6);
    });

    test("tells nothing by a mail server that is away", async () => {
      await openClosed();
      door.mailer.fails = true;
      expect(told(await askReset(from(HERE), "stranger@x.org"))).toEqual(told(await askReset(from(HERE))));
      expect(told(await askReset(from(HERE), "stranger@x.org"))).toEqual(told(await askReset(from(HERE))));
    });

    test("texts a number that no account has to who is signed in and binds it", async () => {
      await openClosed();
      const email = "member@x.org";
      door.deps.config.signUp = "open";
      door.deps.config.edition = "international";
      const token = await door.signUp(email);
      door.deps.config.signUp = "closed";
      const asked = { mobile_number: "13900000000", scenario: "bind_mobile" };
      const headers = { ...(await door.guestProof(TEXT)), authorization: `Bearer ${"x".repeat(64)}` };
      expect(outcome(await door.post(TEXT, asked, { headers }))).toBe(0);
      expect(door.texts).toEqual([]);
      expect(outcome(await door.askText(asked, { token, ip: HERE }))).toBe(0);
      expect(door.texts.map(({ to }) => to)).toEqual(["+8613900000000"]);
    });
  });

  test("a server for some domains mails no one of another that has no account", async () => {
    door = await openFrontDoor(engine, {}, { settings: { EMAIL_DOMAINS: "x.org" } });
    const account = { id: "1", email: "a@y.org", last_seq_id: 0, training_allowed: 0, under_review: 0 };
    await door.opened.db.kysely
      .insertInto("users")
      .values({ ...account, created_at: 1 })
      .execute();
    for (const email of ["stranger@y.org", "a@y.org"])
      expect(outcome(await askReset(from(HERE), email))).toBe(0);
    await expect.poll(() => door.mails.map(({ to }) => to)).toEqual(["a@y.org"]);
  });
});
