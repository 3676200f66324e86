// Slide puzzles answered by a program that does not look at the picture. What looks is not stopped (docs/security.md).
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fastChance } from "../../src/features/guard/fast-chance.ts";
import { SlideCaptchas } from "../../src/features/guard/slide-captchas.ts";
import { planSlidePuzzle, type SlidePuzzle } from "../../src/features/guard/slide-picture.ts";
import { isPlausibleTrack } from "../../src/features/guard/slide-track.ts";
import { Refusal } from "../../src/platform/refusal.ts";
import { TestClock } from "../test-clock.ts";
import { openTestDatabase, type TestDatabase } from "../test-databases.ts";

const TRIES = 5000;
const AT_ONCE = 25;
const blank = { width: 1, height: 1, channels: 3 as const, data: new Uint8Array(3) };
const seeded = (text: string) => fastChance(Buffer.from(text.padEnd(16)));

let opened: TestDatabase;
let slides: SlideCaptchas;
beforeAll(async () => {
  opened = await openTestDatabase("sqlite");
  // Thirty thousand commits need not survive a power cut.
  await sql`pragma synchronous = off`.execute(opened.db.kysely);
  const places = seeded("places");
  // The places are those of real puzzles; drawing 10,000 pictures that nobody looks at would take minutes.
  const draw = (): SlidePuzzle => ({ ...planSlidePuzzle(places), background: blank, piece: blank });
  slides = new SlideCaptchas({ db: opened.db, clock: new TestClock(), draw });
});
afterAll(() => opened.close());

const chance = seeded("guesses");
/** As a hand draws it: slow, fast, slow, with a little shake. */
const drawnTo = (x: number) =>
  Array.from({ length: 20 }, (_, index) => {
    const part = index / 19;
    return { x: x * part * part * (3 - 2 * part), y: chance() * 3, t: Math.round(900 * part + chance() * 9) };
  });
const keyedTo = (x: number) =>
  Array.from({ length: x / 4 + 1 }, (_, at) => ({ x: at * 4, y: 0, t: Math.max(0, at - 1) * 40 }));
/** Any place, the middle one, or one that keys reach. */
function guess() {
  const kind = chance();
  if (kind < 0.3) return { x: 150, track: drawnTo(150) };
  const x = Math.round(30 + chance() * 240);
  if (kind < 0.8) return { x, track: drawnTo(x) };
  return { x: x - (x % 4), track: keyedTo(x - (x % 4)) };
}

/** What a guess at this puzzle gave: a pass, another picture or nothing. */
async function tryBlindly(captcha_id: string, ip: string, guessed = guess()) {
  try {
    return await slides.check({ captcha_id, ...guessed }, ip);
  } catch (error) {
    if (error instanceof Refusal) return { rid: null, next: null };
    throw error;
  }
}

/** Tries at once, each of its own network. Guesses are made in their order, so that each run has the same. */
async function tryInBatches(networkOf: (at: number) => string): Promise<number> {
  let passes = 0;
  const next = new Map<string, string>();
  for (let from = 0; from < TRIES; from += AT_ONCE) {
    const networks = Array.from({ length: AT_ONCE }, (_, at) => networkOf(from + at));
    const ids = await Promise.all(
      networks.map(async (ip) => next.get(ip) ?? (await slides.create(null)).captcha_id),
    );
    const answers = await Promise.all(ids.map((id, at) => tryBlindly(id, networks[at] ?? "")));
    answers.forEach((answered, at) => {
      if (answered.next === null) next.delete(networks[at] ?? "");
      else next.set(networks[at] ?? "", answered.next.captcha_id);
      if (answered.rid !== null) passes += 1;
    });
  }
  return passes;
}

test("the guesses are taken for a hand's: at the right place they pass", () => {
  for (let at = 0; at < 1000; at++) {
    const { x, track } = guess();
    expect(isPlausibleTrack(track, x)).toBe(true);
  }
});

test("blind, under 3.5 % of first tries pass", { timeout: 180_000 }, async () => {
  const passes = await tryInBatches((at) => `10.1.${at >> 8}.${at & 255}`);
  expect(passes / TRIES).toBeLessThan(0.035);
  // Else the tries would not have been judged.
  expect(passes / TRIES).toBeGreaterThan(0.02);
});

test("blind, under 0.3 % of later tries pass", { timeout: 180_000 }, async () => {
  const networkOf = (at: number) => `10.2.0.${at % AT_ONCE}`;
  for (let at = 0; at < AT_ONCE; at++) {
    const { captcha_id } = await slides.create(null);
    await tryBlindly(captcha_id, networkOf(at), { x: -100, track: [] });
  }
  expect((await tryInBatches(networkOf)) / TRIES).toBeLessThan(0.003);
});
