// Bodies over real connections: bounded before anything is parsed, and when they do not end.
import { nothing } from "@plumb/protocol/wire/fields";
import { Global } from "@plumb/protocol/wire/global-codes";
import { defineCall } from "@plumb/protocol/wire/call";
import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import * as z from "zod/mini";
import { heldBytes } from "../../../test/held-bytes.ts";
import { openRaw, postHead, type RawConnection } from "../../../test/raw-http.ts";
import { createMetrics } from "../metrics.ts";
import { GlobalRefusal } from "../refusal.ts";
import { jsonBody } from "./body-limits.ts";
import type { HttpLimits } from "./http-limits.ts";
import { createHttpServer } from "./http-server.ts";
import { type Policy, route } from "./route.ts";

const KIB = 1024;
const MIB = 1024 * KIB;
const pass = async () => {};
let server: FastifyInstance;
let opened: RawConnection[];
let seen: unknown[];
let takePiece: (piece: Uint8Array) => Promise<void>;

const call = (path: string, auth: "none" | "bearer" = "none") =>
  defineCall<null>()({ method: "POST", path, auth, request: z.object({ a: z.unknown() }) });
const policy = (body: Policy["body"] = jsonBody): Policy => ({ rate: "api", accountStatus: "any", body });
const keep = async (_context: unknown, request: unknown) => {
  seen.push(request);
  return null;
};

async function start(limits: Partial<HttpLimits> = {}, trustedProxies: string[] = []): Promise<void> {
  server = await createHttpServer(
    {
      edition: "international",
      publicUrl: null,
      trustedProxies,
      log: pino({ level: "silent" }),
      metrics: createMetrics(),
      limits: { unfinishedGraceMs: 20, lingerMs: 50, ...limits },
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
        route(call("/api/v0/take"), policy(), keep),
        route(call("/api/v0/hurry"), policy({ ...jsonBody, ms: 50 }), keep),
        route(call("/api/v0/mine", "bearer"), policy(), keep),
        route(
          defineCall<null>()({ method: "POST", path: "/api/v0/stream", auth: "none", request: nothing }),
          policy({ streamed: true, bytes: 40 * MIB, ms: 5000, idleMs: 300 }),
          async (_context, _request, body) => {
            try {
              const piece = Buffer.alloc(64 * KIB);
              for (let count = await body.readInto(piece); count > 0; count = await body.readInto(piece)) {
                await takePiece(piece.subarray(0, count));
              }
            } catch (error) {
              seen.push(error);
              throw error;
            }
            return null;
          },
        ),
      ],
    },
    async () => async (_request, reply) => reply.code(404).send("no page"),
  );
  await server.listen({ port: 0, host: "127.0.0.1" });
}

beforeEach(() => {
  opened = [];
  seen = [];
  takePiece = pass;
});
afterEach(async () => {
  for (const { socket } of opened) socket.destroy();
  await server.close();
});

async function open(from?: string): Promise<RawConnection> {
  const connection = await openRaw(server.listeningOrigin, from);
  opened.push(connection);
  return connection;
}
async function post(path: string, body: string | Uint8Array) {
  const response = await fetch(server.listeningOrigin + path, { method: "POST", body: body as string });
  return { status: response.status, json: (await response.json()) as { code: number; detail?: unknown } };
}
const codeIn = (heard: string): number | null => {
  const found = /"code":(\d+)/u.exec(heard);
  return found === null ? null : Number(found[1]);
};
const answered = (connection: RawConnection) =>
  vi.waitFor(() => expect(connection.heard).toMatch(/\r\n\r\n./u), { timeout: 10_000 });

test("64 deep is read, 65 is refused with its reason", async () => {
  await start();
  const nested = (depth: number) => `{"a":${"[".repeat(depth - 1)}${"]".repeat(depth - 1)}}`;
  expect((await post("/api/v0/take", nested(64))).json.code).toBe(0);
  const { status, json } = await post("/api/v0/take", nested(65));
  expect([status, json.code, json.detail]).toEqual([
    422,
    42200,
    [{ loc: "body", msg: "nested deeper than 64" }],
  ]);
});

test("a body in single bytes is whole, and its multi-byte characters too", async () => {
  await start();
  const text = JSON.stringify({ a: `grüße 你好 ${"x".repeat(5000)}` });
  const bytes = Buffer.from(text);
  const connection = await open();
  connection.socket.setNoDelay(true);
  connection.send(postHead("/api/v0/take", bytes.length));
  for (const byte of bytes.subarray(0, 200)) {
    connection.send(Uint8Array.of(byte));
    await new Promise((resolve) => setImmediate(resolve));
  }
  connection.send(bytes.subarray(200));
  await answered(connection);
  expect(seen).toEqual([JSON.parse(text)]);
});

