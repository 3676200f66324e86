import { LIMITS } from "@plumb/protocol/limits";
import { describe, expect, it } from "vitest";
import { globalError, LOG_ID, refused } from "../testing/fake-answers.ts";
import { thinkingReply } from "../testing/fake-replies.ts";
import { createFakeServer } from "../testing/fake-server.ts";
import { shortTalk, wireMessage } from "../testing/wire-message.ts";
import { openPage, textOf } from "../testing/open-page.ts";

const COMPLETION = "/api/v0/chat/completion";
const POW = "/api/v0/chat/create_pow_challenge";
const NEW = "new:chat";
const WHOLE = "Two plus two 🧮|Four, 四.";
const EVENTS = thinkingReply(1, 2, "x").length;

function serverWithSession() {
  const server = createFakeServer();
  server.addSession("s1", shortTalk);
  return server;
}

describe("a turn in a session", () => {
  it("[ENG-010] [ENG-012] [ENG-013] [ENG-045] [ENG-048] [ENG-049] shows placeholders, keeps the real ids on ready and swaps on the first delta", async () => {
    const server = serverWithSession();
    const page = await openPage(server);
    page.engine.sessions.open("s1");
    await page.browser.settle();
    expect(page.state("s1")).toBe("idle");

    const sending = page.engine.turns.send("s1", "2+2?");
    expect(page.shown("s1").map(({ message_id }) => message_id)).toEqual([1, 2, -2, -3]);
    expect(page.shown("s1").at(-1)?.generateState).toBe("INITIALIZING");
    expect(await sending).toBe(true);
    await page.browser.settle();

    server.produce(1);
    await page.browser.settle();
    expect(page.shown("s1").map(({ message_id }) => message_id)).toEqual([1, 2, -2, -3]);
    expect(page.shown("s1").at(-1)?.generateState).toBe("AWAITING_FIRST_CHANGE");

    server.produce(2);
    await page.browser.advance(20);
    expect(page.shown("s1").map(({ message_id }) => message_id)).toEqual([1, 2, 3, 4]);
    expect(page.shown("s1").at(-1)?.generateState).toBe("GENERATING");
    expect(textOf(page.shown("s1").at(2))).toBe("2+2?");
    expect(server.calls(COMPLETION)[0]?.body["parent_message_id"]).toBe(2);
    page.close();
  });

  it("does no work on a text that is too long, and keeps it", async () => {
    const server = serverWithSession();
    const page = await openPage(server);
    page.engine.sessions.open("s1");
    await page.browser.settle();
    const long = "x".repeat(LIMITS.promptBytes + 1);
    page.engine.sessions.setDraft("s1", long);
    const before = page.shown("s1");
    expect(await page.engine.turns.send("s1", long)).toBe(false);
    await page.browser.settle();
    expect(page.shown("s1")).toEqual(before);
    expect(server.calls(COMPLETION)).toHaveLength(0);
    expect(page.engine.site.toasts.getState().toasts).toMatchObject([{ text: { key: "messageTooLong" } }]);
    expect(page.engine.sessions.store.getState().drafts["s1"] === long).toBe(true);
    page.close();
  });

  it("keeps the key of each message while its id changes, and over a load of the history", async () => {
    const server = serverWithSession();
    const page = await openPage(server);
    page.engine.sessions.open("s1");
    await page.browser.settle();
    await page.engine.turns.send("s1", "2+2?");
    await page.browser.settle();
    const keys = page.shown("s1").map(({ key }) => key);
    expect(new Set(keys).size).toBe(4);
    server.produce(EVENTS);
    await page.browser.advance(20);
    expect(page.shown("s1").map(({ message_id, key }) => [message_id, key])).toEqual(
      [1, 2, 3, 4].map((id, index) => [id, keys[index]]),
    );
    page.engine.sessions.retryHistory("s1");
    await page.browser.settle();
    expect(server.calls("/api/v0/chat/history_messages")).toHaveLength(2);
    expect(page.shown("s1").map(({ key }) => key)).toEqual(keys);
    page.close();
  });

  it("[ENG-050] is sending until ready, then completing, then idle", async () => {
    const server = serverWithSession();
    server.addSession("s1", shortTalk, { title: null });
    const page = await openPage(server);
    page.engine.sessions.open("s1");
    await page.browser.settle();
    await page.engine.turns.send("s1", "2+2?");
    await page.browser.settle();
    expect(page.state("s1")).toBe("sending");
    server.produce(1);
    await page.browser.settle();
    expect(page.state("s1")).toBe("completing");
    server.produce(EVENTS);
    await page.browser.advance(20);
    expect(page.state("s1")).toBe("idle");
    expect(page.text("s1")).toBe(WHOLE);
    expect(page.shown("s1").at(-1)).toMatchObject({ status: "FINISHED", generateState: null, hint: null });
    expect(page.engine.sessions.store.getState().byId["s1"]).toMatchObject({
      title: "Adding two and two",
      titleType: "SYSTEM",
      titleIsNew: true,
    });
    page.close();
  });

  it("[ENG-046] spends one proof per send and has the next one ready", async () => {
    const server = serverWithSession();
    const page = await openPage(server);
    page.engine.sessions.open("s1");
    page.engine.turns.prepare();
    await page.browser.settle();
    expect(server.calls(POW)).toHaveLength(1);
    await page.engine.turns.send("s1", "2+2?");
    await page.browser.settle();
    expect(server.calls(POW)).toHaveLength(2);
    expect(server.calls(COMPLETION)[0]?.headers["x-ds-pow-response"]).toBeTruthy();
    page.close();
  });

  it("[ENG-047] [POW-012] without a proof the reply goes, a network hint with retry stays, and the session is idle", async () => {
    const server = serverWithSession();
    server.answer(POW, () => globalError(50000, "INTERNAL_ERROR", 500));
    const page = await openPage(server);
    page.engine.sessions.open("s1");
    await page.browser.settle();
    page.engine.sessions.setDraft("s1", "2+2?");
    expect(await page.engine.turns.send("s1", "2+2?")).toBe(false);
    const last = page.shown("s1").at(-1);
    expect(last).toMatchObject({
      role: "USER",
      hint: { text: { key: "networkError" }, clickBehavior: "retry" },
    });
    expect(page.state("s1")).toBe("idle");
    expect(page.engine.sessions.store.getState().drafts["s1"]).toBe("2+2?");
    expect(server.calls(COMPLETION)).toHaveLength(0);

    server.answerAsUsual(POW);
    page.engine.turns.retry("s1", last!.message_id);
    await page.browser.settle();
    server.produce(EVENTS);
    await page.browser.advance(20);
    expect(page.text("s1")).toBe(WHOLE);
    expect(page.shown("s1")).toHaveLength(4);
    expect(page.engine.sessions.store.getState().drafts["s1"]).toBeUndefined();
    page.close();
  });

  it("[ENG-039] sends nothing while a reply runs, and nothing that is blank", async () => {
    const server = serverWithSession();
    const page = await openPage(server);
    page.engine.sessions.open("s1");
    await page.browser.settle();
    expect(await page.engine.turns.send("s1", "  \n")).toBe(false);
    await page.engine.turns.send("s1", "2+2?");
    await page.browser.settle();
    expect(await page.engine.turns.send("s1", "and 3?")).toBe(false);
    expect(server.calls(COMPLETION)).toHaveLength(1);
    page.close();
  });

  it("asks for the next reply while the last one's title is still to come", async () => {
    const server = serverWithSession();
    server.addSession("s1", shortTalk, { title: null });
    const page = await openPage(server);
    page.engine.sessions.open("s1");
    await page.browser.settle();
    await page.engine.turns.send("s1", "2+2?");
    await page.browser.settle();
    server.produce(12);
    await page.browser.advance(20);
    expect(page.state("s1")).toBe("idle");
    const first = server.replies[0]!;
    await page.engine.turns.send("s1", "and 3?");
    await page.browser.settle();
    server.produce(4);
    await page.browser.advance(20);
    // The old body still sends its last events, in the session of the new one.
    for (const { body, encoder } of first.readers) {
      for (const event of first.events.slice(12)) body.push(encoder.encode(event, event.id));
    }
    await page.browser.advance(20);
    expect(page.state("s1")).toBe("completing");
    expect(page.engine.sessions.store.getState().byId["s1"]?.title).toBe("Adding two and two");
    expect(page.text("s1")).toBe("Two plus");
    page.close();
  });
});

