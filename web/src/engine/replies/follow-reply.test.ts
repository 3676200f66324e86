import { createEncoder } from "@plumb/protocol/stream/event-stream-encoder";
import { describe, expect, it } from "vitest";
import { globalError, ok, openBody, refused } from "../testing/fake-answers.ts";
import { thinkingReply } from "../testing/fake-replies.ts";
import { createFakeServer } from "../testing/fake-server.ts";
import { wireMessage } from "../testing/wire-message.ts";
import { openPage, signedInDisk, type Page } from "../testing/open-page.ts";

const COMPLETION = "/api/v0/chat/completion";
const RESUME = "/api/v0/chat/resume_stream";
const LOOK_UP = "/api/v0/chat/get_client_streams";
const HISTORY = "/api/v0/chat/history_messages";
const WHOLE = "Two plus two 🧮|Four, 四.";
const EVENTS = thinkingReply(1, 2, "x").length;

async function ask(produced: number) {
  const server = createFakeServer();
  server.addSession("s1");
  const page = await openPage(server);
  page.engine.sessions.open("s1");
  await page.browser.settle();
  await page.engine.turns.send("s1", "2+2?");
  await page.browser.settle();
  server.produce(produced);
  await page.browser.advance(20);
  return { server, page };
}

/** Watches a session: no text that was shown may go or change. */
function watchGrowth(page: Page, key: string): { broken: string[] } {
  const seen = { broken: [] as string[] };
  let last = "";
  page.engine.sessions.store.subscribe(() => {
    const message = page.shown(key).at(-1);
    if (message?.role !== "ASSISTANT") return;
    const text = page.text(key);
    if (!text.startsWith(last)) seen.broken.push(`${last} → ${text}`);
    last = text;
  });
  return seen;
}

const connection = (page: Page): string | undefined =>
  page.engine.sessions.store.getState().byId["s1"]?.connection;

