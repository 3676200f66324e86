import type { Character } from "@plumb/protocol/wire/agents";
import { expect, test } from "vitest";
import { afterSave, type Writing } from "./persona-writing.ts";

const typed = {
  name: "Captain",
  greeting: null,
  instructions: "Talk like a sailor.",
  avatar_text: null,
  avatar_color: null,
};
const saved: Writing = { form: 1, persona: null, typed, problems: [] };
const character: Character = {
  ...typed,
  id: "805cd922-71a1-4a2e-99e2-87bfc6fa35db",
  avatar_text: "C",
  avatar_color: "#0f6b75",
  token_usage: 4,
  created_at: 1,
  updated_at: 1,
};
const done = { ok: true, character } as const;

test("a form is done with its save", () => {
  expect(afterSave(saved, saved, done)).toBeNull();
  expect(afterSave({ ...saved, problems: ["name-empty"] }, saved, done)).toBeNull();
});

test("what was typed on meanwhile stays, and is of the persona that was made", () => {
  const longer = { ...typed, instructions: "Talk like an old sailor." };
  expect(afterSave({ ...saved, typed: longer }, saved, done)).toEqual({
    ...saved,
    typed: longer,
    persona: character,
  });
});

test.each([
  ["done", done],
  ["refused", { ok: false, problems: ["name-empty"], isGone: true }],
] as const)("a form that was opened meanwhile is not the one that is %s", (_how, result) => {
  const other: Writing = { ...saved, form: 2, typed: { ...typed, name: "Cook" } };
  expect(afterSave(other, saved, result)).toBe(other);
  expect(afterSave(null, saved, result)).toBeNull();
});

test("a refused save leaves what was typed, with what is wrong; one whose persona is gone can be saved anew", () => {
  const edited: Writing = { ...saved, persona: character };
  expect(afterSave(edited, edited, { ok: false, problems: ["name-too-long"], isGone: false })).toEqual({
    ...edited,
    problems: ["name-too-long"],
  });
  expect(afterSave(edited, edited, { ok: false, problems: [], isGone: true })).toEqual({
    ...edited,
    persona: null,
  });
});
