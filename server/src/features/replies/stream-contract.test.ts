// The stream as a client finds it: framing, headers, keep-alives, resume from every event, and readers that do not read.
import { connect, type Socket } from "node:net";
import { reduceReply } from "@plumb/protocol/stream/reply-reducer";
import { emptyReply } from "@plumb/protocol/stream/reply-state";
import type { ReceivedEvent } from "@plumb/protocol/stream/stream-event";
import { logout } from "@plumb/protocol/wire/accounts";
import { resumeStream, stopStream } from "@plumb/protocol/wire/replies";
import { createSession, historyMessages } from "@plumb/protocol/wire/sessions";
import { completion } from "@plumb/protocol/wire/turns";
import { describe, expect, it } from "vitest";
import type { TestApp } from "../../../test/create-test-app.ts";
import { testApps } from "../../../test/test-apps.ts";
import { createQuickClock } from "../../../test/test-clock.ts";
import type { TestClient } from "../../../test/test-client.ts";
import { engines } from "../../../test/test-databases.ts";

const fold = (events: readonly ReceivedEvent[]) => events.reduce(reduceReply, emptyReply());

describe.each(engines)("the stream of a reply on %s", (engine) => {
  const open = testApps({ engine });

  async function ask(
    app: TestApp,
    person: TestClient,
    extra: object = {},
    headers: Record<string, string> = {},
  ) {
    const session = await person.ok(createSession, {});
    const next = app.model.next();
    const stream = await person.stream(
      completion,
      { chat_session_id: session.id, prompt: "Go", ...extra },
      headers,
    );
    return { session, stream, run: await next };
  }

  it("is framed as the contract says, to the byte [STRM-001] [STRM-002] [STRM-005] [STRM-012]", async () => {
    const app = await open();
    const person = await app.signedIn();
    const { stream, run } = await ask(app, person, {}, { "accept-encoding": "gzip, br" });
    const { headers, status } = stream.response;
    expect(status).toBe(200);
    expect(Object.fromEntries(headers)).toMatchObject({
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-cache, no-transform",
      "x-accel-buffering": "no",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "x-ds-trace-id": expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    expect(headers.get("content-encoding")).toBeNull();
    run.think("Two\n plus");
    for (const piece of [
      "  leading",
      "\n\ndata: x\n\n",
      "event: close\n",
      "\r\n",
      "💣💣",
      "\u2028",
      "trailing  ",
    ]) {
      run.say(piece);
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    run.end();
    const events = await stream.ended;
    const frames = stream
      .text()
      .split("\n\n")
      .filter((frame) => frame !== "" && !frame.startsWith(":"));
    expect(stream.text().endsWith("\n\n")).toBe(true);
    frames.forEach((frame, index) => {
      const [, id, name, data] = /^id: (\d+)\n(?:event: ([a-z_]+)\n)?data: ([^\n]+)$/.exec(frame) ?? [];
      expect(Number(id), frame).toBe(index + 1);
      expect(
        name === undefined || ["ready", "update_session", "title", "finish", "close"].includes(name),
      ).toBe(true);
      expect(typeof JSON.parse(data ?? "")).toBe("object");
      expect(JSON.parse(data ?? "")).not.toHaveProperty("id");
      expect(/\p{Surrogate}/u.test(JSON.stringify(JSON.parse(data ?? "").v ?? ""))).toBe(false);
    });
    expect(frames.length).toBe(events.length);
    // The first delta is the message, without path and operation.
    const first = frames.find((frame) => !frame.includes("event:"));
    expect(Object.keys(JSON.parse(first?.split("data: ")[1] ?? "{}") as object)).toEqual(["v"]);
    expect(fold(events).message?.fragments).toMatchObject([
      { content: "Two\n plus" },
      { content: "  leading\n\ndata: x\n\nevent: close\n\r\n💣💣\u2028trailing  " },
    ]);
    expect(stream.text()).not.toContain("[DONE]");
  });

  it("is kept alive by comments while the model is silent [STRM-020]", async () => {
    const app = await open({ clock: createQuickClock(40) });
    const person = await app.signedIn();
    const { stream, run } = await ask(app, person);
    run.say("Wait");
    await stream.waitForType("delta");
    await expect.poll(() => stream.comments.length).toBeGreaterThanOrEqual(2);
    expect(stream.text()).toContain("\n\n: keep-alive\n\n");
    run.end();
    const events = await stream.ended;
    expect(events.map((event) => event.id)).toEqual(events.map((_event, index) => index + 1));
  });

  it("is resumed from every event it had, and from none that it had not [STRM-013] [ENG-084]", async () => {
    const app = await open();
    const person = await app.signedIn();
    const { session, stream, run } = await ask(app, person);
    const input = { chat_session_id: session.id, message_id: 2 };
    run.think("Hm");
    await stream.waitForType("delta");
    for (const piece of ["One ", "two ", "three "]) {
      run.say(piece);
      const before = stream.events.length;
      await expect.poll(() => stream.events.length).toBeGreaterThan(before);
    }
    const known = [...stream.events];
    const last = known.at(-1)?.id ?? 0;
    for (const value of ["abc", "", "-1", "1.5", "1e1", String(last + 1000), "9".repeat(30), "NaN"]) {
      const resumed = await person.stream(resumeStream, input, { "Last-Event-ID": value });
      await resumed.waitForType("delta");
      expect(resumed.events[0]).toMatchObject({ type: "ready", id: null });
      expect(resumed.events[1]).toMatchObject({
        type: "delta",
        id: last,
        data: { v: { response: { message_id: 2 } } },
      });
      expect(fold(resumed.events).message).toEqual(fold(known).message);
      await resumed.close();
    }
    for (let id = 0; id < last; id += 1) {
      const resumed = await person.stream(resumeStream, input, { "Last-Event-ID": String(id) });
      await resumed.waitFor((event) => event.id === last);
      expect(resumed.events.slice(1).map((event) => event.id)).toEqual(
        Array.from({ length: last - id }, (_none, index) => id + 1 + index),
      );
      await resumed.close();
    }
    const beginnings = [0, 3, 4, last - 1, last];
    const usable = await Promise.all(
      beginnings.map((id) => person.stream(resumeStream, input, { "Last-Event-ID": String(id) })),
    );
    run.say("four");
    run.end();
    const whole = fold(await stream.ended);
    for (const [index, resumed] of usable.entries()) {
      const id = beginnings[index] ?? 0;
      const events = await resumed.ended;
      expect(events[0]).toMatchObject({ type: "ready", id: null });
      const numbered = events.slice(1).map((event) => event.id);
      expect(numbered).toEqual(numbered.map((_one, place) => id + 1 + place));
      const both = [...known.filter((event) => (event.id ?? 0) <= id), ...events];
      expect(fold(both).message, `after ${id}`).toEqual(whole.message);
      const data = /\ndata: (\{"(?:p|v)".*)\n/.exec(resumed.text())?.[1] ?? "{}";
      const keys = Object.keys(JSON.parse(data) as object);
      expect(keys.includes("p") === keys.includes("o")).toBe(true);
      expect(keys.includes("p") || data.startsWith('{"v":{"response"'), data).toBe(true);
    }
  });

  it("begins with an empty message on an early resume, and the first words arrive as a fragment [STRM-015]", async () => {
    const app = await open();
    const person = await app.signedIn();
    const { session, stream, run } = await ask(app, person);
    const early = await person.stream(resumeStream, { chat_session_id: session.id, message_id: 2 });
    await early.waitForType("delta");
    expect(fold(early.events).message).toMatchObject({
      status: "WIP",
      fragments: [],
      has_pending_fragment: true,
    });
    run.say("First ");
    run.say("words");
    run.end();
    const events = await early.ended;
    const deltas = events.filter((event) => event.type === "delta");
    expect(deltas.slice(1, 3).map((event) => event.data)).toEqual([
      { p: "response/has_pending_fragment", o: "SET", v: false },
      {
        p: "response/fragments",
        o: "APPEND",
        v: [expect.objectContaining({ id: 2, type: "RESPONSE" })],
      },
    ]);
    expect(fold(events).message).toEqual(fold(await stream.ended).message);
    expect(fold(events).message).toMatchObject({
      status: "FINISHED",
      fragments: [{ content: "First words" }],
    });
  });

  it("tells an early reader of a reply that ends without a word [ENG-054]", async () => {
    const app = await open();
    const person = await app.signedIn();
    const { session, stream } = await ask(app, person);
    const early = await person.stream(resumeStream, { chat_session_id: session.id, message_id: 2 });
    await early.waitForType("delta");
    await person.ok(stopStream, { chat_session_id: session.id });
    const message = fold(await early.ended).message;
    expect(message).toEqual(fold(await stream.ended).message);
    expect(message).toMatchObject({ status: "INCOMPLETE", fragments: [], has_pending_fragment: false });
  });

  it("is refused to be resumed when the reply ended too long ago [STRM-030]", async () => {
    const app = await open({ settings: { REPLY_RETENTION_MS: "0" } });
    const person = await app.signedIn();
    const { session, stream, run } = await ask(app, person);
    run.say("Done");
    run.end();
    await stream.ended;
    const resumed = async () =>
      (await person.call(resumeStream, { chat_session_id: session.id, message_id: 2 })).envelope.data;
    await expect
      .poll(resumed)
      .toMatchObject({ biz_code: 8, biz_msg: "RESUME_TIME_TOO_LONG", biz_data: null });
    expect(app.model.replies).toHaveLength(1);
  });

  it("is cut when its token is revoked, while the reply goes on", async () => {
    const app = await open();
    const person = await app.signedIn();
    const { session, stream, run } = await ask(app, person);
    run.say("Before ");
    await stream.waitForType("delta");
    await person.another().ok(logout, {});
    const events = await stream.ended;
    expect(events.some((event) => event.type === "close")).toBe(false);
    expect(run.aborted).toBe(false);
    run.say("after");
    run.end();
    await expect
      .poll(async () => {
        const rows = await app.db.kysely
          .selectFrom("messages")
          .select("fragments")
          .where("session_id", "=", session.id)
          .where("status", "=", "FINISHED")
          .where("role", "=", "ASSISTANT")
          .execute();
        return rows[0]?.fragments ?? "";
      })
      .toContain("Before after");
  });

  it("costs little for a reader that stops reading, which gets all of it later, while others are not held up", async () => {
    const app = await open();
    const person = await app.signedIn();
    const sockets: Socket[] = [];
    app.app.fastify.server.on("connection", (socket) => sockets.push(socket));
    const { session, stream, run } = await ask(app, person);
    const body = JSON.stringify({ chat_session_id: session.id, message_id: 2 });
    const slow = connect(Number(new URL(app.address).port), "127.0.0.1");
    let received = "";
    slow.setEncoding("utf8");
    slow.on("data", (text: string) => {
      received += text;
    });
    slow.write(
      [
        `POST ${resumeStream.path} HTTP/1.1`,
        "Host: plumb",
        "Connection: close",
        `Authorization: Bearer ${person.token}`,
        `Content-Length: ${body.length}`,
        "",
        body,
      ].join("\r\n"),
    );
    await expect.poll(() => received).toContain("event: ready");
    slow.pause();

    const piece = "some words, and then more ".repeat(630);
    const pieces = 1280;
    let most = 0;
    for (let index = 0; index < pieces; index += 1) {
      run.say(piece);
      if (index % 16 !== 15) continue;
      await new Promise((resolve) => setTimeout(resolve, 5));
      most = Math.max(most, ...sockets.map((socket) => socket.writableLength));
    }
    run.end();
    const events = await stream.ended;
    const length = pieces * piece.length;
    expect(events.at(-1)?.type).toBe("close");
    const [fragment] = fold(events).message?.fragments ?? [];
    expect((fragment as { content: string } | undefined)?.content.length).toBe(length);
    // 20 MB were written; what stands in memory for the reader is bounded by its share and the greatest write.
    expect(most).toBeLessThan(4 * 1024 * 1024);

    slow.resume();
    await new Promise<void>((resolve) => slow.on("close", () => resolve()));
    expect(received).toContain("event: close");
    const ids = [...received.matchAll(/(?:^|\n)id: (\d+)\r?\n/g)].map((match) => Number(match[1]));
    expect(ids).toEqual(ids.map((_id, index) => (ids[0] ?? 0) + index));
    expect(received.split(piece).length - 1).toBeGreaterThan(pieces / 2);
    const stored = await person.ok(historyMessages, { chat_session_id: session.id });
    const [kept] = stored.chat_messages[1]?.fragments ?? [];
    expect((kept as { content: string } | undefined)?.content.length).toBe(length);
  }, 60_000);
});
