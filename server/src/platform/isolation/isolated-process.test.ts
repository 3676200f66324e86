import { mkdtemp, open, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Ending, type Limits, runIsolated } from "./isolated-process.ts";

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

test("nothing of the server's environment is there, nor may its files be read or written, nor a program be started", async () => {
  process.env["PLUMB_TEST_SECRET"] = "a secret of the server";
  const own = fileURLToPath(new URL("../../../../package.json", import.meta.url));
  const { ending, output } = await run(["look-around", own, folder]);
  delete process.env["PLUMB_TEST_SECRET"];
  expect(ending).toEqual({ status: 0 });
  expect(JSON.parse(output)).toEqual({
    environment: {},
    reads: "ERR_ACCESS_DENIED",
    writes: "ERR_ACCESS_DENIED",
    lists: "ERR_ACCESS_DENIED",
    starts: "ERR_ACCESS_DENIED",
    threads: "ERR_ACCESS_DENIED",
  });
});

test("no connection leaves it", async () => {
  let connections = 0;
  const server = createServer(() => (connections += 1)).listen(0, "127.0.0.1");
  const { port } = await new Promise<{ port: number }>((resolve) =>
    server.once("listening", () => resolve(server.address() as { port: number })),
  );
  const { output } = await run(["connect", String(port)]);
  expect(JSON.parse(output)).toEqual({ socket: "refused", fetch: "refused", lookup: "refused" });
  expect(connections).toBe(0);
  await new Promise((resolve) => server.close(resolve));
});

test.each([
  ["computes without end", ["spin"], { timeMs: 500 }, "time"],
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
