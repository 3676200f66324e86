// Personas: made, listed, changed, deleted, and what becomes of their chats (wire-contract.md §3.6, §15, §18.10).
import { expect, it } from "vitest";
import type { Json, Person } from "./person.ts";
import type { World } from "./world.ts";

const at = (name: string): string => `/api/v0/character/${name}`;
const friend = { name: "Friend", instructions: "Be kind." };

export function characterCases(world: World): void {
  async function made(person: Person, body: Json = friend): Promise<Json & { id: string }> {
    return (await person.must(at("create"), body))["character"] as Json & { id: string };
  }
  const listed = async (person: Person) => (await person.get(at("list"))).data["characters"] as Json[];

  it("create answers the persona flat and once more as an object, trimmed and filled in", async () => {
    const person = await world.newPerson();
    const { character, ...flat } = await person.must(at("create"), {
      name: " Friend\n",
      instructions: " x ",
    });
    expect(flat).toEqual(character);
    expect(flat).toEqual({
      id: expect.stringMatching(
        /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      ) as string,
      name: "Friend",
      greeting: null,
      instructions: "x",
      token_usage: 1,
      avatar_text: "F",
      avatar_color: expect.stringMatching(/^#[0-9a-f]{6}$/) as string,
      created_at: expect.any(Number) as number,
      updated_at: flat["created_at"],
    });
    const said = await person.get(at("list"));
    expect(said.data).toEqual({ characters: [flat], max_count: expect.any(Number) as number });
  });

  it.each([
    [{}, 2, "CHARACTER_NAME_EMPTY"],
    [{ name: " " }, 2, "CHARACTER_NAME_EMPTY"],
    [{ name: "x" }, 3, "CHARACTER_INSTRUCTIONS_EMPTY"],
    [{ ...friend, name: "𝒙".repeat(33) }, 4, "CHARACTER_NAME_TOO_LONG"],
    [{ ...friend, greeting: "𝒙".repeat(501) }, 5, "CHARACTER_GREETING_TOO_LONG"],
    [{ ...friend, instructions: "𝒙".repeat(4001) }, 6, "CHARACTER_INSTRUCTIONS_TOO_LONG"],
    [{ ...friend, avatar_text: "abc" }, 9, "CHARACTER_AVATAR_INVALID"],
    [{ ...friend, avatar_color: "red" }, 9, "CHARACTER_AVATAR_INVALID"],
  ])("create refuses %j", async (body, code, msg) => {
    const person = await world.person();
    const said = await person.post(at("create"), body);
    expect([said.biz, said.msg, said.envelope.data?.biz_data]).toEqual([code, msg, null]);
  });

  it("update changes what is given, and delete ends the persona", async () => {
    const person = await world.newPerson();
    const before = await made(person, { ...friend, greeting: "Hi" });
    const change = { character_id: before.id, name: "Enemy", instructions: null };
    const { character: after } = await person.must(at("update"), change);
    expect(after).toEqual({
      ...before,
      name: "Enemy",
      updated_at: expect.any(Number) as number,
    });
    await person.must(at("update"), { character_id: before.id, greeting: null });
    expect((await listed(person))[0]).toMatchObject({ name: "Enemy", greeting: null });
    await person.must(at("delete"), { character_id: before.id });
    expect(await listed(person)).toEqual([]);
    for (const name of ["update", "delete"]) {
      const said = await person.post(at(name), { character_id: before.id });
      expect([said.biz, said.msg]).toEqual([1, "CHARACTER_NOT_FOUND"]);
    }
  });

  it("another's persona is none: neither changed, nor deleted, nor spoken to", async () => {
    const owner = await world.newPerson();
    const { id } = await made(owner);
    const person = await world.person();
    for (const name of ["update", "delete"]) {
      const said = await person.post(at(name), { character_id: id, name: "Mine" });
      expect([said.biz, said.msg]).toEqual([1, "CHARACTER_NOT_FOUND"]);
    }
    const said = await person.post("/api/v0/chat_session/create", { character_id: id });
    expect([said.biz, said.msg]).toEqual([20, "CHARACTER_NOT_AVAILABLE"]);
    expect(await listed(owner)).toMatchObject([friend]);
  });

  it("a chat with a persona takes no search, and is only read when the persona is deleted", async () => {
    const person = await world.newPerson();
    const { id } = await made(person);
    const session = await person.must("/api/v0/chat_session/create", { character_id: id });
    expect(session).toMatchObject({ agent: "character", character_id: id });
    const body = { chat_session_id: session["id"] as string, prompt: "Hello" };
    const searching = await person.post("/api/v0/chat/completion", { ...body, search_enabled: true });
    expect([searching.biz, searching.msg]).toEqual([21, "SEARCH_NOT_WITH_CHARACTER"]);
    await person.turn(body);
    await person.must(at("delete"), { character_id: id });
    const history = await person.history(body.chat_session_id);
    expect(history.chat_session).toMatchObject({ agent: "character", character_id: id });
    expect(history.chat_messages).toHaveLength(2);
    const calls: [string, Json][] = [
      ["completion", { parent_message_id: 2 }],
      ["edit_message", { message_id: 1 }],
      ["regenerate", { child_message_id: 2 }],
      ["continue", { message_id: 2 }],
    ];
    for (const [name, more] of calls) {
      const said = await person.post(`/api/v0/chat/${name}`, { ...body, ...more });
      expect([said.biz, said.msg, said.envelope.data?.biz_data], name).toEqual([
        20,
        "CHARACTER_DELETED",
        null,
      ]);
    }
  });
}
