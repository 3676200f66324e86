// The own slide puzzle without its picture: how the piece is moved, and what the server says of it (wire-contract.md §7.2, §7.3).
import {
  checkSlideCaptcha,
  CheckSlideRefusal,
  createSlideCaptcha,
  TRACK_POINTS,
  type SlideCaptcha,
  type TrackPoint,
} from "@plumb/protocol/wire/captcha";
import { createStore } from "zustand/vanilla";
import type { ApiClient } from "../api-client.ts";
import type { ApiError } from "../api-errors.ts";
import type { Text } from "../text.ts";
import { errorText } from "../texts.ts";

export interface SlidePuzzleState {
  phase: "loading" | "ready" | "checking";
  puzzle: SlideCaptcha | null;
  /** Where the piece is, pixels of the picture from the left. */
  x: number;
  /** What is said under the picture. */
  note: SlideNote | null;
}

interface SlideNote {
  text: Text;
  /** Whether it tells of something that went wrong. */
  isError: boolean;
}

const problem = (text: Text): SlideNote => ({ text, isError: true });

interface SlidePuzzleDeps {
  api: ApiClient;
  /** Milliseconds. */
  now(): number;
  onSolved(rid: string): void;
  /** No puzzle can be had. */
  onFailed(error: ApiError): void;
}

export function createSlidePuzzle({ api, now, onSolved, onFailed }: SlidePuzzleDeps) {
  const store = createStore<SlidePuzzleState>(() => ({ phase: "loading", puzzle: null, x: 0, note: null }));
  let track: TrackPoint[] = [];
  let grippedAt = 0;
  /** What comes for an older puzzle is nobody's any more. */
  let round = 0;

  /** Another puzzle; `note` stays under it. */
  async function load(note: SlideNote | null = null): Promise<void> {
    const mine = ++round;
    track = [];
    store.setState({ phase: "loading", x: 0, note });
    const result = await api.call(createSlideCaptcha, {}, { duringChallenge: true });
    if (mine !== round) return;
    if (result.ok) show(result.data, note);
    else onFailed(result.error);
  }

  /** The piece goes to `x`; the first time a hand grips it. `y` is how far the hand is above or below. */
  function move(x: number, y: number): void {
    const { phase, puzzle } = store.getState();
    if (phase !== "ready" || puzzle === null) return;
    if (track.length === 0) {
      grippedAt = now();
      track.push({ x: 0, y: 0, t: 0 });
    }
    const to = Math.min(Math.max(0, x), puzzle.width - puzzle.piece_width);
    if (track.length >= TRACK_POINTS - 1) track = track.filter((_point, index) => index % 2 === 0);
    track.push({ x: to, y, t: Math.round(now() - grippedAt) });
    store.setState({ x: to, note: null });
  }

  /** The piece is left where it is. */
  async function release(): Promise<void> {
    const { phase, puzzle, x } = store.getState();
    if (phase !== "ready" || puzzle === null || track.length === 0) return;
    const mine = round;
    store.setState({ phase: "checking" });
    const result = await api.call(
      checkSlideCaptcha,
      { captcha_id: puzzle.captcha_id, x, track },
      { duringChallenge: true },
    );
    if (mine !== round) return;
    track = [];
    if (result.ok) {
      const { rid, next } = result.data;
      if (next === null) return onSolved(rid);
      return show(next, { text: { key: "captchaOneMore" }, isError: false });
    }
    const { error } = result;
    const refused = error.kind === "refused" && error.scope === "call" ? error.code : null;
    // Each puzzle is judged once.
    if (refused === CheckSlideRefusal.CaptchaExpired.code) return load(problem({ key: "captchaExpired" }));
    if (refused !== null) return load(problem({ key: "captchaWrong" }));
    store.setState({ phase: "ready", x: 0, note: problem(errorText(error) ?? { key: "captchaWrong" }) });
  }

  function show(puzzle: SlideCaptcha, note: SlideNote | null): void {
    store.setState({ phase: "ready", puzzle, x: 0, note });
  }

  return {
    store,
    load,
    move,
    /** By keys: so many pixels further. */
    step: (pixels: number): void => move(store.getState().x + pixels, 0),
    release,
  };
}
