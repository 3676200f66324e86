import { describe, expect, it } from "vitest";
import { createApiClient } from "../api-client.ts";
import { globalError, ok, refused } from "../testing/fake-answers.ts";
import { createFakeBrowser, emptyDisk } from "../testing/fake-browser.ts";
import { createFakeServer } from "../testing/fake-server.ts";
import { createSlidePuzzle } from "./slide-puzzle.ts";

const CREATE = "/api/v0/users/create_slide_captcha";
const CHECK = "/api/v0/users/check_slide_captcha";
const puzzle = (id: string) => ({
  captcha_id: id,
  background: "data:,",
  piece: "data:,",
  width: 320,
  height: 160,
  piece_width: 46,
  piece_height: 46,
  piece_y: 40,
  expire_at: 0,
});

function build() {
  const server = createFakeServer();
  let made = 0;
  server.answer(CREATE, () => ok(puzzle(`p${++made}`)));
  const browser = createFakeBrowser(server.network, emptyDisk());
  const api = createApiClient(browser, { token: () => null, locale: () => "en_US", onGlobalCode() {} });
  const events: unknown[] = [];
  const slide = createSlidePuzzle({
    api,
    now: browser.now,
    onSolved: (rid) => void events.push(rid),
    onFailed: (error) => void events.push(error.kind),
  });
  return { server, browser, slide, events };
}
const bodyOf = (server: ReturnType<typeof createFakeServer>) =>
  (server.calls(CHECK)[0] as { body: unknown }).body as { track: { x: number; t: number }[] };
type Built = ReturnType<typeof build>;

async function drag({ slide, browser }: Built, to: number): Promise<void> {
  for (let x = 10; x <= to; x += 10) {
    await browser.advance(20);
    slide.move(x, x % 3);
  }
  await slide.release();
}

describe("the slide puzzle", () => {
  it("sends where the piece was left, and the way of the hand", async () => {
    const built = build();
    const { server, slide, events } = built;
    server.answer(CHECK, () => ok({ rid: "rid-1", expire_at: 0, next: null }));
    await slide.load();
    await drag(built, 120);
    const { track, ...rest } = bodyOf(server);
    expect(rest).toEqual({ captcha_id: "p1", x: 120 });
    expect([track[0], track.at(-1)]).toMatchObject([
      { x: 0, t: 0 },
      { x: 120, t: 220 },
    ]);
    expect(events).toEqual(["rid-1"]);
  });

  it("stays inside of the picture, and moves by keys", async () => {
    const { slide } = build();
    await slide.load();
    slide.move(900, 0);
    expect(slide.store.getState().x).toBe(274);
    slide.step(-6);
    expect(slide.store.getState().x).toBe(268);
    slide.move(-5, 0);
    expect(slide.store.getState().x).toBe(0);
  });

  it("that is wrong or has ended is followed by another", async () => {
    const built = build();
    const { server, slide } = built;
    const answers = [refused(1, "CAPTCHA_WRONG"), refused(2, "CAPTCHA_EXPIRED")];
    server.answer(CHECK, () => answers.shift()!);
    await slide.load();
    await drag(built, 50);
    expect(slide.store.getState()).toMatchObject({
      phase: "ready",
      x: 0,
      puzzle: { captcha_id: "p2" },
      note: { text: { key: "captchaWrong" }, isError: true },
    });
    await drag(built, 60);
    expect(slide.store.getState()).toMatchObject({
      phase: "ready",
      puzzle: { captcha_id: "p3" },
      note: { text: { key: "captchaExpired" }, isError: true },
    });
  });

  it("of two in a row shows the second as it came with the first one's answer", async () => {
    const built = build();
    const { server, slide, events } = built;
    const answers = [
      ok({ rid: null, expire_at: 0, next: puzzle("second") }),
      ok({ rid: "rid-2", expire_at: 0, next: null }),
    ];
    server.answer(CHECK, () => answers.shift()!);
    await slide.load();
    await drag(built, 50);
    expect(slide.store.getState()).toMatchObject({
      phase: "ready",
      x: 0,
      puzzle: { captcha_id: "second" },
      note: { text: { key: "captchaOneMore" }, isError: false },
    });
    expect(events).toEqual([]);
    await drag(built, 70);
    expect(server.calls(CHECK).map(({ body }) => body["captcha_id"])).toEqual(["p1", "second"]);
    expect([events, server.calls(CREATE).length]).toEqual([["rid-2"], 1]);
  });

  it("says what kept it from being judged, and can be tried again", async () => {
    const built = build();
    built.server.answer(CHECK, () => globalError(40029, "IP_ACCESS_RESTRICTED", 429));
    await built.slide.load();
    await drag(built, 50);
    expect(built.slide.store.getState()).toMatchObject({
      phase: "ready",
      note: { text: { key: "tooManyRequests" } },
    });
  });

  it("without a puzzle has failed [AUTH-065]", async () => {
    const { server, slide, events } = build();
    server.setDown(true);
    await slide.load();
    expect(events).toEqual(["network"]);
  });

  it("a long way is told by at most 500 points, its start and its end among them", async () => {
    const built = build();
    const { server, slide } = built;
    server.answer(CHECK, () => ok({ rid: "r", expire_at: 0, next: null }));
    await slide.load();
    for (let index = 0; index < 3000; index++) slide.move(index % 200, 0);
    slide.move(77, 0);
    await slide.release();
    const { track } = bodyOf(server);
    expect(track.length).toBeLessThanOrEqual(500);
    expect([track[0]?.x, track.at(-1)?.x]).toEqual([0, 77]);
  });
});
