// The process as an operator meets it: its one line, its signals, its sentences.
import { type ChildProcess, fork } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readKeptAddress } from "./platform/kept-address.ts";

const main = fileURLToPath(new URL("main.ts", import.meta.url));
/** As `npm start` does. */
const compiled = fileURLToPath(new URL("../../.cache/node", import.meta.url));

let folder: string;
let child: ChildProcess | null;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "plumb-main-"));
  child = null;
});
afterEach(() => {
  child?.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

interface Process {
  child: ChildProcess;
  stdout: () => string;
  stderr: () => string;
  /** The address of the one line; rejects when the process ends without it. */
  address: Promise<string>;
  exit: Promise<number | null>;
}

function run(env: Record<string, string> = {}): Process {
  let stdout = "";
  let stderr = "";
  const started = fork(main, {
    cwd: folder,
    env: {
      PATH: process.env["PATH"],
      NODE_COMPILE_CACHE: compiled,
      PORT: "0",
      LOG_LEVEL: "error",
      MODEL_AUTODETECT: "off",
      DRAIN_MS: "200",
      ...env,
    },
    execArgv: [],
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  child = started;
  const exit = new Promise<number | null>((resolve) => started.once("exit", resolve));
  const address = new Promise<string>((resolve, reject) => {
    started.stdout?.on("data", (chunk: Buffer) => {
      stdout += chunk.toString();
      const found = / is ready: (http\S+)\n/u.exec(stdout)?.[1];
      if (found !== undefined) resolve(found);
    });
    started.once("exit", () => reject(new Error(`ended without an address: ${stderr}`)));
  });
  address.catch(() => {});
  started.stderr?.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  return { child: started, stdout: () => stdout, stderr: () => stderr, address, exit };
}

describe("a server", () => {
  test("ends its start with the model and its address, reads .env, and answers there", async () => {
    writeFileSync(join(folder, ".env"), "BRAND_NAME=Lot und Blei\n");
    const { address, stdout } = run();
    const ready = await fetch(`${await address}/readyz`);
    expect(ready.status).toBe(200);
    expect(`http://127.0.0.1:${readKeptAddress(join(folder, "data"))?.port}`).toBe(await address);
    expect(stdout().split("\n")).toEqual([
      'Model: a demo that is no AI. How to connect one: README.md, "Connect a model"',
      "Only this machine can open it. For the other devices of your network: HOST=0.0.0.0 npm start",
      `Lot und Blei is ready: ${await address}`,
      expect.stringMatching(/^Open this to make the first account: http\S+\/sign_up\?invitation=[\w-]{43}$/u),
      "",
    ]);
  });

  test.skipIf(process.platform === "win32")(
    "keeps what it stores from other users of the machine",
    async () => {
      const data = join(folder, "data");
      const modes = (): Record<string, string> =>
        Object.fromEntries(
          [".", ...readdirSync(data)].map((name) => [
            name,
            (statSync(join(data, name)).mode & 0o777).toString(8),
          ]),
        );
      const started = run();
      await started.address;
      started.child.kill("SIGKILL");
      await started.exit;
      chmodSync(data, 0o755);
      for (const name of readdirSync(data)) chmodSync(join(data, name), 0o644);
      rmSync(join(data, "plumb.db-shm"));
      await run().address;
      const { ".": ofFolder, ...ofFiles } = modes();
      expect(ofFolder).toBe("700");
      expect(Object.keys(ofFiles)).toEqual(
        expect.arrayContaining(["lock.db", "plumb.db", "plumb.db-shm", "plumb.db-wal", "secret.key"]),
      );
      expect(new Set(Object.values(ofFiles))).toEqual(new Set(["600"]));
    },
  );

  test("says at its start that the endpoint refused the key, and never the key", async () => {
    const endpoint = createHttpServer((_, response) => response.writeHead(401).end("no: sk-0123456789"));
    await new Promise<void>((resolve) => endpoint.listen(0, "127.0.0.1", resolve));
    const at = `127.0.0.1:${(endpoint.address() as { port: number }).port}/v1`;
    const { address, stdout } = run({
      MODEL_BASE_URL: `http://user:hunter2@${at}?key=hunter2`,
      MODEL_NAME: "deepseek-chat",
      MODEL_API_KEY: "sk-0123456789",
      LOG_LEVEL: "warn",
    });
    await address;
    // On a slow machine the refusal may come after the last line: the log tells it in any case.
    await expect
      .poll(stdout)
      .toContain('"msg":"the model endpoint refused the key (401): check MODEL_API_KEY"');
    expect(stdout()).toContain(`Model: deepseek-chat at http://${at}`);
    expect(stdout()).not.toMatch(/hunter2|0123456789/u);
    endpoint.closeAllConnections();
    endpoint.close();
  });

  test("does not wait for an endpoint that says nothing", async () => {
    const mute = createServer();
    await new Promise<void>((resolve) => mute.listen(0, "127.0.0.1", resolve));
    const at = `http://127.0.0.1:${(mute.address() as { port: number }).port}/v1`;
    const { address, stdout, child: started, exit } = run({ MODEL_BASE_URL: at });
    await address;
    expect(stdout().split("\n")[0]).toBe(`Model: ${at}`);
    started.kill("SIGKILL");
    await exit;
    mute.close();
  });

  test.each(["SIGTERM", "SIGHUP", "SIGINT"] as const)(
    "ends cleanly at %s and frees its data",
    async (signal) => {
      const first = run();
      await first.address;
      first.child.kill(signal);
      expect([await first.exit, first.stderr()]).toEqual([0, ""]);
      const second = run();
      expect(await second.address).toContain("http://127.0.0.1:");
    },
  );

  test("still serves for DRAIN_MS after SIGTERM, while readyz says 503", async () => {
    const { address, child: started, exit } = run({ DRAIN_MS: "1000" });
    const at = await address;
    started.kill("SIGTERM");
    let status = 200;
    while (status === 200) status = (await fetch(`${at}/readyz`)).status;
    expect(status).toBe(503);
    expect((await fetch(`${at}/version.txt`)).status).toBe(200);
    expect(await exit).toBe(0);
  });

  test("ends when the channel of its launcher closes", async () => {
    const { address, child: started, exit } = run();
    await address;
    started.disconnect();
    expect(await exit).toBe(0);
  });

  test("exits at once at a second, different signal", async () => {
    const { address, child: started, exit } = run({ DRAIN_MS: "8000" });
    const at = await address;
    started.kill("SIGTERM");
    while ((await fetch(`${at}/readyz`)).status === 200);
    started.kill("SIGINT");
    expect(await exit).toBe(1);
  });
});

describe("a start that cannot be", () => {
  test("tells every wrong setting and nothing else", async () => {
    const { exit, stderr, stdout } = run({ PORT: "many", EDITION: "lunar" });
    expect(await exit).toBe(1);
    expect(stderr()).toMatch(/^The settings cannot be used:\n- PORT must be .*\n- EDITION must be .*\n$/u);
    expect(stdout()).toBe("");
  });

  test("tells a HOST that can be none with the other bad settings", async () => {
    const { exit, stderr } = run({ HOST: "not a host", PORT: "many" });
    expect(await exit).toBe(1);
    expect(stderr()).toMatch(/^The settings cannot be used:\n- PORT must be .*\n- HOST must be .*\n$/u);
  });

  test.runIf(process.platform === "linux")("ends at once when its data folder cannot be", async () => {
    const { exit, stderr } = run({ DATA_DIR: "/proc/nope" });
    expect(await exit).toBe(1);
    expect(stderr()).toMatch(/^The data folder \/proc\/nope cannot be made: .*\n$/u);
  });

  test("says that another server runs on the folder", async () => {
    await run().address;
    const first = child;
    const { exit, stderr } = run();
    expect(await exit).toBe(1);
    expect(stderr()).toBe(
      "Another server already runs on the data folder ./data. Stop it, or choose another folder with DATA_DIR.\n",
    );
    first?.kill("SIGKILL");
  });

  test("says that the port is taken", async () => {
    const taken = createServer();
    const port = await new Promise<number>((resolve) => {
      taken.listen(0, "127.0.0.1", () => resolve((taken.address() as { port: number }).port));
    });
    const { exit, stderr } = run({ PORT: String(port) });
    expect(await exit).toBe(1);
    expect(stderr()).toBe(
      `Port ${port} of 127.0.0.1 is taken by another program. Stop it, or choose another: PORT=${port + 1} npm start\n`,
    );
    taken.close();
  });
});
