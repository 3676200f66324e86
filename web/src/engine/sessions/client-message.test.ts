import { expect, it } from "vitest";
import { createFakeServer } from "../testing/fake-server.ts";
import { openPage } from "../testing/open-page.ts";
import { shortTalk, wireMessage } from "../testing/wire-message.ts";
import { wireFile } from "../testing/wire-file.ts";
import { clientMessage } from "./client-message.ts";

it("[ENG-003] carries all that the server says of the message", () => {
  const wire = wireMessage({
    message_id: 4,
    parent_id: 3,
    role: "ASSISTANT",
    status: "INCOMPLETE",
    fragments: [{ id: 1, type: "RESPONSE", content: "Four." }],
    files: [wireFile({ id: "file-1", file_name: "a.txt" })],
    feedback: { feedback_type: "BAD", feedback_tag: "fake", description: null },
    accumulated_token_usage: 7,
    ban_regenerate: true,
    ban_edit: true,
    conversation_mode: "DEFAULT",
    search_enabled: true,
    thinking_enabled: true,
    inserted_at: 1_790_000_001,
    has_pending_fragment: true,
  });
  expect(clientMessage(wire)).toMatchObject(wire);
});

it("[ENG-004] [ENG-048] carries what becomes of its turn, from the press to the end", async () => {
  const server = createFakeServer();
  server.addSession("s1", shortTalk);
  const page = await openPage(server);
  page.engine.sessions.open("s1");
  await page.browser.settle();
  const runTime = () =>
    page
      .shown("s1")
      .slice(-2)
      .map((message) => [message.requestMessageId, message.responseMessageId, message.generateState]);
  expect(runTime()).toEqual([
    [1, null, null],
    [1, 2, null],
  ]);
  await page.engine.turns.send("s1", "2+2?");
  expect(runTime()).toEqual([
    [null, null, null],
    [null, null, "INITIALIZING"],
  ]);
  await page.browser.settle();
  server.produce(1);
  await page.browser.advance(20);
  const ids = page.shown("s1").map(({ message_id: id }) => id);
  expect(ids.slice(-2).every((id) => id < 0)).toBe(true);
  expect(runTime()).toEqual([
    [3, 4, null],
    [3, 4, "AWAITING_FIRST_CHANGE"],
  ]);
  const reply = page.shown("s1").at(-1)!;
  expect(reply.client_stream_id).toMatch(/^\d{8}-/);
  expect(reply).toMatchObject({ hint: null, resendInfo: null, isEditing: false, isContinuing: false });
  server.produce(20);
  await page.browser.advance(20);
  expect(runTime().at(-1)).toEqual([3, 4, null]);
  page.engine.turns.startEdit("s1", 3);
  expect(page.shown("s1").at(-2)?.isEditing).toBe(true);
  page.close();
});

it("[ENG-004] a reply that goes on is known as such until it ends again", async () => {
  const server = createFakeServer();
  server.addSession("s1", [shortTalk[0]!, { ...shortTalk[1]!, status: "INCOMPLETE" }]);
  const page = await openPage(server);
  page.engine.sessions.open("s1");
  await page.browser.settle();
  await page.engine.turns.continueReply("s1", 2);
  await page.browser.settle();
  server.produce(3);
  await page.browser.advance(20);
  expect(page.shown("s1").at(-1)).toMatchObject({ status: "WIP", isContinuing: true });
  server.produce(20);
  await page.browser.advance(20);
  expect(page.shown("s1").at(-1)).toMatchObject({ status: "FINISHED", isContinuing: false });
  page.close();
});
