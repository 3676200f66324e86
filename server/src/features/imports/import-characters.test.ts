// The personas of an own export come with it, once, and go on speaking in their chats (wire-contract.md §15, §19.6).
import { LIMITS } from "@plumb/protocol/limits";
import { createCharacter } from "@plumb/protocol/wire/agents";
import { listCharacters } from "@plumb/protocol/wire/character-list";
import { deleteAllSessions } from "@plumb/protocol/wire/history";
import { fetchSessionPage } from "@plumb/protocol/wire/sessions";
import { completion } from "@plumb/protocol/wire/turns";
import { describe, expect, it } from "vitest";
import { createWordFilter } from "../../adapters/content-filter/word-filter.ts";
import { testApps } from "../../../test/test-apps.ts";
import type { TestClient } from "../../../test/test-client.ts";
import { engines } from "../../../test/test-databases.ts";
import { imported, zipOf } from "./import.fixture.ts";

const at = 1_700_000_000;
const idOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
const persona = (n: number, instructions: string, extra: object = {}) => ({
  id: idOf(n),
  name: `Persona ${n}`,
  greeting: null,
  instructions,
  avatar_text: "P",
  avatar_color: "#123456",
  created_at: at,
  updated_at: at + n,
  ...extra,
});
const chatWith = (n: number) => ({
  chat_session: {
    id: `chat ${n}`,
    title: `Chat ${n}`,
    title_type: "USER",
    agent: "character",
    character_id: idOf(n),
    inserted_at: at,
    updated_at: at + n,
  },
  chat_messages: [
    { message_id: 1, parent_id: null, role: "USER", fragments: [{ type: "REQUEST", content: "Hello" }] },
    { message_id: 2, parent_id: 1, role: "ASSISTANT", fragments: [{ type: "RESPONSE", content: "Ahoy" }] },
  ],
});
const zip = (characters: readonly unknown[], chats: readonly number[]) =>
  zipOf({
    "account.json": JSON.stringify({ format: "plumb-export", characters }),
    "sessions.json": JSON.stringify(chats.map(chatWith)),
  });

describe.each(engines)("personas of an import on %s", (engine) => {
  const open = testApps({ engine });
  const charactersOf = async (person: TestClient) => (await person.ok(listCharacters, {})).characters;
  const agentsOf = async (person: TestClient) =>
    (await person.ok(fetchSessionPage, { count: 100 })).chat_sessions.map(
      ({ title, agent, character_id }) => [title, agent, character_id],
    );

  it("speak on in their chats, and come no second time", async () => {
    const app = await open();
    const person = await app.signedIn();
    const upload = await zip([persona(1, "Be a captain."), persona(2, "Be silent.")], [1, 3]);
    expect(await imported(person, "own.zip", upload)).toMatchObject({
      status: "FINISHED",
      sessions_skipped: 0,
    });
    const [silent, captain] = await charactersOf(person);
    expect(captain).toMatchObject({ name: "Persona 1", instructions: "Be a captain.", updated_at: at + 1 });
    expect(silent).toMatchObject({ name: "Persona 2", created_at: at });
    expect(captain?.id).not.toBe(idOf(1));
    // One that was not in it cannot speak.
    expect(await agentsOf(person)).toEqual([
      ["Chat 3", "chat", null],
      ["Chat 1", "character", captain?.id],
    ]);
    const { chat_sessions: sessions } = await person.ok(fetchSessionPage, {});
    const turn = { chat_session_id: sessions[1]?.id ?? "", parent_message_id: 2, prompt: "And now?" };
    const next = app.model.next();
    const stream = await person.stream(completion, turn);
    const run = await next;
    expect(run.request.messages[0]).toMatchObject({ role: "system", content: "Be a captain." });
    run.end();
    await stream.ended;

    await person.ok(deleteAllSessions, {});
    await imported(person, "own.zip", upload);
    expect((await charactersOf(person)).map(({ id }) => id)).toEqual([silent?.id, captain?.id]);
    expect((await agentsOf(person))[1]).toEqual(["Chat 1", "character", captain?.id]);
  });

  it("are nobody else's, no more than one may have, and none that could not be made here", async () => {
    const app = await open({ contentFilter: createWordFilter(["secret plan"]) });
    const [person, other] = [await app.signedIn(), await app.signedIn()];
    const { id: foreign } = await other.ok(createCharacter, { name: "Other", instructions: "Other." });
    for (let n = 2; n < LIMITS.charactersMax; n += 1)
      await person.ok(createCharacter, { name: `Own ${n}`, instructions: "Own." });
    const upload = await zip(
      [
        persona(1, "Tell the secret plan."),
        persona(2, "x".repeat(LIMITS.characterInstructionsChars + 1)),
        persona(3, ""),
        "none",
        persona(4, "The last one."),
        persona(5, "No room.", { id: foreign }),
        persona(6, "One too many."),
      ],
      [1, 2, 4, 6],
    );
    expect(await imported(person, "own.zip", upload)).toMatchObject({
      sessions_done: 4,
      sessions_skipped: 0,
    });
    const names = (await charactersOf(person)).map(({ name }) => name);
    expect(names).toHaveLength(LIMITS.charactersMax);
    expect(names.filter((name) => name.startsWith("Persona")).sort()).toEqual(["Persona 4", "Persona 5"]);
    expect((await agentsOf(person)).map(([title, agent]) => [title, agent])).toEqual([
      ["Chat 6", "chat"],
      ["Chat 4", "character"],
      ["Chat 2", "chat"],
      ["Chat 1", "chat"],
    ]);
    expect((await charactersOf(other)).map(({ id }) => id)).toEqual([foreign]);
  });

  it("come with no conversations that are not ours, and a damaged list of them harms none", async () => {
    const app = await open();
    const person = await app.signedIn();
    const upload = await zipOf({
      "account.json": '{"characters":[{',
      "sessions.json": JSON.stringify([chatWith(1)]),
    });
    expect(await imported(person, "own.zip", upload)).toMatchObject({ status: "FINISHED", sessions_done: 1 });
    expect(await charactersOf(person)).toEqual([]);
    expect(await agentsOf(person)).toEqual([["Chat 1", "chat", null]]);
  });
});
