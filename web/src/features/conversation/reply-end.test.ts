import type { Fragment } from "@plumb/protocol/conversation/fragment";
import type { MessageStatus } from "@plumb/protocol/conversation/message";
import { expect, test } from "vitest";
import { endAnnouncement, endNote, mayRetry } from "./reply-end.ts";

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
