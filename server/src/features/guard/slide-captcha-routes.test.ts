import { checkSlideCaptcha, createSlideCaptcha } from "@plumb/protocol/wire/captcha";
import { createHash } from "node:crypto";
import { afterEach, describe, expect, it } from "vitest";
import { bizData, type FrontDoor, openFrontDoor } from "../../../test/front-door.ts";
import { engines } from "../../../test/test-databases.ts";

const SECOND = 1000;

describe.each(engines)("the slide puzzle on %s", (engine) => {
  let door: FrontDoor;
  afterEach(() => door.close());
  const open = async (CAPTCHA = "slide") => {
    door = await openFrontDoor(engine, { rateLimits: "off" }, { settings: { CAPTCHA } });
  };
  const code = ({ body }: { body: { data: { biz_code: number } | null } }) => body.data?.biz_code;

  const create = (device_id?: string) => door.post(createSlideCaptcha.path, { device_id });
  const trackTo = (x: number) =>
    Array.from({ length: 12 }, (_, at) => ({ x: (x * at * at) / 121, y: at % 3, t: at * 40 + (at % 2) }));
  const check = (captcha_id: unknown, x: number, track = trackTo(x)) =>
    door.post(checkSlideCaptcha.path, { captcha_id, x, track });
  async function placeOf(id: unknown): Promise<number> {
    const id_hash = createHash("sha256").update(String(id)).digest("hex");
    const row = await door.opened.db.kysely
      .selectFrom("slide_captchas")
      .select("x")
      .where("id_hash", "=", id_hash)
      .executeTakeFirstOrThrow();
    return row.x;
  }
  async function solved(device_id?: string): Promise<string> {
    const { captcha_id } = bizData(await create(device_id));
    return String(bizData(await check(captcha_id, await placeOf(captcha_id)))["rid"]);
  }
  const send = (rid: string | null, rest: Record<string, unknown> = {}) =>
    door.askCode({
      email: `p${Math.random()}@x.org`,
      ...(rid === null ? {} : { shumei_verification: { region: "CN", rid } }),
      ...rest,
    });

  it("is two pictures, their sizes and an end; nothing tells the place", async () => {
    await open();
    const made = await create();
    const puzzle = bizData(made);
    expect(puzzle).toEqual({
      captcha_id: expect.stringMatching(/^[0-9a-f]{32}$/),
      background: expect.stringMatching(/^data:image\/png;base64,/),
      piece: expect.stringMatching(/^data:image\/png;base64,/),
      width: 300,
      height: 150,
      piece_width: 54,
      piece_height: 54,
      piece_y: expect.any(Number),
      expire_at: door.time.nowMs / SECOND + 120,
    });
    expect(made.headers["cache-control"]).toBe("no-store");
    // All pictures of a size are about as long: no length tells one place from another.
    const lengths = await Promise.all(Array.from({ length: 5 }, async () => (await create()).text.length));
    expect(Math.max(...lengths) / Math.min(...lengths)).toBeLessThan(1.3);
  });

  it("solved, lets one code be sent, and without it none is [AUTH-080]", async () => {
    await open();
    expect(code(await send(null))).toBe(2);
    expect(code(await send("0".repeat(32)))).toBe(2);
    expect(door.mails).toHaveLength(0);
    const rid = await solved();
    expect(code(await send(rid))).toBe(0);
    expect(door.mails).toHaveLength(1);
    expect(code(await send(rid))).toBe(2);
    expect(door.mails).toHaveLength(1);
  });

  it("of fifty uses of one pass at once one counts", async () => {
    await open();
    const rid = await solved();
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(rid)));
    expect(answers.filter((one) => code(one) === 0)).toHaveLength(1);
    expect(door.mails).toHaveLength(1);
  });

  it("a pass lives for five minutes, and on the device that asked", async () => {
    await open();
    const late = await solved();
    door.time.nowMs += 300 * SECOND;
    expect(code(await send(late))).toBe(2);
    expect(code(await send(await solved("phone"), { device_id: "laptop" }))).toBe(2);
    expect(code(await send(await solved("phone"), { device_id: "phone" }))).toBe(0);
    expect(code(await send(await solved("phone")))).toBe(0);
  });

  it("takes three wrong tries, a place within six pixels, and the track of a hand", async () => {
    await open();
    const { captcha_id } = bizData(await create());
    const x = await placeOf(captcha_id);
    expect(code(await check(captcha_id, x + 7))).toBe(1);
    expect(code(await check(captcha_id, x, [{ x, y: 0, t: 0 }]))).toBe(1);
    expect(code(await check(captcha_id, x - 7))).toBe(1);
    expect(code(await check(captcha_id, x))).toBe(2);

    const again = bizData(await create())["captcha_id"];
    const place = await placeOf(again);
    expect(code(await check(again, place + 6))).toBe(0);
    expect(code(await check(again, place))).toBe(2);
  });

  it("of many tries at once no more than three are judged, and one solves it", async () => {
    await open();
    const { captcha_id } = bizData(await create());
    const x = await placeOf(captcha_id);
    const guesses = await Promise.all(Array.from({ length: 15 }, (_, at) => check(captcha_id, x + 8 + at)));
    expect(guesses.filter((one) => code(one) === 1)).toHaveLength(3);
    const other = bizData(await create())["captcha_id"];
    const place = await placeOf(other);
    const rights = await Promise.all(Array.from({ length: 10 }, () => check(other, place)));
    expect(rights.filter((one) => code(one) === 0)).toHaveLength(1);
  });

  it("ends after two minutes; an unknown one and one of another kind have ended", async () => {
    await open();
    const { captcha_id } = bizData(await create());
    const x = await placeOf(captcha_id);
    door.time.nowMs += 120 * SECOND;
    for (const id of [captcha_id, "0".repeat(32), "", "__proto__"]) expect(code(await check(id, x))).toBe(2);
  });

  it("is not there where another captcha or none is configured", async () => {
    await open("none");
    expect(code(await create())).toBe(1);
    expect(code(await check("0".repeat(32), 1))).toBe(2);
    expect(code(await send(null))).toBe(0);
  });
});
