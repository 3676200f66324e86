// A renewal that fails is no lost lease: it is tried again, and the reply goes on.
import { reduceReply } from "@plumb/protocol/stream/reply-reducer";
import { emptyReply } from "@plumb/protocol/stream/reply-state";
import { createSession, historyMessages } from "@plumb/protocol/wire/sessions";
import { completion } from "@plumb/protocol/wire/turns";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createTestApp, type TestApp } from "../../../test/create-test-app.ts";
import { engines } from "../../../test/test-databases.ts";
import { DatabaseUnavailable } from "../../platform/database/database-unavailable.ts";
import { readLog, renewLeases } from "../sessions/stream-log-store.ts";

vi.mock("../sessions/stream-log-store.ts", { spy: true });

describe.each(engines)("the lease of a reply on %s", (engine) => {
  let app: TestApp;
  afterEach(() => app.close());

  it("is not given up for a renewal that failed: the reply goes on and is whole", async () => {
    app = await createTestApp({ engine, settings: { LEASE_TIMEOUT_MS: "10000", LEASE_RENEW_MS: "50" } });
    const person = await app.signedIn();
    const { id } = await person.ok(createSession, {});
    const next = app.model.next();
    const stream = await person.stream(completion, { chat_session_id: id, prompt: "Go" });
    const run = await next;
    run.say("one ");
    await stream.waitForType("delta");
    const renewals = vi.mocked(renewLeases);
    const before = renewals.mock.settledResults.length;
    renewals.mockRejectedValueOnce(new Error("no answer")).mockRejectedValueOnce(new Error("no answer"));
    await expect
      .poll(() => renewals.mock.settledResults.slice(before).findLast(({ type }) => type === "rejected"))
      .toBeDefined();
    await expect.poll(() => renewals.mock.settledResults.at(-1)?.type).toBe("fulfilled");
    run.say("two");
    run.end();
    const { message } = (await stream.ended).reduce(reduceReply, emptyReply());
    expect(message).toMatchObject({ status: "FINISHED", fragments: [{ content: "one two" }] });
    expect(app.model.replies).toHaveLength(1);
    expect(renewals.mock.settledResults.slice(before).filter(({ type }) => type === "rejected")).toHaveLength(
      2,
    );
  });

  it("is claimed again where the database went away at a take-over, and that costs the reply no try", async () => {
    const settings = { LEASE_TIMEOUT_MS: "10000", LEASE_RENEW_MS: "50", TAKEOVER_ATTEMPTS: "2" };
    app = await createTestApp({ engine, settings });
    const person = await app.signedIn();
    const { id } = await person.ok(createSession, {});
    const next = app.model.next();
    const stream = await person.stream(completion, { chat_session_id: id, prompt: "Go" });
    (await next).say("one ");
    await stream.waitForType("delta");
    const reads = vi.mocked(readLog);
    const before = reads.mock.settledResults.length;
    for (let times = 0; times < 4; times += 1)
      reads.mockRejectedValueOnce(new DatabaseUnavailable(new Error("no answer")));
    const second = app.model.next();
    // As if its process had died.
    await app.db.kysely.updateTable("reply_lease").set({ owner: "a dead process", renewed_at: 0 }).execute();
    const run = await second;
    run.say("two");
    run.end();
    const failed = reads.mock.settledResults.slice(before).filter(({ type }) => type === "rejected");
    expect(failed).toHaveLength(4);
    await expect
      .poll(async () => (await person.ok(historyMessages, { chat_session_id: id })).chat_messages[1])
      .toMatchObject({ status: "FINISHED", fragments: [{ content: "one two" }] });
  });
});
