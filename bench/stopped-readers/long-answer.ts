// The model server of the benchmark: every answer is PLUMB_MB megabytes of text, as fast as it is taken.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { type ChatBody, readCall } from "../../e2e/support/scripted-script.ts";

const bytes = Number(process.env["PLUMB_MB"] ?? 8) * 2 ** 20;
const words = "some words of a long answer ".repeat(600);

const event = (delta: object, finish: string | null): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

function* answer(): Generator<string> {
  for (let sent = 0; sent < bytes; sent += words.length) yield event({ content: words }, null);
  yield event({}, "stop");
  yield "data: [DONE]\n\n";
}

const server = createServer((request, response) => {
  if (request.url?.startsWith("/v1/models") === true) {
    response.writeHead(200, { "content-type": "application/json" });
    response.end('{"object":"list","data":[{"id":"bench","object":"model"}]}');
    return;
  }
  const parts: Buffer[] = [];
  request.on("data", (part: Buffer) => parts.push(part));
  request.on("end", () => {
    const body = JSON.parse(Buffer.concat(parts).toString("utf8")) as ChatBody;
    response.writeHead(200, { "content-type": "text/event-stream" });
    if (readCall(body).kind === "title") {
      response.end(event({ content: "A title" }, "stop") + "data: [DONE]\n\n");
      return;
    }
    Readable.from(answer()).pipe(response);
  });
});

server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`http://127.0.0.1:${port}/v1\n`);
});
