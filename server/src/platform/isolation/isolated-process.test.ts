import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, open, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Ending, type Limits, runIsolated } from "./isolated-process.ts";
import { userFor } from "./isolated-user.ts";

const limits: Limits = { timeMs: 30_000, heapMb: 64, residentBytes: 400e6, outputBytes: 1_000_000 };
const program = fileURLToPath(new URL("harm.fixture.ts", import.meta.url));
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "plumb-isolated-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs one deed of the fixture; what it wrote is told beside the ending. */
async function run(
  deed: string[],
  own: Partial<Limits> = {},
  signal = new AbortController().signal,
): Promise<{ ending: Ending; output: string }> {
  const path = join(folder, deed[0] ?? "");
  await writeFile(path, "the document");
  await using input = await open(path, "r");
  await using output = await open(`${path}.out`, "w");
  const files = { input: input.fd, output: output.fd };
  const ending = await runIsolated({ file: program, parameters: deed }, files, { ...limits, ...own }, signal);
  return { ending, output: await readFile(`${path}.out`, "utf8") };
}

test("it reads its document and writes its text", async () => {
  expect(await run(["copy"])).toEqual({ ending: { status: 0 }, output: "the document" });
});

test("nothing of the server's environment is there", async () => {
  process.env["PLUMB_TEST_SECRET"] = "a secret of the server";
  const { ending, output } = await run(["environment"]);
  delete process.env["PLUMB_TEST_SECRET"];
  expect(ending).toEqual({ status: 0 });
  expect(JSON.parse(output)).toEqual({ HOME: "/nonexistent" });
});

/** What of the attacks of a deed was not denied. */
async function notDenied(deed: string[]): Promise<Record<string, string>> {
  const { ending, output } = await run(deed);
  expect(ending).toEqual({ status: 0 });
  const outcomes = Object.entries(JSON.parse(output) as Record<string, string>);
  expect(outcomes.length).toBeGreaterThan(8);
  return Object.fromEntries(outcomes.filter(([, outcome]) => outcome !== "denied"));
}

test("no other file is read or written, by none of Node's ways to one", async () => {
  const own = fileURLToPath(new URL("../../../../package.json", import.meta.url));
  const before = await readdir(folder);
  expect(await notDenied(["files", own, folder])).toEqual({});
  const made = (await readdir(folder)).filter((name) => !before.includes(name));
  expect(made.toSorted()).toEqual(["files", "files.out"]);
});

test("no program is started, no other process signalled or debugged, and no other user taken on", async () => {
  const victim = spawn("/bin/sleep", ["60"]);
  expect(await notDenied(["processes", String(victim.pid)])).toEqual({
    library: "failed: ERR_DLOPEN_DISABLED",
  });
  expect([victim.exitCode, victim.signalCode]).toEqual([null, null]);
  victim.kill();
});

test("no connection leaves it, nothing listens, and no name is looked up", async () => {
  // Any user can connect and make a file there.
  const shared = await mkdtemp(join(tmpdir(), "plumb-sockets-"));
  await chmod(shared, 0o777);
  let connections = 0;
  const server = createServer(() => (connections += 1)).listen(0, "127.0.0.1");
  const socketFile = join(shared, "host.sock");
  const local = createServer(() => (connections += 1)).listen(socketFile);
  await Promise.all([once(server, "listening"), once(local, "listening")]);
  await chmod(socketFile, 0o777);
  const { port } = server.address() as AddressInfo;
  // A WebSocket does not say why it failed.
  expect(await notDenied(["network", String(port), socketFile, shared])).toEqual({
    webSocket: "failed: TypeError",
  });
  expect(connections).toBe(0);
  expect(await readdir(shared)).toEqual(["host.sock"]);
  await Promise.all([server, local].map((each) => new Promise((resolve) => each.close(resolve))));
  await rm(shared, { recursive: true });
});

test.runIf(process.getuid?.() === 0)(
  "where the server is root it is nobody, and no two are the same",
  async () => {
    const users = [await run(["user"]), await run(["user"])].map(
      ({ output }) => JSON.parse(output) as { uid: number; gid: number; groups: number[] },
    );
    for (const { uid, gid, groups } of users) {
      expect(uid).toBeGreaterThanOrEqual(64_512);
      expect([gid, groups]).toEqual([uid, [uid]]);
    }
    expect(users[0]?.uid).not.toBe(users[1]?.uid);
  },
);

test.runIf(process.getuid?.() === 0)("where no other user can reach the product it stays root", async () => {
  const warned = vi.spyOn(process, "emitWarning").mockReturnValue();
  // Made by mkdtemp, it is for its owner alone.
  expect([await userFor([folder]), await userFor([folder])]).toEqual([{}, {}]);
  expect(warned).toHaveBeenCalledTimes(1);
  warned.mockRestore();
});

test.each([
  ["computes without end", ["spin"], { timeMs: 500 }, "time"],
  ["computes for longer than its part of the processor", ["spin"], { processorSeconds: 1 }, "time"],
  ["fills the heap", ["fill-heap"], {}, "memory"],
  ["fills memory outside of the heap", ["fill-buffers"], { residentBytes: 200e6 }, "memory"],
  ["writes without end", ["write-on"], {}, "output"],
  ["crashes", ["crash"], {}, "crashed"],
] as const)("what %s is ended", async (_, deed, own, expected) => {
  const { ending } = await run([...deed], own);
  expect(ending).toEqual(expected);
});

test("a cancelled one is ended", async () => {
  const abort = new AbortController();
  const running = run(["spin"], {}, abort.signal);
  abort.abort();
  expect((await running).ending).toBe("cancelled");
});
