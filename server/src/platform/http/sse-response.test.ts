import { once } from "node:events";
import { createServer, get, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createSseResponse, eventStreamHeaders } from "./sse-response.ts";
import { cutWhenUnread } from "./unread-response.ts";

let server: Server;
let reader: IncomingMessage;
let response: ServerResponse;

beforeEach(async () => {
  const incoming = new Promise<ServerResponse>((resolve) => {
    server = createServer((_request, taken) => {
      taken.writeHead(200);
      taken.flushHeaders();
      resolve(taken);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  reader = await new Promise((resolve) => get({ port, host: "127.0.0.1" }, resolve));
  reader.on("error", () => {});
  response = await incoming;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function readAll(): Promise<string> {
  let text = "";
  for await (const chunk of reader) text += String(chunk);
  return text;
}
const closed = (stream: ReturnType<typeof createSseResponse>) =>
  new Promise<void>((resolve) => stream.onClose(resolve));

test("writes of one turn go out together, in order", async () => {
  const writes = vi.spyOn(response, "write");
  const stream = createSseResponse(response);
  stream.write("a");
  stream.write("b");
  await Promise.resolve();
  stream.write("c");
  expect(writes).not.toHaveBeenCalled();
  await new Promise((resolve) => setImmediate(resolve));
  expect(writes.mock.calls.map(([text]) => text)).toEqual(["abc"]);
  stream.write("d");
  stream.end();
  stream.write("too late");
  expect(await readAll()).toBe("abcd");
});

test("a stream that has nothing to say yet has its head", async () => {
  const quiet = createServer((_request, taken) => {
    createSseResponse(taken.writeHead(200, eventStreamHeaders));
  });
  await new Promise<void>((resolve) => quiet.listen(0, "127.0.0.1", resolve));
  const { port } = quiet.address() as AddressInfo;
  const { headers } = await new Promise<IncomingMessage>((resolve) =>
    get({ port, host: "127.0.0.1" }, resolve).on("error", () => {}),
  );
  expect(headers["content-type"]).toBe("text/event-stream; charset=utf-8");
  quiet.closeAllConnections();
  quiet.close();
});

test("a reader that does not read shows in the buffer, and its emptying is told", async () => {
  reader.pause();
  const stream = createSseResponse(response);
  const megabyte = "x".repeat(1024 * 1024);
  while (stream.buffered < 20 * megabyte.length) {
    stream.write(megabyte);
    await new Promise((resolve) => setImmediate(resolve));
  }
  const drained = new Promise<void>((resolve) => stream.onDrain(resolve));
  reader.resume();
  await drained;
  expect(stream.buffered).toBe(0);
});

test("what is queued but not yet written counts as buffered", () => {
  const stream = createSseResponse(response);
  stream.write("12345");
  expect(stream.buffered).toBe(5);
});

test("a reader that leaves closes the stream once, and later writes do no harm", async () => {
  const stream = createSseResponse(response);
  const onClose = vi.fn<() => void>();
  stream.onClose(onClose);
  stream.write("a");
  reader.destroy();
  await closed(stream);
  expect(stream.closed).toBe(true);
  stream.write("b");
  stream.end();
  await new Promise((resolve) => setImmediate(resolve));
  expect(onClose).toHaveBeenCalledTimes(1);
  const late = vi.fn<() => void>();
  stream.onClose(late);
  expect(late).toHaveBeenCalledTimes(1);
});

test("a cut ends the connection without the end of the body", async () => {
  const stream = createSseResponse(response);
  const cut = new Promise<string | undefined>((resolve) =>
    reader.on("error", (error: NodeJS.ErrnoException) => resolve(error.code)),
  );
  reader.resume();
  stream.destroy();
  expect(await cut).toBe("ECONNRESET");
});

test("a reader that takes nothing is cut, whatever little waits for it", async () => {
  reader.pause();
  const stream = createSseResponse(response);
  cutWhenUnread(response, 100);
  // More than the system takes on the reader's behalf.
  stream.write("x".repeat(16 * 1024 * 1024));
  const ended = closed(stream);
  stream.end();
  await ended;
  expect(response.writableFinished).toBe(false);
});

test("an end within a time cuts a reader that takes nothing, also inside what is written in pieces", async () => {
  reader.pause();
  const stream = createSseResponse(response);
  async function* endless() {
    // More than the buffers of a connection take: a part of it waits for the reader.
    for (;;) yield "x".repeat(48 * 1024 * 1024);
  }
  const written = stream.writePieces(endless());
  await vi.waitFor(() => expect(response.writableNeedDrain).toBe(true));
  const ended = closed(stream);
  stream.endWithin(50);
  await Promise.all([ended, written]);
  expect(response.writableFinished).toBe(false);
});

test("an end within a time is a plain end for a reader that reads", async () => {
  const stream = createSseResponse(response);
  stream.write("a");
  stream.endWithin(10_000);
  stream.write("too late");
  expect(await readAll()).toBe("a");
  expect(reader.complete).toBe(true);
});

test("a reader that takes a single great write little by little is not cut", async () => {
  const stream = createSseResponse(response);
  cutWhenUnread(response, 1500);
  const length = 48 * 1024 * 1024;
  stream.write("x".repeat(length));
  stream.end();
  let taken = 0;
  const started = performance.now();
  for await (const chunk of reader) {
    taken += (chunk as Buffer).length;
    // Beyond two times the limit, whatever the machine: then the rest at once.
    if (performance.now() - started < 4000) await new Promise((resolve) => setTimeout(resolve, 10));
  }
  expect(taken).toBe(length);
});

test("a reader for whom nothing waits is left alone", async () => {
  const stream = createSseResponse(response);
  cutWhenUnread(response, 50);
  stream.write("a");
  // Its silence has been looked at.
  await once(response, "timeout");
  expect(stream.closed).toBe(false);
  stream.write("b");
  stream.end();
  expect(await readAll()).toBe("ab");
});
