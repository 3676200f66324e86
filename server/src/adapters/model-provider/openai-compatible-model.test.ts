import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { pino } from "pino";
import { afterEach, expect, test, vi } from "vitest";
import type { Script } from "../../../../e2e/support/scripted-script.ts";
import { startScriptedUpstream, type ScriptedUpstream } from "../../../../e2e/support/scripted-upstream.ts";
import { heldBytes } from "../../../test/held-bytes.ts";
import type { Config } from "../../config.ts";
import { createLogger } from "../../platform/logger.ts";
import { ModelError, type ModelProvider, type ModelRequest } from "../../ports/model-provider.ts";
import { collect, joined, modelProviderContract } from "./model-provider-contract.ts";
import { OpenAiCompatibleModel } from "./openai-compatible-model.ts";

const log = createLogger("silent");
const SECRET = "sk-very-secret-0123456789";

const settings = (more: Partial<Config["model"]> = {}): Config["model"] => ({
  baseUrl: null,
  apiKey: SECRET,
  name: "scripted-model",
  thinkingName: null,
  coderName: null,
  titleName: null,
  thinkingStyle: "auto",
  contextTokens: 61440,
  stallMs: 2_000,
  continuation: "prefix",
  path: null,
  autodetect: false,
  offered: [],
  ...more,
});

const ask = (more: Partial<ModelRequest> = {}): ModelRequest => ({
  messages: [{ role: "user", content: "tell me" }],
  purpose: "chat",
  thinking: false,
  ...more,
});

let open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open) await one.close();
  open = [];
});

async function connect(
  scripts: Script[],
  more: Partial<Config["model"]> = {},
  owner = "scripted",
): Promise<{ model: ModelProvider; upstream: ScriptedUpstream }> {
  const upstream = await startScriptedUpstream({
    scripts,
    models: [{ id: "scripted-model", owned_by: owner }],
  });
  const options = { baseUrl: upstream.url, model: settings(more), log, firstTokenMs: 2_000 };
  const model = new OpenAiCompatibleModel(options);
  open.push(model, upstream);
  return { model, upstream };
}

async function failure(run: Promise<unknown>): Promise<ModelError> {
  const error = await run.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ModelError)) throw new Error(`no ModelError but ${String(error)}`);
  return error;
}

for (const [owner, continuation] of [
  ["scripted", "prefix"],
  ["vllm", "auto"],
  ["llamacpp", "auto"],
  ["scripted", "instruct"],
] as const) {
  for (const reasoningStyle of ["reasoning_content", "think_tags"] as const) {
    modelProviderContract(`endpoint of ${owner}, ${continuation}, ${reasoningStyle}`, async () => {
      const base: Script = {
        tokens: 80,
        reasoning: 30,
        chunkChars: 3,
        paceMs: 5,
        perTick: 8,
        reasoningStyle,
      };
      const stall: Script = { ...base, match: { user: "stall" }, fault: { kind: "stall", at: 100 } };
      const upstream = await startScriptedUpstream({
        scripts: [base, stall],
        models: [{ id: "scripted-model", owned_by: owner }],
      });
      const connectTo = (stallMs: number): OpenAiCompatibleModel =>
        new OpenAiCompatibleModel({
          baseUrl: upstream.url,
          model: settings({ continuation, stallMs }),
          log,
        });
      const model = connectTo(10_000);
      const impatient = connectTo(300);
      await model.health();
      return {
        model,
        impatient,
        request: ask(),
        stallingRequest: ask({ messages: [{ role: "user", content: "stall" }] }),
        released: () => upstream.requests.at(-1)?.state === "aborted_by_client",
        close: async () => {
          await model.close();
          await impatient.close();
          await upstream.close();
        },
      };
    });
  }
}

