// What an endpoint can do wrong, at every point of a reply: each ends it in one way, with the code of the contract, and a
// stop ends it before.
import type { Fragment } from "@plumb/protocol/conversation/fragment";
import { reduceReply } from "@plumb/protocol/stream/reply-reducer";
import { emptyReply } from "@plumb/protocol/stream/reply-state";
import type { ReceivedEvent } from "@plumb/protocol/stream/stream-event";
import { stopStream } from "@plumb/protocol/wire/replies";
import { createSession, historyMessages } from "@plumb/protocol/wire/sessions";
import { completion, continueMessage } from "@plumb/protocol/wire/turns";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Script, ScriptedFault, ScriptedRefusal } from "../../../../e2e/support/scripted-script.ts";
import { startScriptedUpstream, type ScriptedUpstream } from "../../../../e2e/support/scripted-upstream.ts";
import { createTestApp, type TestApp } from "../../../test/create-test-app.ts";
import type { EventStreamReader } from "../../../test/event-stream-reader.ts";
import { heldBytes } from "../../../test/held-bytes.ts";
import type { TestClient } from "../../../test/test-client.ts";
import { OpenAiCompatibleModel } from "../../adapters/model-provider/openai-compatible-model.ts";
import { readConfig } from "../../config.ts";
import { createLogger } from "../../platform/logger.ts";
import type { ModelProvider } from "../../ports/model-provider.ts";

type Position = "first" | "thinking" | "answer";
type Outcome =
  | "finished"
  | "stopped"
  | "length"
  | "filtered"
  | "timeout"
  | "context_length_exceeded"
  | "generation_err"
  | "server_busy"
  | "rate_limit_reached";

interface Kind {
  /** How it ends before the first token; later it is told only that it broke off, but for what `later` says. */
  first: Outcome;
  later?: Outcome;
  /** Instead of a reply, or of its continuation. */
  refusal?: ScriptedRefusal;
  /** At the position, in a reply. */
  fault?: ScriptedFault extends infer F ? (F extends unknown ? Omit<F, "at"> : never) : never;
  script?: Script;
  /** Another address than that of the scripted upstream. */
  baseUrl?: (upstream: string) => string;
  /** It goes on until it is stopped, or the stall limit ends it. */
  hangs?: boolean;
  /** It ends by itself at 24 MiB only: at one point is enough. */
  long?: boolean;
  /** Calls of the upstream, where not one. */
  calls?: number;
}

const http = (status: number, body?: unknown): ScriptedRefusal => ({
  kind: "http",
  status,
  ...(body === undefined ? {} : { body }),
});
const error = (message: string, more: object = {}) => ({ error: { message, ...more } });
const broken = (kind: Partial<Kind>): Kind => ({ first: "generation_err", ...kind });
const harmless = (kind: Partial<Kind>): Kind => ({ first: "finished", later: "finished", ...kind });

/** Failures of a call: of the first one, or of the one that continues a reply which was stopped there. */
const refusals: Record<string, Kind> = {
  "nobody listens": broken({ baseUrl: () => "http://127.0.0.1:9/v1", calls: 0 }),
  // A label of more than 63 characters is refused without asking anybody.
  "a name that does not resolve": broken({ baseUrl: () => `http://${"x".repeat(64)}.invalid/v1`, calls: 0 }),
  "a TLS handshake that is cut": broken({ baseUrl: (url) => url.replace("http:", "https:"), calls: 0 }),
  "a reset before the head": broken({ refusal: { kind: "reset" }, calls: 2 }),
  "headers without end": broken({ refusal: { kind: "endless_headers" } }),
  "no answer at all": { first: "timeout", later: "timeout", refusal: { kind: "silent" }, hangs: true },
  "400": broken({ refusal: http(400) }),
  "401": broken({ refusal: http(401) }),
  "404": broken({ refusal: http(404) }),
  "429": { first: "rate_limit_reached", refusal: http(429) },
  "500": broken({ refusal: http(500) }),
  "503": { first: "server_busy", refusal: http(503) },
  "529": { first: "server_busy", refusal: http(529) },
  "a redirect": broken({ refusal: { ...http(302), headers: { location: "/v1/models" } } as ScriptedRefusal }),
  "a prompt that is too long for the model": {
    first: "context_length_exceeded",
    later: "context_length_exceeded",
    refusal: http(400, error("too long", { code: "context_length_exceeded" })),
  },
  "200 with a JSON error": { first: "server_busy", refusal: { kind: "json_200", body: error("overloaded") } },
  "200 with other JSON": broken({ refusal: { kind: "json_200", body: [1] } }),
  "a web page": broken({ refusal: { kind: "wrong_content_type" } }),
  "plain text": broken({ refusal: { kind: "wrong_content_type", contentType: "text/plain", body: "hello" } }),
};

