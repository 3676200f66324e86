// A reply by the model that was chosen for it, from its call to its last continuation, on both databases.
import { getClientStreams, resumeStream, stopStream } from "@plumb/protocol/wire/replies";
import { createSession, historyMessages } from "@plumb/protocol/wire/sessions";
import type { ClientSettings } from "@plumb/protocol/wire/site";
import { clientSettings } from "@plumb/protocol/wire/site";
import { completion, continueMessage, editMessage, regenerate } from "@plumb/protocol/wire/turns";
import { afterEach, describe, expect, it } from "vitest";
import { migrate } from "../../platform/database/migrate.ts";
import { createTestApp, type TestApp, type TestAppOptions } from "../../../test/create-test-app.ts";
import { createScriptedModel, type ScriptedModel } from "../../../test/scripted-model.ts";
import type { TestClient } from "../../../test/test-client.ts";
import { engines } from "../../../test/test-databases.ts";

const large = { id: "vendor/large:70b", name: "Large", listed: true };
const small = { id: "small", name: "Small", listed: true };

function choosing(...choice: ScriptedModel["choice"]): ScriptedModel {
  const model = createScriptedModel();
  model.choice = choice;
  return model;
}

describe.each(engines)("a chosen model on %s", (engine) => {
  const apps: TestApp[] = [];
  const open = async (options: TestAppOptions = {}): Promise<TestApp> => {
    const app = await createTestApp({ engine, model: choosing(large, small), ...options });
    apps.push(app);
    return app;
  };
  afterEach(async () => {
    for (const app of apps.splice(0).reverse()) await app.close();
  });

  const newSession = async (person: TestClient) => (await person.ok(createSession, {})).id;
  const modelsOf = async (person: TestClient, id: string) =>
    (await person.ok(historyMessages, { chat_session_id: id })).chat_messages.map(({ model }) => model);
  const asked = (app: TestApp) => app.model.replies.map(({ model }) => model);

  it("writes the reply and is named by it, in the stream and in the history", async () => {
    const app = await open();
    const person = await app.signedIn();
    const id = await newSession(person);
    const stream = await person.stream(completion, { chat_session_id: id, prompt: "Hi", model: large.id });
    const deltas = (await stream.ended).filter((event) => event.type === "delta");
    expect(deltas[0]?.data.v).toMatchObject({ response: { model: large.id } });
    expect(await modelsOf(person, id)).toEqual(["", large.id]);
    const again = { chat_session_id: id, child_message_id: 2, model: small.id };
    await (
      await person.stream(regenerate, again)
    ).ended;
    const edited = { chat_session_id: id, message_id: 1, prompt: "Hello", model: large.id };
    await (
      await person.stream(editMessage, edited)
    ).ended;
    expect(await modelsOf(person, id)).toEqual(["", large.id, small.id, "", large.id]);
    expect(asked(app)).toEqual([large.id, small.id, large.id]);
    // Titles are made by the operator's model for them, whatever was chosen.
    expect(app.model.requests.filter(({ purpose }) => purpose === "title")).not.toEqual([]);
    for (const title of app.model.requests.filter(({ purpose }) => purpose === "title")) {
      expect(title.model ?? "").toBe("");
    }
  });

  it("is the default one by its name, by an empty one, by none, and whatever a client says of a model_type", async () => {
    const app = await open();
    const person = await app.signedIn();
    for (const input of [
      { model: "default" },
      { model: "" },
      { model: null },
      {},
      { model_type: "expert" },
    ]) {
      const id = await newSession(person);
      const stream = await person.stream(completion, { chat_session_id: id, prompt: "Hi", ...input });
      await stream.ended;
      expect(await modelsOf(person, id), JSON.stringify(input)).toEqual(["", ""]);
    }
    expect(new Set(asked(app))).toEqual(new Set([""]));
  });

  it("that is not offered is refused before anything is written", async () => {
    const app = await open();
    const person = await app.signedIn();
    const id = await newSession(person);
    for (const model of ["gone", "Large", " small", "__proto__", "\ud800", "small\0", "x".repeat(10_000)]) {
      const input = { chat_session_id: id, prompt: "Hi", model };
      const { envelope } = await person.call(completion, input);
      expect(envelope.data).toMatchObject({ biz_code: 27, biz_msg: "MODEL_NOT_AVAILABLE" });
    }
    expect(await modelsOf(person, id)).toEqual([]);
  });

  it("bounds the branch by its own context", async () => {
    const model = choosing(large);
    const info = model.info.bind(model);
    model.info = (id) => (id === large.id ? { ...info(id), contextTokens: 10 } : info(id));
    const app = await open({ model });
    const person = await app.signedIn();
    const prompt = "one two three four five six seven eight nine ten eleven twelve";
    const id = await newSession(person);
    const stream = await person.stream(completion, { chat_session_id: id, prompt, model: large.id });
    expect((await stream.ended).find((event) => event.type === "hint")?.data).toMatchObject({
      finish_reason: "input_exceeds_limit",
    });
    const other = await person.stream(completion, { chat_session_id: id, prompt });
    expect((await other.ended).some((event) => event.type === "finish")).toBe(true);
  });

  /** A stopped reply by the large model. */
  async function stopped(app: TestApp, person: TestClient): Promise<string> {
    const id = await newSession(person);
    const next = app.model.next();
    const stream = await person.stream(completion, { chat_session_id: id, prompt: "Hi", model: large.id });
    (await next).say("one ");
    await stream.waitForType("delta");
    await person.ok(stopStream, { chat_session_id: id });
    await stream.ended;
    return id;
  }

  it("goes on with its own reply", async () => {
    const app = await open();
    const person = await app.signedIn();
    const id = await stopped(app, person);
    await (
      await person.stream(continueMessage, { chat_session_id: id, message_id: 2 })
    ).ended;
    expect(asked(app)).toEqual([large.id, large.id]);
    expect(app.model.replies[1]?.prefix).toEqual({ reasoning: "", answer: "one " });
    expect(await modelsOf(person, id)).toEqual(["", large.id]);
  });

  it("that is no longer offered lets a reply be continued, and stays its name", async () => {
    const app = await open();
    const person = await app.signedIn();
    const id = await stopped(app, person);
    app.model.choice = [small];
    await (
      await person.stream(continueMessage, { chat_session_id: id, message_id: 2 })
    ).ended;
    expect((await person.ok(historyMessages, { chat_session_id: id })).chat_messages[1]).toMatchObject({
      status: "FINISHED",
      model: large.id,
    });
    const redo = { chat_session_id: id, child_message_id: 2, model: large.id };
    expect((await person.call(regenerate, redo)).envelope.data?.biz_code).toBe(27);
  });

  it("of before there was a choice is the default one, and its replies go on", async () => {
    const app = await open();
    const person = await app.signedIn();
    const id = await newSession(person);
    const next = app.model.next();
    const stream = await person.stream(completion, {
      chat_session_id: id,
      prompt: "Hi",
      client_stream_id: "from-before",
    });
    (await next).say("one ");
    await stream.waitForType("delta");
    await person.ok(stopStream, { chat_session_id: id });
    await stream.ended;
    // The database as the version before left it.
    await app.db.kysely.schema.alterTable("messages").dropColumn("model").execute();
    await app.db.kysely
      .withTables<{ schema_migrations: { name: string } }>()
      .deleteFrom("schema_migrations")
      .where("name", "like", "%-models")
      .execute();
    expect(await migrate(app.db)).toEqual([expect.stringMatching(/-models$/)]);
    expect(await modelsOf(person, id)).toEqual(["", ""]);
    const { client_streams } = await person.ok(getClientStreams, {
      chat_session_id: id,
      client_stream_ids: ["from-before"],
    });
    expect(client_streams[0]).toMatchObject({ response_message_id: 2, status: "INCOMPLETE" });
    await (
      await person.stream(continueMessage, { chat_session_id: id, message_id: 2 })
    ).ended;
    expect(asked(app).at(-1)).toBe("");
    expect((await person.ok(historyMessages, { chat_session_id: id })).chat_messages[1]?.status).toBe(
      "FINISHED",
    );
  });

  it("is told in the settings after the default one, its twin once", async () => {
    const app = await open();
    const models = async () => {
      const told = (await app.client().ok(clientSettings, {})) as ClientSettings;
      return told.models;
    };
    expect(await models()).toEqual([
      { id: "default", name: "scripted", thinking: true },
      { id: large.id, name: "Large", thinking: true },
      { id: "small", name: "Small", thinking: true },
    ]);
    app.model.choice = [{ id: "scripted", name: "The usual", listed: true }, small];
    expect(await models()).toEqual([
      { id: "default", name: "The usual", thinking: true },
      { id: "small", name: "Small", thinking: true },
    ]);
    app.model.choice = [];
    expect(await models()).toHaveLength(1);
  });

  it("that the endpoint does not have is told by /readyz", async () => {
    const app = await open({ model: choosing(large, { ...small, listed: false }) });
    const checks = async () => {
      const response = await fetch(`${app.address}/readyz`);
      expect(response.status).toBe(200);
      return ((await response.json()) as { checks: object }).checks;
    };
    expect(await checks()).toMatchObject({ model: "ok", models: { [large.id]: "ok", small: "degraded" } });
    app.model.health = async () => "degraded";
    expect(await checks()).toMatchObject({ models: { [large.id]: "degraded", small: "degraded" } });
  });

  it.runIf(engine === "postgres")("is asked by the process that takes the reply over", async () => {
    const sleepy = { LEASE_RENEW_MS: "60000", LEASE_TIMEOUT_MS: "100000" };
    const a = await open({ settings: sleepy });
    const person = await a.signedIn();
    const id = await newSession(person);
    const next = a.model.next();
    const stream = await person.stream(completion, { chat_session_id: id, prompt: "Hi", model: large.id });
    (await next).say("one ");
    await stream.waitForType("delta");
    const b = await open({ beside: a, model: choosing(large) });
    const taken = b.model.next();
    await a.db.kysely.updateTable("reply_lease").set({ owner: "a dead process", renewed_at: 0 }).execute();
    const second = await taken;
    expect(second.request).toMatchObject({ model: large.id, prefix: { answer: "one " } });
    const reader = await b.client(person).stream(resumeStream, { chat_session_id: id, message_id: 2 });
    second.say("two");
    second.end();
    await reader.ended;
    expect(await modelsOf(person, id)).toEqual(["", large.id]);
  });
});
