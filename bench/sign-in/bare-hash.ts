// The reference: the least a Node process can do to tell whether a password is right. Two hashes at once, as the product has
// them: the benchmark starts it with as many threads.
import { verify } from "@node-rs/argon2";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

const hash = process.env["PASSWORD_HASH"] ?? "";

async function bodyOf(request: IncomingMessage): Promise<{ password: string }> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return JSON.parse(Buffer.concat(parts).toString("utf8")) as { password: string };
}

const server = createServer((request, response) => {
  bodyOf(request)
    .then(({ password }) => verify(hash, password))
    .then((fits) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ data: { biz_code: fits ? 0 : 2 } }));
    })
    .catch((error: unknown) => response.destroy(error as Error));
});

server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`http://127.0.0.1:${port}\n`);
});
