// Large answers over real connections: whole, paced, given up, counted.
import { connect, type Socket } from "node:net";
import { defineCall } from "@plumb/protocol/wire/call";
import { envelopeOk } from "@plumb/protocol/wire/envelope";
import { Global } from "@plumb/protocol/wire/global-codes";
import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import * as z from "zod/mini";
import { createMetrics } from "../metrics.ts";
import { GlobalRefusal } from "../refusal.ts";
import { LargeJsonAnswer } from "./answers.ts";
import { createHttpServer } from "./http-server.ts";
import { jsonPieces } from "./json-pieces.ts";
import { largeJsonBody } from "./large-json-body.ts";
import { route } from "./route.ts";

const piece = "x".repeat(32 * 1024);
let made: number;
let ended: number;
let logged: string[];
let server: FastifyInstance;
let sockets: Socket[];

const call = (path: string) =>
  defineCall<unknown>()({ method: "GET", path, auth: "none", request: z.object({ pieces: z.string() }) });
const policy = { rate: "api", accountStatus: "any", answers: ["large-json"] } as const;
const pass = async () => {};

async function* texts(count: number, failAt = Infinity) {
  try {
    for (let index = 0; index < count; index++) {
      if (index === failAt) throw new GlobalRefusal(Global.ServiceUnavailable, { retryAfter: 3 });
      made++;
      yield piece;
    }
  } finally {
    ended++;
  }
}

beforeEach(async () => {
  made = 0;
  ended = 0;
  logged = [];
  sockets = [];
  server = await createHttpServer(
    {
      edition: "international",
      publicUrl: null,
      trustedProxies: ["127.0.0.1"],
      log: pino({ level: "error" }, { write: (line: string) => void logged.push(line) }),
      metrics: createMetrics(),
      limits: { unreadMs: 200, largeAnswersPerCaller: 3 },
      gates: {
        checkIpRate: pass,
        checkClearance: () => {},
        authenticate: async () => new GlobalRefusal(Global.InvalidToken),
        checkAccountStatus: pass,
        checkBeforeBody: () => {},
        checkUserRate: pass,
        checkProof: pass,
      },
      routes: [
        route(call("/api/v0/whole"), policy, async (_context, request) => {
          const { pieces } = request;
          return new LargeJsonAnswer(jsonPieces({ texts: texts(Number(pieces)), count: pieces }));
        }),
        route(call("/api/v0/late-fault"), policy, async () => {
          return new LargeJsonAnswer(jsonPieces({ texts: texts(100, 50) }));
        }),
        route(call("/api/v0/early-fault"), policy, async () => {
          return new LargeJsonAnswer(texts(100, 0));
        }),
        route(call("/api/v0/plain"), { rate: "api", accountStatus: "any" }, async (_context, request) => ({
          text: "你好 ".repeat(Number(request.pieces)),
        })),
        route(call("/api/v0/undeclared"), { rate: "api", accountStatus: "any" }, async () => {
          return new LargeJsonAnswer(jsonPieces({}));
        }),
      ],
    },
    async () => async (_request, reply) => reply.code(404).send(""),
  );
  await server.listen({ port: 0, host: "127.0.0.1" });
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await server.close();
});

