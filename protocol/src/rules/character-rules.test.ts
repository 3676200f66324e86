import fc from "fast-check";
import { expect, test } from "vitest";
import { LIMITS } from "../limits.ts";
import { isCharacterId } from "./character-id.ts";
import { characterProblems, fitCharacter, type TypedCharacter } from "./character-rules.ts";
import { codePointLength } from "./code-points.ts";

const typed = (rest: Partial<TypedCharacter> = {}): TypedCharacter => ({
  name: "Tutor",
  greeting: null,
  instructions: "Teach.",
  avatar_text: null,
  avatar_color: null,
  ...rest,
});

test.each<[Partial<TypedCharacter>, string[]]>([
  [{}, []],
  [{ name: "" }, ["name-empty"]],
  [{ name: " \n\t" }, ["name-empty"]],
  [{ name: "\u200b\u200d" }, ["name-empty"]],
  [{ name: "\u3164 \u2800" }, ["name-empty"]],
  [{ instructions: "\u200b\n\u2060" }, ["instructions-empty"]],
  [{ name: "x".repeat(32) }, []],
  [{ name: `  ${"𝒙".repeat(32)}  ` }, []],
  [{ name: "x".repeat(33) }, ["name-too-long"]],
  [{ instructions: " \n" }, ["instructions-empty"]],
  [{ instructions: "指".repeat(4000) }, []],
  [{ instructions: "指".repeat(4001) }, ["instructions-too-long"]],
  [{ greeting: "你".repeat(500) }, []],
  [{ greeting: "你".repeat(501) }, ["greeting-too-long"]],
  [{ avatar_text: "AB" }, []],
  [{ avatar_text: "🇨🇳" }, []],
  [{ avatar_text: "ABC" }, ["avatar-invalid"]],
  [{ avatar_color: "#0F6b75" }, []],
  [{ avatar_color: "red" }, ["avatar-invalid"]],
  [{ avatar_color: "#0f6b7" }, ["avatar-invalid"]],
  [{ avatar_color: "#0f6b75ff" }, ["avatar-invalid"]],
  [{ avatar_color: "url(x)" }, ["avatar-invalid"]],
  [
    { name: "", instructions: "", greeting: "x".repeat(501), avatar_text: "ABC" },
    ["name-empty", "instructions-empty", "greeting-too-long", "avatar-invalid"],
  ],
])("%j has the problems %j", (rest, problems) => {
  expect(characterProblems(typed(rest))).toEqual(problems);
});

test.each<[Partial<TypedCharacter>, Partial<TypedCharacter>]>([
  [{ name: "  A \n tutor " }, { name: "A tutor", avatar_text: "A" }],
  [{ name: "老师" }, { avatar_text: "老" }],
  [{ name: "\u200bTutor" }, { name: "Tutor", avatar_text: "T" }],
  [{ avatar_text: "\u200b" }, { avatar_text: "T" }],
  [{ greeting: "\u200b" }, { greeting: null }],
  [{ name: "🇨🇳 guide" }, { avatar_text: "🇨🇳" }],
  [{ name: "e\u0301cole" }, { avatar_text: "e\u0301" }],
  // A reader sees one sign of five code points: as much of it as there is room for.
  [{ name: "👨‍👩‍👧 family" }, { avatar_text: "👨\u200d" }],
  [{ avatar_text: " T " }, { avatar_text: "T" }],
  [{ avatar_text: " " }, { avatar_text: "T" }],
  [{ avatar_color: " #ABCDEF " }, { avatar_color: "#abcdef" }],
  [{ greeting: "  " }, { greeting: null }],
  [{ greeting: " Hi\nthere " }, { greeting: "Hi\nthere" }],
  [{ instructions: "\n- a\n- b\n" }, { instructions: "- a\n- b" }],
])("%j is stored as %j", (rest, stored) => {
  expect(fitCharacter(typed(rest))).toMatchObject(stored);
});

test("a persona without problems fits its bounds, and is stored the same when it is stored again", () => {
  const words = fc.string({ unit: "grapheme", maxLength: 60 });
  fc.assert(
    fc.property(
      fc.record({
        name: words,
        greeting: fc.option(words),
        instructions: words,
        avatar_text: fc.option(words),
        avatar_color: fc.option(fc.constantFrom("#ABCDEF", "", "red")),
      }),
      (one) => {
        const fields = fitCharacter(one);
        expect(fitCharacter(fields)).toEqual(fields);
        expect(characterProblems(fields)).toEqual(characterProblems(one));
        if (characterProblems(one).length > 0) return;
        expect(codePointLength(fields.name)).toBeLessThanOrEqual(LIMITS.characterNameChars);
        expect(fields.avatar_text).not.toBe("");
        expect(codePointLength(fields.avatar_text)).toBeLessThanOrEqual(LIMITS.characterAvatarChars);
        expect(fields.avatar_color).toMatch(/^#[0-9a-f]{6}$/);
      },
    ),
  );
});

test("no id of an agent that everybody has can be a persona's", () => {
  for (const id of ["chat", "coder", "chat_cache1", "chat_cache2", "character", ""]) {
    expect(isCharacterId(id)).toBe(false);
  }
  expect(isCharacterId("00000000-0000-4000-8000-000000000000")).toBe(true);
  expect(isCharacterId("00000000-0000-4000-8000-000000000000\0")).toBe(false);
});
