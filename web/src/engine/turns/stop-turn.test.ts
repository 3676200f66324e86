import { describe, expect, it } from "vitest";
import { globalError, ok } from "../testing/fake-answers.ts";
import { thinkingReply } from "../testing/fake-replies.ts";
import { createFakeServer } from "../testing/fake-server.ts";
import { openPage, type Page } from "../testing/open-page.ts";
import { shortTalk, wireMessage } from "../testing/wire-message.ts";

const COMPLETION = "/api/v0/chat/completion";
const STOP = "/api/v0/chat/stop_stream";
const LOOK_UP = "/api/v0/chat/get_client_streams";
const HISTORY = "/api/v0/chat/history_messages";
const NEW = "new:chat";
const HALF = wireMessage({
  message_id: 2,
  parent_id: 1,
  role: "ASSISTANT",
  status: "INCOMPLETE",
  fragments: [{ id: 2, type: "RESPONSE", content: "hel" }],
});

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

describe("stopping after ready", () => {
  it("[ENG-078] [ENG-079] [ENG-040] posts stop_stream and reads on until the server says stopped", async () => {
    const { server, page } = await ask(5);
    const { signal } = server.calls(COMPLETION)[0]!;
    page.engine.turns.stop("s1");
    page.engine.turns.stop("s1");
    await page.browser.advance(100);
    expect(server.calls(STOP).map(({ body }) => body)).toEqual([{ chat_session_id: "s1", message_id: 2 }]);
    expect(page.shown("s1").at(-1)).toMatchObject({
      status: "INCOMPLETE",
      generateState: null,
      isStopped: true,
    });
    expect(page.text("s1")).toBe("Two plus two 🧮");
    expect(page.state("s1")).toBe("idle");
    await page.browser.advance(3000);
    expect(server.calls(HISTORY)).toHaveLength(1);
    expect(signal?.aborted).toBe(true);
    page.close();
  });

  it("is said after a reload too", async () => {
    const { server, page } = await ask(5);
    page.engine.turns.stop("s1");
    await page.browser.advance(100);
    page.close();
    const again = await openPage(server, page.disk);
    again.engine.sessions.open("s1");
    await again.browser.settle();
    expect(again.shown("s1").at(-1)).toMatchObject({ status: "INCOMPLETE", isStopped: true });
    again.close();
  });

  it("is said where it was not pressed: on another device that reads along, and on one that comes later", async () => {
    const { server, page } = await ask(5);
    const reading = await openPage(server);
    reading.engine.sessions.open("s1");
    await reading.browser.settle();
    expect(reading.state("s1")).toBe("completing");
    page.engine.turns.stop("s1");
    await Promise.all([page.browser.advance(100), reading.browser.advance(100)]);
    const later = await openPage(server);
    later.engine.sessions.open("s1");
    await later.browser.settle();
    for (const one of [reading, later])
      expect(one.shown("s1").at(-1)).toMatchObject({ status: "INCOMPLETE", isStopped: true });
    // Continued, it ends in a way of its own.
    void reading.engine.turns.continueReply("s1", 2);
    await reading.browser.advance(20);
    server.produce(100);
    await reading.browser.advance(100);
    expect(reading.shown("s1").at(-1)).toMatchObject({ status: "FINISHED", isStopped: false });
    for (const one of [page, reading, later]) one.close();
  });

  it("stops a reply that a reload found running", async () => {
    const { server, page } = await ask(5);
    page.close();
    const again = await openPage(server, page.disk);
    again.engine.sessions.open("s1");
    await again.browser.settle();
    expect(again.state("s1")).toBe("completing");
    again.engine.turns.stop("s1");
    await again.browser.advance(100);
    expect(server.calls(STOP).map(({ body }) => body)).toEqual([{ chat_session_id: "s1", message_id: 2 }]);
    expect(again.shown("s1").at(-1)).toMatchObject({ status: "INCOMPLETE", isStopped: true });
    expect(again.text("s1")).toBe("Two plus two 🧮");
    expect(again.state("s1")).toBe("idle");
    again.close();
  });

  it("asks nothing more for an account that has left meanwhile", async () => {
    const { server, page } = await ask(5);
    let answer = (): void => {};
    server.answer(STOP, () => new Promise((resolve) => (answer = () => resolve(ok(null)))));
    page.engine.turns.stop("s1");
    await page.browser.advance(2100);
    await page.engine.accounts.signOut();
    const before = server.calls(HISTORY).length;
    answer();
    await page.browser.advance(3000);
    expect(server.calls(HISTORY)).toHaveLength(before);
    expect(page.state("s1")).toBeUndefined();
    page.close();
  });

  it("finds the reply of a new chat under the session it got meanwhile", async () => {
    const server = createFakeServer();
    const page = await openPage(server);
    await page.engine.turns.send(NEW, "2+2?");
    await page.browser.settle();
    server.produce(5);
    await page.browser.advance(20);
    const sessionId = Object.keys(page.engine.sessions.store.getState().byId).find((key) => key !== NEW)!;
    page.engine.turns.stop(sessionId);
    await page.browser.advance(100);
    expect(server.calls(STOP)).toHaveLength(1);
    expect(page.state(sessionId)).toBe("idle");
    page.close();
  });

  it("aborts after 2 s without close and shows what is stored", async () => {
    const { server, page } = await ask(5);
    const { signal } = server.calls(COMPLETION)[0]!;
    server.answer(STOP, () => ok(null));
    page.engine.turns.stop("s1");
    await page.browser.advance(1900);
    expect(signal?.aborted).toBe(false);
    for (const { body } of server.replies[0]!.readers.splice(0)) expect(body.isOpen()).toBe(true);
    server.stopReply(server.replies[0]!);
    await page.browser.advance(200);
    expect(signal?.aborted).toBe(true);
    expect(server.calls(HISTORY)).toHaveLength(2);
    expect(page.shown("s1").at(-1)).toMatchObject({ status: "INCOMPLETE", isStopped: true });
    expect(page.text("s1")).toBe("Two plus two 🧮");
    expect(page.state("s1")).toBe("idle");
    page.close();
  });

  it("stops a reply it has lost the connection to", async () => {
    const { server, page } = await ask(5);
    server.setDown(true);
    server.cut();
    await page.browser.advance(100);
    server.setDown(false);
    page.engine.turns.stop("s1");
    await page.browser.settle();
    expect(server.calls(STOP)).toHaveLength(1);
    expect(page.shown("s1").at(-1)?.status).toBe("INCOMPLETE");
    expect(page.state("s1")).toBe("idle");
    page.close();
  });
});

