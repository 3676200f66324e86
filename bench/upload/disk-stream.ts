// The reference: a bare Node process that streams the body of a request into a file and answers when it is durable.
import { createWriteStream } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";

const folder = process.env["FOLDER"] ?? ".";
let count = 0;
const server = createServer((request, response) => {
  const file = createWriteStream(join(folder, `reference-${++count}`), { flush: true });
  pipeline(request, file).then(
    () => response.end("{}"),
    (error: unknown) => response.destroy(error as Error),
  );
});
server.listen(0, "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
