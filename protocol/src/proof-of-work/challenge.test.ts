import { createHmac } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  buildSalt,
  type Challenge,
  parseSalt,
  puzzleText,
  sceneOf,
  signatureText,
  signingKeyText,
  usableUntilMs,
} from "./challenge.ts";

const vector: Challenge = {
  algorithm: "SHA-256",
  challenge: "dc76a7c0e92ae86b45a3d89258ded3732508e0857bad437fdb9411ef727b9643",
  salt: "a1b2c300c3506b49d32c",
  signature: "ad80a4ac83ea6bbee4f432b51e16c36fb2d6efdc029a3b43bb400b1e820b6620",
  difficulty: 50_000,
  expire_at: 1_800_000_300_000,
  expire_after: 300_000,
  target_path: "/api/v0/chat/completion",
};

describe("challenge", () => {
  it("signs the text of the contract's vector", () => {
    const signature = createHmac("sha256", "test-key").update(signatureText(vector)).digest("hex");
    expect(signature).toBe(vector.signature);
  });

  it("lays out the salt of the contract's vector", () => {
    expect(buildSalt({ random: "a1b2c3", difficulty: 50_000, expireAtMs: 1_800_000_300_000 })).toBe(
      vector.salt,
    );
    expect(parseSalt(vector.salt)).toEqual({ difficulty: 50_000, expireAtMs: 1_800_000_300_000 });
  });

  it("reads every salt it builds", () => {
    fc.assert(
      fc.property(
        fc.nat({ max: 0xffffff }),
        fc.integer({ min: 1, max: 10_000_000 }),
        fc.nat({ max: 0xffffffff }),
        (random, difficulty, expireSecs) => {
          const expireAtMs = expireSecs * 1000;
          const salt = buildSalt({ random: random.toString(16).padStart(6, "0"), difficulty, expireAtMs });
          expect(salt).toMatch(/^[0-9a-f]{20}$/);
          expect(parseSalt(salt)).toEqual({ difficulty, expireAtMs });
        },
      ),
    );
  });

  it("refuses to build a salt that could not be read again", () => {
    const good = { random: "a1b2c3", difficulty: 50_000, expireAtMs: 1_800_000_300_000 };
    expect(() => buildSalt({ ...good, random: "a1b2c" })).toThrow(RangeError);
    expect(() => buildSalt({ ...good, difficulty: 0x1000000 })).toThrow(RangeError);
    expect(() => buildSalt({ ...good, expireAtMs: 1_800_000_300_001 })).toThrow(RangeError);
  });

  it.each([
    "",
    "A1B2C300C3506B49D32C",
    "a1b2c300c3506b49d32",
    "a1b2c300c3506b49d32c0",
    "zzb2c300c3506b49d32c",
  ])("does not read %j as a salt", (salt) => {
    expect(parseSalt(salt)).toBeNull();
  });

  it("[POW-003] knows the scenes completion_like and upload_file", () => {
    expect(sceneOf("/api/v0/file/upload_file")).toBe("upload_file");
    const chat = ["completion", "regenerate", "edit_message", "continue", "resume_stream", "stop_stream"];
    expect(chat.map((call) => sceneOf(`/api/v0/chat/${call}`))).toEqual(chat.map(() => "completion_like"));
    expect(sceneOf("/api/v0/chat/message_feedback")).toBeNull();
    expect(sceneOf("constructor")).toBeNull();
  });

  it("[POW-010] is usable for expire_after less 60000 ms", () => {
    expect(usableUntilMs(vector, 1_000_000)).toBe(1_000_000 + 300_000 - 60_000);
  });

  it("keeps the keys of users and guests apart", () => {
    expect([signingKeyText("guest-id"), signingKeyText(null)]).toEqual(["pow:guest-id", "pow:guest"]);
    expect(puzzleText("s", 2, 3)).toBe("s_2_3");
  });
});
