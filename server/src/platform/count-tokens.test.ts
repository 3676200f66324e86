import { describe, expect, it } from "vitest";
import { heldBytes } from "../../test/held-bytes.ts";
import { countTokens } from "./count-tokens.ts";

const MIB = 1024 * 1024;

describe("counting tokens", () => {
  it("counts words of both languages, and control words as plain text", async () => {
    expect(await countTokens("")).toBe(0);
    expect(await countTokens("hello world")).toBe(2);
    expect(await countTokens("你好")).toBeGreaterThan(0);
    expect(await countTokens("<|endoftext|>")).toBeGreaterThan(1);
  });

  it("adds up over slices: a long text counts as its parts, give or take one a slice", async () => {
    const sentence = "The quick brown fox jumps over the lazy dog. ";
    const many = await countTokens(sentence.repeat(1000));
    const one = await countTokens(sentence);
    expect(many / (one * 1000)).toBeGreaterThan(0.85);
    expect(many / (one * 1000)).toBeLessThan(1.05);
  });

  it("stops soon after the limit, and takes unbroken text and halves of surrogate pairs", async () => {
    const counted = await countTokens("ab1!".repeat(50_000), 100);
    expect(counted).toBeGreaterThan(100);
    expect(counted).toBeLessThan(2000);
    expect(await countTokens("😀".repeat(3000))).toBeGreaterThan(0);
    expect(await countTokens("\ud83d")).toBeGreaterThan(0);
  });

  it("keeps nothing of the texts in memory, whatever words it meets in them", async () => {
    await countTokens("loaded");
    const used = async (): Promise<number> => {
      heldBytes();
      // What the first collection has set free is gone after a turn.
      await new Promise(setImmediate);
      return heldBytes() + process.memoryUsage().heapUsed;
    };
    const before = await used();
    for (let text = 0; text < 12; text += 1) {
      // A word that nobody has seen, as long as one is when it is cut out of its text and not copied.
      const words = Buffer.alloc(4 * MIB, `zxqv${"wjkpqzvxw".repeat(2)}${text} `).toString("latin1");
      await countTokens(words, 100);
    }
    expect((await used()) - before).toBeLessThan(8 * MIB);
  });

  it("gives others their turn between the slices of a long text", async () => {
    await countTokens("loaded");
    let turns = 0;
    let over = false;
    const turn = (): void => {
      turns += 1;
      if (!over) setImmediate(turn);
    };
    setImmediate(turn);
    await countTokens("0123456789abcdef".repeat(16 * 1024));
    over = true;
    expect(turns).toBeGreaterThanOrEqual(16);
  });
});
