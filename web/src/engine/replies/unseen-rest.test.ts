// A hidden page lets go of a reply that it only follows, and has it again when it is shown or when the reply has ended.
import { describe, expect, it } from "vitest";
import { loadQueue } from "../load-queue.ts";
import { createFakeServer } from "../testing/fake-server.ts";
import { openPage, signedInDisk, type Page } from "../testing/open-page.ts";
import { shortTalk } from "../testing/wire-message.ts";

const RESUME = "/api/v0/chat/resume_stream";
const WHOLE = "Two plus two 🧮|Four, 四.";
const KEY = "s1";

const session = (page: Page) => page.engine.sessions.store.getState().byId[KEY];
const elsewhere = (page: Page) => page.engine.sessions.elsewhere.getState().bySession;

// Its code would come late to the first test that queues a message.
await loadQueue();

/** One tab has asked and reads; another one follows, and has begun to by the stored history. */
async function followed() {
  const server = createFakeServer();
  for (const id of [KEY, "s2"]) server.addSession(id, shortTalk);
  const disk = signedInDisk();
  const pages: Page[] = [];
  const open = async (key: string): Promise<Page> => {
    const page = await openPage(server, disk);
    page.engine.sessions.open(key);
    await page.browser.settle();
    pages.push(page);
    return page;
  };
  const asker = await open(KEY);
  await asker.engine.turns.send(KEY, "2+2?");
  await asker.browser.settle();
  server.produce(4);
  await asker.browser.advance(20);
  const follower = await open(KEY);
  return {
    server,
    asker,
    follower,
    open,
    resumes: () => server.calls(RESUME),
    /** Connections on which the reply is read now. */
    readers: () => server.replies[0]!.readers.filter(({ body }) => body.isOpen()).length,
    /** All tabs come to know what happened; each one moves the clock that they share. */
    settle: async () => {
      for (const page of [...pages, ...pages]) await page.browser.advance(20);
    },
    close: () => pages.forEach((page) => page.close()),
  };
}

/** What the page shows that a reader would take for a failure. */
function watchTrouble(page: Page): string[] {
  const seen: string[] = [];
  page.engine.sessions.store.subscribe(() => {
    const reply = page.shown(KEY).at(-1);
    const isWell = reply?.status === "WIP" || reply?.status === "FINISHED";
    if (!isWell || reply.hint !== null || session(page)?.connection !== "live")
      seen.push(JSON.stringify([reply?.status, reply?.hint, session(page)?.connection]));
  });
  return seen;
}

