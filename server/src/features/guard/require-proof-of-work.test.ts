import { createHash } from "node:crypto";
import type { Challenge } from "@plumb/protocol/proof-of-work/challenge";
import { solve } from "@plumb/protocol/proof-of-work/puzzle";
import { decodePowResponse, type PowResponse } from "@plumb/protocol/wire/headers";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { engines, openTestDatabase, type TestDatabase } from "../../../test/test-databases.ts";
import { GlobalRefusal, Refusal } from "../../platform/refusal.ts";
import { signChallenge } from "./challenge-keys.ts";
import { issueGuestChallenge, issueUserChallenge } from "./issue-challenge.ts";
import { requireGuestProof, requireUserProof } from "./require-proof-of-work.ts";

const NOW = 1_800_000_000_400;
const settings = { secretKey: "a server key", powDifficulty: { chat: 40, upload: 30, guest: 20 } };
const COMPLETION = "/api/v0/chat/completion";
const REGISTER = "/api/v0/users/register";
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

function solved(challenge: Challenge): PowResponse {
  const answer = solve(challenge, sha256);
  if (answer === null) throw new Error("unsolvable");
  return { ...challenge, answer };
}

const outcomeOf = (work: Promise<unknown>) =>
  work.then(
    () => "accepted",
    (error: unknown) => (error instanceof GlobalRefusal ? error.global.code : error),
  );

test("signs as in the vector of the contract", () => {
  const vector = {
    algorithm: "SHA-256",
    challenge: "dc76a7c0e92ae86b45a3d89258ded3732508e0857bad437fdb9411ef727b9643",
    salt: "a1b2c300c3506b49d32c",
    difficulty: 50_000,
    expire_at: 1_800_000_300_000,
    target_path: COMPLETION,
  };
  expect(sha256("a1b2c300c3506b49d32c_1800000300000_31337")).toBe(vector.challenge);
  expect(signChallenge(Buffer.from("test-key"), vector)).toBe(
    "ad80a4ac83ea6bbee4f432b51e16c36fb2d6efdc029a3b43bb400b1e820b6620",
  );
});

test("[POW-005] a challenge has all keys, lives at least five minutes and ends on a whole second", () => {
  const challenge = issueUserChallenge(settings, "user", "/v0/chat/completion", NOW);
  expect(challenge).toEqual({
    algorithm: "SHA-256",
    challenge: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    salt: expect.stringMatching(/^[0-9a-f]{20}$/) as string,
    signature: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    difficulty: 40,
    expire_at: 1_800_000_301_000,
    expire_after: 300_000,
    target_path: COMPLETION,
  });
  expect(issueUserChallenge(settings, "user", "/api/v0/file/upload_file", NOW).difficulty).toBe(30);
  expect(() => issueUserChallenge(settings, "user", "/api/v0/users/login", NOW)).toThrow(Refusal);
});

describe.each(engines)("proofs on %s", (engine) => {
  let opened: TestDatabase;
  beforeEach(async () => {
    opened = await openTestDatabase(engine);
  });
  afterEach(() => opened.close());

  const user = (proof: PowResponse | null, { calledPath = COMPLETION, userId = "user", nowMs = NOW } = {}) =>
    outcomeOf(requireUserProof(opened.db, settings.secretKey, { proof, userId, calledPath }, nowMs));
  const fresh = (path = COMPLETION) => solved(issueUserChallenge(settings, "user", path, NOW));

  test("[POW-014] an answer is good once, for every call of its scene", async () => {
    const proof = fresh();
    expect(await user(proof, { calledPath: "/api/v0/chat/regenerate" })).toBe("accepted");
    expect(await user(proof)).toBe(40301);
    expect(await user(fresh("/api/v0/chat/edit_message"))).toBe("accepted");
  });

  test("[POW-013] no proof is 40300", async () => {
    expect(await user(null)).toBe(40300);
    expect(decodePowResponse("not base64 json", COMPLETION)).toBe(null);
  });

  test("[POW-014] wrong, foreign, altered, expired and of another scene are 40301 and spend nothing", async () => {
    const proof = fresh();
    const wrong = [
      user({ ...proof, answer: proof.answer + 1 }),
      user({ ...proof, answer: -1 }),
      user({ ...proof, answer: 40 }),
      user(proof, { userId: "other" }),
      user({ ...proof, signature: proof.signature.replace(/^./, (c) => (c === "0" ? "1" : "0")) }),
      user({ ...proof, signature: "" }),
      user({ ...proof, salt: `000000${proof.salt.slice(6)}` }),
      user({ ...proof, salt: "short" }),
      user({ ...proof, algorithm: "MD5" }),
      user({ ...proof, target_path: "/api/v0/file/upload_file" }),
      user(proof, { calledPath: "/api/v0/file/upload_file" }),
      user(proof, { nowMs: 1_800_000_301_001 }),
    ];
    expect(await Promise.all(wrong)).toEqual(wrong.map(() => 40301));
    expect(await user(proof, { nowMs: 1_800_000_301_000 })).toBe("accepted");
  });

  test("50 parallel uses of one answer: one is accepted", async () => {
    const proof = fresh();
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => user(proof)));
    expect(outcomes.filter((outcome) => outcome === "accepted")).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 40301)).toHaveLength(49);
  });

  const guest = (
    proof: { salt: string; answer: number } | null,
    { calledPath = REGISTER, nowMs = NOW } = {},
  ) => outcomeOf(requireGuestProof(opened.db.kysely, { proof, calledPath }, nowMs));
  const freshGuest = async (path: string | null = REGISTER) =>
    solved(await issueGuestChallenge(opened.db.kysely, settings, { targetPath: path }, NOW));

  test("[AUTH-077] a guest's answer is bound to its path, good once, and not spent by a wrong one", async () => {
    const proof = await freshGuest("/v0/users/register");
    expect(await guest({ ...proof, answer: proof.answer + 1 })).toBe(40301);
    expect(await guest(proof, { calledPath: "/api/v0/users/create_email_verification_code" })).toBe(40301);
    expect(await guest(proof, { nowMs: 1_800_000_301_001 })).toBe(40301);
    expect(await guest(proof)).toBe("accepted");
    expect(await guest(proof)).toBe(40301);
    expect(await guest(null)).toBe(40300);
    expect(await guest({ salt: "0".repeat(20), answer: 0 })).toBe(40301);
    expect(await guest({ salt: "'; --", answer: 0 })).toBe(40301);
  });

  test("a guest challenge without a path serves any one guest call", async () => {
    expect(await guest(await freshGuest(null), { calledPath: "/api/v0/users/login_by_mobile_sms" })).toBe(
      "accepted",
    );
    await expect(
      issueGuestChallenge(opened.db.kysely, settings, { targetPath: COMPLETION }, NOW),
    ).rejects.toThrow(Refusal);
  });

  test("50 parallel uses of one guest answer: one is accepted", async () => {
    const proof = await freshGuest();
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => guest(proof)));
    expect(outcomes.filter((outcome) => outcome === "accepted")).toHaveLength(1);
  });
});
