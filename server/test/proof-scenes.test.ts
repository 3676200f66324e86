// Which chat calls cost a proof of work (wire-contract.md §2.2), and what a message looks like to its owner.
import { historyMessages, createSession } from "@plumb/protocol/wire/sessions";
import { completion, continueMessage, editMessage, regenerate } from "@plumb/protocol/wire/turns";
import { resumeStream, stopStream } from "@plumb/protocol/wire/replies";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestApp, type TestApp } from "./create-test-app.ts";
import type { TestClient } from "./test-client.ts";

let app: TestApp;
let person: TestClient;
let session: string;
beforeAll(async () => {
  app = await createTestApp();
  person = await app.signedIn();
  session = (await person.ok(createSession, {})).id;
  await (
    await person.stream(completion, { chat_session_id: session, prompt: "Hello" })
  ).ended;
});
afterAll(() => app.close());

/** The global code that answers a call made without any proof. */
async function codeWithoutProof(path: string, body: object): Promise<number> {
  const response = await person.request(path, {
    method: "POST",
    body: JSON.stringify({ chat_session_id: session, ...body }),
  });
  return ((await response.json()) as { code: number }).code;
}

it("a message sent, regenerated, edited or resent costs a proof [POW-001]", async () => {
  expect(await codeWithoutProof(completion.path, { prompt: "first", parent_message_id: null })).toBe(40300);
  const again = { prompt: "Hello", parent_message_id: null, client_stream_id: "20260921-0000000000000001" };
  expect(await codeWithoutProof(completion.path, again)).toBe(40300);
  expect(await codeWithoutProof(regenerate.path, { child_message_id: 2 })).toBe(40300);
  expect(await codeWithoutProof(editMessage.path, { message_id: 1, prompt: "other" })).toBe(40300);
});

it("what only follows a reply costs none", async () => {
  expect(await codeWithoutProof(continueMessage.path, { message_id: 2 })).toBe(0);
  expect(await codeWithoutProof(resumeStream.path, { message_id: 2 })).toBe(0);
  expect(await codeWithoutProof(stopStream.path, { message_id: 2 })).toBe(0);
});

it("a session is messages of both roles with all their fields and parts with ids [ENG-001] [ENG-006] [ENG-014] [ENG-015]", async () => {
  const { chat_messages: messages } = await person.ok(historyMessages, { chat_session_id: session });
  expect(messages.map(({ role }) => role)).toEqual(["USER", "ASSISTANT"]);
  for (const message of messages) {
    expect(Object.keys(message).toSorted()).toEqual([
      "accumulated_token_usage",
      "auto_continue",
      "ban_edit",
      "ban_regenerate",
      "client_stream_id",
      "conversation_mode",
      "feedback",
      "files",
      "fragments",
      "has_pending_fragment",
      "incomplete_message",
      "inserted_at",
      "message_id",
      "model",
      "parent_id",
      "role",
      "search_enabled",
      "status",
      "thinking_enabled",
    ]);
    for (const { id } of message.fragments) expect(id).toBeGreaterThan(0);
  }
  const [request, reply] = messages;
  expect(request?.fragments).toEqual([{ id: 1, type: "REQUEST", content: "Hello" }]);
  expect(reply).toMatchObject({ parent_id: request?.message_id, status: "FINISHED", feedback: null });
  expect(new Set(reply?.fragments.map(({ id }) => id)).size).toBe(reply?.fragments.length);
});
