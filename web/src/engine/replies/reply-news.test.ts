// What followReply yields, read without a turn.
import { emptyReply } from "@plumb/protocol/stream/reply-state";
import { completion } from "@plumb/protocol/wire/turns";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createApiClient } from "../api-client.ts";
import { globalError } from "../testing/fake-answers.ts";
import { createFakeBrowser } from "../testing/fake-browser.ts";
import { createFakeServer } from "../testing/fake-server.ts";
import { followReply, type ReplyNews } from "./follow-reply.ts";
import { createReplyReader, replyReader } from "./reply-reader.ts";

const COMPLETION = "/api/v0/chat/completion";
const STREAM_ID = "20260921-0k3f9x7q2m5b8d1z";

/** Follows a send in an empty session and collects the news. */
function follow(server = createFakeServer(), reader = replyReader) {
  server.addSession("s1");
  const browser = createFakeBrowser(server.network);
  const api = createApiClient(browser, {
    token: () => "token-1",
    locale: () => "en_US",
    onGlobalCode: () => {},
  });
  const input = { chat_session_id: "s1", prompt: "2+2?", client_stream_id: STREAM_ID };
  const stopped = new AbortController();
  const news: ReplyNews[] = [];
  let proofs = 0;
  const request = {
    clientStreamId: STREAM_ID,
    open: (signal: AbortSignal) =>
      api.openStream(completion, input, { signal, headers: { "x-ds-pow-response": `${++proofs}` } }),
  };
  const deps = {
    browser,
    api,
    chunkLimits: () => ({ gapMs: 70_000, checkMs: 3000 }),
    readyTimeoutMs: () => 2000,
    isAwaited: () => false,
    onLeftElsewhere: () => () => {},
    reader,
  };
  const done = (async () => {
    const target = { sessionId: "s1", from: emptyReply(), request };
    for await (const one of followReply(deps, target, stopped.signal)) news.push(one);
  })();
  const ends = () => news.flatMap((one) => (one.kind === "end" ? [one.end] : []));
  const connections = () => news.flatMap((one) => (one.kind === "connection" ? [one.connection] : []));
  return { server, browser, stopped, news, done, ends, connections };
}

describe("the news of a reply", () => {
  it("are its events with the reply after each, and one end", async () => {
    const { server, browser, news, done } = follow();
    await browser.settle();
    server.produce(20);
    await browser.settle();
    await done;
    const events = news.flatMap((one) => (one.kind === "event" ? [one] : []));
    expect(events.map(({ event }) => event.id)).toEqual(Array.from({ length: 15 }, (_, index) => index + 1));
    expect(events.map(({ reply }) => reply.lastEventId)).toEqual(events.map(({ event }) => event.id));
    expect(news.at(-1)).toEqual({ kind: "end", end: { kind: "closed" } });
    expect(news).toHaveLength(16);
  });

  it("name a lost connection and the next one, each once", async () => {
    const { server, browser, connections, done, ends } = follow();
    await browser.settle();
    server.produce(4);
    await browser.settle();
    server.setDown(true);
    server.cut();
    await browser.advance(4000);
    expect(connections()).toEqual(["reconnecting"]);
    server.setDown(false);
    await browser.advance(4000);
    expect(connections()).toEqual(["reconnecting", "live"]);
    server.produce(20);
    await browser.settle();
    await done;
    expect(ends()).toEqual([{ kind: "closed" }]);
  });

  it("go on where the code that reads a body could not be had at first: it is asked for again", async () => {
    let asked = 0;
    const reader = createReplyReader(async () => {
      asked += 1;
      if (asked === 1) throw new TypeError("Failed to fetch dynamically imported module");
      return import("./read-reply-body.ts");
    });
    const { server, browser, connections, done, ends } = follow(createFakeServer(), reader);
    await browser.settle();
    expect(connections()).toEqual(["reconnecting", "live"]);
    server.produce(20);
    await browser.settle();
    await done;
    expect(ends()).toEqual([{ kind: "closed" }]);
    expect(server.replies).toHaveLength(1);
    expect(asked).toBe(2);
  });

  it("end as refused, without any event, where the server refuses the request", async () => {
    const server = createFakeServer();
    server.answer(COMPLETION, () => globalError(42900, "RATE_LIMIT_REACHED", 429));
    const { browser, news, done } = follow(server);
    await browser.settle();
    await done;
    expect(news).toMatchObject([{ kind: "end", end: { kind: "refused", error: { code: 42900 } } }]);
  });

  it("end as aborted at once when nobody reads on", async () => {
    const { server, browser, stopped, news, done, ends } = follow();
    await browser.settle();
    server.produce(4);
    await browser.settle();
    const before = news.length;
    stopped.abort();
    server.produce(20);
    await browser.settle();
    await done;
    expect(ends()).toEqual([{ kind: "aborted" }]);
    expect(news).toHaveLength(before + 1);
  });

  it("have one end, the last of them, whatever happens to the connection", async () => {
    const step = fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({
          kind: fc.constant("produce" as const),
          count: fc.integer({ min: 1, max: 6 }),
        }),
      },
      { weight: 3, arbitrary: fc.record({ kind: fc.constant("cut" as const) }) },
      {
        weight: 2,
        arbitrary: fc.record({ kind: fc.constant("wait" as const), ms: fc.integer({ min: 1, max: 9000 }) }),
      },
      {
        weight: 1,
        arbitrary: fc.record({ kind: fc.constantFrom("down" as const, "up" as const, "online" as const) }),
      },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant("abort" as const) }) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 10 }), async (steps) => {
        const { server, browser, stopped, news, done, ends } = follow();
        await browser.settle();
        for (const one of steps) {
          if (one.kind === "produce" && server.replies.length > 0) server.produce(one.count);
          if (one.kind === "cut") server.cut();
          if (one.kind === "wait") await browser.advance(one.ms);
          if (one.kind === "down" || one.kind === "up") server.setDown(one.kind === "down");
          if (one.kind === "online") browser.comeOnline();
          if (one.kind === "abort") stopped.abort();
          await browser.settle();
        }
        server.setDown(false);
        await browser.advance(6000);
        server.produce(20);
        await browser.advance(6000);
        stopped.abort();
        await browser.settle();
        await done;
        expect(ends()).toHaveLength(1);
        expect(news.at(-1)?.kind).toBe("end");
        // None comes twice, but a snapshot, which is a delta.
        const ids = news.flatMap((one) =>
          one.kind === "event" && one.event.id !== null && one.event.type !== "delta" ? [one.event.id] : [],
        );
        expect(new Set(ids).size).toBe(ids.length);
        expect(["closed", "full", "lost", "aborted"]).toContain(ends()[0]?.kind);
      }),
      { numRuns: 40 },
    );
  }, 60_000);
});
