// What anonymous readers and guessers may cost, and how often a user makes or continues shares (wire-contract.md §1.9).
import { LIMITS } from "@plumb/protocol/limits";
import { describe, expect, it } from "vitest";
import { type Answered, openFrontDoor } from "../../../test/front-door.ts";
import { engines } from "../../../test/test-databases.ts";
import { isShareId, newShareId } from "./share-id.ts";

const said = ({ body }: Answered) => [body.code, body.data?.biz_code];
const unknown = [0, 1];
const tooMany = [40029, undefined];

it("an id is 18 of 36 characters, all of them drawn alike", () => {
  const ids = Array.from({ length: 4000 }, newShareId);
  expect(new Set(ids).size).toBe(4000);
  expect(ids.every(isShareId)).toBe(true);
  const counts = new Map<string, number>();
  for (const character of ids.join("")) counts.set(character, (counts.get(character) ?? 0) + 1);
  expect(counts.size).toBe(36);
  // 2,000 of each are expected; ten times the deviation of chance is never reached by it.
  for (const count of counts.values()) expect(Math.abs(count - 2000)).toBeLessThan(450);
});

it("ten million addresses that guess for a hundred years find nothing", () => {
  const perMinute = 60;
  const guesses = 10_000_000 * perMinute * 60 * 24 * 365 * 100;
  const shares = 1_000_000_000;
  expect((guesses * shares) / 36 ** LIMITS.shareIdChars).toBeLessThan(0.4);
});

describe.each(engines)("the limits of shares on %s", (engine) => {
  it("60 reads a minute of an address and of an IPv6 network, ids that none can have among them", async () => {
    const door = await openFrontDoor(engine);
    const guess = (ip: string, id: string) => door.get(`/api/v0/share/content?share_id=${id}`, { ip });
    for (let count = 0; count < 60; count += 1) {
      expect(said(await guess("192.0.2.7", count % 2 === 0 ? newShareId() : "nonsense"))).toEqual(unknown);
      expect(said(await guess(`2001:db8::${count.toString(16)}`, newShareId()))).toEqual(unknown);
    }
    const answer = await guess("192.0.2.7", newShareId());
    expect([answer.status, ...said(answer)]).toEqual([429, ...tooMany]);
    expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
    expect(said(await guess("2001:db8::ffff", newShareId()))).toEqual(tooMany);
    expect(said(await guess("192.0.2.8", newShareId()))).toEqual(unknown);
    door.time.nowMs += 60_000;
    expect(said(await guess("192.0.2.7", newShareId()))).toEqual(unknown);
    await door.close();
  });

  it("20 shares an hour of a user, made and continued together, counted in the database", async () => {
    const door = await openFrontDoor(engine);
    const token = await door.signUp("sharer@example.org");
    const create = () =>
      door.post("/api/v0/share/create", { chat_session_id: "x", message_ids: [1] }, { token });
    const fork = () => door.post("/api/v0/share/fork", { share_id: newShareId() }, { token });
    for (let count = 0; count < 10; count += 1) {
      expect(said(await create())).toEqual([0, 1]);
      expect(said(await fork())).toEqual([0, 1]);
    }
    for (const call of [create, fork]) {
      const { body } = await call();
      expect(body.data).toMatchObject({ biz_code: 9, biz_msg: "RATE_LIMIT_REACHED", biz_data: null });
    }
    door.time.nowMs += 3_600_000;
    expect(said(await fork())).toEqual([0, 1]);
    await door.close();
  });
});