describe("resuming after a drop", () => {
  it("[ENG-080] [STRM-017] a drop at any event boundary ends in the same text, nothing twice, never shrinking", async () => {
    for (let at = 1; at < EVENTS; at++) {
      const { server, page } = await ask(at);
      const growth = watchGrowth(page, "s1");
      server.cut();
      await page.browser.advance(20);
      server.produce(EVENTS);
      await page.browser.advance(5000);
      expect(page.text("s1"), `cut after ${at}`).toBe(WHOLE);
      expect(growth.broken).toEqual([]);
      expect(page.shown("s1").at(-1)).toMatchObject({ status: "FINISHED", generateState: null, hint: null });
      expect(page.state("s1")).toBe("idle");
      expect(page.shown("s1")).toHaveLength(2);
      expect(page.engine.sessions.store.getState().byId["s1"]?.title).toBe("Adding two and two");
      expect(server.calls(COMPLETION)).toHaveLength(1);
      page.close();
    }
  });

  it("a drop after every single event ends in the same text too", async () => {
    const { server, page } = await ask(1);
    const growth = watchGrowth(page, "s1");
    for (let at = 1; at < EVENTS; at++) {
      server.cut();
      await page.browser.advance(20);
      server.produce(1);
      await page.browser.advance(20);
    }
    await page.browser.advance(5000);
    expect(page.text("s1")).toBe(WHOLE);
    expect(growth.broken).toEqual([]);
    expect(server.calls(COMPLETION)).toHaveLength(1);
    page.close();
  });

  it("a resume that sends all of the reply again, twice over, doubles no text, at any event", async () => {
    let repeated = 0;
    for (let at = 1; at < EVENTS; at++) {
      const { server, page } = await ask(at);
      const growth = watchGrowth(page, "s1");
      server.cut();
      await page.browser.advance(20);
      const reply = server.replies[0]!;
      // A reply that has ended is answered whole, without a stream.
      for (const { body } of reply.readers) {
        repeated += 1;
        for (let time = 0; time < 2; time++) {
          const { encode } = createEncoder();
          for (const event of reply.events.slice(0, at)) body.push(encode(event, event.id));
        }
      }
      await page.browser.advance(20);
      server.produce(EVENTS);
      await page.browser.advance(5000);
      expect(page.text("s1"), `repeated after ${at}`).toBe(WHOLE);
      expect(growth.broken).toEqual([]);
      page.close();
    }
    const ended = thinkingReply(1, 2, "x").findIndex(({ type }) => type === "finish");
    expect(repeated).toBeGreaterThanOrEqual(ended - 1);
  });

  it("[ENG-084] sends Last-Event-ID when it holds the state", async () => {
    const { server, page } = await ask(4);
    server.cut();
    await page.browser.advance(20);
    const [resume] = server.calls(RESUME);
    expect(resume?.body).toEqual({ chat_session_id: "s1", message_id: 2 });
    expect(resume?.headers["last-event-id"]).toBe("4");
    page.close();
  });

  it("reads on after a delta that can't be applied, from a fresh snapshot", async () => {
    const { server, page } = await ask(4);
    const [reader] = server.replies[0]!.readers;
    reader!.body.push('id: 5\ndata: {"p":"response/fragments/9/content","o":"APPEND","v":"x"}\n\n');
    await page.browser.advance(20);
    expect(server.calls(RESUME)[0]?.headers["last-event-id"]).toBeUndefined();
    server.produce(EVENTS);
    await page.browser.advance(20);
    expect(page.text("s1")).toBe(WHOLE);
    page.close();
  });

  it("tries again after 0.5, 1, 2, 4, 4 … s, shown as reconnecting, then is live again", async () => {
    const { server, page } = await ask(4);
    expect(connection(page)).toBe("live");
    server.setDown(true);
    server.cut();
    await page.browser.advance(0);
    const tried = (): number => server.calls(RESUME).length;
    expect(tried()).toBe(1);
    for (const [wait, count] of [
      [499, 1],
      [1, 2],
      [999, 2],
      [1, 3],
      [2000, 4],
      [3999, 4],
      [1, 5],
      [4000, 6],
    ] as const) {
      await page.browser.advance(wait);
      expect(tried()).toBe(count);
    }
    expect(connection(page)).toBe("reconnecting");
    expect(page.state("s1")).toBe("completing");
    expect(page.shown("s1").at(-1)?.status).toBe("WIP");
    server.setDown(false);
    await page.browser.advance(4000);
    expect(connection(page)).toBe("live");
    server.produce(EVENTS);
    await page.browser.advance(20);
    expect(page.text("s1")).toBe(WHOLE);
    page.close();
  });

  it("repeats an attempt that met 5xx or 429, without any notice", async () => {
    const { server, page } = await ask(4);
    const answers = [
      globalError(50300, "SERVICE_UNAVAILABLE", 503),
      globalError(42903, "OPERATION_TOO_FREQUENT", 429),
    ];
    server.answer(RESUME, () => answers.shift() ?? new Response("<html>Bad gateway</html>", { status: 502 }));
    server.cut();
    await page.browser.advance(3500);
    expect(server.calls(RESUME)).toHaveLength(4);
    expect(page.engine.site.toasts.getState().toasts).toEqual([]);
    expect(page.shown("s1").at(-1)?.hint).toBeNull();
    server.answerAsUsual(RESUME);
    server.produce(EVENTS);
    await page.browser.advance(4000);
    expect(page.text("s1")).toBe(WHOLE);
    page.close();
  });

  it("tries at once when the browser comes online or the page becomes visible", async () => {
    const { server, page } = await ask(4);
    server.setDown(true);
    server.cut();
    await page.browser.advance(10_000);
    const before = server.calls(RESUME).length;
    page.browser.comeOnline();
    await page.browser.settle();
    expect(server.calls(RESUME)).toHaveLength(before + 1);
    page.browser.setVisible(true);
    await page.browser.settle();
    expect(server.calls(RESUME)).toHaveLength(before + 2);
    page.close();
  });

  it("[STRM-047] after 60 s the message is INCOMPLETE and the user message has a network hint with retry", async () => {
    const { server, page } = await ask(4);
    server.setDown(true);
    server.cut();
    await page.browser.advance(56_000);
    expect(page.state("s1")).toBe("completing");
    await page.browser.advance(5000);
    const [user, reply] = page.shown("s1");
    expect(page.state("s1")).toBe("idle");
    expect(reply).toMatchObject({ status: "INCOMPLETE", hint: null });
    expect(page.text("s1")).toBe("Two plus");
    expect(user?.hint).toMatchObject({
      text: { key: "connectionLost" },
      type: "error",
      clickBehavior: "retry",
    });

    // A reply the server still has is read from there and not asked for twice.
    server.setDown(false);
    page.engine.turns.retry("s1", user!.message_id);
    await page.browser.settle();
    server.produce(EVENTS);
    await page.browser.advance(20);
    expect(page.text("s1")).toBe(WHOLE);
    expect(server.calls(COMPLETION)).toHaveLength(1);
    page.close();
  });

  it("goes back to a lost reply by itself when the browser comes online", async () => {
    const { server, page } = await ask(4);
    server.setDown(true);
    server.cut();
    await page.browser.advance(70_000);
    expect(page.state("s1")).toBe("idle");
    server.setDown(false);
    page.browser.comeOnline();
    await page.browser.settle();
    server.produce(EVENTS);
    await page.browser.advance(20);
    expect(page.text("s1")).toBe(WHOLE);
    expect(page.shown("s1")[0]?.hint).toBeNull();
    page.close();
  });

  it("goes back to a lost reply on a page that nobody touches, long after the server went away", async () => {
    const { server, page } = await ask(4);
    server.setDown(true);
    server.cut();
    await page.browser.advance(600_000);
    expect(page.shown("s1")[0]?.hint).toMatchObject({ text: { key: "connectionLost" } });
    server.setDown(false);
    await page.browser.advance(20_000);
    server.produce(EVENTS);
    await page.browser.advance(20);
    expect(page.text("s1")).toBe(WHOLE);
    expect(page.shown("s1")[0]?.hint).toBeNull();
    page.close();
  });

  it("takes the prompt off the field again when a reply lost before its first words is found", async () => {
    const { server, page } = await ask(1);
    const drafts = () => page.engine.sessions.store.getState().drafts;
    server.setDown(true);
    server.cut();
    await page.browser.advance(70_000);
    expect(drafts()).toEqual({ s1: "2+2?" });
    server.setDown(false);
    page.browser.comeOnline();
    await page.browser.settle();
    server.produce(EVENTS);
    await page.browser.advance(20);
    expect(page.text("s1")).toBe(WHOLE);
    expect(drafts()).toEqual({});
    page.close();
  });

  it.each([
    ["runs", 0],
    ["has ended", EVENTS],
  ])("and likewise where only the server was away, and the reply %s by then", async (_, produced) => {
    const { server, page } = await ask(1);
    server.setDown(true);
    server.cut();
    await page.browser.advance(120_000);
    expect(page.engine.sessions.store.getState().drafts["s1"]).toBe("2+2?");
    server.produce(produced);
    server.setDown(false);
    await page.browser.advance(70_000);
    expect(page.shown("s1").map(({ message_id }) => message_id)).toEqual([1, 2]);
    expect(page.engine.sessions.store.getState().drafts).toEqual({});
    page.close();
  });

  it("[ENG-085] an attempt without ready in 2000 ms is aborted and has failed", async () => {
    const { server, page } = await ask(4);
    const bodies: ReturnType<typeof openBody>[] = [];
    server.answer(RESUME, ({ signal }) => {
      const body = openBody(signal);
      bodies.push(body);
      return body.response;
    });
    server.cut();
    await page.browser.advance(1999);
    expect(server.calls(RESUME)).toHaveLength(1);
    expect(bodies[0]?.isOpen()).toBe(true);
    await page.browser.advance(1);
    expect(bodies[0]?.isOpen()).toBe(false);
    await page.browser.advance(500);
    expect(server.calls(RESUME)).toHaveLength(2);
    page.close();
  });

  it("takes the time for ready from the experiment", async () => {
    const server = createFakeServer();
    server.answer("/api/v0/client/settings", () =>
      ok({ ab_tests: { auto_resume_timeout_ms: 700 }, flags: {}, limits: {}, search: {}, thinking: {} }),
    );
    server.addSession("s1");
    const page = await openPage(server);
    page.engine.sessions.open("s1");
    await page.browser.settle();
    await page.engine.turns.send("s1", "2+2?");
    await page.browser.settle();
    server.produce(4);
    await page.browser.advance(20);
    server.answer(RESUME, ({ signal }) => openBody(signal).response);
    server.cut();
    await page.browser.advance(699);
    expect(server.calls(RESUME)[0]?.signal?.aborted).toBe(false);
    await page.browser.advance(1);
    expect(server.calls(RESUME)[0]?.signal?.aborted).toBe(true);
    page.close();
  });
});