test("reads thought, text and usage, and asks with key and usage option", async () => {
  const { model, upstream } = await connect([{ tokens: 50, reasoning: 20 }]);
  const chunks = await collect(model, ask());
  const expected = upstream.expected("tell me");
  expect(joined(chunks, "reasoning")).toBe(expected.reasoning);
  expect(joined(chunks, "text")).toBe(expected.answer);
  expect(chunks.at(-2)).toMatchObject({ type: "usage", completionTokens: 70 });
  expect(upstream.requests[0]).toMatchObject({ authorized: true, kind: "answer", state: "finished" });
  expect(upstream.requests[0]?.parameters["stream_options"]).toEqual({ include_usage: true });
});

const framings: [string, Script][] = [
  ["bytes one at a time with CRLF", { splitBytes: 1, newline: "\r\n" }],
  ["split characters", { splitBytes: 5 }],
  ["a byte order mark and a second [DONE]", { bom: true, done: "twice" }],
  ["no [DONE]", { done: "missing" }],
  ["no finish_reason", { finishReason: null }],
  ["gzip", { gzip: true, paceMs: 1, perTick: 3 }],
  ["comments between", { fault: { kind: "comments", at: 30 } }],
  ["noise that is no field", { fault: { kind: "garbage_bytes", at: 30 } }],
  ["a pause shorter than a stall", { fault: { kind: "stall", at: 30, ms: 300 } }],
  ["half surrogate pairs", { chunkChars: 1 }],
];
for (const style of ["reasoning_content", "reasoning", "think_tags"] as const) {
  for (const [name, framing] of framings) {
    test(`reads a reply with ${name} (${style})`, async () => {
      const { model, upstream } = await connect([
        { tokens: 40, reasoning: 15, reasoningStyle: style, ...framing },
      ]);
      const chunks = await collect(model, ask());
      const expected = upstream.expected("tell me");
      expect(joined(chunks, "reasoning")).toBe(expected.reasoning);
      expect(joined(chunks, "text")).toBe(expected.answer);
      expect(chunks.at(-1)).toEqual({ type: "end", reason: "stop" });
    });
  }
}

test("tells the model's own limit and its filter from an end", async () => {
  for (const [finishReason, reason] of [
    ["length", "length"],
    ["content_filter", "filter"],
  ] as const) {
    const { model } = await connect([{ finishReason }]);
    expect((await collect(model, ask())).at(-1)).toEqual({ type: "end", reason });
  }
});

const refusals: [string, Script, string][] = [
  ["429", { refusal: { kind: "http", status: 429 } }, "rate_limited"],
  ["503", { refusal: { kind: "http", status: 503 } }, "busy"],
  ["529", { refusal: { kind: "http", status: 529 } }, "busy"],
  ["500", { refusal: { kind: "http", status: 500 } }, "unavailable"],
  [
    "401",
    { refusal: { kind: "http", status: 401, body: { error: { message: `Wrong key ${SECRET}` } } } },
    "unavailable",
  ],
  [
    "400 by code",
    {
      refusal: {
        kind: "http",
        status: 400,
        body: { error: { message: "no", code: "context_length_exceeded" } },
      },
    },
    "context_length",
  ],
  [
    "400 by words",
    {
      refusal: {
        kind: "http",
        status: 400,
        body: { error: { message: "This model's maximum context length is 8 tokens" } },
      },
    },
    "context_length",
  ],
  [
    "200 with a JSON error",
    { refusal: { kind: "json_200", body: { error: { message: "overloaded" } } } },
    "busy",
  ],
  ["200 with other JSON", { refusal: { kind: "json_200", body: [1] } }, "protocol"],
  ["a web page", { refusal: { kind: "wrong_content_type" } }, "protocol"],
  [
    "plain text",
    { refusal: { kind: "wrong_content_type", contentType: "text/plain", body: "hello" } },
    "protocol",
  ],
  ["a reset", { refusal: { kind: "reset" } }, "unavailable"],
  ["endless headers", { refusal: { kind: "endless_headers" } }, "unavailable"],
  ["silence", { refusal: { kind: "silent" } }, "stall"],
  ["a cut stream", { fault: { kind: "cut", at: 60 } }, "unavailable"],
  ["a reset in mid-reply", { fault: { kind: "reset", at: 60 } }, "unavailable"],
  ["a half close in mid-reply", { fault: { kind: "half_close", at: 60 } }, "unavailable"],
  ["broken JSON", { fault: { kind: "garbage_json", at: 60 } }, "protocol"],
  ["an error in mid-reply", { fault: { kind: "error_object", at: 60 } }, "unavailable"],
  [
    "an overload in mid-reply",
    { fault: { kind: "error_object", at: 60, error: { message: "Overloaded", type: "overloaded_error" } } },
    "busy",
  ],
  ["a line without end", { fault: { kind: "huge_line", at: 60, bytes: 1_000_000 } }, "protocol"],
];
for (const [name, script, expected] of refusals) {
  test(`${name} is ${expected}, and the key is in no message`, async () => {
    const { model, upstream } = await connect([{ tokens: 60, ...script }]);
    const told = await failure(collect(model, ask()));
    expect(told.failure).toBe(expected);
    expect(told.message).not.toContain("secret");
    await expect.poll(() => upstream.requests[0]?.state).not.toBe("running");
    expect(upstream.requests).toHaveLength(1);
  });
}

