import { describe, expect, it } from "vitest";
import { problemOf, problemsAmong } from "./form-problems.ts";

describe("what is wrong with a field", () => {
  it.each([
    ["", "form.emailEmpty"],
    ["  ", "form.emailEmpty"],
    ["a@b", "form.emailInvalid"],
    [" A@b.co ", undefined],
  ])("[AUTH-039] [AUTH-040] email %j: %s", (typed, text) => {
    expect(problemOf.email(typed)).toBe(text);
  });

  it.each([
    ["", "phoneEmpty"],
    ["1381234567", "phoneInvalid"],
    ["23812345678", "phoneInvalid"],
    ["13812345678", undefined],
  ])("[AUTH-037] [AUTH-038] phone %j: %s", (typed, text) => {
    expect(problemOf.mobile(typed)).toBe(text);
  });

  it.each([
    ["", "form.identifierEmpty"],
    ["me", "form.identifierInvalid"],
    ["13812345678@", "form.identifierInvalid"],
    ["13812345678", undefined],
    ["a@b.co", undefined],
  ])("[AUTH-041] [AUTH-042] identifier %j: %s", (typed, text) => {
    expect(problemOf.identifier(typed)).toBe(text);
  });

  it.each([
    ["", "form.codeEmpty"],
    ["12345", "form.codeInvalid"],
    ["123456", undefined],
  ])("[AUTH-051] code %j: %s", (typed, text) => {
    expect(problemOf.code(typed)).toBe(text);
  });

  it.each([
    ["", "form.passwordEmpty"],
    ["short", "form.passwordLength"],
    ["x".repeat(51), "form.passwordLength"],
    ["contraseña", "form.passwordCharacters"],
    ["long enough", undefined],
  ])("[AUTH-044] [AUTH-046] a new password %j: %s", (typed, text) => {
    expect(problemOf.password(typed)).toBe(text);
  });

  it("[AUTH-047] [AUTH-048] the confirmation is asked for, and is the same", () => {
    expect(problemOf.confirmation("", "x")).toBe("form.confirmationEmpty");
    expect(problemOf.confirmation("y", "x")).toBe("form.confirmationDiffers");
    expect(problemOf.confirmation("x", "x")).toBeUndefined();
  });

  it("[AUTH-025] consent has to be given", () => {
    expect(problemOf.consent(false)).toBe("form.consentMissing");
    expect(problemOf.consent(true)).toBeUndefined();
  });

  it("only fields with a problem are told", () => {
    expect(problemsAmong({ email: undefined, code: "form.codeEmpty" })).toEqual({ code: "form.codeEmpty" });
  });
});