describe("a drop before ready", () => {
  it("[ENG-081] [ENG-082] looks the reply up by its client_stream_id and resumes it", async () => {
    const { server, page } = await ask(0);
    server.cut();
    await page.browser.settle();
    const sent = server.calls(COMPLETION)[0]?.body["client_stream_id"];
    expect(server.calls(LOOK_UP)[0]?.body).toEqual({ chat_session_id: "s1", client_stream_ids: [sent] });
    server.produce(EVENTS);
    await page.browser.advance(1000);
    expect(page.text("s1")).toBe(WHOLE);
    expect(page.shown("s1").map(({ message_id }) => message_id)).toEqual([1, 2]);
    expect(server.calls(COMPLETION)).toHaveLength(1);
    page.close();
  });

  it("sends again with the same client_stream_id and a new proof what never arrived", async () => {
    const server = createFakeServer();
    server.addSession("s1");
    const page = await openPage(server);
    page.engine.sessions.open("s1");
    await page.browser.settle();
    server.answer(COMPLETION, () => {
      throw new TypeError("fetch failed");
    });
    await page.engine.turns.send("s1", "2+2?");
    server.answerAsUsual(COMPLETION);
    await page.browser.advance(1000);
    const [first, second] = server.calls(COMPLETION);
    expect(second?.body).toEqual(first?.body);
    expect(second?.headers["x-ds-pow-response"]).not.toBe(first?.headers["x-ds-pow-response"]);
    server.produce(EVENTS);
    await page.browser.advance(20);
    expect(page.text("s1")).toBe(WHOLE);
    page.close();
  });

  it("[ENG-083] the look-up makes 3 tries of 3000 ms, 2000 ms apart", async () => {
    const { server, page } = await ask(0);
    server.answer(LOOK_UP, () => new Promise<Response>(() => {}));
    server.cut();
    await page.browser.settle();
    const tries = (): number => server.calls(LOOK_UP).length;
    expect(tries()).toBe(1);
    await page.browser.advance(2999);
    expect(server.calls(LOOK_UP)[0]?.signal?.aborted).toBe(false);
    await page.browser.advance(1);
    expect(server.calls(LOOK_UP)[0]?.signal?.aborted).toBe(true);
    await page.browser.advance(1999);
    expect(tries()).toBe(1);
    await page.browser.advance(1);
    expect(tries()).toBe(2);
    await page.browser.advance(5000);
    expect(tries()).toBe(3);
    await page.browser.advance(3000);
    expect(tries()).toBe(3);
    // The attempt has failed; the next one looks up again.
    await page.browser.advance(500);
    expect(tries()).toBe(4);
    page.close();
  });

  it("keeps the prompt when nothing gets through, and a retry sends it with its own id", async () => {
    const server = createFakeServer();
    server.addSession("s1");
    const page = await openPage(server);
    page.engine.sessions.open("s1");
    page.engine.turns.prepare();
    await page.browser.settle();
    server.setDown(true);
    await page.engine.turns.send("s1", "2+2?");
    await page.browser.advance(120_000);
    expect(page.state("s1")).toBe("idle");
    const user = page.shown("s1")[0]!;
    expect(user.hint).toMatchObject({ text: { key: "connectionLost" }, clickBehavior: "retry" });
    expect(page.engine.sessions.store.getState().drafts["s1"]).toBe("2+2?");
    server.setDown(false);
    page.engine.turns.retry("s1", user.message_id);
    await page.browser.advance(1000);
    server.produce(EVENTS);
    await page.browser.advance(20);
    expect(page.text("s1")).toBe(WHOLE);
    expect(page.shown("s1")).toHaveLength(2);
    const ids = server.calls(COMPLETION).map(({ body }) => body["client_stream_id"]);
    expect(new Set(ids).size).toBe(1);
    page.close();
  });
});

