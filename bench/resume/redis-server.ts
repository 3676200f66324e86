// Debian's redis-server on a free loopback port, with nothing written to disk. It ends with this process.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../support/free-port.ts";

const READY_MS = 10_000;

export interface RedisServer {
  url: string;
  stop(): Promise<void>;
}

export async function startRedis(): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), "plumb-bench-redis-"));
  const port = await freePort();
  const settings = ["--port", String(port), "--bind", "127.0.0.1", "--dir", folder, "--save", ""];
  // The shell waits for the end of its input, which closes with this process however it ends.
  const script = 'redis-server "$@" <&- & server=$!; read end; kill -INT $server; wait $server';
  const child = spawn("/bin/sh", ["-c", script, "sh", ...settings, "--appendonly", "no"], {
    cwd: folder,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const stop = async (): Promise<void> => {
    child.stdin.end();
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await new Promise<void>((resolve, reject) => {
      let said = "";
      const late = setTimeout(() => reject(new Error(`Redis did not start:\n${said}`)), READY_MS);
      child.stdout.on("data", (part: Buffer) => {
        said = (said + part.toString()).slice(-4000);
        if (!said.includes("Ready to accept connections")) return;
        clearTimeout(late);
        resolve();
      });
      child.once("exit", (code) => reject(new Error(`Redis ended with ${code}:\n${said}`)));
    });
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: `redis://127.0.0.1:${port}`, stop };
}
