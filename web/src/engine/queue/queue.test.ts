import { describe, expect, it } from "vitest";
import { globalError } from "../testing/fake-answers.ts";
import { createFakeServer } from "../testing/fake-server.ts";
import { openPage, signedInDisk, type Page } from "../testing/open-page.ts";
import { shortTalk, wireMessage } from "../testing/wire-message.ts";
import { loadQueue } from "../load-queue.ts";
import { nextDraftKey } from "../sessions/edit-drafts.ts";

// As on a page that somebody touched.
await loadQueue();

const COMPLETION = "/api/v0/chat/completion";
const KEY = "s1";
const NEXT = nextDraftKey(KEY);

async function openChat(server: ReturnType<typeof createFakeServer>, disk = signedInDisk()): Promise<Page> {
  const page = await openPage(server, disk);
  page.engine.sessions.open(KEY);
  await page.browser.advance(10);
  return page;
}

/** A chat of one turn in which a second reply is being written: messages 3 and 4. */
async function askAgain() {
  const server = createFakeServer();
  server.addSession(KEY, shortTalk);
  const page = await openChat(server);
  await page.engine.turns.send(KEY, "2+2?");
  await page.browser.settle();
  server.produce(4);
  await page.browser.advance(20);
  const finish = async (of = page): Promise<void> => {
    server.produce(100);
    await of.browser.advance(50);
  };
  return { server, page, finish };
}

async function queue(page: Page, text: string): Promise<void> {
  page.engine.sessions.setDraft(KEY, text);
  page.engine.queue.add(KEY);
  await page.browser.advance(10);
}

const drafts = (page: Page) => page.engine.sessions.store.getState().drafts;
const queued = (page: Page) => page.engine.queue.store.getState().byKey[KEY];
const toasts = (page: Page) => page.engine.site.toasts.getState().toasts.map(({ text }) => text);
const prompts = (server: ReturnType<typeof createFakeServer>) =>
  server
    .messagesOf(KEY)
    .filter(({ role }) => role === "USER")
    .map(({ fragments }) => fragments.map((one) => ("content" in one ? one.content : "")).join(""));
const asked = (server: ReturnType<typeof createFakeServer>) =>
  server.calls(COMPLETION).map(({ body }) => body["prompt"]);

describe("a message that is queued while a reply is written", () => {
  it("leaves the composer, waits, and is sent when the reply has ended well, with the modes it was queued with", async () => {
    const { server, page, finish } = await askAgain();
    page.engine.site.setPreferences({ thinkingEnabled: true });
    await queue(page, "And 3+3?");
    page.engine.site.setPreferences({ thinkingEnabled: false });
    expect(drafts(page)).toEqual({ [NEXT]: "And 3+3?" });
    expect(queued(page)).toMatchObject({ phase: "waiting", awaits: 4, why: null });
    await page.browser.advance(5000);
    expect(asked(server)).toEqual(["2+2?"]);
    await finish();
    expect(server.calls(COMPLETION).at(-1)?.body).toMatchObject({
      prompt: "And 3+3?",
      parent_message_id: 4,
      known_last_message_id: 4,
      thinking_enabled: true,
    });
    expect(page.state(KEY)).toBe("sending");
    await finish();
    expect(queued(page)).toBeUndefined();
    expect(drafts(page)).toEqual({});
    expect(prompts(server).slice(1)).toEqual(["2+2?", "And 3+3?"]);
    expect(page.disk.values.has("plumb.queue")).toBe(false);
    page.close();
  });

  it("is one with what is queued later", async () => {
    const { server, page, finish } = await askAgain();
    await queue(page, "And 3+3?");
    await queue(page, "Or 4+4?");
    expect(drafts(page)).toEqual({ [NEXT]: "And 3+3?\n\nOr 4+4?" });
    await finish();
    expect(asked(server)).toEqual(["2+2?", "And 3+3?\n\nOr 4+4?"]);
    page.close();
  });

  it("goes back to the composer, above what is typed there, or away", async () => {
    const { server, page, finish } = await askAgain();
    await queue(page, "And 3+3?");
    page.engine.sessions.setDraft(KEY, "Or 4+4?");
    page.engine.queue.edit(KEY);
    await page.browser.advance(10);
    expect(drafts(page)).toEqual({ [KEY]: "And 3+3?\n\nOr 4+4?" });
    expect(queued(page)).toBeUndefined();
    await queue(page, "And 5+5?");
    page.engine.queue.withdraw(KEY);
    await page.browser.advance(10);
    expect(drafts(page)).toEqual({});
    await finish();
    expect(asked(server)).toEqual(["2+2?"]);
    page.close();
  });

  it("is refused where it could never be sent, and its text stays", async () => {
    const { page } = await askAgain();
    await queue(page, "  ");
    expect(queued(page)).toBeUndefined();
    await queue(page, "\ud800");
    expect(toasts(page)).toEqual([{ key: "invalidUnicode" }]);
    expect(drafts(page)).toEqual({ [KEY]: "\ud800" });
    page.close();
  });

  it("is sent by a chat that is not on show, too", async () => {
    const { server, page, finish } = await askAgain();
    await queue(page, "And 3+3?");
    page.engine.sessions.open("new:chat");
    await finish();
    expect(asked(server)).toEqual(["2+2?", "And 3+3?"]);
    page.close();
  });
});

