import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { sha256Ascii } from "./sha256.ts";

describe("sha256Ascii", () => {
  it("equals the platform's hash for every length around the block borders", () => {
    for (let length = 0; length <= 200; length++) {
      const text = "x7_".repeat(67).slice(0, length);
      expect(sha256Ascii(text)).toBe(createHash("sha256").update(text).digest("hex"));
    }
  });
});
