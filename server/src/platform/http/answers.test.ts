// Downloads and redirects over real connections.
import { defineCall } from "@plumb/protocol/wire/call";
import { Global } from "@plumb/protocol/wire/global-codes";
import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import * as z from "zod/mini";
import { openRaw } from "../../../test/raw-http.ts";
import { createMetrics } from "../metrics.ts";
import { GlobalRefusal } from "../refusal.ts";
import { DownloadAnswer, type DownloadFile, RedirectAnswer } from "./answers.ts";
import { createHttpServer } from "./http-server.ts";
import { writeOwnCookie } from "./own-cookie.ts";
import { type Policy, route } from "./route.ts";

const pass = async () => {};
const content = Buffer.from(Array.from({ length: 1000 }, (_none, index) => index % 251));
let server: FastifyInstance;
let logged: string[];
let ended: number;
let read: number;

function fileOf(changes: Partial<DownloadFile> = {}): DownloadFile {
  return {
    name: "Übersicht 你好.pdf",
    type: "application/pdf",
    disposition: "attachment",
    bytes: content.length,
    etag: '"v1"',
    async *read(start, end) {
      for (let at = start; at <= end; at += 100) yield content.subarray(at, Math.min(at + 100, end + 1));
    },
    ...changes,
  };
}

async function* endless() {
  try {
    for (;;) {
      read++;
      yield Buffer.alloc(64 * 1024);
    }
  } finally {
    ended++;
  }
}

const call = (path: string) =>
  defineCall<unknown>()({ method: "GET", path, auth: "none", request: z.object({}) });
const download: Policy = { rate: "none", accountStatus: "any", answers: ["download"] };
const redirect: Policy = { rate: "none", accountStatus: "any", answers: ["redirect"] };

beforeEach(async () => {
  logged = [];
  ended = 0;
  read = 0;
  server = await createHttpServer(
    {
      edition: "international",
      publicUrl: null,
      trustedProxies: [],
      log: pino({ level: "error" }, { write: (line: string) => void logged.push(line) }),
      metrics: createMetrics(),
      limits: { unreadMs: 200 },
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
        route(call("/api/v0/file"), download, async () => new DownloadAnswer(fileOf())),
        route(call("/api/v0/empty"), download, async () => new DownloadAnswer(fileOf({ bytes: 0 }))),
        route(
          call("/api/v0/shown"),
          download,
          async () =>
            new DownloadAnswer(fileOf({ disposition: "inline", name: 'a"b\r\nset-cookie: x=1.txt' }), {
              "content-security-policy": "sandbox",
            }),
        ),
        route(
          call("/api/v0/endless"),
          download,
          async () => new DownloadAnswer(fileOf({ bytes: 2 ** 40, read: endless })),
        ),
        route(
          call("/api/v0/away"),
          download,
          async () =>
            new DownloadAnswer(
              fileOf({
                // oxlint-disable-next-line require-yield -- it fails before its first bytes
                async *read() {
                  throw new GlobalRefusal(Global.ServiceUnavailable, { retryAfter: 2 });
                },
              }),
            ),
        ),
        route(
          call("/api/v0/broken"),
          download,
          async () =>
            new DownloadAnswer(
              fileOf({
                async *read() {
                  yield content.subarray(0, 100);
                  throw new Error("the disk is gone");
                },
              }),
            ),
        ),
        route(
          call("/api/v0/go"),
          redirect,
          async () =>
            new RedirectAnswer("https://accounts.example/authorize?state=1", [
              writeOwnCookie({ name: "plumb_state", value: "1", maxAgeSecs: 600 }, true),
              writeOwnCookie({ name: "plumb_other", value: "2", maxAgeSecs: 600 }, true),
            ]),
        ),
      ],
    },
    async () => async (_request, reply) => reply.code(404).send(""),
  );
  await server.listen({ port: 0, host: "127.0.0.1" });
});
afterEach(() => server.close());

