// The own slide puzzle: made, judged, and the pass for a solved one (wire-contract.md §7.2, §7.3).
import { randomBytes } from "node:crypto";
import PQueue from "p-queue";
import {
  CheckSlideRefusal,
  type CheckedSlideCaptcha,
  type SlideCaptcha,
  type TrackPoint,
} from "@plumb/protocol/wire/captcha";
import { Global } from "@plumb/protocol/wire/global-codes";
import type { Database } from "../../platform/database/database.ts";
import { encodePng, type Pixels } from "../../platform/pictures/png.ts";
import { GlobalRefusal, Refusal } from "../../platform/refusal.ts";
import type { Clock } from "../../ports/clock.ts";
import { insertSlide, takeSlide } from "./slide-captcha-store.ts";
import { givePass, hashOfName } from "./captcha-passes.ts";
import { fastChance } from "./fast-chance.ts";
import { countSlideTry, forgetSlideTry } from "./slide-failures.ts";
import { drawSlidePuzzle, SLIDE_HEIGHT, SLIDE_WIDTH, type SlidePuzzle } from "./slide-picture.ts";
import { PIECE_SIZE } from "./slide-shape.ts";
import { isPlausibleTrack } from "./slide-track.ts";

const LIFE_MS = 2 * 60_000;
/** How far beside its place a piece may be left, pixels: 7 of 241 places. Twice what a step of the keys needs. */
const NEAR_ENOUGH = 3;
/** Solved in a row by a network that has failed. */
const PAIR = 2;
/** Pictures are drawn one after the other; beyond so many that wait the server is busy. */
const WAITING_MOST = 30;
/** Second pictures of a pair wait beyond that: a busy server must not take back the first one. */
const SECONDS_WAITING_MOST = 60;

/** A try at a puzzle, as it came in. */
interface SlideTry {
  captcha_id: string;
  x: number;
  track: readonly TrackPoint[];
}

export class SlideCaptchas {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #draw: () => SlidePuzzle;
  readonly #drawing = new PQueue({ concurrency: 1 });

  /** `draw` is for tests: by default each puzzle is drawn from a secure seed. */
  constructor({ db, clock, draw }: { db: Database; clock: Clock; draw?: () => SlidePuzzle }) {
    this.#db = db;
    this.#clock = clock;
    this.#draw = draw ?? (() => drawSlidePuzzle(fastChance(randomBytes(16))));
  }

  /** Throws 42905 while too many wait. */
  async create(deviceId: string | null): Promise<SlideCaptcha> {
    return this.#make({ deviceId, solvedBefore: 0, waitingMost: WAITING_MOST });
  }

  /**
   * Judges a try, the only one at its puzzle; `ip` is the caller's. A network that has failed within an hour must solve two in
   * a row, so its first right try is answered with the next puzzle. Throws Refusal 1 for a wrong place or a track of no hand,
   * and 2 for what is no puzzle any more.
   */
  async check({ captcha_id: id, x, track }: SlideTry, ip: string): Promise<CheckedSlideCaptcha> {
    const nowMs = this.#clock.now();
    const { kysely } = this.#db;
    const puzzle = await takeSlide(kysely, hashOfName(id));
    if (puzzle === undefined || puzzle.expires_at <= nowMs)
      throw new Refusal(CheckSlideRefusal.CaptchaExpired);
    const isFirst = await countSlideTry(kysely, ip, nowMs);
    if (Math.abs(puzzle.x - x) > NEAR_ENOUGH || !isPlausibleTrack(track, x))
      throw new Refusal(CheckSlideRefusal.CaptchaWrong);
    if (isFirst) await forgetSlideTry(kysely, ip, nowMs);
    const solved = puzzle.solved_before + 1;
    if (!isFirst && solved < PAIR) {
      const next = await this.#make({
        deviceId: puzzle.device_id,
        solvedBefore: solved,
        waitingMost: SECONDS_WAITING_MOST,
      });
      return { rid: null, expire_at: next.expire_at, next };
    }
    const { rid, expiresAt } = await givePass(kysely, puzzle.device_id, nowMs);
    return { rid, expire_at: Math.floor(expiresAt / 1000), next: null };
  }

  async #make({
    deviceId,
    solvedBefore,
    waitingMost,
  }: {
    deviceId: string | null;
    solvedBefore: number;
    waitingMost: number;
  }): Promise<SlideCaptcha> {
    if (this.#drawing.size >= waitingMost) throw new GlobalRefusal(Global.ServerBusy, { retryAfter: 1 });
    const puzzle = await this.#drawing.add(async () => {
      const { background, piece, x, y } = this.#draw();
      return { background: await dataAddress(background), piece: await dataAddress(piece), x, y };
    });
    const id = randomBytes(16).toString("hex");
    const expiresAt = this.#clock.now() + LIFE_MS;
    await insertSlide(this.#db.kysely, {
      id_hash: hashOfName(id),
      x: puzzle.x,
      solved_before: solvedBefore,
      device_id: deviceId || null,
      expires_at: expiresAt,
    });
    return {
      captcha_id: id,
      background: puzzle.background,
      piece: puzzle.piece,
      width: SLIDE_WIDTH,
      height: SLIDE_HEIGHT,
      piece_width: PIECE_SIZE,
      piece_height: PIECE_SIZE,
      piece_y: puzzle.y,
      expire_at: Math.floor(expiresAt / 1000),
    };
  }
}

async function dataAddress(pixels: Pixels): Promise<string> {
  return `data:image/png;base64,${(await encodePng(pixels)).toString("base64")}`;
}
