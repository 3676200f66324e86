// Feeds of replies that run in another process.
import { createSession } from "@plumb/protocol/wire/sessions";
import { completion } from "@plumb/protocol/wire/turns";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTestApp, type TestApp } from "../../../test/create-test-app.ts";
import type { EventStreamReader } from "../../../test/event-stream-reader.ts";
import type { ScriptedRun } from "../../../test/scripted-model.ts";
import { createLogger } from "../../platform/logger.ts";
import { systemClock } from "../../ports/clock.ts";
import { findReply } from "../sessions/reply-store.ts";
import { ReplyFeeds } from "./reply-feeds.ts";

describe("the feeds of a process that heard no notice", () => {
  let app: TestApp;
  let feeds: ReplyFeeds;
  let stream: EventStreamReader;
  let run: ScriptedRun;
  beforeEach(async () => {
    app = await createTestApp();
    // Never started: as in another process whose notices and looks are late.
    feeds = new ReplyFeeds(app.db, createLogger("silent"), systemClock);
    const person = await app.signedIn();
    const session = await person.ok(createSession, {});
    const next = app.model.next();
    stream = await person.stream(completion, { chat_session_id: session.id, prompt: "Go" });
    run = await next;
    run.say("one ");
    await stream.waitForType("delta");
  });
  afterEach(() => app.close());

  const open = async () => {
    const reply = await findReply(app.db.kysely, 1);
    const feed = reply === undefined ? null : await feeds.open(reply);
    if (feed === null) throw new Error("the reply has no feed");
    return feed;
  };
  const reader = () => {
    const heard = { gone: 0, onEvents: () => {}, onGone: () => void (heard.gone += 1) };
    return heard;
  };

  it("show a reader all that was committed before it came, however old the feed is", async () => {
    const known = await open();
    known.join(reader());
    run.say("two ");
    await stream.waitFor((event) => event.type === "delta" && event.data.v === "two ");
    expect(known.state.message?.fragments).toMatchObject([{ content: "one " }]);
    expect((await open()).state.message?.fragments).toMatchObject([{ content: "one two " }]);
  });

  it("are let go when the reader they were opened for never came, and not before", async () => {
    const known = await open();
    feeds.sweep();
    expect(await open()).toBe(known);
    feeds.sweep();
    expect(await open()).not.toBe(known);
  });

  it("are kept while somebody reads", async () => {
    const known = await open();
    known.join(reader());
    feeds.sweep();
    feeds.sweep();
    expect(await open()).toBe(known);
  });

  it("send their readers away when a new run begins here and the end of the last one was not heard", async () => {
    const known = await open();
    const one = reader();
    known.join(one);
    const { state } = known;
    expect(feeds.openLocal(1, state, state.lastEventId + 1)).toBe(known);
    expect(one.gone).toBe(0);
    expect(feeds.openLocal(1, state, state.lastEventId + 5)).not.toBe(known);
    expect(one.gone).toBe(1);
  });

  it("send their readers away when the reply was given up: no close will come", async () => {
    const known = await open();
    const one = reader();
    known.join(one);
    await feeds.pull(1);
    expect(one.gone).toBe(0);
    await app.db.kysely.updateTable("replies").set({ ended_at: 1 }).where("id", "=", 1).execute();
    await app.db.kysely.deleteFrom("stream_log").execute();
    await feeds.pull(1);
    expect(one.gone).toBe(1);
  });
});
