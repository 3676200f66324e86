import { connect } from "node:net";
import { defineCall } from "@plumb/protocol/wire/call";
import { Global } from "@plumb/protocol/wire/global-codes";
import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { createMetrics } from "../metrics.ts";
import { GlobalRefusal, Refusal } from "../refusal.ts";
import type { Gatekeepers } from "./gatekeepers.ts";
import { jsonBody } from "./body-limits.ts";
import { createHttpServer } from "./http-server.ts";
import type { CurrentUser, RequestContext } from "./request-context.ts";
import { Answer, PlainAnswer, StreamAnswer } from "./answers.ts";
import { type Policy, type Route, route } from "./route.ts";

const user: CurrentUser = { id: "user-1", tokenHash: "hash", mutedUntil: null, linkGeneration: 0 };
const any: Policy = { rate: "api", accountStatus: "any" };
const body = z.object({ title: z.string() });

let steps: string[];
let refuse: Record<string, Error>;
let muted: number | null;
let sentBeforeText: number | null;
let seen: { context: RequestContext; request: unknown } | null;
let logged: string[];
let server: FastifyInstance;

const passAtOnce = (step: string): void => {
  steps.push(step);
  const refusal = refuse[step];
  if (refusal !== undefined) throw refusal;
};
const pass = async (step: string): Promise<void> => passAtOnce(step);

const gates: Gatekeepers = {
  checkIpRate: () => pass("ip"),
  checkClearance: () => passAtOnce("clearance"),
  async authenticate(token) {
    steps.push("token");
    if (token === "bad") return new GlobalRefusal(Global.InvalidToken);
    return { ...user, mutedUntil: muted };
  },
  checkAccountStatus: () => pass("status"),
  checkBeforeBody: () => passAtOnce("early"),
  checkUserRate: (_context, rate) => pass(rate === "repeat" ? "repeat rate" : "rate"),
  checkProof: () => pass("proof"),
};

const handle = async (context: RequestContext, request: unknown) => {
  steps.push("handler");
  seen = { context, request };
  return { echoed: request };
};

const routes: Route[] = [
  route(
    defineCall<unknown>()({
      method: "POST",
      path: "/api/v0/full",
      proof: "user:completion_like",
      request: body,
    }),
    {
      rate: "chat",
      accountStatus: "speaking",
      body: { ...jsonBody, bytes: 1000 },
      muted: "global",
      isRepeat: async (_context: never, request: { title: string }) => {
        steps.push("repeat");
        return request.title === "again";
      },
    },
    handle,
  ),
  route(
    defineCall<unknown>()({ method: "POST", path: "/api/v0/stream", answers: "stream", request: body }),
    {
      rate: "chat",
      accountStatus: "speaking",
      muted: { code: 5, msg: "USER_IS_MUTED" },
    },
    async () =>
      new StreamAnswer((response) => {
        sentBeforeText = response.socket?.bytesWritten ?? null;
        response.end("event: ready\n\n");
      }),
  ),
  route(
    defineCall<unknown>()({ method: "POST", path: "/api/v0/open", auth: "optional", request: z.object({}) }),
    any,
    handle,
  ),
  route(
    defineCall<unknown>()({
      method: "GET",
      path: "/api/v0/query",
      auth: "none",
      request: z.object({ a: z.string() }),
    }),
    any,
    handle,
  ),
  route(
    defineCall<unknown>()({
      method: "POST",
      path: "/api/v0/account",
      auth: "none",
      answers: "account",
      request: body,
    }),
    any,
    async () => {
      throw new Refusal({ code: 3, msg: "NOT_SO" }, { send_window_secs: 7 });
    },
  ),
  route(
    defineCall<unknown>()({ method: "GET", path: "/api/v0/fault", auth: "none", request: z.object({}) }),
    any,
    async () => {
      throw new Error("the secret password is 1234");
    },
  ),
  route(
    defineCall<unknown>()({ method: "GET", path: "/api/v0/outcome", auth: "none", request: z.object({}) }),
    any,
    async () => new Answer({ code: 22, msg: "RESUME_GOT_FULL_MESSAGE" }, { whole: true }),
  ),
  route(
    defineCall<unknown>()({ method: "GET", path: "/plain.txt", auth: "none", request: z.object({}) }),
    { ...any, answers: ["plain"] },
    async () => new PlainAnswer("1.2.3", { "content-type": "text/plain" }),
  ),
];

