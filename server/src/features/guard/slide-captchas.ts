// The own slide puzzle: made, judged, and the pass for a solved one (wire-contract.md §7.2, §7.3).
import { randomBytes } from "node:crypto";
import PQueue from "p-queue";
import { CheckSlideRefusal, type SlideCaptcha, type TrackPoint } from "@plumb/protocol/wire/captcha";
import { Global } from "@plumb/protocol/wire/global-codes";
import type { Database } from "../../platform/database/database.ts";
import { encodePng, type Pixels } from "../../platform/pictures/png.ts";
import { GlobalRefusal, Refusal } from "../../platform/refusal.ts";
import type { Clock } from "../../ports/clock.ts";
import { countSlideTry, deleteSlide, insertSlide, lockSlide } from "./slide-captcha-store.ts";
import { givePass, hashOfName } from "./captcha-passes.ts";
import { fastChance } from "./fast-chance.ts";
import { drawSlidePuzzle, SLIDE_HEIGHT, SLIDE_WIDTH } from "./slide-picture.ts";
import { PIECE_SIZE } from "./slide-shape.ts";
import { isPlausibleTrack } from "./slide-track.ts";

const LIFE_MS = 2 * 60_000;
const TRIES = 3;
/** How far beside its place a piece may be left, pixels. */
const NEAR_ENOUGH = 6;
/** Pictures are drawn one after the other; beyond so many that wait the server is busy. */
const WAITING_MOST = 30;

export class SlideCaptchas {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #drawing = new PQueue({ concurrency: 1 });

  constructor({ db, clock }: { db: Database; clock: Clock }) {
    this.#db = db;
    this.#clock = clock;
  }

  /** Throws 42905 while too many wait. */
  async create(deviceId: string | null): Promise<SlideCaptcha> {
    if (this.#drawing.size >= WAITING_MOST) throw new GlobalRefusal(Global.ServerBusy, { retryAfter: 1 });
    const puzzle = await this.#drawing.add(async () => {
      const { background, piece, x, y } = drawSlidePuzzle(fastChance(randomBytes(16)));
      return { background: await dataAddress(background), piece: await dataAddress(piece), x, y };
    });
    const id = randomBytes(16).toString("hex");
    const expiresAt = this.#clock.now() + LIFE_MS;
    await insertSlide(this.#db.kysely, {
      id_hash: hashOfName(id),
      x: puzzle.x,
      tries: 0,
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

  /** Throws Refusal 1 for a wrong place or a track of no hand, of which three are allowed, and 2 for what is no puzzle any more. */
  async check(
    id: string,
    x: number,
    track: readonly TrackPoint[],
  ): Promise<{ rid: string; expire_at: number }> {
    const nowMs = this.#clock.now();
    // The outcome is returned, because a throw would roll back the count of a wrong try.
    const outcome = await this.#db.transaction(async (trx) => {
      const idHash = hashOfName(id);
      const puzzle = await lockSlide(this.#db, trx, idHash);
      if (puzzle === undefined || puzzle.expires_at <= nowMs || puzzle.tries >= TRIES) return "expired";
      if (Math.abs(puzzle.x - x) > NEAR_ENOUGH || !isPlausibleTrack(track, x)) {
        await countSlideTry(trx, idHash);
        return "wrong";
      }
      await deleteSlide(trx, idHash);
      return givePass(trx, puzzle.device_id, nowMs);
    });
    if (outcome === "expired") throw new Refusal(CheckSlideRefusal.CaptchaExpired);
    if (outcome === "wrong") throw new Refusal(CheckSlideRefusal.CaptchaWrong);
    return { rid: outcome.rid, expire_at: Math.floor(outcome.expiresAt / 1000) };
  }
}

async function dataAddress(pixels: Pixels): Promise<string> {
  return `data:image/png;base64,${(await encodePng(pixels)).toString("base64")}`;
}
