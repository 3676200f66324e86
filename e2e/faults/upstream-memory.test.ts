// What an endpoint can send without end, or as much of at once as memory has: the server's peak while it reads it is bounded.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createGzip } from "node:zlib";
import { LIMITS } from "@plumb/protocol/limits";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LoadClient } from "../support/load-client.ts";
import { ServerProcess } from "../support/server-process.ts";

const MIB = 1024 * 1024;
const long = process.env["TEST_LONG"] === "1";
/** What an endpoint sends in all, where it is not stopped before. */
const FLOOD_BYTES = (long ? 1024 : 200) * MIB;

type Flood = (response: ServerResponse, piece: (bytes: Buffer | string) => Promise<boolean>) => Promise<void>;
const stream = { "content-type": "text/event-stream" };
const json = { "content-type": "application/json" };
const event = (delta: object): string => `data: ${JSON.stringify({ choices: [{ delta }] })}\n\n`;
const over = `data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n`;

/** The same bytes over and over, `FLOOD_BYTES` of them. */
async function repeat(bytes: string, piece: (bytes: Buffer) => Promise<boolean>): Promise<void> {
  const block = Buffer.from(bytes.repeat(Math.ceil((64 * 1024) / bytes.length)));
  for (let sent = 0; sent < FLOOD_BYTES; sent += block.length) if (!(await piece(block))) return;
}

/** A body that is a thousand times larger than what is sent of it. */
const bomb =
  (head: Record<string, string>, begin: string, bytes: string): Flood =>
  async (response) => {
    response.writeHead(200, { ...head, "content-encoding": "gzip" });
    const gzip = createGzip({ level: 9 });
    gzip.pipe(response);
    const gone = new Promise<void>((resolve) => response.once("close", resolve));
    void gone.then(() => gzip.destroy());
    gzip.write(begin);
    await repeat(bytes, async (block) => {
      if (gzip.destroyed) return false;
      if (!gzip.write(block))
        await Promise.race([gone, new Promise((resolve) => gzip.once("drain", resolve))]);
      return !gzip.destroyed;
    });
    if (!gzip.destroyed) gzip.end();
  };

/** The reply is as long as one may be: it is held, folded, stored and read meanwhile. */
const LONG_REPLY_BYTES = 10 * LIMITS.replyChars;
const SHORT_REPLY_BYTES = 64 * MIB;
const asLong = new Set(["a reply without end", "a bomb of events"]);
/** Each piece is an event: what a million of them leave waits for the collector, longer on a busy machine. */
const MANY_PIECES_BYTES = 2 * SHORT_REPLY_BYTES;

function boundOf(name: string): number {
  if (asLong.has(name)) return LONG_REPLY_BYTES;
  return name === "a million small pieces" ? MANY_PIECES_BYTES : SHORT_REPLY_BYTES;
}

/** What is sent, by the question that asks for it. */
const floods: Record<string, Flood> = {
  "a line without end": async (response, piece) => {
    response.writeHead(200, stream);
    await piece("data: ");
    await repeat("x", piece);
  },
  "an event of a million lines": async (response, piece) => {
    response.writeHead(200, stream);
    await repeat("data: x\n", piece);
  },
  "a million small pieces": async (response, piece) => {
    response.writeHead(200, stream);
    const hundred = event({ content: "x" }).repeat(100);
    for (let sent = 0; sent < 1e6; sent += 100) if (!(await piece(hundred))) return;
    await piece(over);
  },
  "a great error": async (response, piece) => {
    response.writeHead(500, json);
    await piece(`{"error":{"message":"`);
    await repeat("x", piece);
  },
  "a great error in the stream's place": async (response, piece) => {
    response.writeHead(200, json);
    await repeat("[", piece);
  },
  "a reply without end": async (response, piece) => {
    response.writeHead(200, stream);
    await repeat(event({ content: "x".repeat(20_000) }), piece);
  },
  "a tool call without end": async (response, piece) => {
    response.writeHead(200, stream);
    const asked = (name: string, text: string) =>
      event({ tool_calls: [{ index: 0, id: "a", function: { name, arguments: text } }] });
    await piece(asked("web_search", ""));
    await repeat(asked("", "x".repeat(16 * 1024)), piece);
  },
  "tool calls without end": async (response, piece) => {
    response.writeHead(200, stream);
    for (let index = 0, sent = 0; sent < FLOOD_BYTES; index += 1) {
      const calls = Array.from({ length: 200 }, (_, at) => ({
        index: index * 200 + at,
        function: { name: "web_search", arguments: "{}" },
      }));
      const text = event({ tool_calls: calls });
      sent += text.length;
      if (!(await piece(text))) return;
    }
  },
  "a bomb of comments": bomb(stream, "", ": nothing\n"),
  "a bomb of one line": bomb(stream, "data: ", "x"),
  "a bomb of events": bomb(stream, "", event({ content: "x".repeat(20_000) })),
  "a bomb of an error": bomb(json, `{"error":{"message":"`, "x"),
};