test("a refusal tells the seconds that the endpoint asks to wait, and none where it asks for none", async () => {
  for (const [headers, secs] of [
    [{ "retry-after": "12" }, 12],
    [{}, undefined],
  ] as const) {
    const { model } = await connect([{ refusal: { kind: "http", status: 429, headers } }]);
    expect((await failure(collect(model, ask()))).retryAfterSecs).toBe(secs);
  }
});

test("nothing listening is unavailable", async () => {
  const { model, upstream } = await connect([]);
  await upstream.close();
  open = [model];
  expect((await failure(collect(model, ask()))).failure).toBe("unavailable");
  await expect.poll(() => model.health()).toBe("degraded");
});

test("a never-ending reply that nobody reads stops at the socket", async () => {
  const { model, upstream } = await connect([
    { tokens: 5, fault: { kind: "never_ending", at: 5, chars: 10_000 } },
  ]);
  const before = process.memoryUsage().external + process.memoryUsage().heapUsed;
  const abort = new AbortController();
  const reading = model.generate(ask(), abort.signal)[Symbol.asyncIterator]();
  await reading.next();
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(process.memoryUsage().external + process.memoryUsage().heapUsed - before).toBeLessThan(
    64 * 1024 * 1024,
  );
  abort.abort();
  await expect.poll(() => upstream.requests[0]?.state).toBe("aborted_by_client");
});

test("continues with what each kind of server understands", async () => {
  const prefix = { reasoning: "", answer: "Half an ans" };
  const cases: [string, object, object][] = [
    [
      "vllm",
      { role: "assistant", content: "Half an ans" },
      { continue_final_message: true, add_generation_prompt: false },
    ],
    [
      "llamacpp",
      { role: "assistant", content: "Half an ans" },
      { chat_template_kwargs: { enable_thinking: false } },
    ],
    ["library", { role: "assistant", content: "Half an ans" }, {}],
  ];
  for (const [owner, last, parameters] of cases) {
    const { model, upstream } = await connect(
      [{ answer: "Half an answer" }],
      { continuation: "auto" },
      owner,
    );
    await model.health();
    expect(joined(await collect(model, ask({ prefix, thinking: true })), "text")).toBe("wer");
    expect(upstream.requests[0]?.messages.at(-1)).toEqual(last);
    expect(upstream.requests[0]?.parameters).toMatchObject(parameters);
  }
  const { model, upstream } = await connect([{ answer: "Half an answer" }], { continuation: "auto" });
  expect(model.info().continuation).toBe("instruct");
  expect(joined(await collect(model, ask({ prefix })), "text")).toBe("wer");
  expect(upstream.requests[0]?.messages.map((message) => message.role)).toEqual([
    "user",
    "assistant",
    "user",
  ]);
});

