// The event stream: its framing and the order of its events in every case (wire-contract.md §4.1–§4.6).
import { expect, it } from "vitest";
import type { ReceivedEvent } from "@plumb/protocol/stream/stream-event";
import { markedPrompts, plainAnswer } from "./conformance-target.ts";
import type { LiveStream } from "./live-stream.ts";
import type { Json } from "./person.ts";
import type { World } from "./world.ts";

interface Delta {
  p?: string;
  o?: string;
  v: unknown;
}

/** The mark of §4.5 of each event, with what it sets. */
function markOf(event: ReceivedEvent, begun: boolean): string {
  if (event.type === "ready") return "R";
  if (event.type === "update_session") return "U";
  if (event.type === "finish") return "F";
  if (event.type === "title") return "t";
  if (event.type === "hint") return `H(${event.data.finish_reason})`;
  if (event.type === "toast") return `X(${event.data.finish_reason})`;
  if (event.type === "close") return `C(${event.data.click_behavior})`;
  const { p, o, v } = event.data as Delta;
  if (p === undefined && o === undefined && !begun) {
    const { response } = v as { response: { fragments: { type: string }[] } };
    return response.fragments.length === 0
      ? "S0"
      : `S[${response.fragments.map(({ type }) => type).join(",")}]`;
  }
  if (p === "response/has_pending_fragment") return "P";
  if (p === "response/fragments") return `N(${(v as { type: string }[])[0]?.type})`;
  if (p === "response/fragments/-1/elapsed_secs") return "T";
  if (p === "response" && o === "BATCH") {
    return `E(${String((v as Delta[]).find((item) => item.p === "quasi_status" || item.p === "status")?.v)})`;
  }
  if (p === "response/status") return `=${String(v)}`;
  return "D";
}

/** The order of a whole stream, runs of D as one. */
function orderOf(stream: LiveStream): string {
  let begun = false;
  const marks: string[] = [];
  for (const event of stream.events) {
    const mark = markOf(event, begun);
    begun ||= mark.startsWith("S");
    if (mark !== "D" || marks.at(-1) !== "D") marks.push(mark);
  }
  return marks.join(" ");
}

const end = (status: string): string => `E\\(${status}\\) =${status}`;
/** The first text inside S, or after S0, whichever the model's speed made of it. */
const begun = (type: string): string => `(S\\[${type}\\]|S0 P N\\(${type}\\))`;
/** Each case with the events of §4.6. The end of the first reply of a session brings a title. */
const orders: { name: string; prompt: string; order: string; body?: Json }[] = [
  {
    name: "a normal reply",
    prompt: "Hello",
    order: `R U ${begun("RESPONSE")}( D)? ${end("FINISHED")} F U t C\\(none\\)`,
  },
  {
    name: "a thinking reply",
    prompt: "(thinks)",
    body: { thinking_enabled: true },
    order: `R U ${begun("THINK")}( D)? T N\\(RESPONSE\\)( D)? ${end("FINISHED")} F U t C\\(none\\)`,
  },
  {
    name: "thoughts that nobody asked for",
    prompt: "(thinks)",
    order: `R U S0 P N\\(THINK\\)( D)? T N\\(RESPONSE\\)( D)? ${end("FINISHED")} F U t C\\(none\\)`,
  },
  {
    name: "a model that fails before the first token",
    prompt: "(fails)",
    order: `R U S0 ${end("INCOMPLETE")} H\\(generation_err\\) U t C\\(retry\\)`,
  },
  {
    name: "a model that is overloaded",
    prompt: "(busy)",
    order: `R U S0 ${end("INCOMPLETE")} H\\(server_busy\\) U t C\\(retry\\)`,
  },
  {
    name: "a model with a limit of its own",
    prompt: "(limited)",
    order: `R U S0 ${end("INCOMPLETE")} H\\(rate_limit_reached\\) U t C\\(retry\\)`,
  },
  {
    name: "a model that fails in mid-reply",
    prompt: "(breaks)",
    order: `R U ${begun("RESPONSE")}( D)? ${end("INCOMPLETE")} H\\(generation_err\\) U t C\\(retry\\)`,
  },
  {
    name: "a reply that the filter withdraws",
    prompt: "(withdrawn)",
    order: `R U ${begun("RESPONSE")}( D)? ${end("CONTENT_FILTER")} X\\(content_filter\\) U t C\\(none\\)`,
  },
];

