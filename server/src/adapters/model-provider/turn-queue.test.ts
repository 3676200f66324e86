import { afterEach, expect, test, vi } from "vitest";
import { TurnQueue } from "./turn-queue.ts";

afterEach(() => vi.useRealTimers());
const never = () => new AbortController().signal;
const away = () => new Error("away");

test("one after the other, in the order they came, and idle in between", async () => {
  const queue = new TurnQueue();
  const order: string[] = [];
  const take = async (name: string) => {
    const end = await queue.take(never(), away);
    order.push(name);
    return end;
  };
  const endFirst = await take("first");
  const [second, third] = [take("second"), take("third")];
  await Promise.resolve();
  expect([order, queue.idle]).toEqual([["first"], false]);
  endFirst();
  endFirst();
  (await second)();
  (await third)();
  expect(order).toEqual(["first", "second", "third"]);
  await expect.poll(() => queue.idle).toBe(true);
});

test("who leaves while waiting rejects with the reason and is skipped", async () => {
  const queue = new TurnQueue();
  const end = await queue.take(never(), away);
  const leaver = new AbortController();
  const left = queue.take(leaver.signal, away);
  const next = queue.take(never(), away);
  leaver.abort();
  await expect(left).rejects.toThrow("away");
  end();
  (await next)();
  await expect(queue.take(leaver.signal, away)).rejects.toThrow("away");
});

test("an abort during the turn does not begin the next one", async () => {
  const queue = new TurnQueue();
  const running = new AbortController();
  const end = await queue.take(running.signal, away);
  let begun = false;
  const next = queue.take(never(), away).then((endNext) => {
    begun = true;
    return endNext;
  });
  running.abort();
  await new Promise((resolve) => setImmediate(resolve));
  expect([begun, queue.idle]).toEqual([false, false]);
  end();
  (await next)();
});

test("who waits is told at once and each 10 s, and no more when the turn begins", async () => {
  vi.useFakeTimers();
  const queue = new TurnQueue();
  const told = vi.fn<() => void>();
  const end = await queue.take(never(), away, told);
  expect(told).not.toHaveBeenCalled();
  const next = queue.take(never(), away, told);
  expect(told).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(20_000);
  expect(told).toHaveBeenCalledTimes(3);
  end();
  (await next)();
  vi.advanceTimersByTime(60_000);
  expect(told).toHaveBeenCalledTimes(3);
  expect(vi.getTimerCount()).toBe(0);
});