test("takes the model for the purpose, and the first that writes text when none is named", async () => {
  const names = { thinkingName: "thinker", coderName: "coder", titleName: "titles" };
  const { model, upstream } = await connect([], names);
  await collect(model, ask());
  await collect(model, ask({ thinking: true }));
  await collect(model, ask({ purpose: "coder" }));
  await collect(model, ask({ purpose: "title" }));
  expect(upstream.requests.map((request) => request.model)).toEqual([
    "scripted-model",
    "thinker",
    "coder",
    "titles",
  ]);
  const unnamed = await connect([], { name: null });
  unnamed.upstream.control({
    models: [{ id: "bge-m3" }, { id: "qwen3-embedding" }, { id: "whisper-1" }, { id: "qwen3:8b" }],
  });
  await collect(unnamed.model, ask());
  expect(unnamed.upstream.requests[0]?.model).toBe("qwen3:8b");
  expect(unnamed.model.info().name).toBe("qwen3:8b");
});

test("asks the model that was chosen, thinking or not, and the default one for what is not offered", async () => {
  const offered = [{ id: "chosen", name: "Chosen" }];
  const { model, upstream } = await connect([], { thinkingName: "thinker", coderName: "coder", offered });
  await collect(model, ask({ model: "chosen" }));
  await collect(model, ask({ model: "chosen", thinking: true, purpose: "coder" }));
  await collect(model, ask({ model: "gone" }));
  await collect(model, ask({ model: "", thinking: true }));
  const names = upstream.requests.map((request) => request.model);
  expect(names).toEqual(["chosen", "chosen", "scripted-model", "thinker"]);
  expect(model.info("chosen").name).toBe("chosen");
  expect([model.info("gone").name, model.info().name]).toEqual(["scripted-model", "scripted-model"]);
});

test("tells of a chosen model its own context and whether it thinks", async () => {
  const offered = [
    { id: "qwen3:8b", name: "Qwen" },
    { id: "llama3:8b", name: "Llama" },
  ];
  const { model, upstream } = await connect([], { thinkingName: "thinker", offered });
  upstream.control({ models: [{ id: "scripted-model" }, { id: "qwen3:8b", max_model_len: 4096 }] });
  await model.health();
  expect(model.info("qwen3:8b")).toMatchObject({ contextTokens: 4096, thinking: true });
  expect(model.info("llama3:8b")).toMatchObject({ contextTokens: 61_440, thinking: false });
  expect(model.info()).toMatchObject({ contextTokens: 61_440, thinking: true });
  expect(model.offered().map(({ id, listed }) => [id, listed])).toEqual([
    ["qwen3:8b", true],
    ["llama3:8b", false],
  ]);
});

test("where all models are offered, a request for one waits until the endpoint has told them", async () => {
  const { model, upstream } = await connect([], { offered: "*" });
  upstream.control({ models: [{ id: "scripted-model" }, { id: "other" }] });
  await collect(model, ask({ model: "other" }));
  await collect(model, ask({ model: "bge-m3" }));
  expect(upstream.requests.map((request) => request.model)).toEqual(["other", "scripted-model"]);
  const ids = () => model.offered().map(({ id }) => id);
  expect(ids()).toEqual(["scripted-model", "other"]);
  // What is pulled or removed later is noticed within a minute of use.
  upstream.control({ models: [{ id: "scripted-model" }, { id: "new" }] });
  expect(ids()).toEqual(["scripted-model", "other"]);
  const { now } = performance;
  vi.spyOn(performance, "now").mockImplementation(() => now.call(performance) + 61_000);
  await expect.poll(ids).toEqual(["scripted-model", "new"]);
  vi.restoreAllMocks();
});

test("asks for thinking in the given style", async () => {
  const cases = [
    ["reasoning_effort", { reasoning_effort: "high" }],
    ["enable_thinking", { enable_thinking: true, chat_template_kwargs: { enable_thinking: true } }],
    ["thinking_type", { thinking: { type: "enabled" } }],
  ] as const;
  for (const [thinkingStyle, parameters] of cases) {
    const { model, upstream } = await connect([{ reasoning: 5, reasoningWhen: "asked" }], { thinkingStyle });
    expect(joined(await collect(model, ask({ thinking: true })), "reasoning")).not.toBe("");
    expect(joined(await collect(model, ask()), "reasoning")).toBe("");
    expect(upstream.requests[0]?.parameters).toMatchObject(parameters);
  }
});