/** A reply that was stopped while the server could not be reached. */
async function stopUnheard(produced: number) {
  const { server, page } = await ask(produced);
  server.setDown(true);
  server.cut();
  await page.browser.advance(100);
  page.engine.turns.stop("s1");
  await page.browser.advance(5000);
  expect(page.state("s1")).toBe("idle");
  return { server, page };
}

describe("stopping without a network", () => {
  it.each([1, 5])(
    "after %i events, stops the reply when the network is back, and shows what is stored",
    async (at) => {
      const { server, page } = await stopUnheard(at);
      expect(page.shown("s1").map(({ message_id }) => message_id)).toEqual([1, 2]);
      server.setDown(false);
      server.produce(2);
      const before = server.calls(STOP).length;
      page.browser.comeOnline();
      await page.browser.advance(100);
      expect(server.calls(STOP)).toHaveLength(before + 1);
      expect(page.shown("s1").at(-1)?.status).toBe("INCOMPLETE");
      expect(page.shown("s1").at(-1)?.fragments).toEqual(server.messagesOf("s1").at(-1)?.fragments);
      expect(page.engine.sessions.store.getState().drafts).toEqual({});
      page.close();
    },
  );
});

describe("stopping before ready without a network", () => {
  async function stopUnnamed(key: string, send: (page: Page) => Promise<unknown>, isSent = true) {
    const server = createFakeServer();
    server.addSession("s1", shortTalk);
    const page = await openPage(server);
    page.engine.sessions.open("s1");
    await page.browser.settle();
    if (!isSent) server.answer(COMPLETION, () => Promise.reject(new TypeError("the connection was reset")));
    await send(page);
    await page.browser.settle();
    server.setDown(true);
    server.cut();
    await page.browser.advance(100);
    page.engine.turns.stop(key);
    await page.browser.advance(10_000);
    expect(page.state(key)).toMatch(/^idle/);
    server.setDown(false);
    return { server, page };
  }
  const drafts = (page: Page): unknown => page.engine.sessions.store.getState().drafts;
  const lastOf = (server: ReturnType<typeof createFakeServer>, key: string) => server.messagesOf(key).at(-1);

  it.each<[string, (page: Page) => Promise<unknown>, number]>([
    ["a question", (page) => page.engine.turns.send("s1", "2+2?"), 4],
    ["an edited question", (page) => page.engine.turns.editMessage("s1", 1, "2+2?"), 4],
    ["another answer", (page) => page.engine.turns.regenerate("s1", 2), 3],
  ])("stops the reply to %s when the network is back", async (_, send, replyId) => {
    const { server, page } = await stopUnnamed("s1", send);
    expect(lastOf(server, "s1")).toMatchObject({ message_id: replyId, status: "WIP" });
    page.browser.comeOnline();
    await page.browser.advance(1000);
    expect(server.calls(STOP).at(-1)?.body).toEqual({ chat_session_id: "s1", message_id: replyId });
    expect(lastOf(server, "s1")?.status).toBe("INCOMPLETE");
    expect(page.shown("s1").at(-1)).toMatchObject({ message_id: replyId, isStopped: true, isEditing: false });
    expect(page.shown("s1").some(({ isEditing }) => isEditing)).toBe(false);
    expect(drafts(page)).toEqual({});
    expect(page.state("s1")).toBe("idle");
    page.close();
  });

  it("stops the reply of a new chat, and opens it with what is typed by now", async () => {
    const { server, page } = await stopUnnamed(NEW, (page) => {
      page.engine.sessions.open(NEW);
      return page.engine.turns.send(NEW, "2+2?");
    });
    const id = server.replies[0]!.sessionId;
    expect(drafts(page)).toEqual({ [NEW]: "2+2?" });
    page.engine.sessions.setDraft(NEW, "3+3?");
    page.browser.comeOnline();
    await page.browser.advance(1000);
    expect(lastOf(server, id)?.status).toBe("INCOMPLETE");
    expect(page.shown(id).at(-1)).toMatchObject({ status: "INCOMPLETE", isStopped: true });
    expect(page.engine.site.navigation.getState().to).toBe(`/a/chat/s/${id}`);
    expect(drafts(page)).toEqual({ [id]: "3+3?" });
    page.close();
  });

  it("gives the text back to nobody who signs in meanwhile, and asks nothing more", async () => {
    const server = createFakeServer();
    const page = await openPage(server);
    page.engine.sessions.open(NEW);
    page.engine.turns.prepare();
    await page.browser.settle();
    server.answer(LOOK_UP, () => new Promise<Response>(() => {}));
    await page.engine.turns.send(NEW, "2+2?");
    await page.browser.settle();
    page.engine.turns.stop(NEW);
    await page.browser.settle();
    await page.engine.accounts.signOut();
    await page.engine.accounts.signIn({ identifier: "b@b.co", password: "12345678" });
    page.engine.sessions.open(NEW);
    await page.browser.advance(30_000);
    expect(drafts(page)).toEqual({});
    expect(page.shown(NEW)).toEqual([]);
    expect(server.calls(LOOK_UP)).toHaveLength(1);
    expect(server.calls(STOP)).toHaveLength(0);
    page.close();
  });

  it("asks for no chat of an account that left as a stop was told again", async () => {
    const { server, page } = await stopUnheard(5);
    const held: (() => void)[] = [];
    server.setDown(false);
    server.answer(STOP, async () => {
      await new Promise<void>((resolve) => held.push(resolve));
      return ok(null);
    });
    page.browser.comeOnline();
    await page.browser.settle();
    expect(held).not.toHaveLength(0);
    await page.engine.accounts.signOut();
    await page.engine.accounts.signIn({ identifier: "b@b.co", password: "12345678" });
    const before = server.calls(HISTORY).length;
    held.forEach((answer) => answer());
    await page.browser.advance(60_000);
    expect(server.calls(HISTORY)).toHaveLength(before);
    expect(page.engine.sessions.store.getState().byId).toEqual({});
    page.close();
  });

  it("asks for no chat of an account that left as the answer to a stop was asked for", async () => {
    const { server, page } = await ask(5);
    const held: (() => void)[] = [];
    server.answer(STOP, () => ok(null));
    server.answer(HISTORY, async () => {
      await new Promise<void>((resolve) => held.push(resolve));
      return globalError(50300, "SERVICE_UNAVAILABLE", 503);
    });
    page.engine.turns.stop("s1");
    await page.browser.advance(3000);
    expect(held).toHaveLength(1);
    await page.engine.accounts.signOut();
    await page.engine.accounts.signIn({ identifier: "b@b.co", password: "12345678" });
    const before = server.calls(HISTORY).length;
    held.forEach((answer) => answer());
    server.answerAsUsual(HISTORY);
    await page.browser.advance(60_000);
    expect(server.calls(HISTORY)).toHaveLength(before);
    expect(page.engine.sessions.store.getState().byId).toEqual({});
    page.close();
  });

  it("keeps the text where the server never got it, and stops nothing that others began", async () => {
    const { server, page } = await stopUnnamed("s1", (page) => page.engine.turns.send("s1", "2+2?"), false);
    const stops = server.calls(STOP).length;
    page.browser.comeOnline();
    await page.browser.advance(60_000);
    expect(server.calls(STOP)).toHaveLength(stops);
    expect(drafts(page)).toEqual({ s1: "2+2?" });
    expect(page.shown("s1")).toHaveLength(2);
    page.close();
  });
});