let upstream: Server;
let server: ServerProcess;
let person: LoadClient;

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const part of request) text += String(part);
  return text;
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await bodyOf(request);
  const name = Object.keys(floods).findLast((one) => body.includes(`Send ${one}.`));
  const flood = body.includes(`"max_tokens"`) || name === undefined ? undefined : floods[name];
  if (flood === undefined) {
    response.writeHead(200, stream).end(event({ content: "Fine." }) + over);
    return;
  }
  const gone = new Promise<void>((resolve) => response.once("close", resolve));
  await flood(response, async (bytes) => {
    if (response.destroyed) return false;
    if (!response.write(bytes)) {
      await Promise.race([gone, new Promise<void>((resolve) => response.once("drain", resolve))]);
    }
    return !response.destroyed;
  });
  if (response.headersSent && !response.destroyed && response.getHeader("content-encoding") === undefined)
    response.end();
}

beforeAll(async () => {
  upstream = createServer((request, response) => {
    if (request.method === "GET") response.writeHead(200, json).end(`{"data":[{"id":"m"}]}`);
    else void answer(request, response);
  });
  await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve));
  const { port } = upstream.address() as AddressInfo;
  server = await ServerProcess.start({
    MODEL_BASE_URL: `http://127.0.0.1:${port}/v1`,
    MODEL_STALL_MS: "5000",
    LOG_LEVEL: "warn",
  });
  person = await LoadClient.signUp(
    () => server.origin,
    (email) => server.codeFor(email),
  );
}, 60_000);

afterAll(async () => {
  person?.close();
  await server?.kill9();
  upstream?.closeAllConnections();
  upstream?.close();
  if (server !== undefined) rmSync(server.dataDir, { recursive: true, force: true });
});

const resident = (name: "VmHWM" | "VmRSS"): number =>
  Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${server.pid}/status`, "utf8"))?.[1]) *
  1024;

/** Sends the question and reads the reply to its close. Returns its status and how far memory rose meanwhile, in bytes. */
async function ask(question: string): Promise<{ status: string | undefined; rose: number }> {
  writeFileSync(`/proc/${server.pid}/clear_refs`, "5");
  const before = resident("VmRSS");
  const sessionId = await person.createSession();
  const reader = person.send({ sessionId, prompt: question, checked: false });
  await reader.done;
  expect(reader.end).toBe("closed");
  const rose = resident("VmHWM") - before;
  const { chat_messages } = await person.history(sessionId);
  return { status: chat_messages[1]?.status, rose };
}

test.each(Object.keys(floods))("%s: the reply ends, and memory stays within its bound", async (name) => {
  // Code that is compiled, and pages that are touched for the first time, are not what is measured.
  for (let warm = 0; warm < 2; warm += 1) await ask("Hello.");
  const { status, rose } = await ask(`Send ${name}.`);
  expect(status).toBe(name === "a million small pieces" ? "FINISHED" : "INCOMPLETE");
  expect(rose).toBeLessThan(boundOf(name));
  expect((await ask("Hello.")).status).toBe("FINISHED");
});
