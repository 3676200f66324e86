import type { Fragment } from "@plumb/protocol/conversation/fragment";
import type { MessageStatus } from "@plumb/protocol/conversation/message";
import { expect, test } from "vitest";
import { refused } from "../../engine/testing/fake-answers.ts";
import { createFakeServer } from "../../engine/testing/fake-server.ts";
import { openPage, type Page } from "../../engine/testing/open-page.ts";
import { wireMessage } from "../../engine/testing/wire-message.ts";
import {
  type Announced,
  endAnnouncement,
  endNote,
  mayRetry,
  nextAnnouncement,
  notKept,
} from "./reply-end.ts";

const none: Fragment[] = [];
const some: Fragment[] = [{ id: 2, type: "RESPONSE", content: "Once upon" }];
const thought: Fragment[] = [{ id: 2, type: "THINK", content: "Well", elapsed_secs: null }];

const blanks: Fragment[] = [...thought, { id: 3, type: "RESPONSE", content: " \n\n" }];

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
  ["INCOMPLETE", blanks, "status.noAnswer", true],
  ["FINISHED", none, "status.noAnswer", true],
  ["FINISHED", thought, "status.noAnswer", true],
  ["FINISHED", blanks, "status.noAnswer", true],
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

test("a failure with a notice is announced as such", () => {
  const hint = { text: { key: "serverBusy" }, type: "error" as const, clickBehavior: "retry" as const };
  expect(endAnnouncement({ ...reply("INCOMPLETE", some), hint })).toBe("conversation.replyFailed");
});

const NOT_SENT = "conversation.notSent";
const keyed = (key: string, status: MessageStatus, askedAt = 1) => ({ ...reply(status, some), key, askedAt });
const silence = { runningKey: null, endedKey: null, ifNothing: NOT_SENT, text: null } as const;

test("the end of a reply is told once, and a turn of another device is no end of it", () => {
  const began = nextAnnouncement(silence, "completing", keyed("a", "WIP"), NOT_SENT);
  expect(began.text).toBe("conversation.replyRunning");
  const ended = nextAnnouncement(began, "idle", keyed("a", "FINISHED"), NOT_SENT);
  expect(ended.text).toBe("conversation.replyReady");
  expect(nextAnnouncement(ended, "idle", keyed("b", "FINISHED"), NOT_SENT)).toEqual(ended);
  expect(nextAnnouncement(ended, "fetchingHistory", undefined, NOT_SENT)).toEqual(ended);
  expect(nextAnnouncement(ended, "sending", keyed("c", "WIP"), NOT_SENT).text).toBe(
    "conversation.replyRunning",
  );
});

test("a turn of which nothing or only the question is left was not sent; without one nothing is told", () => {
  const began = nextAnnouncement(silence, "sending", keyed("b", "WIP"), NOT_SENT);
  const away = nextAnnouncement(began, "fetchingHistory", undefined, NOT_SENT);
  expect(away.text).toBeNull();
  expect(nextAnnouncement(away, "idle", keyed("a", "FINISHED"), NOT_SENT).text).toBe(NOT_SENT);
  expect(nextAnnouncement(began, "idle", undefined, NOT_SENT).text).toBe(NOT_SENT);
  const question = { ...keyed("b", "FINISHED"), role: "USER" as const };
  expect(nextAnnouncement(began, "idle", question, NOT_SENT).text).toBe(NOT_SENT);
  expect(nextAnnouncement(silence, "idle", keyed("a", "FINISHED"), NOT_SENT)).toEqual(silence);
});

test("a stop that came too late is taken back when the reply turns out to be whole; one of another reply is not", () => {
  const began = nextAnnouncement(silence, "completing", keyed("a", "WIP"), NOT_SENT);
  const cut = { ...keyed("a", "INCOMPLETE"), isStopped: true };
  const stopped = nextAnnouncement(began, "idle", cut, NOT_SENT);
  expect(stopped.text).toBe("status.stopped");
  expect(nextAnnouncement(stopped, "idle", cut, NOT_SENT)).toEqual(stopped);
  expect(nextAnnouncement(stopped, "idle", keyed("b", "FINISHED"), NOT_SENT)).toEqual(stopped);
  const whole = nextAnnouncement(stopped, "idle", keyed("a", "FINISHED", 9), NOT_SENT);
  expect(whole.text).toBe("conversation.replyReady");
  expect(nextAnnouncement(whole, "idle", keyed("b", "FINISHED"), NOT_SENT)).toEqual(whole);
});

const ONE = wireMessage({ message_id: 1, parent_id: null, role: "USER" });
const talk = (status: MessageStatus) => [
  ONE,
  wireMessage({ message_id: 2, parent_id: 1, role: "ASSISTANT", status, fragments: some, inserted_at: 1 }),
];
const asks = {
  send: ({ engine }: Page) => engine.turns.send("s1", "And?"),
  regenerate: ({ engine }: Page) => engine.turns.regenerate("s1", 2),
  edit: ({ engine }: Page) => engine.turns.editMessage("s1", 1, "What?"),
  goOn: ({ engine }: Page) => engine.turns.continueReply("s1", 2),
};

test.each([
  ["a message", "completion", "FINISHED", asks.send, NOT_SENT],
  ["another reply", "regenerate", "FINISHED", asks.regenerate, "conversation.notRegenerated"],
  ["an edited message", "edit_message", "FINISHED", asks.edit, "conversation.notEdited"],
  ["a continuation", "continue", "INCOMPLETE", asks.goOn, "conversation.notContinued"],
] as const)(
  "%s that is refused is told as that, with a notice or without; what comes after is told as itself",
  async (_name, call, status, ask, text) => {
    for (const answer of [refused(26, "INVALID_MESSAGE_ID"), refused(2, "INVALID_PARAMS")]) {
      const server = createFakeServer();
      server.addSession("s1", talk(status));
      const page = await openPage(server);
      page.engine.sessions.open("s1");
      await page.browser.settle();
      let told: Announced = silence;
      const look = () => {
        const [question, last] = page.shown("s1").slice(-2);
        const { state } = page.engine.sessions.store.getState().byId["s1"]!;
        told = nextAnnouncement(told, state, last, notKept(last, question));
      };
      // As the page is drawn: once for all changes that are made together.
      page.engine.sessions.store.subscribe(() => void Promise.resolve().then(look));
      server.answer(`/api/v0/chat/${call}`, () => answer.clone());
      await ask(page);
      await page.browser.settle();
      expect(page.state("s1")).toBe("idle");
      expect(told.text).toBe(text);
      server.answerAsUsual(`/api/v0/chat/${call}`);
      await ask(page);
      await page.browser.settle();
      server.produce(20);
      await page.browser.advance(20);
      expect(told.text).toBe("conversation.replyReady");
      page.close();
    }
  },
);