describe("a message that is queued before the reply has begun", () => {
  const SESSION = "session-1";
  const FIRST = "new:chat";

  /** A new chat whose first prompt is with the server, which has given it no session's name on the page yet. */
  async function beginChat(prepare: (server: ReturnType<typeof createFakeServer>) => void = () => {}) {
    const server = createFakeServer();
    prepare(server);
    const page = await openPage(server);
    page.engine.sessions.setDraft(FIRST, "2+2?");
    await page.engine.turns.send(FIRST, "2+2?");
    page.engine.sessions.setDraft(FIRST, "And 3+3?");
    const at = (key: string) => page.engine.queue.store.getState().byKey[key];
    const add = async () => {
      page.engine.queue.add(FIRST);
      await page.browser.settle();
    };
    const go = async (events: number) => {
      server.produce(events);
      await page.browser.advance(50);
    };
    return { server, page, at, add, go };
  }

  it("waits while the prompt before it is on its way, for the reply that this brings", async () => {
    const server = createFakeServer();
    server.addSession(KEY, shortTalk);
    const page = await openChat(server);
    const sending = page.engine.turns.send(KEY, "2+2?");
    expect(page.state(KEY)).toBe("sending");
    await queue(page, "And 3+3?");
    expect(queued(page)).toMatchObject({ phase: "waiting" });
    expect(await sending).toBe(true);
    server.produce(1);
    await page.browser.advance(20);
    expect(queued(page)).toMatchObject({ phase: "waiting", awaits: 4 });
    for (let times = 0; times < 2; times += 1) {
      server.produce(100);
      await page.browser.advance(50);
    }
    expect(asked(server)).toEqual(["2+2?", "And 3+3?"]);
    expect([queued(page), drafts(page), toasts(page)]).toEqual([undefined, {}, []]);
    page.close();
  });

  it("waits in a new chat, goes along when that gets its name, and is sent in it", async () => {
    for (const produced of [0, 1, 2]) {
      const { server, page, at, add, go } = await beginChat();
      await page.browser.settle();
      if (produced > 0) await go(produced);
      expect(page.engine.site.navigation.getState().to).toBeNull();
      await add();
      expect(drafts(page)).toEqual({ [nextDraftKey(FIRST)]: "And 3+3?" });
      expect(at(FIRST)).toMatchObject({ phase: "waiting" });
      await go(4);
      expect(at(FIRST)).toBeUndefined();
      expect(at(SESSION)).toMatchObject({ phase: "waiting", awaits: 2 });
      expect(drafts(page)).toEqual({ [nextDraftKey(SESSION)]: "And 3+3?" });
      await go(100);
      await go(100);
      expect(asked(server)).toEqual(["2+2?", "And 3+3?"]);
      expect(server.calls(COMPLETION).at(-1)?.body).toMatchObject({
        chat_session_id: SESSION,
        parent_message_id: 2,
      });
      expect(drafts(page)).toEqual({});
      expect([...page.disk.values.keys()].filter((key) => /queue|drafts/.test(key))).toEqual([]);
      page.close();
    }
  });

  it("stays where the first prompt did not arrive, which comes back; sent by hand it follows that", async () => {
    let fail = (_answer: Response): void => {};
    const failing = new Promise<Response>((resolve) => (fail = resolve));
    const { page, at, add } = await beginChat((server) => server.answer(COMPLETION, () => failing));
    await add();
    expect(at(FIRST)).toMatchObject({ phase: "waiting" });
    fail(new Response("", { status: 503 }));
    await page.browser.advance(5000);
    expect(at(FIRST)).toMatchObject({ phase: "kept", why: "unsent" });
    expect(drafts(page)).toEqual({ [FIRST]: "2+2?", [nextDraftKey(FIRST)]: "And 3+3?" });
    page.engine.queue.sendNow(FIRST);
    await page.browser.settle();
    expect(drafts(page)).toEqual({ [FIRST]: "2+2?\n\nAnd 3+3?" });
    expect(at(FIRST)).toBeUndefined();
    page.close();
  });

  it("is offered again after a reload that no session's name came before, and begins a chat by hand", async () => {
    const { server, page, add } = await beginChat();
    await add();
    page.browser.leave();
    page.close();
    const again = await openPage(server, page.disk);
    await again.browser.advance(50);
    expect(drafts(again)[nextDraftKey(FIRST)]).toBe("And 3+3?");
    again.engine.sessions.setDraft(FIRST, "");
    again.engine.queue.sendNow(FIRST);
    await again.browser.advance(50);
    expect(asked(server).at(-1)).toBe("And 3+3?");
    again.close();
  });
});