test("health follows the endpoint, and the start does not wait for it", async () => {
  const { model, upstream } = await connect([]);
  upstream.control({ down: { status: 500 } });
  await expect.poll(() => model.health()).toBe("degraded");
  upstream.control({ down: null });
  await expect.poll(() => model.health()).toBe("ok");
}, 20_000);

/** The warnings of an endpoint that refuses everything, and what a reply is told of it. */
async function refused(
  answer: { status: number; body: string } | null,
  more: Partial<Config["model"]> = {},
): Promise<{ model: ModelProvider; warnings: Record<string, unknown>[]; message: string }> {
  const server = createServer((_, response) => {
    response.writeHead(answer?.status ?? 200, { "content-type": "application/json" }).end(answer?.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  if (answer === null) await close();
  const lines: string[] = [];
  const model = new OpenAiCompatibleModel({
    baseUrl: `http://user:${SECRET}@127.0.0.1:${port}/v1`,
    model: settings({ name: null, ...more }),
    log: pino({ level: "warn" }, { write: (line) => void lines.push(line) }),
  });
  open.push(model, ...(answer === null ? [] : [{ close }]));
  const { message } = await failure(collect(model, ask()));
  expect(lines.join("") + message + JSON.stringify(model.info())).not.toMatch(/very-secret|6789/u);
  expect(model.info().address).toBe(`http://127.0.0.1:${port}/v1`);
  return { model, warnings: lines.map((line) => JSON.parse(line) as Record<string, unknown>), message };
}

const keyError = (status: number): { status: number; body: string } => ({
  status,
  body: JSON.stringify({ error: { message: `Incorrect API key provided: ${SECRET}, ****6789.` } }),
});

test.each([
  [401, SECRET, "refused the key (401): check MODEL_API_KEY"],
  [403, SECRET, "refused the key (403): check MODEL_API_KEY"],
  [401, null, "asks for a key (401): set MODEL_API_KEY"],
])(
  "%d to the list of models, key %s: the log says so at once and for each reply",
  async (status, apiKey, trouble) => {
    const { model, warnings, message } = await refused(keyError(status), { apiKey });
    expect(warnings).toMatchObject([{ msg: `the model endpoint ${trouble}` }]);
    expect(message).toContain(`(${status})`);
    expect(message).not.toContain("lists no model");
    expect(model.info().trouble).toBe(trouble);
    expect(await model.health()).toBe("degraded");
  },
);

test("a connection is kept between two messages, and one that was closed meanwhile costs no reply", async () => {
  const sockets = new Set<unknown>();
  let calls = 0;
  const server = createServer((request, response) => {
    // The list of models.
    if (request.method === "GET") return void response.writeHead(404).end();
    sockets.add(request.socket);
    calls += 1;
    // What a call meets on a connection that the endpoint gives up in the same moment.
    if (calls === 3) return void request.socket.resetAndDestroy();
    request.resume();
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(
      'data: {"choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  const { port } = server.address() as AddressInfo;
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  const model = new OpenAiCompatibleModel({ baseUrl, model: settings(), log, firstTokenMs: 2_000 });
  open.push(model, { close: async () => void server.close() });
  for (const at of [1, 2, 4]) {
    expect(joined(await collect(model, ask()), "text")).toBe("Hi");
    expect(calls).toBe(at);
  }
  expect(sockets.size).toBe(2);
});

test("an endpoint that fails or is not there is named as what it is, not as one without models", async () => {
  const failing = await refused({ status: 500, body: "oh no" });
  expect(failing.message).toBe("The model endpoint answered 500: oh no");
  expect(failing.warnings).toMatchObject([{ msg: "the model endpoint answers with an error (500)" }]);
  const gone = await refused(null);
  expect(gone.message).toBe("The connection to the model endpoint failed (ECONNREFUSED).");
  expect(gone.warnings).toMatchObject([{ msg: "the model endpoint does not answer" }]);
  const page = await refused({ status: 200, body: "<h1>hello</h1>" });
  expect(page.message).toBe("The endpoint's list of models is no JSON.");
  const empty = await refused({ status: 200, body: '{"data":[]}' });
  expect(empty.message).toBe("The model endpoint lists no model that writes text; set MODEL_NAME.");
  expect(empty.model.info().trouble).toBeUndefined();
});

test("a listed name is asked for as it is and shown without what a terminal acts on", async () => {
  const id = "evil\u001b]0;title\u0007\u009b2J\nmodel";
  const upstream = await startScriptedUpstream({ scripts: [], models: [{ id, owned_by: "scripted" }] });
  const options = { baseUrl: upstream.url, model: settings({ name: null }), log, firstTokenMs: 2_000 };
  const model = new OpenAiCompatibleModel(options);
  open.push(model, upstream);
  await model.health();
  expect(model.info().name).toBe("evil\ufffd]0;title\ufffd\ufffd2J\ufffdmodel");
});

/** A model behind a server that gives these slices one after another; the body of the last call. */
async function sliced(
  contentType: string,
  slices: readonly (string | Buffer)[],
  headers: Record<string, string> = {},
): Promise<{ model: ModelProvider; body: () => unknown }> {
  let received = "";
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    received = "";
    for await (const part of request) received += String(part);
    response.writeHead(200, { ...(contentType === "" ? {} : { "content-type": contentType }), ...headers });
    for (const slice of slices) {
      response.write(slice);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    response.end();
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const model = new OpenAiCompatibleModel({
    baseUrl: `http://127.0.0.1:${port}/v1`,
    model: settings({ name: "sliced" }),
    log: pino({ level: "silent" }),
  });
  open.push(model, { close: () => new Promise((resolve) => server.close(() => resolve())) });
  return { model, body: () => JSON.parse(received) as unknown };
}

const event = (delta: object, reason: string | null = null): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`;

test.each([
  ["da", "ta: "],
  ["\ufeff", "d", "ata: "],
  ["\n\n: a comment", "\n\ndata: "],
  ["ev", "ent: message\nda", "ta: "],
])("a stream without its content type is read however its beginning is sliced: %j %j", async (...cut) => {
  const whole = event({ content: "Hello" }).slice("data: ".length);
  const { model } = await sliced("text/plain", [...cut, whole, event({}, "stop")]);
  const chunks = await collect(model, ask());
  expect(chunks).toMatchObject([
    { type: "text", text: "Hello" },
    { type: "end", reason: "stop" },
  ]);
});

test.each(["da", "date: today", "data", "hello: you", "\n\n", ""])(
  "an answer without a content type that only begins like a stream is none: %j",
  async (text) => {
    const { model } = await sliced("", [text]);
    expect((await failure(collect(model, ask()))).failure).toMatch(/protocol|unavailable/u);
  },
);

test("tool calls come whole, after the text; offered tools, calls and results are given to the endpoint", async () => {
  const piece = (index: number, more: object): string => event({ tool_calls: [{ index, ...more }] });
  const { model, body } = await sliced("text/event-stream", [
    event({ content: "Let me look." }),
    piece(0, { id: "a", function: { name: "search", arguments: "" } }),
    piece(0, { function: { arguments: '{"query":' } }),
    piece(1, { id: "b", function: { name: "open", arguments: "{}" } }),
    piece(0, { function: { arguments: '"rain"}' } }),
    event({}, "tool_calls"),
    "data: [DONE]\n\n",
  ]);
  const call = { id: "z", name: "search", arguments: '{"query":"sun"}' };
  const tool = { name: "search", description: "Searches.", parameters: { type: "object" } };
  const chunks = await collect(model, {
    messages: [
      { role: "user", content: "Weather?" },
      { role: "assistant", content: "", toolCalls: [call] },
      { role: "tool", content: "Sunny.", toolCallId: "z" },
    ],
    purpose: "chat",
    thinking: false,
    tools: [tool],
  });
  expect(chunks).toEqual([
    { type: "text", text: "Let me look." },
    { type: "tool_call", call: { id: "a", name: "search", arguments: '{"query":"rain"}' } },
    { type: "tool_call", call: { id: "b", name: "open", arguments: "{}" } },
    { type: "end", reason: "stop" },
  ]);
  expect(body()).toMatchObject({
    tools: [{ type: "function", function: tool }],
    messages: [
      { role: "user" },
      {
        role: "assistant",
        tool_calls: [
          { id: "z", type: "function", function: { name: "search", arguments: '{"query":"sun"}' } },
        ],
      },
      { role: "tool", content: "Sunny.", tool_call_id: "z" },
    ],
  });
});

test("what comes while nobody asks is read at once later, and the socket goes on after it", async () => {
  const comment = `: ${"x".repeat(1000)}\n\n`.repeat(700);
  const { model } = await sliced("text/event-stream", [
    event({ content: "One" }),
    comment,
    event({ content: " two" }),
    comment,
    event({ content: " three" }),
    event({}, "stop"),
  ]);
  let text = "";
  for await (const chunks of model.generate(ask(), new AbortController().signal)) {
    // A busy consumer: more than the socket may hold comes meanwhile.
    await new Promise((resolve) => setTimeout(resolve, 50));
    for (const chunk of chunks) if (chunk.type === "text") text += chunk.text;
  }
  expect(text).toBe("One two three");
});

test("what a compressed reply becomes is taken no faster than it is read", async () => {
  const events = event({ content: "x".repeat(1000) }).repeat(64 * 1024);
  const body = gzipSync(events, { level: 9 });
  expect(events.length / body.length).toBeGreaterThan(100);
  const { model } = await sliced("text/event-stream", [body], { "content-encoding": "gzip" });
  const reading = model.generate(ask(), new AbortController().signal)[Symbol.asyncIterator]();
  const before = heldBytes();
  for (let times = 0; times < 4; times += 1) {
    expect((await reading.next()).done).toBe(false);
    // A busy consumer, for whom all of it could come meanwhile.
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(heldBytes() - before).toBeLessThan(4 * 1024 * 1024);
  }
  await reading.return?.(undefined);
});

test.each([
  ["lines that are no event", "data: x\n", 500_000],
  ["lines that are no event, ended as on old machines", "data: x\r", 500_000],
  ["a call of a tool", event({ tool_calls: [{ index: 0, function: { name: "x".repeat(1000) } }] }), 1000],
  ["calls of tools", `data: ${JSON.stringify({ choices: [{ delta: { tool_calls: [{}] } }] })}\n\n`, 1000],
])("%s without end are given up long before they fill memory", async (_name, sent, times) => {
  const { model } = await sliced("text/event-stream", [sent.repeat(times)]);
  expect((await failure(collect(model, ask()))).message).toContain("without end");
});

const offered = ask({
  tools: [{ name: "search", description: "Searches.", parameters: { type: "object" } }],
});

test("a model that is refused for its tools is asked without them, and from then on", async () => {
  const refusal = {
    kind: "http" as const,
    status: 400,
    body: { error: { message: "registry.ollama.ai/library/tiny does not support tools" } },
  };
  const { model, upstream } = await connect([{ times: 1, refusal }, { answer: "Without." }]);
  for (const _time of [1, 2]) expect(joined(await collect(model, offered), "text")).toBe("Without.");
  expect(upstream.requests.map(({ parameters }) => "tools" in parameters)).toEqual([true, false, false]);
});

test("another refusal stays one", async () => {
  const refusal = { kind: "http" as const, status: 400, body: { error: { message: "no" } } };
  const { model, upstream } = await connect([{ refusal }]);
  expect((await failure(collect(model, offered))).message).toContain("no");
  expect(upstream.requests).toHaveLength(1);
});