describe("ends of a resume", () => {
  it("[ENG-086] code 22 completes the message and brings the title", async () => {
    const { server, page } = await ask(4);
    server.setDown(true);
    server.cut();
    await page.browser.settle();
    server.produce(EVENTS);
    server.setDown(false);
    await page.browser.advance(600);
    expect(page.text("s1")).toBe(WHOLE);
    expect(page.state("s1")).toBe("idle");
    expect(page.engine.sessions.store.getState().byId["s1"]).toMatchObject({
      title: "Adding two and two",
      connection: "live",
    });
    expect(server.calls(HISTORY)).toHaveLength(1);
    page.close();
  });

  it("looks for the title once more after 4 s while it is WIP", async () => {
    const { server, page } = await ask(4);
    // Those that ask for the session of version 9 alone; what an idle page asks for every 5 s says no version.
    const looks = (): number =>
      server.calls(HISTORY).filter(({ query }) => query.get("cache_version") === "9").length;
    const before = looks();
    const wip = {
      ...(JSON.parse(
        JSON.stringify({
          id: "s1",
          title: null,
          title_type: "WIP",
          version: 9,
          updated_at: 1,
          agent: "chat",
        }),
      ) as object),
    };
    const message = wireMessage({
      message_id: 2,
      parent_id: 1,
      role: "ASSISTANT",
      fragments: [{ id: 3, type: "RESPONSE", content: "done" }],
    });
    server.answer(RESUME, () => ok({ message, chat_session: wip }, 22));
    server.answer(HISTORY, () =>
      ok({
        chat_session: { ...wip, title: "Late", title_type: "SYSTEM" },
        chat_messages: [],
        cache_valid: true,
        route_id: null,
      }),
    );
    server.cut();
    await page.browser.advance(3900);
    expect(looks()).toBe(before);
    await page.browser.advance(200);
    expect(looks()).toBe(before + 1);
    expect(page.engine.sessions.store.getState().byId["s1"]?.title).toBe("Late");
    await page.browser.advance(20_000);
    expect(looks()).toBe(before + 1);
    page.close();
  });

  it("[STRM-029] code 7: toast, message INCOMPLETE, no more attempts and no second generation", async () => {
    const { server, page } = await ask(4);
    server.answer(RESUME, () => refused(7, "RESUME_MESSAGE_NOT_FOUND"));
    server.cut();
    await page.browser.advance(1000);
    expect(page.engine.site.toasts.getState().toasts).toMatchObject([{ text: { key: "invalidRequest" } }]);
    expect(page.shown("s1").at(-1)?.status).toBe("INCOMPLETE");
    expect(page.state("s1")).toBe("idle");
    expect(server.calls(RESUME)).toHaveLength(1);
    expect(server.calls(COMPLETION)).toHaveLength(1);
    page.close();
  });

  it("[STRM-030] code 8: toast, and the history is loaded, without a second generation", async () => {
    const { server, page } = await ask(4);
    const before = server.calls(HISTORY).length;
    server.answer(RESUME, () => refused(8, "RESUME_TIME_TOO_LONG"));
    server.cut();
    server.produce(EVENTS);
    await page.browser.advance(1000);
    expect(page.engine.site.toasts.getState().toasts).toMatchObject([{ text: { key: "invalidRequest" } }]);
    expect(server.calls(HISTORY)).toHaveLength(before + 1);
    expect(server.calls(COMPLETION)).toHaveLength(1);
    expect(page.text("s1")).toBe(WHOLE);
    page.close();
  });

  it("[STRM-023] code 1: the session goes, with a toast, and the page goes home", async () => {
    const { server, page } = await ask(4);
    server.answer(RESUME, () => refused(1, "CHAT_SESSION_DELETED"));
    server.cut();
    await page.browser.advance(1000);
    expect(page.state("s1")).toBeUndefined();
    expect(page.engine.site.toasts.getState().toasts).toMatchObject([{ text: { key: "chatDeleted" } }]);
    expect(page.engine.site.navigation.getState().to).toBe("/");
    page.close();
  });
});