describe("stopping while the server is away, and the network is not", () => {
  it.each([1, 5])("after %i events, stops the reply once the server answers again", async (at) => {
    const { server, page } = await stopUnheard(at);
    server.setDown(false);
    const before = server.calls(STOP).length;
    // Soon: a short reply would have ended before the history is asked for again.
    await page.browser.advance(4000);
    expect(server.calls(STOP)).toHaveLength(before + 1);
    expect(server.messagesOf("s1").at(-1)?.status).toBe("INCOMPLETE");
    expect(page.shown("s1").at(-1)).toMatchObject({ status: "INCOMPLETE", isStopped: true });
    expect(page.state("s1")).toBe("idle");
    page.close();
  });

  it.each<[string, () => Response]>([
    [
      "was lost",
      () => {
        throw new TypeError("the connection was reset");
      },
    ],
    ["was answered by a proxy", () => new Response("Bad Gateway", { status: 502 })],
  ])("posts the stop again where it alone %s", async (_, first) => {
    const { server, page } = await ask(5);
    let posts = 0;
    server.answer(STOP, () => {
      posts += 1;
      if (posts === 1) return first();
      server.stopReply(server.replies[0]!);
      return ok(null);
    });
    page.engine.turns.stop("s1");
    await page.browser.advance(5000);
    expect(posts).toBe(2);
    expect(page.shown("s1").at(-1)).toMatchObject({ status: "INCOMPLETE", isStopped: true });
    expect(page.state("s1")).toBe("idle");
    page.close();
  });
});