export function streamCases(world: World): void {
  it.each(orders)("$name has its order of events", async ({ prompt, order, body }) => {
    const person = await world.newPerson();
    const stream = await person.turn({ chat_session_id: await person.session(), prompt, ...body });
    expect(orderOf(stream)).toMatch(new RegExp(`^${order}$`));
    expect(stream.message().status).toBe(
      stream.events.some(({ type }) => type === "finish") ? "FINISHED" : stream.message().status,
    );
  });

  it("a stopped reply ends as INCOMPLETE and keeps its text", async () => {
    const person = await world.newPerson();
    const { id, stream } = await person.held();
    await person.stop(id);
    await stream.ended();
    expect(orderOf(stream)).toMatch(
      new RegExp(`^R U ${begun("RESPONSE")}( D)? ${end("INCOMPLETE")} U t C\\(none\\)$`),
    );
    const stored = (await person.history(id)).chat_messages[1];
    expect(stored).toEqual(stream.message());
    expect(stored?.status).toBe("INCOMPLETE");
  });

  it("a reply stopped before any text has none", async () => {
    const person = await world.newPerson();
    const id = await person.session();
    const stream = await person.stream("completion", { chat_session_id: id, prompt: "(held before)" });
    await stream.until((events) => events.some(({ type }) => type === "ready"));
    await person.stop(id);
    await stream.ended();
    expect(orderOf(stream)).toMatch(new RegExp(`^R U S0 ${end("INCOMPLETE")} U t C\\(none\\)$`));
    expect(stream.message()).toMatchObject({ fragments: [], has_pending_fragment: false });
  });

  it("a reply stopped in its thoughts closes them", async () => {
    const person = await world.newPerson();
    const { id, stream } = await person.held("(held in thought)", { thinking_enabled: true });
    await person.stop(id);
    await stream.ended();
    expect(orderOf(stream)).toMatch(
      new RegExp(`^R U ${begun("THINK")}( D)? T ${end("INCOMPLETE")} U t C\\(none\\)$`),
    );
    expect(stream.message().fragments[0]).toMatchObject({
      type: "THINK",
      elapsed_secs: expect.any(Number) as number,
    });
  });

  it("the title comes once: at the end of the first finished reply", async () => {
    const person = await world.person();
    const id = await person.session();
    const titled = async (body: Json) =>
      (await person.turn({ chat_session_id: id, ...body })).events.filter(({ type }) => type === "title");
    expect(await titled({ prompt: "First words (fails)" })).toHaveLength(1);
    expect((await person.history(id)).chat_session).toMatchObject({
      title: "First words (fails)",
      title_type: "WIP",
    });
    expect(await titled({ prompt: "Hello" })).toHaveLength(1);
    expect((await person.history(id)).chat_session.title_type).toBe("SYSTEM");
    expect(await titled({ prompt: "Hello again" })).toHaveLength(0);
  });

  it.each(["Hello", "(thinks)", "(breaks)"])(
    "the frames of %j are of the one form, their ids 1, 2, 3 …",
    async (prompt) => {
      const person = await world.person();
      const stream = await person.turn({ chat_session_id: await person.session(), prompt });
      expect(stream.text).not.toContain("\r");
      expect(stream.text.endsWith("\n\n")).toBe(true);
      expect(stream.events.map(({ id }) => id)).toEqual(stream.events.map((_event, index) => index + 1));
      expect(stream.events[0]).toMatchObject({
        type: "ready",
        data: { request_message_id: 1, response_message_id: 2, model_type: "default" },
      });
      expect(stream.events.at(-1)).toMatchObject({ type: "close", data: { auto_resume: false } });
    },
  );

  it("a stream has its headers and is never compressed", async () => {
    const person = await world.person();
    const answered = await person.send(
      "POST",
      "/api/v0/chat/completion",
      { chat_session_id: await person.session(), prompt: "Hello" },
      { ...(await person.proof()), "accept-encoding": "gzip, br" },
    );
    expect(answered.headers).toMatchObject({
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-cache, no-transform",
      "x-accel-buffering": "no",
      "x-content-type-options": "nosniff",
    });
    expect(answered.headers["content-encoding"]).toBeUndefined();
    expect(answered.headers["x-ds-trace-id"]).toMatch(/^[0-9a-f]{32}$/);
    await answered.stream?.ended();
  });

  it("p and o are both there or both left out, and left out only after an APPEND of the same", async () => {
    const person = await world.person();
    const stream = await person.turn({ chat_session_id: await person.session(), prompt: "(thinks)" });
    let last: string | null = null;
    let first = true;
    for (const event of stream.events) {
      if (event.type !== "delta") continue;
      const { p, o } = event.data as Delta;
      expect(p === undefined).toBe(o === undefined);
      if (p === undefined) {
        if (!first) expect(last).toBe("APPEND");
      } else last = o ?? null;
      first = false;
    }
  });

  it("the text is the model's, to the letter, in the stream and in the history", async () => {
    const person = await world.person();
    const id = await person.session();
    const stream = await person.turn({ chat_session_id: id, prompt: "Hello" });
    const message = stream.message();
    expect(message.fragments.map(({ id: number, type, content }) => [number, type, content])).toEqual([
      [2, "RESPONSE", plainAnswer],
    ]);
    expect((await person.history(id)).chat_messages[1]).toEqual(message);
    expect(message.accumulated_token_usage).toBeGreaterThan(0);
  });

  it("a thinking reply has its thought and its answer whole", async () => {
    const person = await world.newPerson();
    const stream = await person.turn({
      chat_session_id: await person.session(),
      prompt: "(thinks)",
      thinking_enabled: true,
    });
    const marked = markedPrompts.find(({ mark }) => mark === "(thinks)");
    expect(stream.message().fragments.map(({ type, content }) => [type, content])).toEqual([
      ["THINK", marked?.thought],
      ["RESPONSE", marked?.answer],
    ]);
  });

  it.each([
    ["en_US", "Server is temporarily unavailable."],
    ["zh_CN", "服务暂时不可用。"],
    ["zh-CN", "服务暂时不可用。"],
    ["fr_FR", "Server is temporarily unavailable."],
  ])("texts for %s are in its language", async (locale, content) => {
    const person = await world.person();
    const body = { chat_session_id: await person.session(), prompt: "(fails)" };
    const stream = await person.stream("completion", body, { "x-client-locale": locale });
    const hint = (await stream.ended()).find(({ type }) => type === "hint");
    expect(hint?.data).toMatchObject({
      content,
      type: "error",
      clear_response: false,
      click_behavior: "retry",
    });
  });

  it("a prompt over the limit is refused in a stream, and nothing of it is kept", async () => {
    const person = await world.person();
    const id = await person.session();
    const stream = await person.turn({ chat_session_id: id, prompt: "x".repeat(400_001) });
    expect(orderOf(stream)).toBe("R U H(input_exceeds_limit) C(none)");
    expect(stream.events.find(({ type }) => type === "hint")?.data).toMatchObject({ clear_response: true });
    expect((await person.history(id)).chat_messages).toEqual([]);
  });

  it("a continued reply counts its events on and keeps its text", async () => {
    const person = await world.newPerson();
    const { id, stream } = await person.held();
    await person.stop(id);
    await stream.ended();
    const before = stream.message();
    const more = await person.stream("continue", { chat_session_id: id, message_id: 2 });
    await more.until((events) => events.some(({ type }) => type === "delta"));
    world.target.model.release();
    await more.ended();
    expect(more.events[0]).toMatchObject({ type: "ready", id: (stream.events.at(-1)?.id ?? 0) + 1 });
    const after = more.message();
    expect(after).toMatchObject({ message_id: 2, status: "FINISHED" });
    const text = ({ fragments }: typeof after): string => fragments.map(({ content }) => content).join("");
    expect(text(after).startsWith(text(before))).toBe(true);
    expect(text(after)).toBe(markedPrompts.find(({ mark }) => mark === "(held)")?.answer);
  });
}