describe("a queued message stays and says so", () => {
  it("where the reply was stopped; by hand it is sent then, once", async () => {
    const { server, page, finish } = await askAgain();
    await queue(page, "And 3+3?");
    page.engine.turns.stop(KEY);
    await page.browser.advance(100);
    expect(queued(page)).toMatchObject({ phase: "kept", why: "stopped" });
    expect(drafts(page)).toEqual({ [NEXT]: "And 3+3?" });
    page.engine.queue.sendNow(KEY);
    page.engine.queue.sendNow(KEY);
    await page.browser.advance(20);
    await finish();
    expect(asked(server)).toEqual(["2+2?", "And 3+3?"]);
    expect(queued(page)).toBeUndefined();
    page.close();
  });

  it("where it is sent by hand before its chat is loaded, and where that has failed", async () => {
    const { server, page } = await askAgain();
    await queue(page, "And 3+3?");
    page.engine.turns.stop(KEY);
    await page.browser.advance(100);
    page.browser.leave();
    page.close();
    let fail = (_answer: Response): void => {};
    server.answer("/api/v0/chat/history_messages", () => new Promise((resolve) => (fail = resolve)));
    const again = await openChat(server, page.disk);
    again.engine.queue.sendNow(KEY);
    await again.browser.settle();
    expect(toasts(again)).toEqual([{ key: "chatStillLoading" }]);
    fail(new Response("", { status: 503 }));
    await again.browser.advance(50);
    expect(again.state(KEY)).toBe("historyError");
    again.engine.queue.sendNow(KEY);
    await again.browser.settle();
    expect(toasts(again)).toEqual([{ key: "chatStillLoading" }, { key: "chatNotLoaded" }]);
    expect(drafts(again)).toEqual({ [NEXT]: "And 3+3?" });
    expect(asked(server)).toEqual(["2+2?"]);
    again.close();
  });

  it("where another device has stopped the reply", async () => {
    const { server, page } = await askAgain();
    await queue(page, "And 3+3?");
    server.stopReply(server.replies.at(-1)!);
    await page.browser.advance(50);
    expect(queued(page)).toMatchObject({ phase: "kept", why: "stopped" });
    expect(asked(server)).toEqual(["2+2?"]);
    page.close();
  });

  it("until that reply is continued: it waits again, and is sent when it has ended well", async () => {
    const { server, page, finish } = await askAgain();
    await queue(page, "And 3+3?");
    page.engine.turns.stop(KEY);
    await page.browser.advance(100);
    void page.engine.turns.continueReply(KEY, 4);
    await page.browser.advance(20);
    server.produce(2);
    await page.browser.advance(20);
    expect(queued(page)).toMatchObject({ phase: "waiting", why: null });
    await finish();
    await finish();
    expect(asked(server)).toEqual(["2+2?", "And 3+3?"]);
    expect(queued(page)).toBeUndefined();
    page.close();
  });

  it("where another branch is looked at by then", async () => {
    const { server, page, finish } = await askAgain();
    await queue(page, "And 3+3?");
    await finish();
    await finish();
    await page.engine.turns.editMessage(KEY, 5, "And 6+6?");
    await page.browser.settle();
    server.produce(4);
    await page.browser.advance(20);
    await queue(page, "And 7+7?");
    page.engine.sessions.switchBranch(KEY, 5);
    await finish();
    expect(queued(page)).toMatchObject({ phase: "kept", why: "changed" });
    expect(asked(server)).toEqual(["2+2?", "And 3+3?"]);
    page.close();
  });

  it("where it could not be sent; sent by hand it goes with the same id", async () => {
    const { server, page } = await askAgain();
    await queue(page, "And 3+3?");
    const id = queued(page)?.clientStreamId;
    server.answer(COMPLETION, () => new Response("", { status: 503 }));
    server.produce(100);
    await page.browser.advance(5000);
    expect(queued(page)).toMatchObject({ phase: "kept", why: "unsent" });
    expect(drafts(page)).toEqual({ [NEXT]: "And 3+3?" });
    server.answerAsUsual(COMPLETION);
    page.engine.queue.sendNow(KEY);
    await page.browser.advance(50);
    expect(server.calls(COMPLETION).at(-1)?.body).toMatchObject({ client_stream_id: id });
    expect(prompts(server).at(-1)).toBe("And 3+3?");
    page.close();
  });

  it("where its connection was lost after it had arrived; sent by hand it is read on, once the server is back", async () => {
    const { server, page } = await askAgain();
    await queue(page, "And 3+3?");
    server.produce(100);
    await page.browser.advance(50);
    expect(page.state(KEY)).toBe("sending");
    server.produce(1);
    await page.browser.advance(20);
    expect(page.state(KEY)).toBe("completing");
    server.setDown(true);
    server.cut();
    await page.browser.advance(90_000);
    expect(queued(page)).toMatchObject({ phase: "kept", why: "unsent" });
    expect(drafts(page)).toEqual({ [NEXT]: "And 3+3?" });
    page.engine.queue.sendNow(KEY);
    await page.browser.advance(100);
    expect(queued(page)).toMatchObject({ phase: "kept", why: "unsent" });
    expect(toasts(page)).toEqual([{ key: "connectionLost" }]);
    server.setDown(false);
    page.engine.queue.sendNow(KEY);
    await page.browser.advance(100);
    expect(queued(page)).toBeUndefined();
    expect(drafts(page)).toEqual({});
    server.produce(100);
    await page.browser.advance(50);
    expect(prompts(server)).toEqual(["hi", "2+2?", "And 3+3?"]);
    expect(page.text(KEY)).toContain("Four");
    expect(toasts(page)).toEqual([{ key: "connectionLost" }]);
    page.close();
  });

  it("with what is queued after it, where it is not sent", async () => {
    const { server, page } = await askAgain();
    await queue(page, "And 3+3?");
    let say = (_answer: Response): void => {};
    server.answer(COMPLETION, () => new Promise<Response>((resolve) => (say = resolve)));
    server.produce(100);
    await page.browser.advance(50);
    await queue(page, "Or 4+4?");
    say(globalError(42900, "RATE_LIMIT_REACHED", 429));
    await page.browser.advance(50);
    expect(drafts(page)).toEqual({ [NEXT]: "And 3+3?\n\nOr 4+4?" });
    expect(queued(page)).toMatchObject({ phase: "kept", why: "unsent" });
    page.close();
  });

  it("where it could not be sent, until the retry at its message has sent it", async () => {
    const { server, page } = await askAgain();
    await queue(page, "And 3+3?");
    const id = queued(page)?.clientStreamId;
    server.answer(COMPLETION, () => globalError(42900, "RATE_LIMIT_REACHED", 429));
    server.produce(100);
    await page.browser.advance(5000);
    expect(queued(page)).toMatchObject({ phase: "kept", why: "unsent" });
    const unsent = page.shown(KEY).at(-1)!;
    expect(unsent.hint?.clickBehavior).toBe("retry");
    // Refused once more, it is offered as before.
    page.engine.turns.retry(KEY, unsent.message_id);
    await page.browser.advance(50);
    expect(drafts(page)).toEqual({ [NEXT]: "And 3+3?" });
    server.answerAsUsual(COMPLETION);
    page.engine.turns.retry(KEY, page.shown(KEY).at(-1)!.message_id);
    await page.browser.advance(50);
    server.produce(100);
    await page.browser.advance(50);
    expect(prompts(server)).toEqual(["hi", "2+2?", "And 3+3?"]);
    expect(
      new Set(
        server
          .calls(COMPLETION)
          .slice(1)
          .map(({ body }) => body["client_stream_id"]),
      ),
    ).toEqual(new Set([id]));
    expect(queued(page)).toBeUndefined();
    expect(drafts(page)).toEqual({});
    page.close();
  });

  it("where another device has gone on", async () => {
    const { server, page } = await askAgain();
    await queue(page, "And 3+3?");
    page.close();
    server.produce(100);
    server.addSession(KEY, [
      ...shortTalk,
      wireMessage({ message_id: 3, parent_id: 2, role: "USER" }),
      wireMessage({ message_id: 4, parent_id: 3, role: "ASSISTANT" }),
      wireMessage({ message_id: 5, parent_id: 4, role: "USER" }),
      wireMessage({ message_id: 6, parent_id: 5, role: "ASSISTANT" }),
    ]);
    const again = await openChat(server, page.disk);
    await again.browser.advance(50);
    expect(queued(again)).toMatchObject({ phase: "kept", why: "changed" });
    expect(asked(server)).toEqual(["2+2?"]);
    again.close();
  });
});