async function start(trustedProxies: string[] = []): Promise<FastifyInstance> {
  const log = pino({ level: "error" }, { write: (line: string) => void logged.push(line) });
  const options = {
    edition: "international" as const,
    publicUrl: null,
    trustedProxies,
    routes,
    gates,
    log,
    metrics: createMetrics(),
  };
  return createHttpServer(options, async () => async (_request, reply) => {
    passAtOnce("page");
    return reply.code(200).send("the page");
  });
}

beforeEach(async () => {
  steps = [];
  refuse = {};
  muted = null;
  seen = null;
  sentBeforeText = null;
  logged = [];
  server = await start();
});
afterEach(() => server.close());

const bearer = { authorization: "Bearer good" };
async function post(
  url: string,
  payload: string | Buffer | undefined,
  headers: Record<string, string> = bearer,
) {
  const response = await server.inject({
    method: "POST",
    url,
    headers,
    ...(payload === undefined ? {} : { payload }),
  });
  return { status: response.statusCode, headers: response.headers, json: response.json() };
}

describe("the order of checks", () => {
  test("is that of the contract", async () => {
    const answer = await post("/api/v0/full", '{"title":"t"}');
    expect(answer.json).toEqual({
      code: 0,
      msg: "",
      data: { biz_code: 0, biz_msg: "", biz_data: { echoed: { title: "t" } }, code: 0 },
      context: { logId: answer.headers["x-ds-trace-id"] },
    });
    expect(steps).toEqual([
      "ip",
      "clearance",
      "token",
      "status",
      "early",
      "repeat",
      "rate",
      "proof",
      "handler",
    ]);
  });

  test.each([
    ["ip", Global.IpAccessRestricted, ["ip"]],
    ["clearance", Global.BotChallenge, ["ip", "clearance"]],
    ["status", Global.AccountUnderReview, ["ip", "clearance", "token", "status"]],
    ["early", Global.OperationTooFrequent, ["ip", "clearance", "token", "status", "early"]],
    ["rate", Global.RateLimitReached, ["ip", "clearance", "token", "status", "early", "repeat", "rate"]],
    [
      "proof",
      Global.InvalidPowResponse,
      ["ip", "clearance", "token", "status", "early", "repeat", "rate", "proof"],
    ],
  ])("a refusal at %s ends it there", async (step, code, reached) => {
    refuse[step] = new GlobalRefusal(code, { retryAfter: 7 });
    const answer = await post("/api/v0/full", '{"title":"t"}');
    expect([answer.status, answer.json.code, answer.json.msg, answer.json.data]).toEqual([
      code.status,
      code.code,
      code.msg,
      null,
    ]);
    expect(answer.headers["retry-after"]).toBe(code.status === 429 ? "7" : undefined);
    expect(steps).toEqual(reached);
  });

  test.each([
    [Global.OperationTooFrequent, "7"],
    [Global.ServiceUnavailable, "7"],
    [Global.NotFound, undefined],
  ])("a page that cannot be served says when to come again: %o", async (code, again) => {
    refuse["page"] = new GlobalRefusal(code, { retryAfter: 7 });
    const answer = await server.inject({ url: "/share/somewhere" });
    expect([answer.statusCode, answer.headers["retry-after"]]).toEqual([code.status, again]);
  });

  test("the token comes before the schema, the schema before rate and proof", async () => {
    expect((await post("/api/v0/full", "{}", {})).json.code).toBe(40002);
    expect((await post("/api/v0/full", "{}", { authorization: "Bearer bad" })).json.code).toBe(40003);
    expect((await post("/api/v0/full", "{}", { authorization: "Basic good" })).json.code).toBe(40002);
    steps = [];
    const answer = await post("/api/v0/full", "{}");
    expect([answer.status, answer.json.code, answer.json.detail]).toEqual([
      422,
      42200,
      [{ loc: "body.title", msg: "required" }],
    ]);
    expect(steps).toEqual(["ip", "clearance", "token", "status", "early"]);
  });

  test("a length over the limit comes first, and a body that hides its length is still measured", async () => {
    const long = JSON.stringify({ title: "x".repeat(1000) });
    const answer = await post("/api/v0/full", long);
    expect([answer.status, answer.json.code, steps]).toEqual([413, 41300, []]);
    await server.listen({ port: 0, host: "127.0.0.1" });
    const chunked = await fetch(`${server.listeningOrigin}/api/v0/full`, {
      method: "POST",
      headers: bearer,
      body: new Blob([long]).stream(),
      duplex: "half",
    } as RequestInit);
    expect([chunked.status, ((await chunked.json()) as { code: number }).code]).toEqual([413, 41300]);
  });

  test("a repeat has a rate class of its own and skips the proof, not the mute", async () => {
    await post("/api/v0/full", '{"title":"again"}');
    expect(steps).toEqual([
      "ip",
      "clearance",
      "token",
      "status",
      "early",
      "repeat",
      "repeat rate",
      "handler",
    ]);
    muted = 1_900_000_000;
    const { json } = await post("/api/v0/full", '{"title":"again"}');
    expect([json.code, json.msg]).toEqual([50006, "USER_IS_MUTED"]);
    expect(json.data).toEqual({
      biz_code: 50006,
      biz_msg: "USER_IS_MUTED",
      biz_data: null,
      code: 50006,
      end_at: 1_900_000_000,
      mute_until: 1_900_000_000,
    });
  });

  test("a muted person's stream call has its own number, and a proof is spent before", async () => {
    muted = 1_900_000_000;
    const { status, json } = await post("/api/v0/stream", '{"title":"t"}');
    expect([status, json.data]).toEqual([
      200,
      {
        biz_code: 5,
        biz_msg: "USER_IS_MUTED",
        biz_data: { mute_until: 1_900_000_000, is_muted: 1 },
        code: 5,
      },
    ]);
    await post("/api/v0/full", '{"title":"t"}');
    expect(steps).toContain("proof");
  });

  test("where a token is optional a bad one counts as none", async () => {
    await post("/api/v0/open", "{}", { authorization: "Bearer bad" });
    expect(seen?.context.user).toBeNull();
    await post("/api/v0/open", "{}", { authorization: "bEaReR good" });
    expect([seen?.context.user?.id, seen?.context.token]).toEqual(["user-1", "good"]);
  });
});