const ask = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${server.listeningOrigin}/api/v0/${path}`, { headers, redirect: "manual" });
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

describe("a download", () => {
  test("comes whole, with a name that any system can read", async () => {
    const response = await ask("file");
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "accept-ranges": "bytes",
      "cache-control": "private, no-store",
      "content-disposition":
        "attachment; filename=\"?bersicht ??.pdf\"; filename*=UTF-8''%C3%9Cbersicht%20%E4%BD%A0%E5%A5%BD.pdf",
      "content-length": "1000",
      "content-type": "application/pdf",
      etag: '"v1"',
      "x-content-type-options": "nosniff",
    });
    expect(await bytesOf(response)).toEqual(content);
    const empty = await ask("empty");
    expect([empty.status, empty.headers.get("content-length"), await empty.text()]).toEqual([200, "0", ""]);
  });

  test.each([
    ["bytes=0-0", 0, 0],
    ["bytes=150-349", 150, 349],
    ["bytes=990-", 990, 999],
    ["bytes=990-5000", 990, 999],
    ["bytes=-10", 990, 999],
    ["bytes=-5000", 0, 999],
  ])("of %s comes as that part", async (range, start, end) => {
    const response = await ask("file", { range });
    expect([
      response.status,
      response.headers.get("content-range"),
      response.headers.get("content-length"),
    ]).toEqual([206, `bytes ${start}-${end}/1000`, String(end - start + 1)]);
    expect(await bytesOf(response)).toEqual(content.subarray(start, end + 1));
  });

  test.each(["nonsense", "bytes=a-b", "lines=1-2", "bytes=0-1,5-6", "bytes=", "bytes=-", "bytes=7-3", ""])(
    "of %j comes whole",
    async (range) => {
      const response = await ask("file", { range });
      expect([response.status, response.headers.get("content-range")]).toEqual([200, null]);
      expect(await bytesOf(response)).toEqual(content);
    },
  );

  test("of a range outside says how many bytes there are", async () => {
    for (const range of ["bytes=1000-", "bytes=5000-6000", "bytes=-0"]) {
      const response = await ask("file", { range });
      expect([response.status, response.headers.get("content-range"), await response.text()]).toEqual([
        416,
        "bytes */1000",
        "",
      ]);
    }
  });

  test("goes on only where the bytes are still the same", async () => {
    const range = "bytes=10-19";
    expect((await ask("file", { range, "if-range": '"v1"' })).status).toBe(206);
    expect((await ask("file", { range, "if-range": '"v0"' })).status).toBe(200);
    expect((await ask("file", { range, "if-range": "Wed, 21 Oct 2026 07:28:00 GMT" })).status).toBe(200);
  });

  test("may be shown in place, under a policy; a hostile name breaks no header", async () => {
    const response = await ask("shown");
    expect(response.headers.get("content-security-policy")).toBe("sandbox");
    expect(response.headers.get("content-disposition")).toMatch(/^inline; /u);
    expect(response.headers.get("set-cookie")).toBeNull();
  });

  test("that nobody takes is given up, and its source ends", async () => {
    const connection = await openRaw(server.listeningOrigin);
    connection.socket.pause();
    connection.send("GET /api/v0/endless HTTP/1.1\r\nhost: x\r\n\r\n");
    await vi.waitFor(() => expect(ended).toBe(1), { timeout: 10_000 });
    expect(read).toBeLessThan(1000);
    connection.socket.destroy();
  });

  test("that fails before its bytes is answered, after them it is cut", async () => {
    const away = await ask("away");
    expect([away.status, away.headers.get("content-disposition"), await away.json()]).toMatchObject([
      503,
      null,
      { code: 50300 },
    ]);
    const broken = await ask("broken");
    await expect(broken.arrayBuffer()).rejects.toThrow("terminated");
    expect(logged.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
      "a download could not be finished",
    ]);
  });
});

test("a redirect goes where the handler says, with its cookies, and is kept by nobody", async () => {
  const response = await ask("go");
  expect([response.status, response.headers.get("location"), response.headers.get("cache-control")]).toEqual([
    302,
    "https://accounts.example/authorize?state=1",
    "no-store",
  ]);
  expect(response.headers.getSetCookie()).toEqual([
    "__Host-plumb_state=1; Path=/; Max-Age=600; HttpOnly; SameSite=Lax; Secure",
    "__Host-plumb_other=2; Path=/; Max-Age=600; HttpOnly; SameSite=Lax; Secure",
  ]);
});
