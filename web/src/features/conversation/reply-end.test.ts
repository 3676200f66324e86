import type { Fragment } from "@plumb/protocol/conversation/fragment";
import type { MessageStatus } from "@plumb/protocol/conversation/message";
import { expect, test } from "vitest";
import { endAnnouncement, endNote, mayRetry, nextAnnouncement } from "./reply-end.ts";

const none: Fragment[] = [];
const some: Fragment[] = [{ id: 2, type: "RESPONSE", content: "Once upon" }];
const thought: Fragment[] = [{ id: 2, type: "THINK", content: "Well", elapsed_secs: null }];

const reply = (status: MessageStatus, fragments: Fragment[]) => ({
  role: "ASSISTANT" as const,
  status,
  fragments,
  hint: null,
  isStopped: false,
});

test.each<[MessageStatus, Fragment[], string, boolean]>([
  ["INCOMPLETE", some, "status.incomplete", false],
  ["INCOMPLETE", none, "status.noAnswer", true],
  ["INCOMPLETE", thought, "status.noAnswer", true],
  ["TIMEOUT", some, "status.timeout", true],
  ["TIMEOUT", none, "status.timeout", true],
  ["CONTENT_FILTER", none, "status.contentFilter", false],
  ["CONTEXT_LENGTH_EXCEEDED", none, "status.contextExceeded", false],
])("%s with %j says %s; another try: %s", (status, fragments, note, again) => {
  expect(endNote(reply(status, fragments))).toBe(note);
  expect(endAnnouncement(reply(status, fragments))).toBe(note);
  expect(mayRetry({ status, fragments })).toBe(again);
});

test("a reply that the user stopped says so, and may be asked for again only where nothing of it came", () => {
  const stopped = { ...reply("INCOMPLETE", some), isStopped: true };
  expect([endNote(stopped), endAnnouncement(stopped), mayRetry(stopped)]).toEqual([
    "status.stopped",
    "status.stopped",
    false,
  ]);
  expect(endNote({ ...reply("FINISHED", some), isStopped: true })).toBeNull();
});

test("a finished reply needs no note and is announced as complete", () => {
  expect(endNote(reply("FINISHED", some))).toBeNull();
  expect(endAnnouncement(reply("FINISHED", some))).toBe("conversation.replyReady");
  expect(mayRetry(reply("FINISHED", some))).toBe(false);
});

test("a failure with a notice, and a send of which nothing or only the question is left, are announced as such", () => {
  const hint = { text: { key: "serverBusy" }, type: "error" as const, clickBehavior: "retry" as const };
  expect(endAnnouncement({ ...reply("INCOMPLETE", some), hint })).toBe("conversation.replyFailed");
  expect(endAnnouncement({ ...reply("FINISHED", none), role: "USER", hint })).toBe("conversation.notSent");
  expect(endAnnouncement(undefined)).toBe("conversation.notSent");
});

const keyed = (key: string, status: MessageStatus) => ({ ...reply(status, some), key });
const silence = { runningKey: null, text: null };

test("the end of a reply is told once, and a turn of another device is no end of it", () => {
  const began = nextAnnouncement(silence, "completing", keyed("a", "WIP"));
  expect(began.text).toBe("conversation.replyRunning");
  const ended = nextAnnouncement(began, "idle", keyed("a", "FINISHED"));
  expect(ended.text).toBe("conversation.replyReady");
  expect(nextAnnouncement(ended, "idle", keyed("b", "FINISHED"))).toEqual(ended);
  expect(nextAnnouncement(ended, "fetchingHistory", undefined)).toEqual(ended);
  expect(nextAnnouncement(ended, "sending", keyed("c", "WIP")).text).toBe("conversation.replyRunning");
});

test("a turn of which nothing is left was not sent; without one nothing is told", () => {
  const began = nextAnnouncement(silence, "sending", keyed("b", "WIP"));
  const away = nextAnnouncement(began, "fetchingHistory", undefined);
  expect(away.text).toBeNull();
  expect(nextAnnouncement(away, "idle", keyed("a", "FINISHED")).text).toBe("conversation.notSent");
  expect(nextAnnouncement(silence, "idle", keyed("a", "FINISHED"))).toEqual(silence);
});