describe("requests", () => {
  test.each([
    ["no body", undefined],
    ["an empty body", ""],
    ["spaces", " \n"],
    ["an object", "{}"],
    ["a byte order mark", "\ufeff{}"],
    ["unknown keys", '{"more":[1]}'],
  ])("%s is taken where nothing is required", async (_name, payload) => {
    expect((await post("/api/v0/open", payload, {})).json.code).toBe(0);
  });

  test.each(["text/plain", "nonsense", "application/xml; charset=latin1", "multipart/form-data"])(
    "JSON is read as JSON though called %s",
    async (type) => {
      const { json } = await post("/api/v0/full", '{"title":"t"}', { ...bearer, "content-type": type });
      expect(json.data?.biz_data).toEqual({ echoed: { title: "t" } });
    },
  );

  test.each([
    ["half an object", '{"title":'],
    ["bytes that are no UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d])],
    ["an array", "[]"],
    ["null", "null"],
    ["a number", "7"],
    ["a wrong type", '{"title":7}'],
  ])(
    "%s is a schema error, and on stream calls business code 2 with the same detail",
    async (_name, payload) => {
      const json = await post("/api/v0/full", payload);
      expect([json.status, json.json.code, json.json.data]).toEqual([422, 42200, null]);
      expect(json.json.detail[0].loc).toMatch(/^body/u);
      const stream = await post("/api/v0/stream", payload);
      expect([stream.status, stream.json.code]).toEqual([200, 0]);
      expect(stream.json.data).toEqual({ biz_code: 2, biz_msg: "INVALID_PARAMS", biz_data: null, code: 2 });
      expect(stream.json.detail).toEqual(json.json.detail);
    },
  );

  test("keys that reach prototypes are dropped, the last of two equal keys wins", async () => {
    await post("/api/v0/full", '{"title":"a","__proto__":{"polluted":1},"constructor":1,"title":"b"}');
    expect(seen?.request).toEqual({ title: "b" });
    expect(Object.getPrototypeOf(seen?.request)).toBe(Object.prototype);
  });

  test("the first of two equal query parameters wins", async () => {
    const response = await server.inject({ method: "GET", url: "/api/v0/query?a=1&a=2&__proto__=3&b=%ff" });
    expect(response.json().data.biz_data).toEqual({ echoed: { a: "1" } });
    const missing = await server.inject({ method: "GET", url: "/api/v0/query?b=1" });
    expect([missing.statusCode, missing.json().detail]).toEqual([422, [{ loc: "query.a", msg: "required" }]]);
  });

  test("the context knows locale, device and address", async () => {
    const ask = async (headers: Record<string, string>) => {
      await post("/api/v0/open", "{}", headers);
      return seen?.context;
    };
    expect((await ask({ "x-client-locale": "zh-CN" }))?.locale).toBe("zh_CN");
    expect((await ask({ "x-client-locale": "fr_FR" }))?.locale).toBe("en_US");
    expect((await ask({ "x-device-id": "d".repeat(500) }))?.deviceId).toBe("d".repeat(500));
    expect((await ask({}))?.deviceId).toBeNull();
    expect((await ask({ "x-forwarded-for": "203.0.113.9" }))?.ip).toBe("127.0.0.1");
    const long = await post("/api/v0/open", "{}", { "x-device-id": "d".repeat(501) });
    expect([long.status, long.json.detail]).toEqual([
      422,
      [{ loc: "header.x-device-id", msg: "longer than 500" }],
    ]);
  });

  test("forwarding headers are believed from trusted proxies alone", async () => {
    await server.close();
    server = await start(["127.0.0.1"]);
    await post("/api/v0/open", "{}", { "x-forwarded-for": "198.51.100.1, 203.0.113.9" });
    expect(seen?.context.ip).toBe("203.0.113.9");
  });
});

describe("answers", () => {
  test("every one carries its trace id and the common headers", async () => {
    const urls = [
      "/api/v0/outcome",
      "/api/v0/fault",
      "/api/v0/nowhere",
      "/plain.txt",
      "/a/page",
      "/api/v0/%zz",
    ];
    const ids = new Set<unknown>();
    for (const url of urls) {
      const { headers } = await server.inject({ method: "GET", url });
      expect([url, headers["x-ds-trace-id"]]).toEqual([url, expect.stringMatching(/^[0-9a-f]{32}$/u)]);
      expect([url, headers["x-content-type-options"], headers["referrer-policy"]]).toEqual([
        url,
        "nosniff",
        "no-referrer",
      ]);
      ids.add(headers["x-ds-trace-id"]);
    }
    expect(ids.size).toBe(urls.length);
  });

  test("a caller cannot choose the trace id", async () => {
    const given = "f".repeat(32);
    const { headers } = await server.inject({
      method: "GET",
      url: "/plain.txt",
      headers: { "request-id": given, "x-ds-trace-id": given },
    });
    expect(headers["x-ds-trace-id"]).not.toBe(given);
  });

  test("JSON is called by its name and kept by nobody", async () => {
    const { headers } = await post("/api/v0/open", "{}");
    expect([headers["content-type"], headers["cache-control"]]).toEqual([
      "application/json; charset=utf-8",
      "no-store",
    ]);
  });

  test("unknown paths, wrong methods and pages", async () => {
    const ask = async (method: "GET" | "POST" | "DELETE" | "OPTIONS" | "HEAD", url: string) => {
      const response = await server.inject({ method, url });
      return [
        response.statusCode,
        method === "HEAD" ? null : (response.json().code as number),
        response.headers["allow"],
      ];
    };
    expect(await ask("GET", "/api/v0/nowhere")).toEqual([404, 40400, undefined]);
    expect(await ask("GET", "/api/v0/open/")).toEqual([404, 40400, undefined]);
    expect(await ask("POST", "/api/v0/%zz")).toEqual([404, 40400, undefined]);
    expect(await ask("GET", "/api/v0/open?x=1")).toEqual([405, 40500, "POST"]);
    expect(await ask("DELETE", "/api/v0/query")).toEqual([405, 40500, "GET"]);
    expect(await ask("OPTIONS", "/api/v0/query")).toEqual([405, 40500, "GET"]);
    expect(await ask("HEAD", "/api/v0/query")).toEqual([405, null, "GET"]);
    expect((await server.inject({ method: "GET", url: "/a/page" })).body).toBe("the page");
  });

  test.each(["/%ff", "/a/%c3%28", "/static/%", "/%zz?x=1", "/apis/%ff"])(
    "%s cannot be read: a plain 400, no envelope",
    async (url) => {
      const { statusCode, headers, body } = await server.inject({ method: "GET", url });
      expect([statusCode, headers["content-type"], body]).toEqual([
        400,
        "text/plain; charset=utf-8",
        "Bad request\n",
      ]);
      expect(headers["x-content-type-options"]).toBe("nosniff");
    },
  );

  test("a business refusal of an account call repeats its number inside", async () => {
    const { status, json } = await post("/api/v0/account", '{"title":"t"}', {});
    expect([status, json.code, json.data]).toEqual([
      200,
      0,
      { biz_code: 3, biz_msg: "NOT_SO", biz_data: { send_window_secs: 7, code: 3, msg: "NOT_SO" }, code: 3 },
    ]);
  });

  test("a success may have a number of its own", async () => {
    const response = await server.inject({ method: "GET", url: "/api/v0/outcome" });
    expect(response.json().data).toEqual({
      biz_code: 22,
      biz_msg: "RESUME_GOT_FULL_MESSAGE",
      biz_data: { whole: true },
      code: 22,
    });
  });

  test("a fault is logged with its trace id and told without its message", async () => {
    const response = await server.inject({ method: "GET", url: "/api/v0/fault" });
    expect([response.statusCode, response.json().code, response.json().data]).toEqual([500, 50000, null]);
    expect(response.body).not.toContain("password");
    expect(logged).toHaveLength(1);
    expect(JSON.parse(logged[0] ?? "")).toMatchObject({
      trace: response.headers["x-ds-trace-id"],
      err: { message: "the secret password is 1234" },
    });
  });

  test("a stream has its own headers and is never compressed", async () => {
    await server.listen({ port: 0, host: "127.0.0.1" });
    const response = await fetch(`${server.listeningOrigin}/api/v0/stream`, {
      method: "POST",
      headers: { ...bearer, "accept-encoding": "gzip, br" },
      body: '{"title":"t"}',
    });
    expect(await response.text()).toBe("event: ready\n\n");
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-cache, no-transform",
      "x-accel-buffering": "no",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "x-ds-trace-id": expect.stringMatching(/^[0-9a-f]{32}$/u),
    });
    expect(response.headers.has("content-encoding")).toBe(false);
    // The head goes out with the first text, in one write.
    expect(sentBeforeText).toBe(0);
  });

  test("what is no HTTP at all does not harm the server", async () => {
    await server.listen({ port: 0, host: "127.0.0.1" });
    const { port } = new URL(server.listeningOrigin);
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), "127.0.0.1", () => socket.write("\0\0 garbage\r\n\r\n"));
      socket.on("close", () => resolve());
      socket.on("error", () => resolve());
      socket.resume();
    });
    expect((await fetch(`${server.listeningOrigin}/plain.txt`)).status).toBe(200);
  });
});