describe("a hidden page that follows a reply", () => {
  it("lets go of its connection, and goes on behind what it has when it is shown", async () => {
    const { server, follower, resumes, readers, close } = await followed();
    expect(readers()).toBe(2);
    const trouble = watchTrouble(follower);
    follower.browser.setVisible(false);
    server.produce(1);
    await follower.browser.advance(8000);
    expect(readers()).toBe(1);
    expect(follower.text(KEY)).toBe("Two plus two 🧮");
    server.produce(2);
    await follower.browser.advance(5000);
    expect([follower.text(KEY), resumes().length]).toEqual(["Two plus two 🧮", 1]);
    follower.browser.setVisible(true);
    await follower.browser.advance(20);
    expect(resumes().map(({ headers }) => headers["last-event-id"])).toEqual([undefined, "5"]);
    expect([readers(), follower.text(KEY)]).toEqual([2, "Two plus two 🧮|Fo"]);
    server.produce(20);
    await follower.browser.advance(20);
    expect(follower.text(KEY)).toBe(WHOLE);
    expect([follower.state(KEY), trouble]).toEqual(["idle", []]);
    close();
  });

  it("keeps its connection where it is shown again soon", async () => {
    const { follower, resumes, readers, close } = await followed();
    for (let time = 0; time < 3; time++) {
      follower.browser.setVisible(false);
      await follower.browser.advance(3000);
      follower.browser.setVisible(true);
      await follower.browser.advance(1000);
    }
    expect([readers(), resumes().length]).toEqual([2, 1]);
    close();
  });

  it("keeps it where the reply was asked for there", async () => {
    const { server, asker, readers, resumes, close } = await followed();
    asker.browser.setVisible(false);
    await asker.browser.advance(40_000);
    expect([readers(), resumes().length]).toEqual([2, 1]);
    server.produce(20);
    await asker.browser.advance(300);
    expect(asker.text(KEY)).toBe(WHOLE);
    close();
  });

  it("keeps it where a message that is queued there waits for the end, which other tabs need not know", async () => {
    const { server, follower, readers, settle, open, close } = await followed();
    follower.engine.sessions.setDraft(KEY, "And 3+3?");
    follower.engine.queue.add(KEY);
    await settle();
    const third = await open(KEY);
    await settle();
    expect(third.engine.queue.store.getState().byKey[KEY]).toMatchObject({ phase: "waiting" });
    expect(readers()).toBe(3);
    for (const page of [follower, third]) page.browser.setVisible(false);
    await follower.browser.advance(8000);
    await third.browser.advance(8000);
    // The third one was opened with what is queued, and would send it, too.
    expect(readers()).toBe(3);
    server.produce(20);
    await settle();
    expect(server.calls("/api/v0/chat/completion").map(({ body }) => body["prompt"])).toEqual([
      "2+2?",
      "And 3+3?",
    ]);
    close();
  });

  it("lets go where another tab has queued a message, which that one sends", async () => {
    const { asker, follower, readers, settle, close } = await followed();
    asker.engine.sessions.setDraft(KEY, "And 3+3?");
    asker.engine.queue.add(KEY);
    await settle();
    expect(follower.engine.queue.store.getState().byKey[KEY]).toMatchObject({ phase: "waiting" });
    follower.browser.setVisible(false);
    await follower.browser.advance(8000);
    expect(readers()).toBe(1);
    close();
  });

  it("is told of the end by a tab that read on, and no tab goes on showing that the reply runs", async () => {
    const { server, follower, open, settle, close } = await followed();
    const third = await open("s2");
    follower.browser.setVisible(false);
    await follower.browser.advance(8000);
    await settle();
    expect(elsewhere(third)).toEqual({ [KEY]: "running" });
    server.produce(20);
    await settle();
    expect([follower.state(KEY), follower.text(KEY)]).toEqual(["idle", WHOLE]);
    // It ended before the eyes of who asked.
    expect(elsewhere(third)).toEqual({});
    close();
  });

  it("asks by itself whether the reply has ended, where no tab reads it; other tabs then show that nobody saw it", async () => {
    const { server, asker, follower, open, readers, settle, close } = await followed();
    const third = await open("s2");
    follower.browser.setVisible(false);
    await follower.browser.advance(8000);
    asker.browser.leave();
    asker.close();
    await settle();
    server.produce(1);
    await follower.browser.advance(25_000);
    // It was looked at, and let go again at once.
    expect([readers(), follower.state(KEY)]).toEqual([0, "completing"]);
    expect(elsewhere(third)).toEqual({ [KEY]: "running" });
    server.produce(20);
    await follower.browser.advance(20_000);
    await settle();
    expect([follower.state(KEY), follower.text(KEY)]).toEqual(["idle", WHOLE]);
    expect(elsewhere(third)).toEqual({ [KEY]: "unseen" });
    close();
  });

  it("is not lost where the server is away meanwhile, however long", async () => {
    const { server, follower, close } = await followed();
    const trouble = watchTrouble(follower);
    follower.browser.setVisible(false);
    await follower.browser.advance(8000);
    server.setDown(true);
    await follower.browser.advance(300_000);
    server.setDown(false);
    follower.browser.setVisible(true);
    await follower.browser.advance(20);
    server.produce(20);
    await follower.browser.advance(20);
    expect(follower.text(KEY)).toBe(WHOLE);
    expect([follower.state(KEY), trouble]).toEqual(["idle", []]);
    close();
  });

  it("says that it reconnects where the server is away as the page is shown", async () => {
    const { server, follower, close } = await followed();
    follower.browser.setVisible(false);
    await follower.browser.advance(8000);
    server.setDown(true);
    follower.browser.setVisible(true);
    await follower.browser.advance(700);
    expect(session(follower)?.connection).toBe("reconnecting");
    server.setDown(false);
    await follower.browser.advance(4000);
    expect(session(follower)).toMatchObject({ state: "completing", connection: "live" });
    close();
  });

  it("is stopped as ever when it is shown", async () => {
    const { follower, close } = await followed();
    follower.browser.setVisible(false);
    await follower.browser.advance(8000);
    follower.browser.setVisible(true);
    follower.engine.turns.stop(KEY);
    await follower.browser.advance(2500);
    expect(follower.shown(KEY).at(-1)).toMatchObject({ status: "INCOMPLETE", isStopped: true });
    close();
  });
});
