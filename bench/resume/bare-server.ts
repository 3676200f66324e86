// The floor: what a bare Node server takes to answer the same bytes as an event stream that stays open: { text } → { held }.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

let text = "";

const server = createServer((request, response) => {
  if (request.method === "GET") {
    response.end("ok");
    return;
  }
  request.resume().on("end", () => {
    response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
    response.write(text);
  });
});

process.on("message", (message: { text?: string }) => {
  if (message.text === undefined) return;
  text = message.text;
  process.send?.({ held: true });
});

server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`http://127.0.0.1:${port}\n`);
});
