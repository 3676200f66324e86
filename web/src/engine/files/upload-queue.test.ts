import { expect, test } from "vitest";
import { createUploadQueue } from "./upload-queue.ts";

function queueOf(atOnce: number) {
  const queue = createUploadQueue(() => atOnce);
  const running = new Map<string, { end: () => void; signal: AbortSignal }>();
  const add = (key: string): void =>
    queue.add(
      key,
      (signal) =>
        new Promise<void>((end) => {
          running.set(key, { end, signal });
          signal.addEventListener("abort", () => end());
        }),
    );
  const end = async (key: string): Promise<void> => {
    running.get(key)?.end();
    running.delete(key);
    await new Promise((resolve) => setTimeout(resolve, 0));
  };
  return { queue, running, add, end };
}

test("so many run at the same time, the next when one has ended [FILE-017]", async () => {
  const { running, add, end } = queueOf(3);
  ["a", "b", "c", "d", "e"].forEach(add);
  expect([...running.keys()]).toEqual(["a", "b", "c"]);
  await end("b");
  expect([...running.keys()]).toEqual(["a", "c", "d"]);
});

test("a cancelled one ends, or never begins, and makes room", async () => {
  const { queue, running, add } = queueOf(1);
  ["a", "b", "c"].forEach(add);
  const first = running.get("a");
  queue.cancel("b");
  queue.cancel("a");
  expect(first?.signal.aborted).toBe(true);
  await new Promise((resolve) => setTimeout(resolve, 0));
  expect([...running.keys()]).toEqual(["a", "c"]);
});
