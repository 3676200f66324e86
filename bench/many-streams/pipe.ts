// The reference: the least a Node process can do between a model and a reader.
import { Agent, createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

const upstream = process.env["UPSTREAM"] ?? "";
const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });

const server = createServer({ noDelay: true }, (incoming, outgoing) => {
  const headers = { "content-type": "application/json" };
  const call = request(`${upstream}/chat/completions`, { agent, method: "POST", headers }, (answer) => {
    outgoing.writeHead(200, { "content-type": "text/event-stream" });
    answer.pipe(outgoing);
  });
  call.on("error", () => outgoing.destroy());
  outgoing.on("close", () => call.destroy());
  incoming.pipe(call);
});

server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`http://127.0.0.1:${port}\n`);
});
