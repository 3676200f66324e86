// An import as the page follows it: a file sent, its numbers, its end, its cancelling.
import type { ImportStatus } from "@plumb/protocol/wire/imports";
import { describe, expect, it } from "vitest";
import type { OwnData } from "../exports/own-data.ts";
import { globalError, ok, refused } from "../testing/fake-answers.ts";
import { createFakeServer } from "../testing/fake-server.ts";
import { openPage } from "../testing/open-page.ts";

const IMPORT = "/api/v0/import";
const CANCEL = "/api/v0/import/cancel";
const PAGE = "/api/v0/chat_session/fetch_page";
const POLL_MS = 1000;
const file = { name: "conversations.json", size: 1234 };

function status(part: Partial<ImportStatus> = {}): ImportStatus {
  return {
    id: "import-1",
    status: "RUNNING",
    kind: "chatgpt",
    file_name: file.name,
    sessions_total: 9,
    sessions_done: 0,
    sessions_skipped: 0,
    skipped: [],
    error: null,
    inserted_at: 1_790_000_000,
    finished_at: null,
    ...part,
  };
}

async function open(last: ImportStatus | null = null, refusal: Response | null = null) {
  const server = createFakeServer();
  const now = { last, refusal };
  server.answer(IMPORT, (request) => {
    if (request.file === undefined) return ok(now.last);
    if (now.refusal !== null) return now.refusal;
    now.last = status({ status: "QUEUED" });
    return ok(now.last);
  });
  const page = await openPage(server);
  const { imports } = (await page.engine.ownData()) as OwnData;
  async function done(work: Promise<unknown>): Promise<void> {
    for (let turn = 0; turn < 3; turn += 1) await page.browser.settle();
    await work;
  }
  await done(imports.look());
  return { server, now, page, imports, done, state: () => imports.store.getState() };
}

