// Uploads of 100 MB: what they add to the server's memory and how fast they come in, beside a bare Node process that streams
// the same body into a file on the same disk. See README.md.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { uploadFile } from "@plumb/protocol/wire/files";
import { LoadClient } from "../e2e/support/load-client.ts";
import { describeMachine } from "./support/machine.ts";
import { MeasuredProcess } from "./support/measured-process.ts";
import { percentile } from "./support/percentile.ts";
import { startProductServer } from "./support/product-server.ts";

const rounds = Number(process.env["PLUMB_ROUNDS"] ?? 7);
const megabytes = Number(process.env["PLUMB_MB"] ?? 100);
const goalMb = 16;
const goalShare = 0.8;
const lookMs = 20;
const boundary = "----bench";
const part = Buffer.alloc(256 * 1024, "a line of a long text file\n");
const head = Buffer.from(
  `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="large.log"\r\n\r\n`,
);
const tail = Buffer.from(`\r\n--${boundary}--\r\n`);

/** Sends one body of the size; resolves with the ms until its answer. */
async function send(url: string, headers: Record<string, string>): Promise<number> {
  const parts = Math.floor((megabytes * 2 ** 20) / part.length);
  const length = head.length + parts * part.length + tail.length;
  const begun = performance.now();
  await new Promise<void>((resolve, reject) => {
    const outgoing = request(url, {
      method: "POST",
      headers: { ...headers, "content-length": String(length) },
    });
    outgoing.on("error", reject);
    outgoing.on("response", (answer) => {
      let text = "";
      answer.on("data", (chunk: Buffer) => (text += chunk.toString()));
      answer.on("end", () => {
        if (text === "{}" || text.includes('"biz_code":0')) resolve();
        else reject(new Error(`${url} answered ${answer.statusCode} ${text}`));
      });
    });
    void write();
    async function write(): Promise<void> {
      outgoing.write(head);
      for (let sent = 0; sent < parts && !outgoing.destroyed; sent += 1) {
        if (!outgoing.write(part)) await new Promise((next) => outgoing.once("drain", () => next(null)));
      }
      outgoing.end(tail);
    }
  });
  return performance.now() - begun;
}

interface Measured {
  ms: number;
  addedMb: number;
}

/** One upload, and the highest memory of the process meanwhile over what it was before. */
async function measure(server: MeasuredProcess, upload: () => Promise<number>): Promise<Measured> {
  await server.collect();
  const before = (await server.read()).rssBytes;
  let peak = before;
  let done = false;
  const looking = (async () => {
    while (!done) {
      peak = Math.max(peak, (await server.read()).rssBytes);
      await new Promise((resolve) => setTimeout(resolve, lookMs));
    }
  })();
  const ms = await upload();
  done = true;
  await looking;
  return { ms, addedMb: (peak - before) / 2 ** 20 };
}

const median = (values: readonly number[]): number =>
  percentile(
    values.toSorted((a, b) => a - b),
    0.5,
  );

console.log(describeMachine());
const folder = mkdtempSync(join(tmpdir(), "plumb-bench-"));
mkdirSync(join(folder, "reference"));
const reference = new MeasuredProcess(
  "the reference",
  fileURLToPath(new URL("./upload/disk-stream.ts", import.meta.url)),
  { env: { FOLDER: join(folder, "reference") } },
);
const [referenceOrigin] = await reference.says(/http:\/\/\S+/);
const product = await startProductServer({});
const person = await LoadClient.signUp(() => product.origin, product.codeFor);
try {
  const toReference = () => measure(reference, () => send(referenceOrigin, {}));
  const toProduct = async () => {
    const headers = { ...(await person.proof(uploadFile.path)), authorization: `Bearer ${person.token}` };
    return measure(product.process, () => send(product.origin + uploadFile.path, headers));
  };
  // Code and connections are warm after one of each.
  await toReference();
  await toProduct();
  const bare: Measured[] = [];
  const own: Measured[] = [];
  for (let round = 0; round < rounds; round += 1) {
    bare.push(await toReference());
    own.push(await toProduct());
  }
  const speed = (all: readonly Measured[]) => megabytes / (median(all.map(({ ms }) => ms)) / 1000);
  const added = (all: readonly Measured[]) => Math.max(...all.map(({ addedMb }) => addedMb));
  for (const [name, all] of [
    ["bare Node, a body into a file", bare],
    ["product", own],
  ] as const) {
    console.log(
      `  ${name.padEnd(30)} ${speed(all).toFixed(0).padStart(5)} MB/s, adds ${added(all).toFixed(1)} MB at most`,
    );
  }
  const share = speed(own) / speed(bare);
  const met = share >= goalShare && added(own) <= goalMb;
  console.log(
    `  ${rounds} uploads of ${megabytes} MB: ${share.toFixed(2)} of the reference's speed; ` +
      `goal: ≥ ${goalShare}, ≤ ${goalMb} MB added: ${met ? "met" : "NOT MET"}`,
  );
} finally {
  person.close();
  await product.close();
  await reference.end();
  rmSync(folder, { recursive: true });
}