test.each([
  ["an unknown call", "/api/v0/nothing", 40400],
  ["a wrong method", "/healthz-of-nobody", null],
  ["a missing token", "/api/v0/mine", 40002],
  ["a length over the limit", "/api/v0/take", 41300],
])(
  "%s is answered before the body, and the connection does not wait for it for ever",
  async (_n, path, code) => {
    await start();
    const connection = await open();
    connection.send(postHead(path, code === 41300 ? 65 * KIB : 1000));
    await answered(connection);
    if (code === null) expect(connection.heard).toMatch(/^HTTP\/1\.1 405 /u);
    else expect(codeIn(connection.heard)).toBe(code);
    await connection.ended;
  },
);

test("after such an answer a sender that goes on in time keeps its connection", async () => {
  await start({ lingerMs: 60_000 });
  const connection = await open();
  connection.send(postHead("/api/v0/nothing", 1000));
  await answered(connection);
  connection.send("x".repeat(1000));
  connection.send(`${postHead("/api/v0/take", 9)}{"a":"b"}`);
  await vi.waitFor(() => expect(seen).toEqual([{ a: "b" }]));
});

test("a body that does not come in time is refused, and the connection ends", async () => {
  await start();
  const connection = await open();
  connection.send(`${postHead("/api/v0/hurry", 100)}{"a":`);
  const heard = await connection.ended;
  expect(heard).toMatch(/^HTTP\/1\.1 422 /u);
  expect(heard).toContain("not received in time");
});

test("headers that do not end are cut", async () => {
  await start({ headersMs: 100 });
  const connection = await open();
  connection.send("POST /api/v0/take HTTP/1.1\r\nhost: x\r\nx-half: ");
  expect(await connection.ended).toMatch(/^HTTP\/1\.1 408 /u);
});

