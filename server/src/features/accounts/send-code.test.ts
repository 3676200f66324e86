import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { TestClock } from "../../../test/test-clock.ts";
import { engines, openTestDatabase, type TestDatabase } from "../../../test/test-databases.ts";
import { Refusal } from "../../platform/refusal.ts";
import { RateLimits } from "../guard/rate-limit.ts";
import { type CodeOrder, CodeSender } from "./send-code.ts";
import { checkCode, codeKeyOf, type CodeRequester, emailCodeKey } from "./verification-codes.ts";

const tooFrequent = { code: 1, msg: "TOO_FREQUENT" };
const notSent = { code: 99, msg: "NOT_SENT" };
const codeKey = codeKeyOf("a server key");
const key = emailCodeKey("a@x.org", "register");
const DAY = 86_400_000;

describe.each(engines)("sending a code on %s", (engine) => {
  let opened: TestDatabase;
  let clock: TestClock;
  let rates: RateLimits;
  beforeEach(async () => {
    opened = await openTestDatabase(engine);
    clock = new TestClock();
    const config = { rateLimits: {}, messagesPerMinute: 20 };
    rates = new RateLimits({ config, db: opened.db, ports: { clock }, secretKey: "secret" });
  });
  afterEach(() => opened.close());

  /** What was handed over, in order, whether or not that came to an end. */
  const handed: string[] = [];
  const here: CodeRequester = { browser: "mine", network: "here", site: "here", device: null };
  /** 0, or the refusal's number with the seconds left. */
  function ask(
    send: () => Promise<void> = async () => {},
    change: Partial<CodeOrder> = {},
    sender = new CodeSender({ db: opened.db, rates, codeKey }),
  ): Promise<0 | [number, unknown]> {
    const order: CodeOrder = {
      key,
      deviceId: null,
      requester: here,
      delivery: "told",
      sender: { kind: "smtp" },
      log: pino({ level: "silent" }),
      send(code: string) {
        handed.push(code);
        return send();
      },
      tooFrequent,
      notSent,
      ...change,
    };
    return sender.send(order, clock.now()).then(
      () => 0 as const,
      (error: unknown) => {
        if (!(error instanceof Refusal)) throw error;
        return [error.refusal.code, error.data?.["send_window_secs"]];
      },
    );
  }
  const fail = () => Promise.reject(new Error("the mail server is away"));
  const check = (code: string | undefined, consume = false) =>
    opened.db.transaction((trx) =>
      checkCode(
        opened.db,
        trx,
        codeKey,
        key,
        { code: code ?? "none", deviceId: null, requester: here, consume },
        clock.nowMs,
      ),
    );
  const lastHanded = () => handed.at(-1);
  /** A send that waits for its `end`, and is under way. */
  async function begin() {
    const before = handed.length;
    let resolve = (): void => {};
    let reject = (_error: Error): void => {};
    const end = new Promise<void>((done, failed) => {
      [resolve, reject] = [done, failed];
    });
    const answer = ask(() => end);
    await expect.poll(() => handed.length).toBe(before + 1);
    return { answer, resolve, reject, code: lastHanded() };
  }

  test("one that could not be sent takes neither the minute nor one of the six of the day", async () => {
    for (let tries = 0; tries < 12; tries++) expect(await ask(fail)).toEqual([99, undefined]);
    for (let sent = 0; sent < 6; sent++) {
      expect(await ask(fail)).toEqual([99, undefined]);
      clock.nowMs += 20_000;
      expect(await ask()).toBe(0);
      // The pause is one from the code that was sent, not from the try before it.
      clock.nowMs += 59_000;
      expect(await ask()).toEqual([1, 1]);
      clock.nowMs += 1_000;
    }
    expect(await ask()).toEqual([1, (DAY - 6 * 80_000 + 20_000) / 1000]);
  });

  test("one that could not be sent is good for nothing, and leaves the one before with the tries it has had", async () => {
    expect(await ask()).toBe(0);
    const good = lastHanded();
    for (let tries = 0; tries < 3; tries++) expect(await check("none")).toBe("wrong");
    clock.nowMs += 60_000;
    expect(await ask(fail)).toEqual([99, undefined]);
    expect(lastHanded()).not.toBe(good);
    expect(await check(good)).toBe("right");
    expect(await check(lastHanded())).toBe("wrong");
    expect(await check(good)).toBe("right");
    expect(await check("none")).toBe("wrong");
    expect(await check(good)).toBe("expired");
  });

  test("while one is sent no other is, the database is free, and the code before is the good one", async () => {
    await ask();
    const before = lastHanded();
    clock.nowMs += 60_000;
    const under = await begin();
    expect(await check(before)).toBe("right");
    expect(await check(under.code)).toBe("wrong");
    expect(await ask()).toEqual([1, 60]);
    under.resolve();
    expect(await under.answer).toBe(0);
    expect(await check(before)).toBe("wrong");
    expect(await check(under.code, true)).toBe("right");
    expect(await check(under.code)).toBe("expired");
  });

  test("one whose sender died leaves the code before good, and costs no more than its count", async () => {
    await ask();
    const before = lastHanded();
    clock.nowMs += 60_000;
    await begin();
    expect(await check(before)).toBe("right");
    clock.nowMs += 60_000;
    expect(await ask()).toBe(0);
    expect(await check(lastHanded())).toBe("right");
  });

  test("of two asked for at once one is sent; where that fails the next one may ask at once", async () => {
    let sends = 0;
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        ask(async () => {
          sends += 1;
        }),
      ),
    );
    expect(answers.filter((answer) => answer === 0)).toHaveLength(1);
    expect(sends).toBe(1);
    clock.nowMs += 60_000;
    const under = await begin();
    expect(await ask()).toEqual([1, 60]);
    under.reject(new Error("away"));
    expect(await under.answer).toEqual([99, undefined]);
    expect(await ask()).toBe(0);
  });

  test("one that fails after its minute takes nothing from the pause of the next, which is the good one", async () => {
    const slow = await begin();
    clock.nowMs += 61_000;
    expect(await ask()).toBe(0);
    const next = lastHanded();
    clock.nowMs += 9_000;
    slow.reject(new Error("away"));
    expect(await slow.answer).toEqual([99, undefined]);
    expect(await ask()).toEqual([1, 51]);
    expect(await check(next)).toBe("right");
  });
});