describe("a reply that failed before this page was loaded", () => {
  it("without any text is asked for again in its place", async () => {
    const server = createFakeServer();
    server.addSession("s1", [
      wireMessage({
        message_id: 1,
        parent_id: null,
        role: "USER",
        fragments: [{ id: 1, type: "REQUEST", content: "2+2?" }],
      }),
      wireMessage({ message_id: 2, parent_id: 1, role: "ASSISTANT", status: "INCOMPLETE" }),
    ]);
    const page = await openPage(server);
    page.engine.sessions.open("s1");
    await page.browser.settle();
    page.engine.turns.retry("s1", 2);
    await page.browser.settle();
    expect(server.calls(COMPLETION).map(({ body }) => [body["prompt"], body["parent_message_id"]])).toEqual([
      ["2+2?", undefined],
    ]);
    server.produce(EVENTS);
    await page.browser.advance(20);
    expect(page.shown("s1").map(({ role }) => role)).toEqual(["USER", "ASSISTANT"]);
    expect(page.text("s1")).toBe(WHOLE);
    page.close();
  });
});

describe("a new chat", () => {
  it("[SESS-050] [SESS-051] makes a hidden session, shows it on the first delta, goes there and drops the draft", async () => {
    const server = createFakeServer();
    const page = await openPage(server);
    page.engine.sessions.setDraft(NEW, "2+2?");
    await page.engine.turns.send(NEW, "2+2?");
    await page.browser.settle();
    expect(server.calls("/api/v0/chat_session/create")[0]?.body).toEqual({ character_id: "chat" });
    server.produce(2);
    await page.browser.advance(20);
    expect(page.engine.sessions.list.getState().sessions).toEqual([]);
    expect(page.engine.site.navigation.getState().to).toBeNull();
    expect(page.disk.values.get("plumb.drafts")).toContain("2+2?");

    server.produce(1);
    await page.browser.advance(20);
    expect(page.engine.sessions.list.getState().sessions.map(({ id }) => id)).toEqual(["session-1"]);
    expect(page.engine.site.navigation.getState().to).toBe("/a/chat/s/session-1");
    expect(page.engine.sessions.store.getState().drafts).toEqual({});
    expect(page.disk.values.has("plumb.drafts")).toBe(false);
    expect(page.state(NEW)).toBeUndefined();
    page.engine.sessions.open("session-1");
    server.produce(EVENTS);
    await page.browser.advance(20);
    expect(page.text("session-1")).toBe(WHOLE);
    expect(server.calls("/api/v0/chat/history_messages")).toHaveLength(0);
    page.close();
  });

  it("[SESS-010] [SESS-052] keeps the prompt when the session can't be made, with a toast", async () => {
    const server = createFakeServer();
    server.answer("/api/v0/chat_session/create", () => globalError(50000, "INTERNAL_ERROR", 500));
    const page = await openPage(server);
    page.engine.sessions.setDraft(NEW, "2+2?");
    expect(await page.engine.turns.send(NEW, "2+2?")).toBe(false);
    expect(page.state(NEW)).toBe("idleWithNoHistory");
    expect(page.shown(NEW)).toEqual([]);
    expect(page.engine.sessions.store.getState().drafts[NEW]).toBe("2+2?");
    expect(page.engine.site.toasts.getState().toasts).toMatchObject([
      { text: { key: "createSessionFailed" } },
    ]);
    page.close();
  });

  it.each([
    ["[ERR-015] an unlisted number", () => refused(77, "NEW"), "createSessionFailedCode", { code: 77 }],
    ["a number of the call", () => refused(20, "CHARACTER_NOT_AVAILABLE"), "createSessionFailed", undefined],
    [
      "[ERR-026] a limit",
      () => globalError(42903, "OPERATION_TOO_FREQUENT", 429),
      "operationTooFrequent",
      undefined,
    ],
  ])("whose session is refused with %s shows it", async (_title, answer, key, params) => {
    const server = createFakeServer();
    server.answer("/api/v0/chat_session/create", answer);
    const page = await openPage(server);
    expect(await page.engine.turns.send(NEW, "2+2?")).toBe(false);
    expect(page.engine.site.toasts.getState().toasts.map(({ text }) => text)).toEqual([
      params === undefined ? { key } : { key, params },
    ]);
    page.close();
  });

  it("takes what is typed on behind the send along to the new session", async () => {
    const server = createFakeServer();
    const page = await openPage(server);
    const sending = page.engine.turns.send(NEW, "2+2?");
    page.engine.sessions.setDraft(NEW, "and 3+3?");
    await sending;
    await page.browser.settle();
    server.produce(EVENTS);
    await page.browser.advance(20);
    expect(page.engine.sessions.store.getState().drafts).toEqual({ "session-1": "and 3+3?" });
    page.close();
  });

  it("shows that the network is away and that the text was kept, and sends it when it is back", async () => {
    const server = createFakeServer();
    const page = await openPage(server);
    page.engine.sessions.setDraft(NEW, "2+2?");
    server.setDown(true);
    expect(await page.engine.turns.send(NEW, "2+2?")).toBe(false);
    expect(page.engine.site.toasts.getState().toasts.map(({ text }) => text)).toEqual([
      { key: "sendOffline" },
    ]);
    expect(page.engine.sessions.store.getState().drafts[NEW]).toBe("2+2?");
    server.setDown(false);
    expect(await page.engine.turns.send(NEW, "2+2?")).toBe(true);
    await page.browser.settle();
    server.produce(EVENTS);
    await page.browser.advance(20);
    expect(page.text("session-1")).toBe(WHOLE);
    expect(page.engine.sessions.store.getState().drafts).toEqual({});
    page.close();
  });

  it("doesn't move a user who went elsewhere meanwhile", async () => {
    const server = serverWithSession();
    const page = await openPage(server);
    await page.engine.turns.send(NEW, "2+2?");
    await page.browser.settle();
    page.engine.sessions.open("s1");
    server.produce(3);
    await page.browser.advance(20);
    expect(page.engine.site.navigation.getState().to).toBeNull();
    expect(page.text("session-1")).toBe("Two");
    page.close();
  });

  it("uses the session of a failed try again", async () => {
    const server = createFakeServer();
    server.answer(COMPLETION, () => globalError(42900, "RATE_LIMIT_REACHED", 429));
    const page = await openPage(server);
    await page.engine.turns.send(NEW, "2+2?");
    await page.browser.settle();
    const [user] = page.shown(NEW);
    expect(user?.hint).toMatchObject({ text: { key: "rateLimitReached" }, clickBehavior: "retry" });
    server.answerAsUsual(COMPLETION);
    page.engine.turns.retry(NEW, user!.message_id);
    await page.browser.settle();
    expect(server.calls("/api/v0/chat_session/create")).toHaveLength(1);
    const [first, second] = server.calls(COMPLETION);
    expect(first?.body["client_stream_id"]).not.toBe(second?.body["client_stream_id"]);
    page.close();
  });
});

