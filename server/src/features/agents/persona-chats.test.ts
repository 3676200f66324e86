// Chats with a persona: who answers, by which instructions, and what becomes of them when the persona is changed or deleted.
import { createCharacter, deleteCharacter, updateCharacter } from "@plumb/protocol/wire/agents";
import type { Envelope } from "@plumb/protocol/wire/envelope";
import { stopStream } from "@plumb/protocol/wire/replies";
import { createSession, fetchSessionPage, historyMessages } from "@plumb/protocol/wire/sessions";
import { completion, continueMessage, editMessage, regenerate } from "@plumb/protocol/wire/turns";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestApp, type TestApp } from "../../../test/create-test-app.ts";
import { createScriptedModel } from "../../../test/scripted-model.ts";
import type { TestClient } from "../../../test/test-client.ts";
import { engines } from "../../../test/test-databases.ts";
import { countTokens } from "../../platform/count-tokens.ts";
import type { ModelRequest } from "../../ports/model-provider.ts";

const bizOf = ({ data }: Envelope): string => `${data?.biz_code} ${data?.biz_msg}`;
const instructionsOf = (request: ModelRequest | undefined): string | undefined =>
  request?.messages.find(({ role }) => role === "system")?.content;

/** A persona that says who it is, and a session with it. */
async function begin(person: TestClient) {
  const { id } = await person.ok(createCharacter, { name: "Pirate", instructions: "Talk like a pirate." });
  const session = await person.ok(createSession, { character_id: id });
  return { id, session, at: { chat_session_id: session.id } };
}

describe.each(engines)("a chat with a persona on %s", (engine) => {
  let app: TestApp;
  let person: TestClient;
  beforeAll(async () => {
    app = await createTestApp({ engine });
    person = await app.signedIn();
  });
  afterAll(() => app.close());

  it("names it, and is answered by its instructions [PERS-001]", async () => {
    const { id, session, at } = await begin(person);
    expect(session).toMatchObject({ agent: "character", character_id: id });
    const stream = await person.stream(completion, { ...at, prompt: "Hello" });
    await stream.ended;
    expect(app.model.replies.at(-1)).toMatchObject({
      purpose: "chat",
      messages: [
        { role: "system", content: "Talk like a pirate." },
        { role: "user", content: "Hello" },
      ],
    });
    const { chat_sessions } = await person.ok(fetchSessionPage, {});
    expect(chat_sessions[0]).toMatchObject({ id: session.id, agent: "character", character_id: id });
  });

  it("begins each reply with the instructions of now, and goes on with those it began with", async () => {
    const { id, at } = await begin(person);
    const next = app.model.next();
    const stream = await person.stream(completion, { ...at, prompt: "Hello" });
    const run = await next;
    run.say("Arr");
    await stream.waitForType("delta");
    await person.ok(updateCharacter, { character_id: id, instructions: "Talk like a judge." });
    await person.ok(stopStream, at);
    await stream.ended;
    const more = await person.stream(continueMessage, { ...at, message_id: 2 });
    await more.ended;
    expect(app.model.replies.at(-1)?.prefix?.answer).toBe("Arr");
    expect(instructionsOf(app.model.replies.at(-1))).toBe("Talk like a pirate.");
    const again = await person.stream(regenerate, { ...at, child_message_id: 2 });
    await again.ended;
    expect(instructionsOf(app.model.replies.at(-1))).toBe("Talk like a judge.");
  });

  it("stays readable when its persona is deleted, and says why it cannot go on [PERS-008]", async () => {
    const { id, at } = await begin(person);
    const next = app.model.next();
    const stream = await person.stream(completion, { ...at, prompt: "Hello", client_stream_id: "first" });
    const run = await next;
    run.say("Arr");
    await stream.waitForType("delta");
    await person.ok(deleteCharacter, { character_id: id });
    // The reply that runs goes on to its end.
    run.say(" matey");
    run.end();
    await stream.ended;
    const { chat_messages } = await person.ok(historyMessages, at);
    expect(chat_messages[1]).toMatchObject({ status: "FINISHED", fragments: [{ content: "Arr matey" }] });
    const asked = app.model.replies.length;
    const refused = [
      await person.call(completion, { ...at, parent_message_id: 2, prompt: "More" }),
      await person.call(editMessage, { ...at, message_id: 1, prompt: "Other" }),
      await person.call(regenerate, { ...at, child_message_id: 2 }),
      await person.call(continueMessage, { ...at, message_id: 2 }),
    ];
    expect(refused.map(({ envelope }) => bizOf(envelope))).toEqual(refused.map(() => "20 CHARACTER_DELETED"));
    // A repeat of what was begun before is still answered.
    const repeat = await person.stream(completion, { ...at, prompt: "Hello", client_stream_id: "first" });
    await repeat.ended;
    expect(app.model.replies).toHaveLength(asked);
    const { envelope } = await person.call(createSession, { character_id: id });
    expect(bizOf(envelope)).toBe("20 CHARACTER_NOT_AVAILABLE");
  });

  it("is refused with another's persona as with none [STRM-037]", async () => {
    const { id } = await begin(await app.signedIn());
    for (const character_id of [id, crypto.randomUUID(), "character", `${id}\0`]) {
      const { envelope } = await person.call(createSession, { character_id });
      expect(bizOf(envelope), character_id).toBe("20 CHARACTER_NOT_AVAILABLE");
    }
  });

  it("is refused a web search, and nothing is stored then [STRM-038]", async () => {
    const { at } = await begin(person);
    const asked = app.model.replies.length;
    const search = { ...at, prompt: "Hello", search_enabled: true };
    const { envelope } = await person.call(completion, search);
    expect(bizOf(envelope)).toBe("21 SEARCH_NOT_WITH_CHARACTER");
    expect((await person.ok(historyMessages, at)).chat_messages).toEqual([]);
    expect(app.model.replies).toHaveLength(asked);
    // With deep thinking there is no search to refuse.
    const stream = await person.stream(completion, { ...search, thinking_enabled: true });
    await stream.ended;
    const again = { child_message_id: 2, message_id: 1, prompt: "Other", search_enabled: true };
    for (const call of [regenerate, editMessage]) {
      const said = await person.call(call, { ...at, ...again });
      expect(bizOf(said.envelope)).toBe("21 SEARCH_NOT_WITH_CHARACTER");
    }
  });
});

