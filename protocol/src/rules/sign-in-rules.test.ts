import { describe, expect, it } from "vitest";
import {
  identifierKind,
  isEmail,
  isPhone,
  isServedAreaCode,
  isVerificationCode,
  keepPhoneDigits,
  newPasswordProblem,
  normaliseEmail,
} from "./sign-in-rules.ts";

describe("sign-in rules", () => {
  it.each([
    ["13800138000", true],
    ["23800138000", false],
    ["1380013800", false],
    ["138001380000", false],
    ["1380013800a", false],
    ["13800138000\n", false],
    ["１3800138000", false],
    ["", false],
  ])("[AUTH-035] phone %j: %j", (value, valid) => {
    expect(isPhone(value)).toBe(valid);
  });

  it.each([
    ["+86", true],
    ["86", true],
    ["", true],
    [null, true],
    ["+1", false],
  ])("area code %j is served: %j", (value, served) => {
    expect(isServedAreaCode(value)).toBe(served);
  });

  it("[AUTH-036] keeps digits only, up to 11", () => {
    expect(keepPhoneDigits("+1 (38) 0013-8000 99")).toBe("13800138000");
  });

  it.each(["+86 138 0013 8000", "008613800138000", "86-138-0013-8000", "１３８００１３８０００"])(
    "a phone pasted as %s is its 11 digits",
    (typed) => {
      expect(keepPhoneDigits(typed)).toBe("13800138000");
    },
  );

  const local = "a".repeat(64);
  const longest = `${local}@${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(58)}.ee`;
  it.each([
    ["a@b.cc", true],
    ["First.Last+tag@sub.example.com", true],
    ["o'neil@example.co.uk", true],
    [longest, true],
    [longest.replace(".ee", ".eee"), false],
    ["", false],
    ["a", false],
    ["a@b", false],
    ["@b.cc", false],
    ["a@.cc", false],
    ["a@b..cc", false],
    ["a@-b.cc", false],
    ["a..b@c.dd", false],
    [".a@b.cc", false],
    ["a.@b.cc", false],
    ["a b@c.dd", false],
    ["a@b@c.dd", false],
    ["a@b.cc\n", false],
    [" a@b.cc", false],
    ["用户@example.com", false],
  ])("[AUTH-040] email %j: %j", (value, valid) => {
    expect(isEmail(value)).toBe(valid);
  });

  it("compares emails in lower case", () => {
    expect(normaliseEmail(" Ab@X.Com ")).toBe("ab@x.com");
  });

  it.each([
    ["", "empty"],
    [" ".repeat(8), "empty"],
    [`${" ".repeat(7)}x`, null],
    ["1234567", "length"],
    ["12345678", null],
    ["x".repeat(50), null],
    ["x".repeat(51), "length"],
    [" ~!@#$%^", null],
    ["pässword", "characters"],
    ["password\n", "characters"],
    ["password\x7f", "characters"],
    ["密码密码密码密码", "characters"],
  ])("[AUTH-044] [AUTH-045] new password %j: %j", (value, problem) => {
    expect(newPasswordProblem(value)).toBe(problem);
  });

  it.each([
    ["012345", true],
    ["12345", false],
    ["1234567", false],
    ["12345a", false],
    ["１２３４５６", false],
    ["", false],
  ])("[AUTH-050] code %j: %j", (value, valid) => {
    expect(isVerificationCode(value)).toBe(valid);
  });

  it.each([
    ["", "empty"],
    ["  ", "empty"],
    ["a@b.cc", "email"],
    [" a@b.cc ", "email"],
    ["13800138000", "phone"],
    ["13800138000@", "invalid"],
    ["nobody", "invalid"],
  ])("[AUTH-043] identifier %j is %s", (value, kind) => {
    expect(identifierKind(value)).toBe(kind);
  });
});
