// Who may go on reading: only those whose token still holds, and the slow as long as they take anything.
import { connect } from "node:net";
import { emptyReply } from "@plumb/protocol/stream/reply-state";
import type { ReceivedEvent } from "@plumb/protocol/stream/stream-event";
import { reduceReply } from "@plumb/protocol/stream/reply-reducer";
import { resumeStream } from "@plumb/protocol/wire/replies";
import { createSession } from "@plumb/protocol/wire/sessions";
import { completion } from "@plumb/protocol/wire/turns";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createTestApp, type TestApp, type TestAppOptions } from "../../../test/create-test-app.ts";
import { createScriptedModel } from "../../../test/scripted-model.ts";
import { createQuickClock, TestClock } from "../../../test/test-clock.ts";
import { engines } from "../../../test/test-databases.ts";
import { hashToken } from "../accounts/login-tokens.ts";
import { setBannedAt } from "../moderation/account-status-store.ts";
import { StreamSubscriber } from "./stream-subscriber.ts";

const fold = (events: readonly ReceivedEvent[]) => events.reduce(reduceReply, emptyReply());

const apps: TestApp[] = [];
const open = async (options: TestAppOptions): Promise<TestApp> => {
  const app = await createTestApp(options);
  apps.push(app);
  return app;
};
afterEach(async () => {
  for (const app of apps.splice(0).reverse()) await app.close();
});

async function begin(app: TestApp) {
  const person = await app.signedIn();
  const session = await person.ok(createSession, {});
  const next = app.model.next();
  const stream = await person.stream(completion, { chat_session_id: session.id, prompt: "Go" });
  const run = await next;
  run.say("before ");
  await stream.waitForType("delta");
  return { person, stream, run, message: { chat_session_id: session.id, message_id: 2 } };
}
const closed = (events: readonly ReceivedEvent[]) => events.some((event) => event.type === "close");

describe.each(engines)("readers on %s", (engine) => {
  /** As another process does whose notification is lost: nothing but the rows changes. */
  const ends = {
    "whose token was revoked": (app: TestApp, { token }: { token: string | null }) =>
      app.db.kysely
        .deleteFrom("login_tokens")
        .where("token_hash", "=", hashToken(token ?? ""))
        .execute(),
    "whose token has lapsed": (app: TestApp, { token }: { token: string | null }) =>
      app.db.kysely
        .updateTable("login_tokens")
        .set({ last_used_at: 1 })
        .where("token_hash", "=", hashToken(token ?? ""))
        .execute(),
  };
  it.each(Object.entries(ends))("%s are cut without a notification, others are not", async (_who, end) => {
    const app = await open({ engine });
    const one = await begin(app);
    const other = await begin(app);
    await end(app, one.person);
    expect(closed(await one.stream.ended)).toBe(false);
    expect(one.run.aborted).toBe(false);
    other.run.say("after");
    other.run.end();
    expect(fold(await other.stream.ended).message).toMatchObject({
      fragments: [{ content: "before after" }],
    });
    one.run.end();
  });

  it("whose account was banned are let go without a notification, and their replies are stopped", async () => {
    const app = await open({ engine });
    const one = await begin(app);
    const other = await begin(app);
    await setBannedAt(app.db.kysely, one.person.user?.id ?? "", 1);
    await one.stream.ended;
    await one.run.abort;
    expect(other.run.aborted).toBe(false);
    other.run.end();
    expect(closed(await other.stream.ended)).toBe(true);
  });

  it("who are slow are not cut while they take anything, and get everything", async () => {
    // Three seconds here are a minute and a half there.
    const app = await open({
      engine,
      clock: createQuickClock(30),
    });
    const { person, stream, run, message } = await begin(app);
    const body = JSON.stringify(message);
    const slow = connect(Number(new URL(app.address).port), "127.0.0.1");
    const ended = new Promise<void>((resolve) => slow.on("close", () => resolve()));
    let received = "";
    slow.setEncoding("utf8");
    slow.on("data", (text: string) => {
      received += text;
      slow.pause();
      setTimeout(() => slow.resume(), 10);
    });
    slow.write(
      `POST ${resumeStream.path} HTTP/1.1\r\nHost: plumb\r\nConnection: close\r\n` +
        `Authorization: Bearer ${person.token}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    await expect.poll(() => received).toContain("event: ready");
    const piece = "some words, and then more ".repeat(2500);
    for (let index = 0; index < 320; index += 1) {
      run.say(piece);
      if (index % 16 === 15) await new Promise((resolve) => setTimeout(resolve, 5));
    }
    run.end();
    await stream.ended;
    await ended;
    expect(received).toContain("event: close");
    const ids = [...received.matchAll(/(?:^|\n)id: (\d+)\r?\n/g)].map((match) => Number(match[1]));
    expect(ids).toEqual(ids.map((_id, index) => (ids[0] ?? 0) + index));
  }, 60_000);
});

it("readers at a replica that hears nothing are cut there when their token ends elsewhere", async () => {
  const a = await open({ engine: "postgres" });
  const b = await open({ beside: a, model: createScriptedModel() });
  const { person, stream, run, message } = await begin(a);
  const elsewhere = b.client(person);
  const reader = await elsewhere.stream(resumeStream, message);
  await reader.waitForType("delta");
  // A revocation by a process that dies before it can tell.
  await a.db.kysely.deleteFrom("login_tokens").execute();
  expect(closed(await reader.ended)).toBe(false);
  expect(closed(await stream.ended)).toBe(false);
  expect(run.aborted).toBe(false);
  run.end();
});

it.each([
  ["10 s", {}, 10],
  [
    "4 s, with its flag, where the watchdog of the page waits 8 s",
    { FLAGS: "enableLessMaxChunkInterval=true" },
    4,
  ],
])("a silent reply's readers are kept alive after %s", async (_when, settings, seconds) => {
  const clock = new TestClock();
  const app = await open({ settings, clock });
  const { stream, run } = await begin(app);
  const keepAlive = vi.spyOn(StreamSubscriber.prototype, "keepAlive");
  let passed = 0;
  while (keepAlive.mock.calls.length === 0 && passed < 60) {
    clock.nowMs += 1000;
    passed += 1;
    await new Promise((resolve) => setImmediate(resolve));
  }
  // The timer that looks for them has no more than a second of grain.
  expect(passed).toBeGreaterThanOrEqual(seconds - 1);
  expect(passed).toBeLessThanOrEqual(seconds);
  await expect.poll(() => stream.comments).toEqual(["keep-alive"]);
  keepAlive.mockRestore();
  run.end();
  await stream.close();
});
