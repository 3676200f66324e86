import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  decodeGuestPowResponse,
  decodePowResponse,
  encodeGuestPowResponse,
  encodePowResponse,
  normaliseTargetPath,
  parseBearer,
  parseLocale,
  type PowResponse,
} from "./headers.ts";

const PATH = "/api/v0/chat/completion";
const vector: PowResponse = {
  algorithm: "SHA-256",
  challenge: "dc76a7c0e92ae86b45a3d89258ded3732508e0857bad437fdb9411ef727b9643",
  salt: "a1b2c300c3506b49d32c",
  answer: 31_337,
  signature: "ad80a4ac83ea6bbee4f432b51e16c36fb2d6efdc029a3b43bb400b1e820b6620",
  target_path: PATH,
};
const vectorHeader =
  "eyJhbGdvcml0aG0iOiJTSEEtMjU2IiwiY2hhbGxlbmdlIjoiZGM3NmE3YzBlOTJhZTg2YjQ1YTNkODkyNThkZWQzNzMyNTA4ZTA4NTdiYWQ0MzdmZGI5NDExZWY3MjdiOTY0MyIsInNhbHQiOiJhMWIyYzMwMGMzNTA2YjQ5ZDMyYyIsImFuc3dlciI6MzEzMzcsInNpZ25hdHVyZSI6ImFkODBhNGFjODNlYTZiYmVlNGY0MzJiNTFlMTZjMzZmYjJkNmVmZGMwMjlhM2I0M2JiNDAwYjFlODIwYjY2MjAiLCJ0YXJnZXRfcGF0aCI6Ii9hcGkvdjAvY2hhdC9jb21wbGV0aW9uIn0=";
const header = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64");

describe("X-DS-PoW-Response", () => {
  it("[POW-007] is the contract's vector, both ways", () => {
    expect(encodePowResponse(vector)).toBe(vectorHeader);
    expect(decodePowResponse(vectorHeader, "/other")).toEqual(vector);
  });

  it("leaves out keys that belong to the challenge", () => {
    const challenge = { ...vector, difficulty: 5, expire_at: 1 };
    expect(encodePowResponse(challenge)).toBe(vectorHeader);
  });

  it("decodes what it encodes, padded or not, in either alphabet", () => {
    fc.assert(
      fc.property(
        fc.record({
          algorithm: fc.string(),
          challenge: fc.string({ unit: "grapheme" }),
          salt: fc.string(),
          answer: fc.maxSafeInteger(),
          signature: fc.string(),
          target_path: fc.string({ unit: "grapheme" }).map((path) => `/api/${path}`),
        }),
        fc.boolean(),
        fc.boolean(),
        (response, padded, urlSafe) => {
          let value = encodePowResponse(response);
          if (!padded) value = value.replace(/=+$/, "");
          if (urlSafe) value = value.replaceAll("+", "-").replaceAll("/", "_");
          fc.pre(value.length <= 4096);
          expect(decodePowResponse(value, PATH)).toEqual(response);
        },
      ),
    );
  });

  it("tolerates spaces, extra keys, an answer as text, a path without its prefix or none", () => {
    const spaced = Buffer.from(JSON.stringify({ ...vector, difficulty: 50_000, answer: "31337" }, null, 2));
    expect(decodePowResponse(spaced.toString("base64"), PATH)).toEqual(vector);
    expect(decodePowResponse(header({ ...vector, target_path: "/v0/chat/completion" }), "/x")).toEqual(
      vector,
    );
    expect(decodePowResponse(header({ ...vector, target_path: undefined }), PATH)).toEqual(vector);
  });

  it.each<[string, string]>([
    ["empty", ""],
    ["not base64", "%%%"],
    ["of an impossible length", "abcde"],
    ["not JSON", Buffer.from("{").toString("base64")],
    ["not UTF-8", Buffer.from([0x22, 0xff, 0x22]).toString("base64")],
    ["an array", header([vector])],
    ["null", header(null)],
    ["without a key", header({ ...vector, salt: undefined })],
    ["with a key of another type", header({ ...vector, signature: 1 })],
    ["with a worded answer", header({ ...vector, answer: "many" })],
    ["with a broken answer", header({ ...vector, answer: 0.5 })],
    ["longer than 4096 characters", header({ ...vector, more: "x".repeat(4096) })],
  ])("is unusable when %s", (_name, value) => {
    expect(decodePowResponse(value, PATH)).toBeNull();
  });

  it("never throws on a header made by anyone", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.base64String(),
          fc.json().map((json) => btoa(escape(json))),
        ),
        (value) => {
          decodePowResponse(value, PATH);
          decodeGuestPowResponse(value);
        },
      ),
    );
  });

  it("leaves a wrong answer to the verification", () => {
    expect(decodePowResponse(header({ ...vector, answer: -1 }), PATH)?.answer).toBe(-1);
  });
});

describe("X-DS-Guest-PoW-Response", () => {
  it("[POW-008] carries salt and answer", () => {
    const value = encodeGuestPowResponse({ salt: vector.salt, answer: 7 });
    expect(JSON.parse(Buffer.from(value, "base64").toString())).toEqual({ salt: vector.salt, answer: 7 });
    expect(decodeGuestPowResponse(value)).toEqual({ salt: vector.salt, answer: 7 });
    expect(decodeGuestPowResponse(header({ salt: "s", answer: "12", more: 1 }))).toEqual({
      salt: "s",
      answer: 12,
    });
  });

  it.each([
    "",
    "%%%",
    header({ salt: "s" }),
    header({ answer: 1 }),
    header({ salt: 1, answer: 1 }),
    header("s"),
  ])("is unusable as %j", (value) => {
    expect(decodeGuestPowResponse(value)).toBeNull();
  });
});

describe("small headers", () => {
  it.each([
    ["/v0/chat/completion", "/api/v0/chat/completion"],
    ["/api/v0/chat/completion", "/api/v0/chat/completion"],
    ["/chat/completion", "/chat/completion"],
    ["", ""],
  ])("target path %j is %j", (path, expected) => {
    expect(normaliseTargetPath(path)).toBe(expected);
  });

  it.each([
    ["zh_CN", "international", "zh_CN"],
    ["zh-CN", "international", "zh_CN"],
    ["en-US", "mainland", "en_US"],
    ["fr_FR", "mainland", "zh_CN"],
    ["", "international", "en_US"],
    [undefined, "mainland", "zh_CN"],
    [null, "international", "en_US"],
  ] as const)("locale %j in the %s edition is %s", (value, edition, expected) => {
    expect(parseLocale(value, edition)).toBe(expected);
  });

  it.each([
    ["Bearer abc", "abc"],
    ["bEARER   abc ", "abc"],
    ["Bearer", null],
    ["Bearer a b", null],
    ["Basic abc", null],
    [undefined, null],
  ])("authorization %j holds %j", (value, token) => {
    expect(parseBearer(value)).toBe(token);
  });
});