it("a continue that is stopped before it reached the server leaves nothing running: the next send is not refused", async () => {
  const server = createFakeServer();
  server.addSession("s1", [shortTalk[0]!, HALF]);
  let arrive = (): void => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const page = await openPage({
    ...server,
    async network(path, init) {
      if (path.endsWith("/continue")) await arrived;
      return server.network(path, init);
    },
  });
  page.engine.sessions.open("s1");
  await page.browser.settle();
  void page.engine.turns.continueReply("s1", 2);
  await page.browser.settle();
  page.engine.turns.stop("s1");
  await page.browser.advance(500);
  arrive();
  await page.browser.advance(3000);
  expect(page.state("s1")).toBe("idle");
  expect(page.shown("s1").at(-1)).toMatchObject({ status: "INCOMPLETE", isStopped: true });
  expect(page.text("s1")).toBe("hel");
  expect(await page.engine.turns.send("s1", "2+2?")).toBe(true);
  await page.browser.settle();
  server.produce(20);
  await page.browser.advance(100);
  expect(page.shown("s1").at(-1)).toMatchObject({ message_id: 4, status: "FINISHED" });
  page.close();
});

it("a continue that is stopped before ready without a network is stopped when the network is back", async () => {
  const server = createFakeServer();
  server.addSession("s1", [shortTalk[0]!, HALF]);
  server.setEvents(thinkingReply);
  const page = await openPage(server);
  page.engine.sessions.open("s1");
  await page.browser.settle();
  void page.engine.turns.continueReply("s1", 2);
  await page.browser.settle();
  server.setDown(true);
  page.engine.turns.stop("s1");
  await page.browser.advance(5000);
  expect(page.state("s1")).toBe("idle");
  server.setDown(false);
  page.browser.comeOnline();
  await page.browser.advance(100);
  server.produce(20);
  await page.browser.advance(100);
  expect(server.messagesOf("s1").at(-1)?.status).toBe("INCOMPLETE");
  expect(page.shown("s1").at(-1)?.status).toBe("INCOMPLETE");
  page.close();
});

