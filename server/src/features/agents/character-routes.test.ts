// Personas as rows: created, listed, edited, deleted, within their bounds and for their owner alone, on both databases.
import { LIMITS } from "@plumb/protocol/limits";
import {
  createCharacter,
  deleteCharacter,
  updateCharacter,
  type Character,
} from "@plumb/protocol/wire/agents";
import { listCharacters } from "@plumb/protocol/wire/character-list";
import type { InputOf } from "@plumb/protocol/wire/call";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestApp, type TestApp } from "../../../test/create-test-app.ts";
import type { TestClient } from "../../../test/test-client.ts";
import { TestClock } from "../../../test/test-clock.ts";
import { engines } from "../../../test/test-databases.ts";
import { createWordFilter } from "../../adapters/content-filter/word-filter.ts";
import type { ContentFilter, Verdict } from "../../ports/content-filter.ts";

const tutor = { name: "Tutor", instructions: "Ask before you tell." };

describe.each(engines)("personas on %s", (engine) => {
  let app: TestApp;
  let clock: TestClock;
  let person: TestClient;
  beforeAll(async () => {
    clock = new TestClock();
    app = await createTestApp({ engine, clock });
    person = await app.signedIn();
  });
  afterAll(() => app.close());

  const listOf = async (owner: TestClient): Promise<Character[]> =>
    (await owner.ok(listCharacters, {})).characters;
  async function refusal(input: InputOf<typeof createCharacter>): Promise<string> {
    const { envelope } = await person.call(createCharacter, input);
    return `${envelope.data?.biz_code} ${envelope.data?.biz_msg}`;
  }

  it("have a name, a greeting, instructions, an avatar and the time of their last change [PERS-001] [PERS-003]", async () => {
    const owner = await app.signedIn();
    expect(await owner.ok(listCharacters, {})).toEqual({ characters: [], max_count: 20 });
    const { character, ...flat } = await owner.ok(createCharacter, {
      name: "  Old\tfriend ",
      greeting: " 你好！\nHow are you? ",
      instructions: "\nSpeak plainly. \n",
      avatar_text: "友",
      avatar_color: "#AA3355",
    });
    expect(flat).toEqual(character);
    const now = clock.now() / 1000;
    expect(character).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f-]{21}$/) as string,
      name: "Old friend",
      greeting: "你好！\nHow are you?",
      instructions: "Speak plainly.",
      token_usage: expect.any(Number) as number,
      avatar_text: "友",
      avatar_color: "#aa3355",
      created_at: now,
      updated_at: now,
    });
    clock.nowMs += 5000;
    const { character: plain } = await owner.ok(createCharacter, tutor);
    expect(plain).toMatchObject({ greeting: null, avatar_text: "T", updated_at: now + 5 });
    expect(plain.avatar_color).toMatch(/^#[0-9a-f]{6}$/);
    expect(await listOf(owner)).toEqual([plain, character]);
  });

  it("without a name, without instructions, or with too much of anything are refused [PERS-004] [PERS-005] [PERS-006]", async () => {
    const before = await listOf(person);
    expect(await refusal({ ...tutor, name: " \n" })).toBe("2 CHARACTER_NAME_EMPTY");
    expect(await refusal({ ...tutor, name: "\u200b\u2060" })).toBe("2 CHARACTER_NAME_EMPTY");
    expect(await refusal({})).toBe("2 CHARACTER_NAME_EMPTY");
    expect(await refusal({ name: "x" })).toBe("3 CHARACTER_INSTRUCTIONS_EMPTY");
    expect(await refusal({ ...tutor, name: "𝒙".repeat(33) })).toBe("4 CHARACTER_NAME_TOO_LONG");
    expect(await refusal({ ...tutor, greeting: "x".repeat(501) })).toBe("5 CHARACTER_GREETING_TOO_LONG");
    expect(await refusal({ ...tutor, instructions: "x".repeat(4001) })).toBe(
      "6 CHARACTER_INSTRUCTIONS_TOO_LONG",
    );
    expect(await refusal({ ...tutor, avatar_color: "teal" })).toBe("9 CHARACTER_AVATAR_INVALID");
    expect(await refusal({ ...tutor, avatar_text: "abc" })).toBe("9 CHARACTER_AVATAR_INVALID");
    const { status } = await person.call(createCharacter, { ...tutor, name: "a\0b" });
    expect(status).toBe(422);
    expect(await listOf(person)).toEqual(before);
    const most = { name: "𝒙".repeat(32), greeting: "你".repeat(500), instructions: "指".repeat(4000) };
    const { character } = await person.ok(createCharacter, most);
    expect(character).toMatchObject(most);
  });

  it("change by what is given alone, and come first then", async () => {
    const owner = await app.signedIn();
    const { id, ...made } = await owner.ok(createCharacter, { ...tutor, greeting: "Hello" });
    clock.nowMs += 1000;
    await owner.ok(createCharacter, { ...tutor, name: "Newer" });
    clock.nowMs += 1000;
    const changed = await owner.ok(updateCharacter, { character_id: id, name: "Coach" });
    const now = clock.now() / 1000;
    const expected = { ...made.character, name: "Coach", updated_at: now };
    expect(changed.character).toEqual(expected);
    expect((await listOf(owner))[0]).toEqual(expected);
    await owner.ok(updateCharacter, { character_id: id, name: null, avatar_text: null });
    expect((await listOf(owner))[0]).toEqual(expected);
    // An avatar that is emptied is made of the name again.
    await owner.ok(updateCharacter, { character_id: id, avatar_text: "", greeting: null });
    expect((await listOf(owner))[0]).toEqual({ ...expected, avatar_text: "C", greeting: null });
    const { envelope } = await owner.call(updateCharacter, { character_id: id, instructions: " " });
    expect(envelope.data).toMatchObject({ biz_code: 3, biz_msg: "CHARACTER_INSTRUCTIONS_EMPTY" });
    expect((await listOf(owner))[0]).toMatchObject({ instructions: tutor.instructions });
  });

  it("are at most 20 of a user, however many are asked for at once [PERS-002]", async () => {
    const owner = await app.signedIn();
    const asked = await Promise.all(
      Array.from({ length: 2 * LIMITS.charactersMax }, () => owner.another().call(createCharacter, tutor)),
    );
    const codes = asked.map(({ envelope }) => envelope.data?.biz_code);
    expect(codes.filter((code) => code === 0)).toHaveLength(LIMITS.charactersMax);
    expect(new Set(codes)).toEqual(new Set([0, 7]));
    const [first] = await listOf(owner);
    await owner.ok(deleteCharacter, { character_id: first?.id ?? "" });
    await owner.ok(createCharacter, tutor);
    const { envelope } = await owner.call(createCharacter, tutor);
    expect(envelope.data).toMatchObject({ biz_code: 7, biz_msg: "MAX_CHARACTERS_REACHED" });
    expect(await listOf(owner)).toHaveLength(LIMITS.charactersMax);
  });

  it("of another user are as if they did not exist [PERS-007]", async () => {
    const owner = await app.signedIn();
    const { id } = await owner.ok(createCharacter, tutor);
    const before = await listOf(owner);
    const absent = crypto.randomUUID();
    for (const [call, more] of [
      [updateCharacter, { name: "Mine now" }],
      [deleteCharacter, {}],
    ] as const) {
      const texts = await Promise.all(
        [id, absent, id.toUpperCase(), "", "chat", "\ud800", "x".repeat(4000)].map(async (character_id) => {
          const { envelope } = await person.call(call, { character_id, ...more });
          return JSON.stringify(envelope.data);
        }),
      );
      expect(new Set(texts)).toEqual(
        new Set(['{"biz_code":1,"biz_msg":"CHARACTER_NOT_FOUND","biz_data":null,"code":1}']),
      );
    }
    expect(JSON.stringify(await listOf(person))).not.toContain(id);
    expect(await listOf(owner)).toEqual(before);
    await owner.ok(deleteCharacter, { character_id: id });
    const { envelope } = await owner.call(deleteCharacter, { character_id: id });
    expect(envelope.data).toMatchObject({ biz_code: 1, biz_msg: "CHARACTER_NOT_FOUND" });
  });

  it("may be read and deleted, but not written, by a muted account", async () => {
    const owner = await app.signedIn();
    const { id } = await owner.ok(createCharacter, tutor);
    await app.db.kysely
      .updateTable("users")
      .set({ muted_until: clock.now() + 3_600_000 })
      .where("id", "=", owner.user?.id ?? "")
      .execute();
    clock.nowMs += 5000;
    for (const call of [createCharacter, updateCharacter]) {
      const { envelope } = await owner.call(call, { ...tutor, character_id: id });
      expect(envelope.code).toBe(50006);
    }
    expect(await listOf(owner)).toHaveLength(1);
    await owner.ok(deleteCharacter, { character_id: id });
  });
});

