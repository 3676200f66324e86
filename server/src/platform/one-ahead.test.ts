import { expect, it } from "vitest";
import { oneAhead } from "./one-ahead.ts";

function counted() {
  const log: string[] = [];
  async function* source(): AsyncGenerator<number, void> {
    try {
      for (let n = 1; n <= 3; n += 1) {
        log.push(`made ${n}`);
        yield n;
      }
    } finally {
      log.push("closed");
    }
  }
  return { log, source };
}

it("asks for the next one, and for no more, while one is worked on", async () => {
  const { log, source } = counted();
  for await (const n of oneAhead(source())) {
    await Promise.resolve();
    log.push(`used ${n}`);
  }
  expect(log).toEqual(["made 1", "made 2", "used 1", "made 3", "used 2", "closed", "used 3"]);
});

it("closes its source when nobody wants more", async () => {
  const { log, source } = counted();
  for await (const n of oneAhead(source())) if (n === 1) break;
  expect(log).toEqual(["made 1", "made 2", "closed"]);
});

it("throws what the source throws in its turn, and nothing where nobody asks", async () => {
  async function* broken(): AsyncGenerator<number, void> {
    yield 1;
    throw new Error("gone");
  }
  const got: number[] = [];
  const all = async () => {
    for await (const n of oneAhead(broken())) got.push(n);
  };
  await expect(all()).rejects.toThrow("gone");
  expect(got).toEqual([1]);
  for await (const n of oneAhead(broken())) {
    await new Promise((resolve) => setImmediate(resolve));
    if (n === 1) break;
  }
});
