// What a stop looks at while it waits, and which run of a reply it is for.
import { reduceReply } from "@plumb/protocol/stream/reply-reducer";
import { emptyReply } from "@plumb/protocol/stream/reply-state";
import type { ReceivedEvent } from "@plumb/protocol/stream/stream-event";
import { stopStream } from "@plumb/protocol/wire/replies";
import { createSession, historyMessages } from "@plumb/protocol/wire/sessions";
import { completion, continueMessage } from "@plumb/protocol/wire/turns";
import { describe, expect, it, vi } from "vitest";
import type { TestApp } from "../../../test/create-test-app.ts";
import { createScriptedModel } from "../../../test/scripted-model.ts";
import { testApps } from "../../../test/test-apps.ts";
import { engines } from "../../../test/test-databases.ts";
import { findMessage } from "../sessions/message-store.ts";
import { runningReplies } from "../sessions/reply-store.ts";

vi.mock("../sessions/message-store.ts", { spy: true });
vi.mock("../sessions/reply-store.ts", { spy: true });

/** Nobody takes a reply over while the test lasts. */
const sleepy = { LEASE_TIMEOUT_MS: "60000", LEASE_RENEW_MS: "30000" };
const fold = (events: readonly ReceivedEvent[]) => events.reduce(reduceReply, emptyReply());

async function begin(app: TestApp) {
  const person = await app.signedIn();
  const session = await person.ok(createSession, {});
  const next = app.model.next();
  const stream = await person.stream(completion, { chat_session_id: session.id, prompt: "Go" });
  (await next).say("one ");
  await stream.waitForType("delta");
  return { person, stream, message: { chat_session_id: session.id, message_id: 2 } };
}

/** A reply that was stopped and goes on, and its row as it was in the run before. */
async function beginTwice(app: TestApp) {
  const { person, stream, message } = await begin(app);
  const before = await app.db.kysely.selectFrom("replies").selectAll().execute();
  await person.ok(stopStream, message);
  await stream.ended;
  const next = app.model.next();
  const going = await person.stream(continueMessage, message);
  const run = await next;
  run.say("two ");
  await going.waitFor((event) => JSON.stringify(event).includes("two "));
  return { person, message, before, going, run };
}

describe.each(engines)("a stop on %s", (engine) => {
  const open = testApps({ engine, settings: sleepy });

  it("that comes late, when its reply was continued since, does not end the run it was not for", async () => {
    const app = await open();
    const { person, message, before, going, run } = await beginTwice(app);
    vi.mocked(runningReplies).mockResolvedValueOnce(before);
    await person.ok(stopStream, message);
    run.say("three");
    run.end();
    expect(fold(await going.ended).message).toMatchObject({
      status: "FINISHED",
      fragments: [{ content: "one two three" }],
    });
  });
});

describe("a stop of a reply that another process writes", () => {
  const open = testApps({ engine: "postgres", settings: sleepy });

  it("that comes late, when its reply was continued since, leaves neither a notice nor a request for it", async () => {
    const a = await open();
    const b = await open({ beside: a, model: createScriptedModel() });
    const { person, message, before, going, run } = await beginTwice(a);
    vi.mocked(runningReplies).mockResolvedValueOnce(before);
    await b.client(person).ok(stopStream, message);
    const leases = await a.db.kysely.selectFrom("reply_lease").select("stop_requested").execute();
    expect(leases).toEqual([{ stop_requested: 0 }]);
    run.say("three");
    run.end();
    expect(fold(await going.ended).message).toMatchObject({ status: "FINISHED" });
  });

  it("looks at its status alone, however long it waits and however much the reply has said", async () => {
    const a = await open();
    const { person, message } = await begin(a);
    await a.db.kysely.updateTable("reply_lease").set({ owner: "a dead process" }).execute();
    const b = await open({ beside: a, model: createScriptedModel() });
    const reads = vi.mocked(findMessage).mock.calls.length;
    await b.client(person).ok(stopStream, message);
    // Whoever settles it reads it, once; the looks before that do not.
    expect(vi.mocked(findMessage).mock.calls.length - reads).toBeLessThanOrEqual(2);
    const stored = await person.ok(historyMessages, { chat_session_id: message.chat_session_id });
    expect(stored.chat_messages[1]).toMatchObject({ status: "INCOMPLETE", fragments: [{ content: "one " }] });
  });
});
