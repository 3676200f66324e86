import { describe, expect, it } from "vitest";
import { createApiClient } from "../api-client.ts";
import { createFakeBrowser } from "../testing/fake-browser.ts";
import { createFakeServer } from "../testing/fake-server.ts";
import { createProofOfWork } from "./proof-of-work.ts";
import { createPuzzleSolver } from "./puzzle-solver.ts";
import { solveOnPage } from "./solve-on-page.ts";

const POW = "/api/v0/chat/create_pow_challenge";

function setUp() {
  const server = createFakeServer();
  const browser = createFakeBrowser(server.network);
  const api = createApiClient(browser, {
    token: () => "token-1",
    locale: () => "en_US",
    onGlobalCode: () => {},
  });
  const proofs = createProofOfWork(browser, api, createPuzzleSolver(browser));
  return { server, browser, api, proofs };
}

describe("proofs kept ready", () => {
  it("keeps one, gives it out once and starts on the next", async () => {
    const { server, browser, proofs } = setUp();
    proofs.prepare();
    proofs.prepare();
    await browser.settle();
    expect(server.calls(POW)).toHaveLength(1);
    const first = await proofs.take();
    await browser.settle();
    const second = await proofs.take();
    expect(first.ok && second.ok && first.header !== second.header).toBe(true);
    const answer = JSON.parse(atob(first.ok ? first.header : "")) as Record<string, unknown>;
    expect(answer).toMatchObject({ algorithm: "SHA-256", answer: 2, target_path: "/api/v0/chat/completion" });
  });

  it("uses an answer for at most expire_after − 60000 ms", async () => {
    const { server, browser, proofs } = setUp();
    proofs.prepare();
    await browser.settle();
    await browser.advance(239_999);
    proofs.prepare();
    await browser.settle();
    expect(server.calls(POW)).toHaveLength(1);
    await browser.advance(1);
    const taken = await proofs.take();
    expect(server.calls(POW).length).toBeGreaterThanOrEqual(2);
    expect(taken.ok && atob(taken.header)).toContain("0000000000000000002");
  });

  it("two takers at once get two answers", async () => {
    const { proofs } = setUp();
    const [one, two] = await Promise.all([proofs.take(), proofs.take()]);
    expect(one.ok && two.ok && one.header !== two.header).toBe(true);
  });

  it("forgets all at clear, what is on its way too", async () => {
    const { server, browser, proofs } = setUp();
    const taking = proofs.take();
    proofs.clear();
    expect(await taking).toEqual({ ok: false, error: { kind: "aborted" } });
    await browser.settle();
    await proofs.take();
    expect(server.calls(POW).length).toBeGreaterThanOrEqual(2);
  });
});

describe("the puzzle solver", () => {
  it("solves on the page when the worker dies", async () => {
    const browser = createFakeBrowser(() => new Response());
    let fail: ((reason: string) => void) | undefined;
    browser.startPuzzleWorker = () => ({
      post: () => fail?.("refused"),
      listen: (_m, f) => (fail = f),
      terminate() {},
    });
    const { sha256Ascii } = await import("./sha256.ts");
    const solver = createPuzzleSolver(browser);
    const challenge = { challenge: sha256Ascii("s_9_4"), salt: "s", difficulty: 5, expire_at: 9 };
    expect(await solver.solve(challenge)).toBe(4);
    expect(await solver.solve({ ...challenge, difficulty: 3 })).toBeNull();
  });

  it("says that the network failed where the code of the solver can't be loaded, and tries again next time", async () => {
    const { browser, api } = setUp();
    let loads = 0;
    const solver = createPuzzleSolver(browser, async () => {
      loads += 1;
      if (loads === 1) throw new TypeError("Failed to fetch dynamically imported module");
      return solveOnPage;
    });
    const proofs = createProofOfWork(browser, api, solver);
    expect(await proofs.take()).toMatchObject({ ok: false, error: { kind: "network" } });
    expect(await proofs.take()).toMatchObject({ ok: true });
  });
});