it.each(engines)(
  "what a persona is told takes its part of the budget, as it is now, on %s",
  async (engine) => {
    const app = await createTestApp({ engine, settings: { MODEL_CONTEXT_TOKENS: "1000" } });
    const person = await app.signedIn();
    const character = await person.ok(createCharacter, { name: "Pirate", instructions: "word ".repeat(600) });
    expect(character.token_usage).toBe(await countTokens(character.instructions));
    const session = await person.ok(createSession, { character_id: character.id });
    const at = { chat_session_id: session.id };
    const ask = async (prompt: string, parent: number | null = null) => {
      const stream = await person.stream(completion, { ...at, prompt, parent_message_id: parent });
      return (await stream.ended).find(({ type }) => type === "hint")?.data;
    };
    // 600 and 500 tokens: there is no branch on which that would fit.
    expect(await ask("word ".repeat(500))).toMatchObject({ finish_reason: "input_exceeds_limit" });
    expect((await person.ok(historyMessages, at)).chat_messages).toEqual([]);
    const prompt = "word ".repeat(300);
    expect(await ask(prompt)).toBeUndefined();
    const [request] = (await person.ok(historyMessages, at)).chat_messages;
    expect(request?.accumulated_token_usage).toBe(await countTokens(prompt));
    expect(await ask("word ".repeat(150), 4)).toMatchObject({ finish_reason: "context_length_exceeded" });
    await person.ok(updateCharacter, { character_id: character.id, instructions: "Be brief." });
    expect(await ask("word ".repeat(150), 4)).toBeUndefined();
    await app.close();
  },
);

it("a reply that another process takes over goes on by the instructions it began with", async () => {
  // The owner neither renews nor claims while the test lasts.
  const sleepy = { LEASE_TIMEOUT_MS: "60000", LEASE_RENEW_MS: "30000" };
  const a = await createTestApp({ engine: "postgres", settings: sleepy });
  const person = await a.signedIn();
  const { id, at } = await begin(person);
  const next = a.model.next();
  const stream = await person.stream(completion, { ...at, prompt: "Hello" });
  (await next).say("Arr");
  await stream.waitForType("delta");
  await person.ok(updateCharacter, { character_id: id, instructions: "Talk like a judge." });
  await person.ok(deleteCharacter, { character_id: id });
  const quick = { LEASE_TIMEOUT_MS: "600", LEASE_RENEW_MS: "100" };
  const b = await createTestApp({
    engine: "postgres",
    settings: quick,
    beside: a,
    model: createScriptedModel(),
  });
  const taken = b.model.next();
  await a.db.kysely.updateTable("reply_lease").set({ owner: "a dead process", renewed_at: 0 }).execute();
  const run = await taken;
  expect(instructionsOf(run.request)).toBe("Talk like a pirate.");
  run.end();
  await b.close();
  await a.close();
});
