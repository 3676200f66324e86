// The model server of the benchmark: streams chat completions at a fixed pace, each event with the time of its writing.
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type ChatBody, readCall } from "../../e2e/support/scripted-script.ts";

const TICK_MS = 2;

interface Stream {
  response: ServerResponse;
  due: number;
}

const streams = new Set<Stream>();
let everyMs = 20;
let sent = 0;
let paced = false;

const head =
  'data: {"id":"chatcmpl-bench","object":"chat.completion.chunk","created":1700000000,"model":"bench","choices":[{"index":0,"delta":{"content":"';
const tail = '"},"finish_reason":null}]}\n\n';
const stop = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';

/** Microseconds of the machine's monotonic clock, the same in every process. */
const stamp = (): string => `~${(process.hrtime.bigint() / 1000n).toString(36)} `;

const server = createServer({ noDelay: true, keepAliveTimeout: 60_000 }, (request, response) => {
  if (request.url?.startsWith("/v1/models") === true) {
    response.writeHead(200, { "content-type": "application/json" });
    response.end('{"object":"list","data":[{"id":"bench","object":"model"}]}');
    return;
  }
  const parts: Buffer[] = [];
  request.on("data", (part: Buffer) => parts.push(part));
  request.on("end", () => {
    const body = JSON.parse(Buffer.concat(parts).toString("utf8")) as ChatBody;
    if (readCall(body).kind === "title") {
      response.writeHead(200, {
        "content-type": body.stream === true ? "text/event-stream" : "application/json",
      });
      const title =
        '{"choices":[{"index":0,"message":{"content":"A title"},"delta":{"content":"A title"},"finish_reason":"stop"}]}';
      response.end(body.stream === true ? `data: ${title}\n\ndata: [DONE]\n\n` : title);
      return;
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.flushHeaders();
    const stream: Stream = { response, due: performance.now() + Math.random() * everyMs };
    streams.add(stream);
    response.on("close", () => streams.delete(stream));
    if (!paced) response.write(head + stamp() + tail);
  });
});

function tick(): void {
  const now = performance.now();
  for (const stream of streams) {
    while (stream.due <= now) {
      stream.due += everyMs;
      stream.response.write(head + stamp() + tail);
      sent += 1;
    }
  }
}

let timer: NodeJS.Timeout | undefined;

process.on("message", (message: { pace?: number; streams?: true; count?: true; finish?: true }) => {
  if (message.pace !== undefined) {
    everyMs = message.pace;
    paced = true;
    const now = performance.now();
    for (const stream of streams) stream.due = now + Math.random() * everyMs;
    timer ??= setInterval(tick, TICK_MS);
    process.send?.({ paced: true });
  }
  if (message.streams) process.send?.({ streams: streams.size });
  if (message.count) process.send?.({ counted: sent });
  if (message.finish) {
    clearInterval(timer);
    timer = undefined;
    paced = false;
    const open = streams.size;
    for (const stream of streams) stream.response.end(stop);
    process.send?.({ finished: open });
  }
});

server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`http://127.0.0.1:${port}/v1\n`);
});