/** Sends one byte every few ms until the connection has closed; at most for `ms`. */
async function trickle(connection: RawConnection, ms: number): Promise<void> {
  const until = performance.now() + ms;
  while (!connection.closed && performance.now() < until) {
    connection.send("x");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

test("headers that trickle in are cut in the same time, also those of a second request", async () => {
  await start({ headersMs: 100 });
  const first = await open();
  first.send("POST /api/v0/take HTTP/1.1\r\nhost: x\r\nx-half: ");
  const second = await open();
  second.send(`${postHead("/api/v0/take", 7)}{"a":1}`);
  await answered(second);
  second.send("POST /api/v0/take HTTP/1.1\r\nhost: x\r\nx-half: ");
  await Promise.all([trickle(first, 10_000), trickle(second, 10_000)]);
  expect(await first.ended).toMatch(/^HTTP\/1\.1 408 /u);
  // Where an answer has been given another would be taken for that of a later request.
  expect((await second.ended).match(/HTTP\/1\.1 \d+/gu)).toEqual(["HTTP/1.1 200"]);
});

test("a body that trickles in is refused in the same time", async () => {
  await start();
  const connection = await open();
  connection.send(`${postHead("/api/v0/hurry", 50_000)}{"a":"`);
  await trickle(connection, 10_000);
  expect(await connection.ended).toContain("not received in time");
});

test("a connection that asks nothing more is closed", async () => {
  await start({ betweenRequestsMs: 50 });
  const connection = await open();
  connection.send(`${postHead("/api/v0/take", 7)}{"a":1}`);
  expect(await connection.ended).toMatch(/^HTTP\/1\.1 200 /u);
});

test("a connection on which nothing came ends without an answer", async () => {
  await start({ headersMs: 100 });
  const connection = await open();
  expect(await connection.ended).toBe("");
});

test("one address has a bounded number of half-sent bodies; the newest are refused, others are served", async () => {
  await start({ unfinishedPerNetwork: 5 });
  const half = async () => {
    const connection = await open("127.0.0.2");
    connection.send(`${postHead("/api/v0/take", 100)}{"a":`);
    return connection;
  };
  const first: RawConnection[] = [];
  for (let index = 0; index < 5; index++) first.push(await half());
  const next = [await half(), await half()];
  for (const connection of next) {
    await answered(connection);
    expect(connection.heard).toMatch(/^HTTP\/1\.1 429 /u);
    expect(codeIn(connection.heard)).toBe(42903);
  }
  expect((await post("/api/v0/take", '{"a":1}')).json.code).toBe(0);
  // The first ones are still welcome.
  for (const connection of first) connection.send(`"${"x".repeat(92)}"}`);
  for (const connection of first) await answered(connection);
  expect(first.map(({ heard }) => codeIn(heard))).toEqual([0, 0, 0, 0, 0]);
});

test("half-sent headers and silent connections count as well", async () => {
  await start({ unfinishedPerNetwork: 3 });
  const all: RawConnection[] = [];
  for (let index = 0; index < 6; index++) {
    const connection = await open("127.0.0.2");
    if (index % 2 === 0) connection.send("GET /api/v0/take HTTP/1.1\r\nhost: x\r\n");
    all.push(connection);
  }
  await vi.waitFor(() => expect(all.filter(({ closed }) => closed)).toHaveLength(3), { timeout: 10_000 });
  expect(all.map(({ closed }) => closed)).toEqual([false, false, false, true, true, true]);
  for (const { heard } of all.slice(3)) expect(heard).toMatch(/^HTTP\/1\.1 429 .*retry-after/su);
});

test("connections that wait after an answer do not count", async () => {
  await start({ unfinishedPerNetwork: 2 });
  const all: RawConnection[] = [];
  for (let index = 0; index < 6; index++) {
    const connection = await open("127.0.0.2");
    connection.send(`${postHead("/api/v0/take", 7)}{"a":1}`);
    await answered(connection);
    all.push(connection);
  }
  // A seventh that is too many shows that the count has been made meanwhile.
  const late: RawConnection[] = [];
  for (let index = 0; index < 3; index++) late.push(await open("127.0.0.2"));
  await vi.waitFor(() => expect(late.filter(({ closed }) => closed)).toHaveLength(1), { timeout: 10_000 });
  expect(all.every(({ closed }) => !closed)).toBe(true);
});

test("behind a trusted proxy the senders count, not the proxy", async () => {
  await start({ unfinishedPerNetwork: 2 }, ["127.0.0.1"]);
  const half = async (client: string) => {
    const connection = await open();
    connection.send(`${postHead("/api/v0/take", 100, `x-forwarded-for: ${client}`)}{"a":`);
    return connection;
  };
  const many: RawConnection[] = [];
  for (let index = 0; index < 4; index++) many.push(await half("192.0.2.1"));
  const other = await half("192.0.2.2");
  await vi.waitFor(() => expect(many.filter(({ heard }) => codeIn(heard) === 42903)).toHaveLength(2), {
    timeout: 10_000,
  });
  other.send(`"${"x".repeat(92)}"}`);
  await answered(other);
  expect(codeIn(other.heard)).toBe(0);
});

test("all bodies on their way have a budget; who holds most is refused, others are served", async () => {
  await start({ bodyBudgetBytes: 200 * KIB, unfinishedPerNetwork: 1000 });
  const half = async (from: string, bytes: number) => {
    const connection = await open(from);
    connection.send(`${postHead("/api/v0/take", 64 * KIB)}{"a":"${"x".repeat(bytes)}`);
    return connection;
  };
  const small = await half("127.0.0.3", 1000);
  const greedy: RawConnection[] = [];
  for (let index = 0; index < 8; index++) greedy.push(await half("127.0.0.2", 60 * KIB));
  await vi.waitFor(
    () => expect(greedy.filter(({ heard }) => codeIn(heard) === 42905).length).toBeGreaterThanOrEqual(5),
    { timeout: 10_000 },
  );
  expect((await post("/api/v0/take", JSON.stringify({ a: "y".repeat(50 * KIB) }))).json.code).toBe(0);
  small.send(`${"x".repeat(64 * KIB - 1000 - 6 - 2)}"}`);
  await answered(small);
  expect(codeIn(small.heard)).toBe(0);
});

test("a streamed body waits for its handler, outside of the memory", async () => {
  await start();
  let taken = 0;
  let go = (): void => {};
  const held = new Promise<void>((resolve) => (go = resolve));
  takePiece = async (piece) => {
    taken += piece.length;
    await held;
  };
  const before = heldBytes();
  const sender = await open();
  sender.send(postHead("/api/v0/stream", 32 * MIB));
  const part = Buffer.alloc(MIB);
  let sent = 0;
  // Until the system takes no more: the handler has not asked for the rest.
  while (sent < 32 && sender.socket.writableLength < 4 * MIB) {
    sender.socket.write(part);
    sent += 1;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect(sent).toBeLessThan(32);
  expect(heldBytes() - before - sender.socket.writableLength).toBeLessThan(2 * MIB);
  expect(taken).toBeLessThan(MIB);
  go();
  for (; sent < 32; sent += 1) sender.socket.write(part);
  await answered(sender);
  expect(codeIn(sender.heard)).toBe(0);
  expect(taken).toBe(32 * MIB);
});

test("a streamed body is refused beyond its limit, when it is cut off, silent or late", async () => {
  await start();
  const tooLarge = await open();
  tooLarge.send(postHead("/api/v0/stream", 41 * MIB));
  await answered(tooLarge);
  expect(codeIn(tooLarge.heard)).toBe(41300);

  const chunked = await open();
  chunked.send(
    "POST /api/v0/stream HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n",
  );
  const chunk = `${MIB.toString(16)}\r\n${"x".repeat(MIB)}\r\n`;
  chunked.socket.on("error", () => {});
  for (let sent = 0; sent < 41; sent += 1) chunked.socket.write(chunk);
  await answered(chunked);
  expect(codeIn(chunked.heard)).toBe(41300);

  const silent = await open();
  silent.send(postHead("/api/v0/stream", 100));
  silent.send("some");
  await answered(silent);
  expect(silent.heard).toContain("not received in time");

  const cutOff = new Promise<void>((resolve) => {
    takePiece = async () => resolve();
  });
  const cut = await open();
  cut.send(postHead("/api/v0/stream", 100));
  cut.send("some");
  await cutOff;
  cut.socket.destroy();
  await vi.waitFor(() => expect(seen.at(-1)).toMatchObject({ detail: [{ msg: "not readable" }] }));
});