/** Failures in the midst of a stream. */
const faults: Record<string, Kind> = {
  "a reset": broken({ fault: { kind: "reset" } }),
  "a half close": broken({ fault: { kind: "half_close" } }),
  "a body that ends without an end": broken({ fault: { kind: "cut" } }),
  "a stall": { first: "timeout", later: "timeout", fault: { kind: "stall" }, hangs: true },
  "nothing but comments": {
    first: "timeout",
    later: "timeout",
    fault: { kind: "endless_comments" },
    hangs: true,
  },
  "an event that is no JSON": broken({ fault: { kind: "garbage_json" } }),
  "an error": broken({ fault: { kind: "error_object" } }),
  "an error: overloaded": { first: "server_busy", fault: { kind: "error_object", ...error("Overloaded") } },
  "an error: rate limit": {
    first: "rate_limit_reached",
    fault: { kind: "error_object", ...error("Slow down", { type: "rate_limit_error" }) },
  },
  "an error: context length": {
    first: "context_length_exceeded",
    later: "context_length_exceeded",
    fault: { kind: "error_object", ...error("maximum context length is 8 tokens") },
  },
  "a line without end": broken({ fault: { kind: "huge_line", bytes: 5_000_000 } }),
  "a body without end": {
    first: "length",
    later: "length",
    fault: { kind: "never_ending", chars: 20_000 },
    script: { paceMs: 0 },
    long: true,
  },
  "bytes that are no text": harmless({ fault: { kind: "garbage_bytes" } }),
  comments: harmless({ fault: { kind: "comments" } }),
  "a pause": harmless({ fault: { kind: "stall", ms: 100 } }),
};

/** Streams that are odd as a whole. */
const shapes: Record<string, Kind> = {
  "one byte at a time, through every character and line end": harmless({
    script: { splitBytes: 1, newline: "\r\n", answer: "春天\r\n來了 👩‍🚀 𝒙 café.", reasoning: "想一想 🙂" },
  }),
  "a byte order mark": harmless({ script: { bom: true } }),
  "no [DONE]": harmless({ script: { done: "missing" } }),
  "[DONE] twice": harmless({ script: { done: "twice" } }),
  "no line end at the end": harmless({ script: { openEnd: true } }),
  "no line end at the end, and no [DONE]": harmless({ script: { openEnd: true, done: "missing" } }),
  "no finish_reason": harmless({ script: { finishReason: null } }),
  "no usage": harmless({ script: { usage: false } }),
  "the same id on every event": harmless({ script: { sameIds: true } }),
  "a first chunk that is late": harmless({ script: { firstChunkMs: 100 } }),
  compressed: harmless({ script: { gzip: true, splitBytes: 3 } }),
  "said to be compressed": broken({ script: { gzip: "broken" } }),
  "a megabyte in one chunk": harmless({
    script: { answer: "m".repeat(1_000_000), reasoning: "t".repeat(1_000_000) },
  }),
  "its own length limit": { first: "length", script: { finishReason: "length" } },
  "its own filter": { first: "filtered", script: { finishReason: "content_filter" } },
};