describe("a send that has left nothing at the server", () => {
  const drafts = (page: Page): unknown => page.engine.sessions.store.getState().drafts;

  it("is given back where its chat was deleted before it came: in a new chat", async () => {
    const server = createFakeServer();
    server.addSession("s1");
    const page = await openPage(server);
    page.engine.sessions.open("s1");
    page.engine.turns.prepare();
    await page.browser.settle();
    server.answer(COMPLETION, () => Promise.reject(new TypeError("the connection was reset")));
    server.removeSession("s1");
    await page.engine.turns.send("s1", "2+2?");
    await page.browser.advance(1000);
    expect(page.state("s1")).toBeUndefined();
    expect(page.engine.site.navigation.getState().to).toBe("/");
    expect(drafts(page)).toEqual({ "new:chat": "2+2?" });
    page.close();
  });

  it.each([
    ["a chat", "s1"],
    ["a new chat", "new:chat"],
  ])("is given back in %s where the server removed it after its ready", async (_, key) => {
    const server = createFakeServer();
    server.addSession("s1");
    const page = await openPage(server);
    page.engine.sessions.open(key);
    await page.browser.settle();
    await page.engine.turns.send(key, "2+2?");
    await page.browser.settle();
    server.produce(1);
    await page.browser.advance(20);
    server.answer(RESUME, () => refused(7, "RESUME_MESSAGE_NOT_FOUND"));
    server.cut();
    await page.browser.advance(1000);
    expect(page.state(key)).toMatch(/^idle/);
    expect(page.shown(key)).toEqual([]);
    expect(drafts(page)).toEqual({ [key]: "2+2?" });
    page.close();
  });
});