const ask = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${server.listeningOrigin}/api/v0/${path}`, { headers });

/** A connection that asks and reads nothing. */
async function askWithoutReading(path: string, headers = ""): Promise<Socket> {
  const { port } = new URL(server.listeningOrigin);
  const socket = connect(Number(port), "127.0.0.1");
  sockets.push(socket);
  socket.on("error", () => {});
  socket.pause();
  await new Promise<void>((resolve) => socket.once("connect", () => resolve()));
  socket.write(`GET /api/v0/${path} HTTP/1.1\r\nhost: x\r\n${headers}\r\n`);
  return socket;
}

test.each([
  ["gzip, br", "gzip"],
  ["identity", null],
])("to who accepts %s it comes as any other envelope, byte for byte", async (accepted, encoding) => {
  const response = await ask("whole?pieces=5", { "accept-encoding": accepted });
  expect([
    response.status,
    response.headers.get("content-type"),
    response.headers.get("cache-control"),
    response.headers.get("content-encoding"),
  ]).toEqual([200, "application/json; charset=utf-8", "no-store", encoding]);
  const traceId = response.headers.get("x-ds-trace-id") ?? "";
  const biz = { texts: Array.from({ length: 5 }, () => piece), count: "5" };
  expect(await response.text()).toBe(JSON.stringify(envelopeOk(traceId, biz)));
});

test.each([
  [2000, "gzip", "gzip"],
  [2000, "identity", null],
  [500, "gzip", null],
])("an answer of %i words to who accepts %s has the encoding %s", async (words, accepted, encoding) => {
  const response = await ask(`plain?pieces=${words}`, { "accept-encoding": accepted });
  expect(response.headers.get("content-encoding")).toBe(encoding);
  const { data } = (await response.json()) as { data: { biz_data: { text: string } } };
  expect(data.biz_data.text).toBe("你好 ".repeat(words));
});

test("others are served while it is written, though the reader takes all at once", async () => {
  const body = await largeJsonBody(texts(500), {
    traceId: "t",
    outcome: { code: 0, msg: "" },
    onFault: () => {},
  });
  let turns = 0;
  const count = () => {
    turns++;
    if (!body.destroyed) setImmediate(count);
  };
  setImmediate(count);
  let chars = 0;
  for await (const text of body) chars += String(text).length;
  expect(chars).toBeGreaterThan(500 * piece.length);
  expect(turns).toBeGreaterThan(200);
});

test.each(["\r\n", "G"])(
  "a reader that takes nothing and sends %j now and then is given up",
  async (sent) => {
    const socket = await askWithoutReading("whole?pieces=100000");
    const sending = setInterval(() => socket.write(sent), 50);
    try {
      await vi.waitFor(() => expect(ended).toBe(1), { timeout: 10_000 });
    } finally {
      clearInterval(sending);
    }
  },
);

test("a slow reader that takes write after write is not given up", async () => {
  const socket = await askWithoutReading("whole?pieces=400");
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  let heard = 0;
  socket.on("data", (bytes) => {
    heard += bytes.length;
  });
  const reading = setInterval(() => {
    socket.resume();
    setImmediate(() => socket.pause());
  }, 20);
  await vi.waitFor(() => expect(heard).toBeGreaterThan(400 * piece.length), { timeout: 30_000 });
  clearInterval(reading);
  socket.destroy();
  await closed;
});

test("a reader that takes nothing costs little, and is given up", async () => {
  const socket = await askWithoutReading("whole?pieces=100000");
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  await vi.waitFor(() => expect(ended).toBe(1), { timeout: 10_000 });
  // What the system's buffers take, of 3 GB.
  expect(made).toBeLessThan(2000);
  socket.resume();
  await closed;
});

test.each(["", "accept-encoding: gzip\r\n"])("a reader that leaves ends the source %j", async (accepted) => {
  const socket = await askWithoutReading("whole?pieces=100000", accepted);
  await vi.waitFor(() => expect(made).toBeGreaterThan(0));
  socket.destroy();
  await vi.waitFor(() => expect(ended).toBe(1), { timeout: 10_000 });
});

test("the addresses of an IPv6 /64 are one caller, those of another network another", async () => {
  for (let index = 1; index <= 3; index++)
    await askWithoutReading("whole?pieces=100000", `x-forwarded-for: 2001:db8:1:1::${index}\r\n`);
  const from = async (ip: string) => {
    const response = await ask("whole?pieces=1", { "x-forwarded-for": ip });
    await response.text();
    return response.status;
  };
  await vi.waitFor(async () => expect(await from("2001:db8:1:1::4")).toBe(429));
  expect(await from("2001:db8:1:2::1")).toBe(200);
});

test("one caller has a few at once; the next is refused, and served when one has ended", async () => {
  const open = [];
  for (let index = 0; index < 3; index++) open.push(await askWithoutReading("whole?pieces=100000"));
  await vi.waitFor(() => expect(made).toBeGreaterThan(3));
  await vi.waitFor(async () => {
    const refused = await ask("whole?pieces=1");
    expect([refused.status, refused.headers.get("retry-after"), await refused.json()]).toMatchObject([
      429,
      "1",
      { code: 42903 },
    ]);
  });
  for (const socket of open) socket.destroy();
  const served = async () => {
    const response = await ask("whole?pieces=1");
    // To its end: a server that is closed before that keeps the connection for the next request.
    await response.text();
    return response.status;
  };
  await vi.waitFor(async () => expect(await served()).toBe(200), { timeout: 10_000 });
});

test("what fails before the first piece is answered, after it cuts the connection", async () => {
  const early = await ask("early-fault?pieces=1");
  expect([early.status, early.headers.get("retry-after"), await early.json()]).toMatchObject([
    503,
    "3",
    { code: 50300, data: null },
  ]);
  const late = await ask("late-fault?pieces=1");
  await expect(late.text()).rejects.toThrow("terminated");
  expect(logged.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
    "a large answer could not be finished",
  ]);
});

test("a kind that the route does not declare is a fault", async () => {
  const response = await ask("undeclared?pieces=1");
  expect([response.status, ((await response.json()) as { code: number }).code]).toEqual([500, 50000]);
});