const statuses: Record<Outcome, string> = {
  finished: "FINISHED",
  stopped: "INCOMPLETE",
  length: "INCOMPLETE",
  filtered: "CONTENT_FILTER",
  timeout: "TIMEOUT",
  context_length_exceeded: "CONTEXT_LENGTH_EXCEEDED",
  generation_err: "INCOMPLETE",
  server_busy: "INCOMPLETE",
  rate_limit_reached: "INCOMPLETE",
};
const retried: Outcome[] = ["timeout", "generation_err", "server_busy", "rate_limit_reached"];
const silent: Outcome[] = ["finished", "stopped", "length"];

const REASONING = 30;
/** Enough for what is slow, and never reached otherwise. */
const PATIENT_MS = 30_000;
const IMPATIENT_MS = 400;

let app: TestApp;
let upstream: ScriptedUpstream;
let person: TestClient;
const models = new Map<string, ModelProvider>();

function modelOf(baseUrl: string, limitMs: number): ModelProvider {
  const key = `${limitMs} ${baseUrl}`;
  const known = models.get(key);
  if (known !== undefined) return known;
  const made = new OpenAiCompatibleModel({
    baseUrl,
    model: { ...readConfig({}).model, name: "scripted-model", stallMs: limitMs, continuation: "prefix" },
    log: createLogger("silent"),
    firstTokenMs: limitMs,
  });
  models.set(key, made);
  return made;
}

/** Which model a question is for; the first call of a reply that is to fail later goes to the good one. */
const askedOf = new Map<string, { limitMs: number; baseUrl: string; onlyLater: boolean }>();
const provider: ModelProvider = {
  generate(request, signal) {
    const question = request.messages.findLast(({ role }) => role === "user")?.content ?? "";
    const asked = request.purpose === "title" ? undefined : askedOf.get(question);
    const spared = asked?.onlyLater === true && request.prefix === undefined;
    if (asked === undefined || spared) return modelOf(upstream.url, PATIENT_MS).generate(request, signal);
    return modelOf(asked.baseUrl, asked.limitMs).generate(request, signal);
  },
  info: () => modelOf(upstream.url, PATIENT_MS).info(),
  offered: () => [],
  health: async () => "ok",
  close: async () => {},
};

beforeAll(async () => {
  upstream = await startScriptedUpstream({ scripts: [{ match: { kind: "title" }, answer: "A title" }] });
  app = await createTestApp({ provider, settings: { CONCURRENT_REPLIES: "1000" } });
  person = await app.signedIn();
});
afterAll(async () => {
  await app.close();
  for (const model of models.values()) await model.close();
  await upstream.close();
});

const ANSWERS = ["answer", "continuation"] as const;

/** Writes the scripts of one case. Returns the question, and the position in characters. */
function script(
  name: string,
  kind: Kind,
  position: Position,
  stops: boolean,
): { question: string; at: number } {
  const question = `${name}, ${position}${stops ? ", stopped" : ""}`;
  const base: Script = { reasoning: REASONING, paceMs: 5, perTick: 20, ...kind.script };
  upstream.script({ ...base, match: { user: question, kind: [...ANSWERS] } });
  const whole = upstream.expected(question);
  const at =
    position === "first"
      ? 0
      : position === "thinking"
        ? whole.reasoning.length >> 1
        : whole.reasoning.length + 40;
  const match = { user: question, kind: [...ANSWERS] };
  const onlyLater = kind.fault === undefined && kind.script === undefined && position !== "first";
  if (onlyLater)
    upstream.script({ ...base, match: { user: question, kind: "answer" }, fault: { kind: "stall", at } });
  if (kind.fault !== undefined)
    upstream.script({ ...base, match, fault: { ...kind.fault, at } as ScriptedFault });
  if (kind.refusal !== undefined) {
    const calls = onlyLater ? (["continuation"] as const) : ANSWERS;
    upstream.script({ ...base, match: { user: question, kind: [...calls] }, refusal: kind.refusal });
  }
  const baseUrl = kind.baseUrl?.(upstream.url) ?? upstream.url;
  askedOf.set(question, { limitMs: kind.hangs && !stops ? IMPATIENT_MS : PATIENT_MS, baseUrl, onlyLater });
  return { question, at };
}

