import { createServer, get, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createSseResponse } from "./sse-response.ts";

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
