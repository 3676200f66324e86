import { describe, expect, it } from "vitest";
import { defaultLocale, editionRules } from "./edition-rules.ts";

describe("editions", () => {
  it("speak their own language by default", () => {
    expect([defaultLocale("mainland"), defaultLocale("international")]).toEqual(["zh_CN", "en_US"]);
  });

  it("sign up by phone in the mainland and by email elsewhere", () => {
    expect(editionRules("mainland").signUp).toEqual(["mobile"]);
    expect(editionRules("international").signUp).toEqual(["email"]);
  });
});