const said = (fragments: readonly Fragment[], type: string): string =>
  fragments.map((one) => (one.type === type ? String(one["content" as keyof Fragment]) : "")).join("");
const fold = (events: readonly ReceivedEvent[]) => events.reduce(reduceReply, emptyReply());
const shownChars = (stream: EventStreamReader): number => {
  const fragments = fold(stream.events).message?.fragments ?? [];
  return said(fragments, "THINK").length + said(fragments, "RESPONSE").length;
};

/** Begins the reply, and where it has to fail later continues it from the position. */
async function begin(question: string, at: number) {
  const session = await person.ok(createSession, {});
  const message = { chat_session_id: session.id, message_id: 2 };
  const stream = await person.stream(completion, { chat_session_id: session.id, prompt: question });
  if (askedOf.get(question)?.onlyLater !== true) return { message, stream };
  await stream.waitFor(() => shownChars(stream) >= at);
  await person.ok(stopStream, message);
  await stream.ended;
  return { message, stream: await person.stream(continueMessage, message) };
}

/** One end, told and stored alike, and nothing that the model did not say. */
async function check(
  question: string,
  { message, stream }: Awaited<ReturnType<typeof begin>>,
  outcomes: readonly Outcome[],
): Promise<Outcome> {
  const events = await stream.ended;
  const numbered = events.filter((event) => event.id !== null).map((event) => event.id ?? 0);
  expect(numbered).toEqual(numbered.map((_id, index) => (numbered[0] ?? 0) + index));
  expect(events.filter((event) => event.type === "close")).toHaveLength(1);
  const ends = events.filter((event) => event.type === "delta" && event.data.p === "response/status");
  expect(ends).toHaveLength(1);
  const reply = fold(events);
  const status = reply.message?.status;
  const notices = events.flatMap((event) =>
    event.type === "hint" || event.type === "toast" ? [event.data.finish_reason] : [],
  );
  const outcome = outcomes.find((one) => {
    const notice = silent.includes(one) ? [] : one === "filtered" ? ["content_filter"] : [one];
    return statuses[one] === status && JSON.stringify(notices) === JSON.stringify(notice);
  });
  expect(outcome, `${question}: ${status} ${notices.join()}`).toBeDefined();
  if (outcome === undefined) throw new Error("unreachable");
  expect(events.filter((event) => event.type === "finish")).toHaveLength(outcome === "finished" ? 1 : 0);
  expect(events.at(-1)).toMatchObject({
    type: "close",
    data: { click_behavior: retried.includes(outcome) ? "retry" : "none" },
  });
  const stored = await person.ok(historyMessages, { chat_session_id: message.chat_session_id });
  expect(stored.chat_messages[1]).toEqual(reply.message);
  const whole = upstream.expected(question);
  const fragments = reply.message?.fragments ?? [];
  for (const [type, text] of [
    ["THINK", whole.reasoning],
    ["RESPONSE", whole.answer],
  ] as const) {
    const shown = said(fragments, type);
    if (outcome === "finished") expect(shown).toBe(text);
    else if (outcome !== "filtered")
      expect(shown.replace(/x+$/u, "")).toBe(text.slice(0, shown.replace(/x+$/u, "").length));
  }
  return outcome;
}

const ownEnd = (kind: Kind, position: Position): Outcome =>
  position === "first" ? kind.first : (kind.later ?? "generation_err");