describe("over reloads, tabs and accounts a queued message", () => {
  it("waits on after a reload, and is sent once", async () => {
    const { server, page } = await askAgain();
    await queue(page, "And 3+3?");
    page.browser.leave();
    page.close();
    const again = await openChat(server, page.disk);
    expect(drafts(again)).toEqual({ [NEXT]: "And 3+3?" });
    expect(queued(again)).toMatchObject({ phase: "waiting" });
    server.produce(100);
    await again.browser.advance(50);
    server.produce(100);
    await again.browser.advance(50);
    expect(asked(server)).toEqual(["2+2?", "And 3+3?"]);
    expect(queued(again)).toBeUndefined();
    again.close();
  });

  it("is sent when its chat is opened after the reply had ended without the page", async () => {
    const { server, page } = await askAgain();
    await queue(page, "And 3+3?");
    page.browser.leave();
    page.close();
    server.produce(100);
    const again = await openChat(server, page.disk);
    await again.browser.advance(50);
    expect(asked(server)).toEqual(["2+2?", "And 3+3?"]);
    again.close();
  });

  describe("whose chat is not opened after a reload", () => {
    const OTHER = "s2";
    /** The page is loaded again while it shows another chat. */
    async function reload(ends: "before" | "later") {
      const { server, page } = await askAgain();
      server.addSession(OTHER, shortTalk);
      await queue(page, "And 3+3?");
      page.browser.leave();
      page.close();
      if (ends === "before") server.produce(100);
      const again = await openPage(server, page.disk);
      again.engine.sessions.open(OTHER);
      return { server, again };
    }
    const HISTORY = "/api/v0/chat/history_messages";
    const loads = (server: ReturnType<typeof createFakeServer>) =>
      server.calls(HISTORY).filter(({ query }) => query.get("chat_session_id") === KEY).length;

    it.each(["before", "later"] as const)("is sent when the reply has ended well: %s", async (ends) => {
      const { server, again } = await reload(ends);
      const before = loads(server);
      await again.browser.advance(5000);
      if (ends === "later") expect(asked(server)).toEqual(["2+2?"]);
      server.produce(100);
      await again.browser.advance(100);
      server.produce(100);
      await again.browser.advance(100);
      expect(asked(server)).toEqual(["2+2?", "And 3+3?"]);
      expect(queued(again)).toBeUndefined();
      await again.browser.advance(60_000);
      expect(loads(server) - before).toBe(1);
      again.close();
    });

    it("stays, and says so, where the reply ended otherwise", async () => {
      const { server, again } = await reload("later");
      await again.browser.advance(5000);
      server.stopReply(server.replies.at(-1)!);
      await again.browser.advance(100);
      expect(queued(again)).toMatchObject({ phase: "kept", why: "stopped" });
      await again.browser.advance(60_000);
      expect(asked(server)).toEqual(["2+2?"]);
      again.close();
    });

    it("is looked for less and less often while that fails, and its chat opens as one that nobody has asked for", async () => {
      const { server, again } = await reload("before");
      const before = loads(server);
      server.answer(HISTORY, () => new Response("", { status: 503 }));
      await again.browser.advance(60_000);
      expect(loads(server) - before).toBeGreaterThan(1);
      expect(loads(server) - before).toBeLessThan(8);
      expect(queued(again)).toMatchObject({ phase: "waiting" });
      server.answerAsUsual(HISTORY);
      again.engine.sessions.open(KEY);
      await again.browser.advance(100);
      expect(asked(server)).toEqual(["2+2?", "And 3+3?"]);
      again.close();
    });

    it("takes no more than two connections, however many chats wait so", async () => {
      const server = createFakeServer();
      const keys = ["s1", "s2", "s3"];
      for (const key of keys) server.addSession(key, shortTalk);
      const page = await openPage(server);
      for (const key of keys) {
        page.engine.sessions.open(key);
        await page.browser.advance(10);
        await page.engine.turns.send(key, "2+2?");
        await page.browser.settle();
        server.produce(4);
        await page.browser.advance(20);
        page.engine.sessions.setDraft(key, "And 3+3?");
        page.engine.queue.add(key);
        await page.browser.advance(10);
      }
      page.browser.leave();
      page.close();
      const again = await openPage(server, page.disk);
      const running = () => keys.filter((key) => again.state(key) === "completing");
      await again.browser.advance(60_000);
      expect(running()).toEqual(["s1", "s2"]);
      server.produce(100, server.replies[0]);
      await again.browser.advance(100);
      server.produce(100);
      await again.browser.advance(5000);
      expect(running()).toEqual(["s2", "s3"]);
      again.close();
    });

    it("is left to the tab that reads its reply, and sent once", async () => {
      const { server, page } = await askAgain();
      server.addSession(OTHER, shortTalk);
      await queue(page, "And 3+3?");
      const other = await openPage(server, page.disk);
      other.engine.sessions.open(OTHER);
      const before = loads(server);
      await Promise.all([page.browser.advance(20_000), other.browser.advance(20_000)]);
      expect(loads(server)).toBe(before);
      page.browser.leave();
      page.close();
      await other.browser.advance(20_000);
      server.produce(100);
      await other.browser.advance(100);
      expect(asked(server)).toEqual(["2+2?", "And 3+3?"]);
      other.close();
    });
  });

  it("that was on its way in a reload has arrived, or is offered again", async () => {
    for (const arrives of [true, false]) {
      const { server, page, finish } = await askAgain();
      await queue(page, "And 3+3?");
      if (!arrives) server.answer(COMPLETION, () => new Promise(() => {}));
      await finish();
      page.browser.leave();
      page.close();
      server.answerAsUsual(COMPLETION);
      const again = await openChat(server, page.disk);
      await again.browser.advance(50);
      if (arrives) server.produce(100);
      await again.browser.advance(50);
      expect(prompts(server).filter((prompt) => prompt === "And 3+3?")).toHaveLength(arrives ? 1 : 0);
      if (arrives) expect(drafts(again)).toEqual({});
      else expect(queued(again)).toMatchObject({ phase: "kept", why: "unsent" });
      again.close();
    }
  });

  it("is sent by one of two tabs", async () => {
    const { server, page } = await askAgain();
    await queue(page, "And 3+3?");
    const other = await openChat(server, page.disk);
    expect(queued(other)).toMatchObject({ phase: "waiting" });
    server.produce(100);
    await Promise.all([page.browser.advance(50), other.browser.advance(50)]);
    server.produce(100);
    await Promise.all([page.browser.advance(50), other.browser.advance(50)]);
    expect(prompts(server).filter((prompt) => prompt === "And 3+3?")).toHaveLength(1);
    expect([queued(page), queued(other)]).toEqual([undefined, undefined]);
    expect(drafts(other)).toEqual({});
    page.close();
    other.close();
  });

  it("is not sent by a tab from which another has taken it back", async () => {
    const { server, page } = await askAgain();
    await queue(page, "And 3+3?");
    const other = await openChat(server, page.disk);
    page.engine.queue.withdraw(KEY);
    await page.browser.advance(10);
    server.produce(100);
    await Promise.all([page.browser.advance(50), other.browser.advance(50)]);
    expect(asked(server)).toEqual(["2+2?"]);
    expect([queued(other), drafts(other)]).toEqual([undefined, {}]);
    page.close();
    other.close();
  });

  it("is not lost by a tab that had not seen it: sent by hand there, or queued below", async () => {
    const { server, page } = await askAgain();
    const other = await openChat(server, page.disk);
    other.engine.sessions.setDraft(KEY, "And 3+3?");
    other.engine.queue.add(KEY);
    page.engine.queue.sendNow(KEY);
    await other.browser.advance(10);
    await queue(page, "And 4+4?");
    expect(drafts(page)[NEXT]).toBe("And 3+3?\n\nAnd 4+4?");
    page.close();
    other.close();
  });

  it("is shown in every tab as it is queued, withdrawn and taken back to edit, though nobody looks at them anew", async () => {
    const { server, page, finish } = await askAgain();
    const other = await openChat(server, page.disk);
    const pass = async () => {
      await other.browser.advance(10);
      await page.browser.advance(10);
    };
    await queue(page, "And 3+3?");
    await pass();
    expect(drafts(other)).toEqual({ [NEXT]: "And 3+3?" });
    await queue(other, "And 4+4?");
    await pass();
    expect(drafts(page)[NEXT]).toBe("And 3+3?\n\nAnd 4+4?");
    page.engine.queue.withdraw(KEY);
    await pass();
    expect([queued(page), queued(other), drafts(other)]).toEqual([undefined, undefined, {}]);
    await finish();
    expect(asked(server)).toEqual(["2+2?"]);
    page.close();
    other.close();
  });

  it("waits on where another tab, which knows less of the chat, hears of it", async () => {
    const server = createFakeServer();
    server.addSession(KEY, shortTalk);
    const page = await openChat(server);
    const other = await openChat(server, page.disk);
    // It shows another chat now, and asks for news of this one no more.
    other.engine.sessions.open("new:chat");
    await page.engine.turns.send(KEY, "2+2?");
    await page.browser.settle();
    server.produce(4);
    await page.browser.advance(20);
    await queue(page, "And 3+3?");
    await other.browser.advance(200);
    expect(queued(other)).toMatchObject({ phase: "waiting" });
    page.browser.leave();
    page.close();
    const again = await openChat(server, page.disk);
    expect(queued(again)).toMatchObject({ phase: "waiting" });
    other.close();
    again.close();
  });

  it("is not withdrawn by a tab that has not shown all of it: that comes first", async () => {
    const { server, page } = await askAgain();
    const other = await openChat(server, page.disk);
    await queue(page, "And 3+3?");
    await other.browser.advance(10);
    page.engine.sessions.setDraft(KEY, "And 4+4?");
    page.engine.queue.add(KEY);
    other.engine.queue.withdraw(KEY);
    await Promise.all([page.browser.advance(10), other.browser.advance(10)]);
    expect(drafts(other)[NEXT]).toBe("And 3+3?\n\nAnd 4+4?");
    expect(queued(page)).toMatchObject({ phase: "waiting" });
    page.close();
    other.close();
  });

  it("is shown as it is by now where its tab is seen again", async () => {
    const { server, page } = await askAgain();
    await queue(page, "And 3+3?");
    const other = await openChat(server, page.disk);
    const seen = async () => {
      other.browser.setVisible(false);
      other.browser.setVisible(true);
      await other.browser.advance(10);
    };
    page.engine.queue.withdraw(KEY);
    await page.browser.advance(10);
    await seen();
    expect([queued(other), drafts(other)]).toEqual([undefined, {}]);
    await queue(page, "And 4+4?");
    await seen();
    expect(queued(other)).toMatchObject({ phase: "waiting" });
    expect(drafts(other)).toEqual({ [NEXT]: "And 4+4?" });
    page.close();
    other.close();
  });

  it("goes with its account, and with its chat", async () => {
    const { page } = await askAgain();
    await queue(page, "And 3+3?");
    expect([...page.disk.values.keys()]).toContain("plumb.queue");
    await page.engine.accounts.signOut();
    expect([...page.disk.values].filter(([, value]) => value.includes("3+3"))).toEqual([]);
    expect([...page.disk.values.keys()]).not.toContain("plumb.queue");
    expect(queued(page)).toBeUndefined();
    page.close();

    const chat = await askAgain();
    await queue(chat.page, "And 3+3?");
    await chat.page.engine.sessions.remove(KEY);
    await chat.page.browser.advance(50);
    expect([...chat.page.disk.values.keys()]).not.toContain("plumb.queue");
    expect(drafts(chat.page)).toEqual({});
    chat.page.close();
  });

  it("of another user is not read", async () => {
    const { page } = await askAgain();
    await queue(page, "And 3+3?");
    const stored = JSON.parse(page.disk.values.get("plumb.queue") ?? "{}") as object;
    page.close();
    const disk = signedInDisk();
    disk.values.set("plumb.queue", JSON.stringify({ ...stored, owner: "somebody-else" }));
    const server = createFakeServer();
    server.addSession(KEY, shortTalk);
    const again = await openChat(server, disk);
    expect(queued(again)).toBeUndefined();
    again.close();
  });
});
