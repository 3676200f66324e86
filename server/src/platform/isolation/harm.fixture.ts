// The program of isolated-process.test.ts: does the deed that its first word names.
import { spawnSync } from "node:child_process";
import dns from "node:dns";
import { readdirSync, readFileSync, readSync, writeFileSync, writeSync } from "node:fs";
import net from "node:net";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { closeNetwork } from "./close-network.ts";

const [deed, ...words] = process.argv.slice(2);

const codeOf = (act: () => unknown): string => {
  try {
    act();
    return "allowed";
  } catch (error) {
    return (error as { code?: string }).code ?? "refused";
  }
};

const deeds: Record<string, () => unknown> = {
  copy() {
    const buffer = Buffer.alloc(100);
    writeSync(4, buffer.subarray(0, readSync(3, buffer)));
  },
  "look-around"() {
    const [file = "", folder = ""] = words;
    const found = {
      // What the shell and the runtime put there themselves is no secret.
      environment: Object.fromEntries(
        Object.entries(process.env).filter(([name]) => !["PWD", "SHLVL", "_", "OLDPWD"].includes(name)),
      ),
      reads: codeOf(() => readFileSync(file)),
      writes: codeOf(() => writeFileSync(join(folder, "new"), "")),
      lists: codeOf(() => readdirSync(folder)),
      starts: codeOf(() => spawnSync("/bin/true")),
      threads: codeOf(() => new Worker("", { eval: true })),
    };
    writeSync(4, JSON.stringify(found));
  },
  async connect() {
    closeNetwork();
    const [port = ""] = words;
    const found = {
      socket: codeOf(() => net.connect(Number(port), "127.0.0.1")),
      fetch: await fetch(`http://127.0.0.1:${port}`).then(
        () => "allowed",
        () => "refused",
      ),
      lookup: codeOf(() => dns.lookup("localhost", () => {})),
    };
    writeSync(4, JSON.stringify(found));
  },
  spin() {
    for (;;);
  },
  "fill-heap"() {
    for (const all: unknown[] = []; ;) all.push(Array.from({ length: 1000 }, () => ({})));
  },
  "fill-buffers"() {
    for (const all: Buffer[] = []; ;) all.push(Buffer.alloc(1024 * 1024, 1));
  },
  "write-on"() {
    for (const piece = Buffer.alloc(64 * 1024, 65); ;) writeSync(4, piece);
  },
  crash() {
    process.kill(process.pid, "SIGSEGV");
  },
};

await deeds[deed ?? ""]?.();
process.exit(0);
