// The product as shipped, on a temporary data folder, in a measured process.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { MeasuredProcess } from "./measured-process.ts";

const main = fileURLToPath(new URL("../../server/src/main.ts", import.meta.url));

export interface ProductServer {
  process: MeasuredProcess;
  origin: string;
  dataDir: string;
  codeFor(email: string): string;
  close(): Promise<void>;
}

/** Limits that one load generator would meet are off; everything else is the default. */
const benchSettings = {
  RATE_LIMITS: "off",
  // All of a benchmark comes from one address.
  CONNECTIONS_PER_ADDRESS: "1000000",
  MESSAGES_PER_MINUTE: "1000000",
  CONCURRENT_REPLIES: "100000",
  POW_DIFFICULTY: "500",
  POW_DIFFICULTY_GUEST: "500",
  MODEL_AUTODETECT: "off",
  LOG_LEVEL: "warn",
  NODE_ENV: "production",
  PORT: "0",
};

export async function startProductServer(settings: Record<string, string>): Promise<ProductServer> {
  const dataDir = mkdtempSync(join(tmpdir(), "plumb-bench-"));
  const process = new MeasuredProcess("the server", main, {
    env: { ...benchSettings, DATA_DIR: dataDir, ...settings },
    cwd: dataDir,
  });
  const [, origin = ""] = await process.says(/is ready: (http:\/\/\S+)/);
  return {
    process,
    origin,
    dataDir,
    codeFor(email) {
      const lines = readFileSync(join(dataDir, "outbox.jsonl"), "utf8").trim().split("\n");
      const mails = lines.map((line) => JSON.parse(line) as { to: string; code: string });
      const mail = mails.findLast(({ to }) => to === email);
      if (mail === undefined) throw new Error(`The outbox holds no code for ${email}.`);
      return mail.code;
    },
    async close() {
      await process.end();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
