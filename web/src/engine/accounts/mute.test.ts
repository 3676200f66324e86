import { describe, expect, it } from "vitest";
import { ok, refused } from "../testing/fake-answers.ts";
import { createFakeServer, type FakeServer } from "../testing/fake-server.ts";
import { openPage, signedInDisk, type Page } from "../testing/open-page.ts";

const CURRENT = "/api/v0/users/current";
const COMPLETION = "/api/v0/chat/completion";
const STORED_AS = "plumb.mutedUntil";
/** The moment every disk begins at (unix seconds). */
const NOW = 1_790_000_000;
const MINUTE = 60_000;

/** The account, muted until then or not at all. */
function answerMuted(server: FakeServer, until: number | null): void {
  const chat = until === null ? { is_muted: 0, mute_until: null } : { is_muted: 1, mute_until: until };
  server.answer(CURRENT, () => ok({ id: "user-1", token: "token-1", email: "a@b.c", chat }));
}
const until = (page: Page) => page.engine.accounts.mute.getState().until;

describe("a mute", () => {
  it("is stored with its end and is there at the next start, before the server has answered [ACCT-058]", async () => {
    const server = createFakeServer();
    answerMuted(server, NOW + 600);
    const disk = signedInDisk();
    const first = await openPage(server, disk);
    expect(until(first)).toBe(NOW + 600);
    first.close();
    server.answer(CURRENT, () => new Promise(() => {}));
    const again = await openPage(server, disk);
    expect(again.engine.accounts.auth.getState().status).toBe("pending");
    expect(until(again)).toBe(NOW + 600);
    again.close();
  });

  it("is not restored once it is over, nor from nonsense", async () => {
    for (const stored of [String(NOW), String(NOW - 5), "", "soon", "NaN", "Infinity", "-1"]) {
      const server = createFakeServer();
      server.answer(CURRENT, () => new Promise(() => {}));
      const disk = signedInDisk();
      disk.values.set(STORED_AS, stored);
      const page = await openPage(server, disk);
      expect(until(page), stored).toBeNull();
      page.close();
    }
  });

  it("begins with a refused message, and the account is asked about at once [ACCT-009] [STRM-027]", async () => {
    const server = createFakeServer();
    server.addSession("s1");
    const page = await openPage(server);
    page.engine.sessions.open("s1");
    await page.browser.settle();
    const before = server.calls(CURRENT).length;
    server.answer(COMPLETION, () => refused(5, "USER_IS_MUTED", { mute_until: NOW + 100, is_muted: 1 }));
    answerMuted(server, NOW + 120);
    await page.engine.turns.send("s1", "2+2?");
    await page.browser.settle();
    expect(server.calls(CURRENT)).toHaveLength(before + 1);
    expect(until(page)).toBe(NOW + 120);
    expect(page.disk.values.get(STORED_AS)).toBe(String(NOW + 120));
    page.close();
  });

  it("is gone when it ends, without a reload, and the account is asked about again [ACCT-009]", async () => {
    const server = createFakeServer();
    answerMuted(server, NOW + 90);
    const page = await openPage(server);
    await page.browser.advance(89_000);
    expect(until(page)).toBe(NOW + 90);
    const before = server.calls(CURRENT).length;
    answerMuted(server, null);
    await page.browser.advance(1500);
    expect(until(page)).toBeNull();
    expect(server.calls(CURRENT)).toHaveLength(before + 1);
    expect(page.disk.values.has(STORED_AS)).toBe(false);
    page.close();
  });

  it("that the operator ends is gone with the next look at the account, within 20 minutes [ACCT-058]", async () => {
    const server = createFakeServer();
    answerMuted(server, NOW + 100_000);
    const page = await openPage(server);
    answerMuted(server, null);
    await page.browser.advance(19 * MINUTE);
    expect(until(page)).toBe(NOW + 100_000);
    await page.browser.advance(2 * MINUTE);
    expect(until(page)).toBeNull();
    page.close();
  });

  it("stays while the server says so, whatever this machine's clock says, and is asked about until it ends", async () => {
    const server = createFakeServer();
    answerMuted(server, NOW - 300);
    const page = await openPage(server);
    expect(until(page)).toBe(NOW - 300);
    const seen: (number | null)[] = [];
    page.engine.accounts.mute.subscribe((state) => seen.push(state.until));
    await page.browser.advance(2 * MINUTE);
    expect(seen).toEqual([]);
    answerMuted(server, null);
    await page.browser.advance(MINUTE);
    expect(until(page)).toBeNull();
    page.close();
  });

  it("leaves with its account", async () => {
    const server = createFakeServer();
    answerMuted(server, NOW + 600);
    const page = await openPage(server);
    await page.engine.accounts.signOut();
    expect(until(page)).toBeNull();
    expect(page.disk.values.has(STORED_AS)).toBe(false);
    const calls = server.calls(CURRENT).length;
    await page.browser.advance(20 * MINUTE);
    expect(server.calls(CURRENT)).toHaveLength(calls);
    page.close();
  });
});