describe("a route that does not say how it is guarded does not start", () => {
  const call = defineCall<null>()({ method: "POST", path: "/api/v0/x", request: z.object({}) });
  const open = defineCall<null>()({ method: "POST", path: "/api/v0/x", auth: "none", request: z.object({}) });
  const stream = defineCall<null>()({
    method: "POST",
    path: "/api/v0/x",
    answers: "stream",
    request: z.object({}),
  });
  const proof = defineCall<null>()({
    method: "POST",
    path: "/api/v0/x",
    auth: "optional",
    proof: "user:completion_like",
    request: z.object({}),
  });
  const handler = async () => null;
  test.each([
    ["no policy", [route(call, undefined as unknown as Policy, handler)], "has no policy"],
    ["no rate class", [route(call, { accountStatus: "any" } as Policy, handler)], "no known rate class"],
    [
      "an unknown rate class",
      [route(call, { rate: "toString" as "api", accountStatus: "any" }, handler)],
      "no known rate class",
    ],
    ["no account status", [route(call, { rate: "api" } as Policy, handler)], "no known account status"],
    [
      "an account status without an account",
      [route(open, { rate: "api", accountStatus: "speaking" }, handler)],
      "without an account",
    ],
    ["a user's proof without an account", [route(proof, any, handler)], "without an account"],
    [
      "a stream silent on mutes",
      [route(stream, { rate: "chat", accountStatus: "speaking" }, handler)],
      "muted account",
    ],
    [
      "a stream that answers with none",
      [route(stream, { ...any, muted: "allowed", answers: ["json"] }, handler)],
      "answers with no stream",
    ],
    [
      "an account result in pieces",
      [route({ ...call, answers: "account" }, { ...any, answers: ["large-json"] }, handler)],
      "never whole in memory",
    ],
    ["a path twice", [route(call, any, handler), route(call, any, handler)], "is there twice"],
  ])("%s", async (_name, bad, problem) => {
    const options = {
      edition: "international" as const,
      publicUrl: null,
      trustedProxies: [],
      routes: bad,
      gates,
      log: pino({ level: "silent" }),
      metrics: createMetrics(),
    };
    await expect(
      createHttpServer(options, async () => async (_request, reply) => reply.send("")),
    ).rejects.toThrow(problem);
  });
});