it("a new chat whose reply was found when it could be resumed no longer is opened with it", async () => {
  const server = createFakeServer();
  const page = await openPage(server);
  page.engine.sessions.open("new:chat");
  await page.browser.settle();
  await page.engine.turns.send("new:chat", "2+2?");
  await page.browser.settle();
  const { sessionId } = server.replies[0]!;
  server.cut();
  server.produce(EVENTS);
  server.answer(RESUME, () => refused(8, "RESUME_TIME_TOO_LONG"));
  await page.browser.advance(1000);
  expect(page.shown(sessionId).at(-1)?.status).toBe("FINISHED");
  expect(page.engine.site.navigation.getState().to).toBe(`/a/chat/s/${sessionId}`);
  expect(page.shown("new:chat")).toEqual([]);
  expect(page.engine.sessions.store.getState().drafts).toEqual({});
  page.close();
});

describe("another chat in the middle", () => {
  it("and back, at every event, loses nothing of the reply, and the model is asked once", async () => {
    const { server, page } = await ask(1);
    server.addSession("s2");
    const growth = watchGrowth(page, "s1");
    for (let at = 1; at < EVENTS; at++) {
      page.engine.sessions.open("s2");
      await page.browser.settle();
      server.produce(1);
      await page.browser.advance(20);
      const left = page.text("s1");
      page.engine.sessions.open("s1");
      await page.browser.settle();
      expect(page.text("s1").startsWith(left), `back after ${at}: ${page.text("s1")}`).toBe(true);
    }
    await page.browser.advance(5000);
    expect(page.text("s1")).toBe(WHOLE);
    expect(page.shown("s1").at(-1)).toMatchObject({ status: "FINISHED", generateState: null, hint: null });
    expect(growth.broken).toEqual([]);
    expect(server.calls(COMPLETION)).toHaveLength(1);
    page.close();
  });
});

describe("reload in the middle", () => {
  it("shows at once what was there and goes on to the same text, at every event", async () => {
    for (let at = 1; at < EVENTS; at++) {
      const disk = signedInDisk();
      const server = createFakeServer();
      server.addSession("s1");
      const before = await openPage(server, disk);
      before.engine.sessions.open("s1");
      await before.browser.settle();
      await before.engine.turns.send("s1", "2+2?");
      await before.browser.settle();
      server.produce(at);
      await before.browser.advance(20);
      const seen = before.text("s1");
      before.close();

      const page = await openPage(server, disk);
      const growth = watchGrowth(page, "s1");
      page.engine.sessions.open("s1");
      await page.browser.settle();
      expect(page.text("s1").startsWith(seen), `reload after ${at}: ${page.text("s1")}`).toBe(true);
      server.produce(EVENTS);
      await page.browser.advance(5000);
      expect(page.text("s1")).toBe(WHOLE);
      expect(growth.broken).toEqual([]);
      expect(page.state("s1")).toBe("idle");
      expect(page.engine.sessions.store.getState().byId["s1"]?.title).toBe("Adding two and two");
      expect(server.calls(COMPLETION)).toHaveLength(1);
      page.close();
    }
  });
});