describe("hints of the stream", () => {
  it("keeps a refused prompt as an unsent message with its hint, and gives the text back", async () => {
    const server = serverWithSession();
    server.setEvents((requestId, responseId) => [
      { id: 1, type: "ready", data: { request_message_id: requestId, response_message_id: responseId } },
      {
        id: 2,
        type: "hint",
        data: {
          type: "error",
          content: "Too long",
          clear_response: true,
          click_behavior: "none",
          finish_reason: "input_exceeds_limit",
        },
      },
      { id: 3, type: "close", data: { click_behavior: "none", auto_resume: false } },
    ]);
    const page = await openPage(server);
    page.engine.sessions.open("s1");
    await page.browser.settle();
    await page.engine.turns.send("s1", "very long");
    await page.browser.settle();
    server.produce(3);
    await page.browser.advance(20);
    expect(page.state("s1")).toBe("idle");
    expect(page.shown("s1")).toHaveLength(3);
    expect(page.shown("s1").at(-1)?.hint).toEqual({
      text: { key: "messageTooLong" },
      type: "error",
      clickBehavior: "none",
    });
    expect(page.engine.sessions.store.getState().drafts["s1"]).toBe("very long");
    page.close();
  });

  it("puts a failure in mid-reply at the reply, and a retry sends the prompt again beside it", async () => {
    const server = serverWithSession();
    server.setEvents((requestId, responseId, clientStreamId) => {
      const start = thinkingReply(requestId, responseId, clientStreamId).slice(0, 5);
      const rest = [
        { type: "delta" as const, data: { p: "response/status", o: "SET" as const, v: "INCOMPLETE" } },
        {
          type: "hint" as const,
          data: {
            type: "error" as const,
            content: "x",
            clear_response: false,
            click_behavior: "retry" as const,
            finish_reason: "generation_err",
            retry_after: 12,
          },
        },
        { type: "close" as const, data: { click_behavior: "retry" as const, auto_resume: false } },
      ];
      return [...start, ...rest.map((event, index) => ({ ...event, id: 6 + index }))];
    });
    const page = await openPage(server);
    page.engine.sessions.open("s1");
    await page.browser.settle();
    await page.engine.turns.send("s1", "2+2?");
    await page.browser.settle();
    server.produce(8);
    const shownAt = page.browser.now();
    await page.browser.advance(20);
    const reply = page.shown("s1").at(-1)!;
    expect(reply).toMatchObject({
      status: "INCOMPLETE",
      hint: { text: { key: "serverUnavailable" }, clickBehavior: "retry", traceId: LOG_ID },
    });
    // It counts from when the hint came.
    expect(reply.hint?.retryAt).toBeGreaterThanOrEqual(shownAt + 12_000);
    expect(reply.hint?.retryAt).toBeLessThanOrEqual(page.browser.now() + 12_000);
    server.setEvents(thinkingReply);
    page.engine.turns.retry("s1", reply.message_id);
    await page.browser.settle();
    expect(server.calls(COMPLETION)[1]?.body).toMatchObject({ prompt: "2+2?", parent_message_id: 2 });
    server.produce(EVENTS);
    await page.browser.advance(20);
    expect(page.text("s1")).toBe(WHOLE);
    // What had text stays as a branch, as the server keeps it.
    expect(page.engine.sessions.store.getState().byId["s1"]?.tree.nodes.get(2)?.childIds).toEqual([3, 5]);
    page.close();
  });
});
