import { checkSlideCaptcha, createSlideCaptcha } from "@plumb/protocol/wire/captcha";
import { createHash } from "node:crypto";
import { afterEach, describe, expect, it } from "vitest";
import { bizData, type FrontDoor, openFrontDoor } from "../../../test/front-door.ts";
import { engines } from "../../../test/test-databases.ts";
import { countSlideTry } from "./slide-failures.ts";

const SECOND = 1000;

describe.each(engines)("the slide puzzle on %s", (engine) => {
  let door: FrontDoor;
  afterEach(() => door.close());
  const open = async (CAPTCHA = "slide") => {
    door = await openFrontDoor(engine, { rateLimits: "off" }, { settings: { CAPTCHA } });
  };
  const code = ({ body }: { body: { data: { biz_code: number } | null } }) => body.data?.biz_code;

  const create = (device_id?: string, ip = "192.0.2.1") =>
    door.post(createSlideCaptcha.path, { device_id }, { ip });
  const trackTo = (x: number) =>
    Array.from({ length: 12 }, (_, at) => ({ x: (x * at * at) / 121, y: at % 3, t: at * 40 + (at % 2) }));
  const check = (captcha_id: unknown, x: number, { track = trackTo(x), ip = "192.0.2.1" } = {}) =>
    door.post(checkSlideCaptcha.path, { captcha_id, x, track }, { ip });
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
      width: 320,
      height: 160,
      piece_width: 46,
      piece_height: 46,
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

  it("takes one try, within three pixels and by the track of a hand", async () => {
    await open();
    const tried = async (off: number, track?: ReturnType<typeof trackTo>) => {
      // Each from a network of its own, which has not failed yet.
      const ip = `198.51.100.${Math.abs(off)}`;
      const { captcha_id } = bizData(await create(undefined, ip));
      const x = await placeOf(captcha_id);
      const codes = [code(await check(captcha_id, x + off, { ip, ...(track && { track }) }))];
      return [...codes, code(await check(captcha_id, x, { ip }))];
    };
    expect(await tried(3)).toEqual([0, 2]);
    expect(await tried(-3)).toEqual([0, 2]);
    expect(await tried(4)).toEqual([1, 2]);
    expect(await tried(-5)).toEqual([1, 2]);
    expect(await tried(0, [{ x: 0, y: 0, t: 0 }])).toEqual([1, 2]);
  });

  it("of many tries at once one is judged", async () => {
    await open();
    const { captcha_id } = bizData(await create());
    const x = await placeOf(captcha_id);
    const rights = await Promise.all(Array.from({ length: 10 }, () => check(captcha_id, x)));
    expect(rights.filter((one) => code(one) === 0)).toHaveLength(1);
    expect(rights.filter((one) => code(one) === 2)).toHaveLength(9);
  });

  const fail = async (ip: string) => {
    const { captcha_id } = bizData(await create(undefined, ip));
    expect(code(await check(captcha_id, -100, { ip }))).toBe(1);
  };

  it("asks who has failed for two pictures in a row, for an hour, and the whole IPv6 /64", async () => {
    await open();
    const [ip, neighbour] = ["2001:db8:0:1::1", "2001:db8:0:1::2"];
    await fail(ip);
    const { captcha_id } = bizData(await create("phone", neighbour));
    const first = bizData(await check(captcha_id, await placeOf(captcha_id), { ip: neighbour }));
    expect(first).toMatchObject({ rid: null, next: { captcha_id: expect.stringMatching(/^[0-9a-f]{32}$/) } });
    const { captcha_id: next } = first["next"] as { captcha_id: string };
    const second = bizData(await check(next, await placeOf(next), { ip: neighbour }));
    expect(second).toMatchObject({ rid: expect.stringMatching(/^[0-9a-f]{32}$/), next: null });
    const { rid } = second as { rid: string };
    expect(code(await send(rid, { device_id: "laptop" }))).toBe(2);

    // The second one failed is the whole pair failed.
    const again = bizData(await create(undefined, ip))["captcha_id"];
    const { next: other } = bizData(await check(again, await placeOf(again), { ip }));
    expect(code(await check((other as { captcha_id: string }).captcha_id, -100, { ip }))).toBe(1);
    const third = bizData(await create(undefined, ip))["captcha_id"];
    expect(bizData(await check(third, await placeOf(third), { ip }))["rid"]).toBeNull();

    // Other networks never notice, and an hour later nor does this one.
    expect(await solved()).toMatch(/^[0-9a-f]{32}$/);
    door.time.nowMs += 3600 * SECOND;
    const later = bizData(await create(undefined, ip))["captcha_id"];
    expect(bizData(await check(later, await placeOf(later), { ip }))["rid"]).not.toBeNull();
  });

  it("of twenty tries of one network at once counts one as its first", async () => {
    await open();
    const tries = Array.from({ length: 20 }, () =>
      countSlideTry(door.opened.db.kysely, "192.0.2.1", door.time.nowMs),
    );
    expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(1);
  });

  it("makes the proof of work of who has failed eight times as dear, and nobody else's", async () => {
    await open();
    const difficulty = async (ip: string) =>
      bizData<{ guest_challenge: { difficulty: number } }>(
        await door.get("/api/v0/users/create_guest_challenge", { ip }),
      ).guest_challenge.difficulty;
    expect(await difficulty("192.0.2.1")).toBe(20);
    await fail("192.0.2.1");
    expect([await difficulty("192.0.2.1"), await difficulty("192.0.2.2")]).toEqual([160, 20]);
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