describe("silence and nonsense", () => {
  it("[STRM-020] aborts a stream silent for 70 s, checked every 3 s, and resumes it", async () => {
    const { server, page } = await ask(4);
    const { signal } = server.calls(COMPLETION)[0]!;
    await page.browser.advance(69_000);
    expect(signal?.aborted).toBe(false);
    await page.browser.advance(3000);
    expect(signal?.aborted).toBe(true);
    server.produce(EVENTS);
    await page.browser.advance(20);
    expect(page.text("s1")).toBe(WHOLE);
    page.close();
  });

  it("counts comments as data", async () => {
    const { server, page } = await ask(4);
    const { signal } = server.calls(COMPLETION)[0]!;
    for (let i = 0; i < 12; i++) {
      await page.browser.advance(10_000);
      server.replies[0]!.readers[0]!.body.push(": keep-alive\n\n");
    }
    await page.browser.settle();
    expect(signal?.aborted).toBe(false);
    page.close();
  });

  it("[STRM-002] ends a connection after ten minutes, however much comes over it, and resumes", async () => {
    const { server, page } = await ask(4);
    const { signal } = server.calls(COMPLETION)[0]!;
    const [reader] = server.replies[0]!.readers;
    for (let seconds = 0; seconds < 590; seconds += 10) {
      await page.browser.advance(10_000);
      reader!.body.push(": keep-alive\n\n");
    }
    await page.browser.settle();
    expect(signal?.aborted).toBe(false);
    await page.browser.advance(15_000);
    expect(signal?.aborted).toBe(true);
    server.produce(EVENTS);
    await page.browser.advance(20);
    expect(page.text("s1")).toBe(WHOLE);
    page.close();
  });

  it("[STRM-021] with the flag the interval is 8 s", async () => {
    const server = createFakeServer();
    server.answer("/api/v0/client/settings", () =>
      ok({
        ab_tests: {},
        flags: { enableLessMaxChunkInterval: true },
        limits: { chunk_gap_ms: 70_000, chunk_gap_less_ms: 8000, chunk_check_ms: 3000 },
        search: {},
        thinking: {},
      }),
    );
    server.addSession("s1");
    const page = await openPage(server);
    page.engine.sessions.open("s1");
    await page.browser.settle();
    await page.engine.turns.send("s1", "2+2?");
    await page.browser.settle();
    server.produce(4);
    const { signal } = server.calls(COMPLETION)[0]!;
    await page.browser.advance(6000);
    expect(signal?.aborted).toBe(false);
    await page.browser.advance(3000);
    expect(signal?.aborted).toBe(true);
    page.close();
  });

  it("[STRM-018] two bad events before ready: aborted, toast for 5 s, session idle", async () => {
    const { server, page } = await ask(0);
    const [reader] = server.replies[0]!.readers;
    const { signal } = server.calls(COMPLETION)[0]!;
    reader!.body.push("event: ready\ndata: <html>\n\n");
    await page.browser.settle();
    expect(page.state("s1")).toBe("sending");
    reader!.body.push('event: ready\ndata: {"request_message_id":"one"}\n\n');
    await page.browser.settle();
    expect(signal?.aborted).toBe(true);
    expect(page.state("s1")).toBe("idle");
    expect(page.engine.site.toasts.getState().toasts).toMatchObject([
      { text: { key: "protocolViolation" }, duration: 5000 },
    ]);
    expect(page.engine.sessions.store.getState().drafts["s1"]).toBe("2+2?");
    await page.browser.advance(5000);
    expect(page.engine.site.toasts.getState().toasts).toEqual([]);
    page.close();
  });

  it("[STRM-011] [STRM-019] later bad events are skipped and the first 4 logged", async () => {
    const { server, page } = await ask(4);
    const before = page.browser.logged.length;
    for (let i = 0; i < 9; i++) server.replies[0]!.readers[0]!.body.push("event: title\ndata: {\n\n");
    server.produce(EVENTS);
    await page.browser.advance(20);
    expect(page.text("s1")).toBe(WHOLE);
    expect(page.browser.logged.slice(before).filter((line) => line.startsWith("bad event"))).toHaveLength(4);
    expect(server.calls(RESUME)).toHaveLength(0);
    page.close();
  });

  it("goes on in a hidden page, where no frame is painted", async () => {
    const { server, page } = await ask(1);
    page.browser.setVisible(false);
    server.produce(EVENTS);
    await page.browser.advance(300);
    expect(page.text("s1")).toBe(WHOLE);
    page.close();
  });

  it("notifies once per frame however many events came", async () => {
    const { server, page } = await ask(3);
    let notified = 0;
    page.engine.sessions.store.subscribe(() => notified++);
    server.produce(2);
    await page.browser.settle();
    expect(notified).toBe(0);
    await page.browser.advance(20);
    expect(notified).toBe(1);
    page.close();
  });
});