describe("stopping before ready", () => {
  it("aborts, looks the reply up by its client_stream_id and stops without message_id", async () => {
    const { server, page } = await ask(0);
    const completion = server.calls(COMPLETION)[0]!;
    page.engine.turns.stop("s1");
    await page.browser.settle();
    expect(completion.signal?.aborted).toBe(true);
    expect(server.calls(LOOK_UP)[0]?.body["client_stream_ids"]).toEqual([
      completion.body["client_stream_id"],
    ]);
    expect(server.calls(STOP)[0]?.body).toEqual({ chat_session_id: "s1" });
    await page.browser.advance(100);
    expect(page.state("s1")).toBe("idle");
    expect(page.shown("s1").map(({ message_id, status }) => [message_id, status])).toEqual([
      [1, "FINISHED"],
      [2, "INCOMPLETE"],
    ]);
    expect(page.engine.sessions.store.getState().drafts).toEqual({});
    page.close();
  });

  it("gives the prompt back when the server never got it", async () => {
    const server = createFakeServer();
    server.addSession("s1");
    const page = await openPage(server);
    page.engine.sessions.open("s1");
    await page.browser.settle();
    server.answer(COMPLETION, () => new Promise<Response>(() => {}));
    await page.engine.turns.send("s1", "2+2?");
    await page.browser.settle();
    page.engine.turns.stop("s1");
    await page.browser.settle();
    expect(page.state("s1")).toBe("idle");
    expect(page.shown("s1")).toEqual([]);
    expect(page.engine.sessions.store.getState().drafts["s1"]).toBe("2+2?");
    page.close();
  });

  it("ends a new chat that still waits for its session at once", async () => {
    const server = createFakeServer();
    server.answer("/api/v0/chat_session/create", () => new Promise<Response>(() => {}));
    const page = await openPage(server);
    page.engine.sessions.setDraft(NEW, "2+2?");
    const sending = page.engine.turns.send(NEW, "2+2?");
    page.engine.turns.stop(NEW);
    await page.browser.settle();
    expect(page.state(NEW)).toBe("idleWithNoHistory");
    expect(page.engine.sessions.store.getState().drafts[NEW]).toBe("2+2?");
    expect(server.calls(STOP)).toEqual([]);
    await page.browser.advance(40_000);
    expect(await sending).toBe(false);
    expect(server.calls(COMPLETION)).toEqual([]);
    page.close();
  });
});