describe("an import", () => {
  it("is not known of while the server is away, and found when that is back", async () => {
    const server = createFakeServer();
    server.answer(IMPORT, () => Promise.reject(new TypeError("failed to fetch")));
    const page = await openPage(server);
    const { imports } = (await page.engine.ownData()) as OwnData;
    void imports.look();
    await page.browser.settle();
    expect(imports.store.getState()).toMatchObject({ phase: "unknown", failed: true });
    server.answer(IMPORT, () => ok(status({ status: "FINISHED" })));
    await page.browser.advance(2000);
    expect(imports.store.getState()).toMatchObject({ phase: "ended", failed: false });
    page.close();
  });

  it("is sent with a proof and its size, followed every second with its numbers, and its chats are listed at its end", async () => {
    const { server, now, page, imports, done, state } = await open();
    expect(state()).toMatchObject({ phase: "none", status: null });
    await done(imports.send(file));
    const [request] = server.calls(IMPORT).filter((one) => one.file !== undefined);
    expect(request?.headers).toMatchObject({ "x-file-size": "1234" });
    expect(request?.headers["x-ds-pow-response"]).toBeTruthy();
    expect(state()).toMatchObject({ phase: "going", sending: null, refused: null });
    for (const doneSoFar of [3, 7]) {
      now.last = status({ sessions_done: doneSoFar });
      await page.browser.advance(POLL_MS);
      expect(state().status?.sessions_done).toBe(doneSoFar);
    }
    const listed = server.calls(PAGE).length;
    now.last = status({ status: "FINISHED", sessions_done: 9 });
    await page.browser.advance(POLL_MS);
    expect(state()).toMatchObject({ phase: "ended", status: { status: "FINISHED" } });
    expect(server.calls(PAGE).length).toBe(listed + 1);
    const asked = server.calls(IMPORT).length;
    await page.browser.advance(10 * POLL_MS);
    expect(server.calls(IMPORT)).toHaveLength(asked);
    page.close();
  });

  it("that another page began is followed, too", async () => {
    const { page, state } = await open(status({ sessions_done: 4 }));
    expect(state()).toMatchObject({ phase: "going", status: { sessions_done: 4 } });
    page.close();
  });

  it("is cancelled while it goes on, and while its file is on its way", async () => {
    const { server, imports, done, state, page, now } = await open();
    server.answer(CANCEL, ({ body }) => {
      expect(body["import_id"]).toBe("import-1");
      return ok((now.last = status({ status: "CANCELLED", sessions_done: 2 })));
    });
    await done(imports.send(file));
    await done(imports.cancel());
    expect(state()).toMatchObject({ phase: "ended", status: { status: "CANCELLED" } });

    server.answer(
      IMPORT,
      (request) =>
        new Promise<Response>((answer) =>
          request.signal?.addEventListener("abort", () => answer(new Response())),
        ),
    );
    const sending = imports.send(file);
    await page.browser.settle();
    expect(state()).toMatchObject({
      phase: "sending",
      sending: { name: file.name, percent: expect.any(Number) },
    });
    await imports.cancel();
    await done(sending);
    expect(state()).toMatchObject({
      phase: "ended",
      sending: null,
      refused: null,
      status: { status: "CANCELLED" },
    });
    page.close();
  });

  it("that ended before it was cancelled tells so", async () => {
    const { server, now, imports, done, state, page } = await open(status());
    now.last = status({ status: "FINISHED", sessions_done: 9 });
    server.answer(CANCEL, () => refused(1, "NO_IMPORT_RUNNING"));
    await done(imports.cancel());
    expect(state()).toMatchObject({ phase: "ended", status: { status: "FINISHED" } });
    page.close();
  });

  it.each([
    [refused(1, "RATE_LIMIT"), "too-often"],
    [refused(2, "UNSUPPORTED_FORMAT"), "unsupported"],
    [refused(3, "FILE_TOO_LARGE"), "too-large"],
    [refused(5, "IMPORT_FAILED"), "failed"],
    [globalError(50006, "USER_IS_MUTED"), "muted"],
    [globalError(40014, "ACCOUNT_UNDER_REVIEW"), "muted"],
    // Nothing of the account: a toast has said what it is.
    [globalError(40301, "INVALID_POW_RESPONSE"), "failed"],
    [new Response("a proxy", { status: 413 }), "too-large"],
    [new Response("a proxy", { status: 502 }), "failed"],
  ])("whose file is refused says why", async (refusal, problem) => {
    const { imports, done, state, page } = await open(null, refusal);
    await done(imports.send(file));
    expect(state()).toMatchObject({
      phase: "none",
      sending: null,
      refused: { name: file.name, why: problem },
    });
    page.close();
  });

  it("that was refused is not told of again where one looks later", async () => {
    const { imports, done, state, page } = await open(null, refused(1, "RATE_LIMIT"));
    await done(imports.send(file));
    expect(state()).toMatchObject({ refused: { name: file.name, why: "too-often" } });
    await done(imports.look());
    expect(state()).toMatchObject({ phase: "none", refused: null });
    page.close();
  });

  it("is not sent where it is too large, or while another goes on", async () => {
    const { server, imports, done, state, page, now } = await open();
    await done(imports.send({ ...file, size: 100 * 1024 * 1024 + 1 }));
    expect(state()).toMatchObject({ phase: "none", refused: { why: "too-large" } });
    now.refusal = refused(4, "IMPORT_RUNNING");
    now.last = status({ sessions_done: 5 });
    await done(imports.send(file));
    expect(state()).toMatchObject({
      phase: "going",
      refused: { why: "running" },
      status: { sessions_done: 5 },
    });
    const asked = server.calls(IMPORT).length;
    await done(imports.send(file));
    expect(server.calls(IMPORT)).toHaveLength(asked);
    page.close();
  });

  it("that another page had under way is no reason any more when it has ended", async () => {
    const { imports, done, state, page, now } = await open();
    now.refusal = refused(4, "IMPORT_RUNNING");
    now.last = status({ sessions_done: 5 });
    await done(imports.send(file));
    now.last = status({ status: "FINISHED", sessions_done: 9 });
    await page.browser.advance(POLL_MS);
    expect(state()).toMatchObject({ phase: "ended", refused: null });
    page.close();
  });

  it("that another page had under way is no reason either where it has ended by the time it is asked for", async () => {
    const { server, imports, done, state, page, now } = await open();
    const listed = server.calls(PAGE).length;
    now.refusal = refused(4, "IMPORT_RUNNING");
    now.last = status({ status: "FINISHED", sessions_done: 9 });
    await done(imports.send(file));
    expect(state()).toMatchObject({ phase: "ended", refused: null });
    expect(server.calls(PAGE).length).toBe(listed + 1);
    page.close();
  });

  it.each([
    [
      "finished",
      status({ status: "FINISHED", sessions_done: 9, sessions_skipped: 2 }),
      { key: "importDone", params: { count: 7 } },
    ],
    ["failed", status({ status: "FAILED", error: "UNREADABLE" }), { key: "importBroken" }],
    ["was cancelled", status({ status: "CANCELLED" }), null],
  ])("that %s is told of where its row is not on show", async (_how, end, text) => {
    for (const settings of [null, "general", "data"] as const) {
      const { page, now } = await open(status());
      page.engine.site.setOverlays({ settings });
      now.last = end;
      await page.browser.advance(POLL_MS);
      const told = page.engine.site.toasts.getState().toasts.map((toast) => toast.text);
      expect(told).toEqual(text === null || settings === "data" ? [] : [text]);
      page.close();
    }
  });

  it.each(["was asked for", "was being cancelled"])(
    "that went with the history as it %s is not shown again by that answer",
    async (how) => {
      const { server, imports, done, state, page } = await open(status());
      let answer: (response: Response) => void = () => {};
      const held = () => new Promise<Response>((resolve) => (answer = resolve));
      server.answer(how === "was asked for" ? IMPORT : CANCEL, held);
      const work = how === "was asked for" ? imports.look() : imports.cancel();
      await page.browser.settle();
      imports.forget();
      answer(ok(status({ status: "CANCELLED" })));
      await done(work);
      expect(state()).toMatchObject({ phase: "none", status: null });
      page.close();
    },
  );

  it("whose file is on its way as the history goes goes on; what was there before is not told of again", async () => {
    const { server, imports, done, state, page } = await open(status({ status: "FINISHED" }));
    let answer: (response: Response) => void = () => {};
    server.answer(IMPORT, () => new Promise<Response>((resolve) => (answer = resolve)));
    const sending = imports.send(file);
    for (let turn = 0; turn < 3; turn += 1) await page.browser.settle();
    imports.forget();
    expect(state()).toMatchObject({ phase: "sending", sending: { name: file.name } });
    answer(refused(2, "UNSUPPORTED_FORMAT"));
    await done(sending);
    expect(state()).toMatchObject({ phase: "none", status: null, refused: { why: "unsupported" } });
    page.close();
  });

  it("leaves with its account", async () => {
    const { server, imports, page } = await open(status());
    imports.clear();
    const asked = server.calls(IMPORT).length;
    await page.browser.advance(10 * POLL_MS);
    expect(server.calls(IMPORT)).toHaveLength(asked);
    expect(imports.store.getState().phase).toBe("unknown");
    page.close();
  });
});
