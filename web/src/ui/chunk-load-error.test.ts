import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { asChunkLoadError, CHUNK_TIMEOUT_MS, withinTime } from "./chunk-load-error.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const failed = new TypeError("Failed to fetch dynamically imported module: http://plumb.test/static/a-1.js");

test.each([
  ["one the server has no more", 404, "missing"],
  ["one that is there", 200, "other"],
  ["one whose server is silent", 0, "other"],
])("a chunk that fails to load says how and where: %s [ERR-044]", async (_title, status, failure) => {
  const asked: string[] = [];
  const error = await asChunkLoadError(failed, async (address) => {
    asked.push(address);
    return status;
  });
  expect(asked).toEqual(["http://plumb.test/static/a-1.js"]);
  expect(error).toMatchObject({ name: "ChunkLoadError", failure, address: asked[0], cause: failed });
  expect(error.message).toContain(failure);
  expect(error.message).toContain("http://plumb.test/static/a-1.js");
});

test("an error without an address is told as it is [ERR-044]", async () => {
  const error = await asChunkLoadError("broken", async () => 200);
  expect(error).toMatchObject({ failure: "other", address: "" });
});

test("a chunk is waited for 120 s [ERR-045]", async () => {
  const outcome = withinTime(() => new Promise(() => {})).catch((error: unknown) => error);
  let settled = false;
  void outcome.then(() => (settled = true));
  await vi.advanceTimersByTimeAsync(CHUNK_TIMEOUT_MS - 1);
  expect(settled).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(CHUNK_TIMEOUT_MS).toBe(120_000);
  expect(await outcome).toMatchObject({ name: "ChunkLoadError", failure: "timeout" });
});

test("one that comes in time leaves no timer behind", async () => {
  expect(await withinTime(async () => "part")).toBe("part");
  expect(vi.getTimerCount()).toBe(0);
});