describe("deleting", () => {
  it("[SESS-029] stops a running reply first, and gives up after 6 s", async () => {
    const { server, page } = await ask(5);
    server.answer(STOP, () => new Promise<Response>(() => {}));
    const done = page.engine.sessions.remove("s1");
    await page.browser.advance(5900);
    expect(server.calls("/api/v0/chat_session/delete")).toHaveLength(0);
    await page.browser.advance(200);
    expect(server.calls("/api/v0/chat_session/delete")[0]?.body).toEqual({ chat_session_id: "s1" });
    expect(await done).toBe(true);
    expect(page.state("s1")).toBeUndefined();
    expect(page.engine.site.navigation.getState().to).toBe("/");
    page.close();
  });
});

it("a chat whose reply is still being stopped is not asked to be deleted for an account that has left meanwhile", async () => {
  const { server, page } = await ask(5);
  server.answer(STOP, () => new Promise<Response>(() => {}));
  const removing = page.engine.sessions.remove("s1");
  await page.browser.advance(100);
  await page.engine.accounts.signOut();
  await page.engine.accounts.signIn({ identifier: "b@b.co", password: "12345678" });
  await page.browser.advance(10_000);
  expect(await removing).toBe(false);
  expect(server.calls("/api/v0/chat_session/delete")).toEqual([]);
  expect(page.engine.site.toasts.getState().toasts).toEqual([]);
  page.close();
});

describe("a reply whose line was lost", () => {
  async function lose(): Promise<Awaited<ReturnType<typeof ask>>> {
    const { server, page } = await ask(5);
    server.setDown(true);
    server.cut();
    await page.browser.advance(120_000);
    expect(page.shown("s1").map(({ status }) => status)).toEqual(["FINISHED", "INCOMPLETE"]);
    server.setDown(false);
    return { server, page };
  }
  const asked = (server: Awaited<ReturnType<typeof ask>>["server"]): string[] =>
    server.requests.map(({ path }) => path).filter((path) => /stop_stream|completion|continue$/.test(path));

  it("[ENG-009] may go on at the server: it is stopped before something else is asked", async () => {
    const { server, page } = await lose();
    expect(await page.engine.turns.send("s1", "more")).toBe(true);
    await page.browser.settle();
    expect(asked(server)).toEqual([COMPLETION, STOP, COMPLETION]);
    expect(server.calls(STOP)[0]?.body).toEqual({ chat_session_id: "s1", message_id: 2 });
    page.close();
  });

  it("[ENG-009] has ended for this page once it was read: nothing is stopped", async () => {
    const { server, page } = await lose();
    server.produce(20);
    page.engine.turns.retry("s1", 1);
    await page.browser.advance(5000);
    expect(page.shown("s1").at(-1)?.status).toBe("FINISHED");
    await page.engine.turns.send("s1", "more");
    await page.browser.settle();
    expect(asked(server)).toEqual([COMPLETION, COMPLETION]);
    page.close();
  });

  it("is continued at the first press once a history has shown how it ended", async () => {
    const { server, page } = await lose();
    server.stopReply(server.replies[0]!);
    page.engine.sessions.open("s1");
    await page.browser.settle();
    expect(page.shown("s1").at(-1)).toMatchObject({ status: "INCOMPLETE", isStopped: true });
    expect(await page.engine.turns.continueReply("s1", 2)).toBe(true);
    await page.browser.settle();
    expect(asked(server)).toEqual([COMPLETION, "/api/v0/chat/continue"]);
    page.close();
  });

  it("is read on where it is to be continued, since it may not have ended", async () => {
    const { server, page } = await lose();
    server.produce(20);
    expect(await page.engine.turns.continueReply("s1", 2)).toBe(true);
    await page.browser.advance(5000);
    expect(page.shown("s1").at(-1)?.status).toBe("FINISHED");
    expect(asked(server)).toEqual([COMPLETION]);
    page.close();
  });
});