/** A filter that gives every text the same verdict. */
const giving = (verdict: Verdict): ContentFilter => ({
  open: () => ({ push() {}, pace: () => null, end: async () => verdict, abort() {} }),
  close: async () => {},
});

describe("what a persona says of itself", () => {
  it("is refused where it must not be said, in each of its texts, and stays as it was [PERS-009]", async () => {
    const app = await createTestApp({ contentFilter: createWordFilter(["secret plan"]) });
    const person = await app.signedIn();
    const { id } = await person.ok(createCharacter, tutor);
    const before = await person.ok(listCharacters, {});
    for (const field of ["name", "greeting", "instructions"]) {
      const bad = { ...tutor, [field]: "A secret plan" };
      for (const call of [createCharacter, updateCharacter]) {
        const { envelope } = await person.call(call, { ...bad, character_id: id });
        expect(envelope.data, field).toMatchObject({ biz_code: 8, biz_msg: "CHARACTER_INFO_VIOLATION" });
      }
    }
    expect(await person.ok(listCharacters, {})).toEqual(before);
    await app.close();
  });

  it.each([
    ["allow", 0],
    ["block", 42905],
  ] as const)("that nobody could look at: %s", async (whenUnknown, code) => {
    const app = await createTestApp({
      contentFilter: giving("unknown"),
      settings: { MODERATION_FAILURE: whenUnknown },
    });
    const person = await app.signedIn();
    const { envelope } = await person.call(createCharacter, tutor);
    expect(envelope.code).toBe(code);
    expect((await person.ok(listCharacters, {})).characters).toHaveLength(code === 0 ? 1 : 0);
    await app.close();
  });
});