async function endsByItself(name: string, kind: Kind, position: Position): Promise<Outcome> {
  const { question, at } = script(name, kind, position, false);
  const outcome = await check(question, await begin(question, at), [ownEnd(kind, position)]);
  const calls = upstream.requests.filter((one) => one.question === question && one.kind !== "title");
  const before = askedOf.get(question)?.onlyLater === true ? 1 : 0;
  expect(calls.length).toBeLessThanOrEqual(before + (kind.calls ?? 1));
  return outcome;
}

async function canBeStopped(name: string, kind: Kind, position: Position): Promise<Outcome> {
  const { question, at } = script(name, kind, position, true);
  const begun = await begin(question, at);
  const { stream, message } = begun;
  const closes = (): boolean => stream.events.some((event) => event.type === "close");
  if (position === "first") await stream.waitForType("ready");
  else await stream.waitFor(() => closes() || shownChars(stream) >= at);
  await person.ok(stopStream, message);
  return check(question, begun, ["stopped", ownEnd(kind, position)]);
}

const positions: Position[] = ["first", "thinking", "answer"];

/** What all these failures together may leave in memory. */
const LEFT_BYTES = 16 * 1024 * 1024;
const used = (): number => heldBytes() + process.memoryUsage().heapUsed;
let usedBefore = 0;

it("goes well, and takes its memory, before anything fails", async () => {
  expect(await endsByItself("no failure", harmless({ fault: { kind: "comments" } }), "answer")).toBe(
    "finished",
  );
  usedBefore = used();
});

it.each([
  ["429", 429, "first", "rate_limit_reached"],
  ["503", 503, "first", "server_busy"],
  ["429", 429, "answer", "generation_err"],
  ["503", 503, "answer", "generation_err"],
] as const)(
  "%s with Retry-After: the hint says the seconds (%s, %s)",
  async (name, status, position, finishReason) => {
    const refusal: ScriptedRefusal = { kind: "http", status, headers: { "retry-after": "12" } };
    const { question, at } = script(
      `${name}, wait, ${position}`,
      { first: finishReason, refusal },
      position,
      false,
    );
    const { stream } = await begin(question, at);
    const hint = (await stream.ended).find(({ type }) => type === "hint");
    expect(hint?.data).toMatchObject({ finish_reason: finishReason, retry_after: 12 });
  },
);

describe.each([
  ["a call that fails", refusals],
  ["a stream that fails", faults],
])("%s", (_what, kinds) => {
  it.each(Object.entries(kinds))(
    "%s: one end with its code, at every point; a stop ends it before",
    async (name, kind) => {
      const alone = kind.long === true ? (["answer"] as const) : positions;
      const [ends, stopped] = await Promise.all([
        Promise.all(alone.map((position) => endsByItself(name, kind, position))),
        Promise.all(positions.map((position) => canBeStopped(name, kind, position))),
      ]);
      expect(ends).toEqual(alone.map((position) => ownEnd(kind, position)));
      // What hangs is ended by the stop alone; another fault may have come before it.
      if (kind.hangs) expect(new Set(stopped)).toEqual(new Set(["stopped"]));
    },
  );
});

it.each(Object.entries(shapes))(
  "an odd stream, %s: the reply is whole, or ends as it says",
  async (name, kind) => {
    const { question, at } = script(name, kind, "answer", false);
    expect(await check(question, await begin(question, at), [kind.first])).toBe(kind.first);
  },
);

it("nothing is left of all this: no call, no lease, no reply that runs, no memory", async () => {
  await expect.poll(() => upstream.requests.filter((one) => one.state === "running")).toEqual([]);
  expect(await app.db.kysely.selectFrom("reply_lease").selectAll().execute()).toEqual([]);
  const running = app.db.kysely.selectFrom("messages").select("message_id").where("status", "=", "WIP");
  expect(await running.execute()).toEqual([]);
  await expect.poll(() => used() - usedBefore).toBeLessThan(LEFT_BYTES);
});
