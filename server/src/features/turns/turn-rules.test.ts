import fc from "fast-check";
import { LIMITS } from "@plumb/protocol/limits";
import { describe, expect, it } from "vitest";
import type { MessageRow } from "../sessions/message-store.ts";
import type { ReplyRow } from "../sessions/reply-store.ts";
import { decideTurn, type TurnLimits, type TurnRequest } from "./turn-rules.ts";
import type { StoppedReply, TurnFile, TurnMessage, TurnState } from "./turn-state.ts";

const limits = { maxMessages: 1000, maxBytes: 1000, searchAvailable: true, models: ["default", "large"] };

function message(
  id: number,
  parent: number | null,
  role: string,
  rest: Partial<TurnMessage> = {},
): TurnMessage {
  return {
    message_id: id,
    parent_id: parent,
    role,
    status: "FINISHED",
    ban_regenerate: false,
    ban_edit: false,
    fileIds: [],
    isTemplate: false,
    hasText: true,
    usage: 0,
    ...rest,
  };
}
/** A session with these messages and little in them. */
const stateOf = (messages: readonly TurnMessage[], rest: Partial<TurnState> = {}) => ({
  session: { ...emptySession },
  agent: { purpose: "chat", instructions: "" } as const,
  messages,
  files: [] as TurnFile[],
  bytes: 100,
  stopped: { row: {} as MessageRow, reply: {} as ReplyRow, inTail: false, lastEpoch: 1 },
  ...rest,
});
const emptySession: TurnState["session"] = {
  id: "s",
  user_id: "u",
  seq_id: 1,
  agent: "chat",
  character_id: null,
  title: null,
  title_type: "WIP",
  version: 0,
  current_message_id: null,
  last_message_id: 0,
  inserted_at: 0,
  updated_at: 0,
  deleted_at: null,
  pinned_at: null,
};
const decide = (messages: readonly TurnMessage[], request: TurnRequest, rest: Partial<TurnLimits> = {}) =>
  decideTurn(stateOf(messages), request, { ...limits, ...rest });
const user = (id: number, parent: number | null, rest?: Partial<TurnMessage>) =>
  message(id, parent, "USER", rest);
const reply = (id: number, parent: number, rest?: Partial<TurnMessage>) =>
  message(id, parent, "ASSISTANT", rest);

const pair = [user(1, null), reply(2, 1)];
const running = [user(1, null), reply(2, 1), user(3, 2), reply(4, 3, { status: "WIP" })];
const modes = { thinking: false, search: false, model: null };
const ask = (rest: Partial<Extract<TurnRequest, { kind: "completion" }>> = {}): TurnRequest => ({
  kind: "completion",
  parentId: null,
  prompt: "Hello",
  fileIds: [],
  knownLastMessageId: null,
  ...modes,
  ...rest,
});
const redo = (childId: number, rest = {}): TurnRequest => ({
  kind: "regenerate",
  childId,
  ...modes,
  ...rest,
});
const edit = (messageId: number, rest = {}): TurnRequest => ({
  kind: "edit",
  messageId,
  prompt: "Better",
  ...modes,
  ...rest,
});
const goOn = (messageId: number): TurnRequest => ({ kind: "continue", messageId });

const outcome = (
  messages: readonly TurnMessage[],
  request: TurnRequest,
  max = limits.maxMessages,
): string => {
  const decision = decide(messages, request, { maxMessages: max });
  return decision.ok ? decision.turn.kind : `${decision.refusal.code} ${decision.refusal.msg}`;
};

describe("what a turn is answered", () => {
  it.each<[string, readonly TurnMessage[], TurnRequest, string]>([
    ["a new root", [], ask(), "ask"],
    [
      "an answer under a reply, whatever its end",
      [user(1, null), reply(2, 1, { status: "TIMEOUT" })],
      ask({ parentId: 2 }),
      "ask",
    ],
    ["no such parent", pair, ask({ parentId: 9 }), "26 INVALID_PARENT_MESSAGE_ID"],
    ["a parent that is no reply", pair, ask({ parentId: 1 }), "2 PARENT_MESSAGE_NOT_ASSISTANT"],
    ["under the running reply", running, ask({ parentId: 4 }), "25 PARENT_MESSAGE_LOCKED"],
    ["elsewhere while one runs", running, ask({ parentId: 2 }), "11 LAST_MESSAGE_IS_WIP"],
    ["a lock before a fault of the prompt", running, ask({ prompt: "" }), "11 LAST_MESSAGE_IS_WIP"],
    ["half a surrogate pair", pair, ask({ prompt: "\ud800" }), "19 INVALID_UNICODE"],
    ["a zero character", pair, ask({ prompt: "a\0b" }), "19 INVALID_UNICODE"],
    ["white space alone", pair, ask({ prompt: " \n\t" }), "6 EMPTY_PROMPT"],
    [
      "newer messages than the caller knows",
      pair,
      ask({ knownLastMessageId: 1 }),
      "28 SESSION_HAS_NEWER_MESSAGES",
    ],
    ["no newer ones", pair, ask({ knownLastMessageId: 2 }), "ask"],
    [
      "a lock before newer messages",
      running,
      ask({ parentId: 4, knownLastMessageId: 2 }),
      "25 PARENT_MESSAGE_LOCKED",
    ],
    [
      "newer messages before a fault of the prompt",
      pair,
      ask({ knownLastMessageId: 1, prompt: "" }),
      "28 SESSION_HAS_NEWER_MESSAGES",
    ],
    ["a model that is not offered", pair, ask({ model: "gone" }), "27 MODEL_NOT_AVAILABLE"],
    ["a model that is offered", pair, ask({ model: "large" }), "ask"],
    ["no model named", pair, redo(2, { model: "" }), "answer"],
    ["another to redo with", pair, redo(2, { model: "gone" }), "27 MODEL_NOT_AVAILABLE"],
    ["another to edit for", pair, edit(1, { model: "gone" }), "27 MODEL_NOT_AVAILABLE"],
    ["thinking with a file", pair, ask({ thinking: true, fileIds: ["f"] }), "13 THINKING_WITH_FILE"],
    ["search with a file", pair, ask({ search: true, fileIds: ["f"] }), "17 SEARCH_WITH_FILE"],
    ["an unknown file", pair, ask({ fileIds: ["f"] }), "9 INVALID_FILE_REFERENCE"],
    [
      "a blank prompt without and before modes that do not go with files",
      pair,
      ask({ prompt: " ", fileIds: ["f"], thinking: true }),
      "13 THINKING_WITH_FILE",
    ],
    [
      "thinking to redo what has files",
      [user(1, null, { fileIds: ["f"] }), reply(2, 1)],
      redo(2, { thinking: true }),
      "13 THINKING_WITH_FILE",
    ],
    [
      "search to edit what has files",
      [user(1, null, { fileIds: ["f"] }), reply(2, 1)],
      edit(1, { search: true }),
      "17 SEARCH_WITH_FILE",
    ],
    ["a reply to redo", pair, redo(2), "answer"],
    ["a user message to redo", pair, redo(1), "26 INVALID_MESSAGE_ID"],
    ["the running reply to redo", running, redo(4), "24 CURRENT_MESSAGE_LOCKED"],
    ["its sibling to redo", [...running, reply(5, 3)], redo(5), "25 PARENT_MESSAGE_LOCKED"],
    ["another to redo while one runs", running, redo(2), "11 LAST_MESSAGE_IS_WIP"],
    [
      "a template to redo",
      [user(1, null), reply(2, 1, { isTemplate: true, status: "CONTENT_FILTER" })],
      redo(2),
      "4 REGENERATE_ON_TEMPLATE_RESPONSE",
    ],
    [
      "a banned one to redo",
      [user(1, null), reply(2, 1, { ban_regenerate: true })],
      redo(2),
      "4 REGENERATE_NOT_ALLOWED",
    ],
    [
      "one over its length to redo",
      [user(1, null), reply(2, 1, { status: "CONTEXT_LENGTH_EXCEEDED" })],
      redo(2),
      "4 REGENERATE_NOT_ALLOWED",
    ],
    ["a user message to edit", pair, edit(1), "ask"],
    ["a reply to edit", pair, edit(2), "26 INVALID_MESSAGE_ID"],
    ["one that may not be edited", [user(1, null, { ban_edit: true })], edit(1), "12 EDIT_NOT_ALLOWED"],
    ["the request above the running reply", running, edit(3), "24 CURRENT_MESSAGE_LOCKED"],
    ["another edit while one runs", running, edit(1), "11 LAST_MESSAGE_IS_WIP"],
    ["a blank edit", pair, edit(1, { prompt: " " }), "6 EMPTY_PROMPT"],
    [
      "an incomplete leaf to continue",
      [user(1, null), reply(2, 1, { status: "INCOMPLETE" })],
      goOn(2),
      "go-on",
    ],
    ["a finished one to continue", pair, goOn(2), "23 MESSAGE_IS_NOT_LEAF"],
    [
      "one that was answered to continue",
      [user(1, null), reply(2, 1, { status: "INCOMPLETE" }), user(3, 2)],
      goOn(2),
      "23 MESSAGE_IS_NOT_LEAF",
    ],
    ["the running one to continue", running, goOn(4), "24 CURRENT_MESSAGE_LOCKED"],
    [
      "another to continue while one runs",
      [...running, user(5, null), reply(6, 5, { status: "INCOMPLETE" })],
      goOn(6),
      "11 LAST_MESSAGE_IS_WIP",
    ],
    ["an unknown one to continue", pair, goOn(9), "26 INVALID_MESSAGE_ID"],
  ])("%s", (_case, messages, request, expected) => {
    expect(outcome(messages, request)).toBe(expected);
  });

  it("counts both messages of a turn against the limit of the session", () => {
    expect(outcome(pair, ask({ parentId: 2 }), 4)).toBe("ask");
    expect(outcome(pair, ask({ parentId: 2 }), 3)).toBe("3 MAX_MESSAGE_COUNT_REACHED");
    expect(outcome(pair, redo(2), 3)).toBe("answer");
    expect(outcome(pair, redo(2), 2)).toBe("3 MAX_MESSAGE_COUNT_REACHED");
  });

  it("does not count what it takes the place of: a failed turn can be asked again where the session is full [STRM-025]", () => {
    const failed = [...pair, user(3, 2), reply(4, 3, { status: "INCOMPLETE", hasText: false })];
    expect(outcome(failed, redo(4), 4)).toBe("answer");
    expect(outcome(failed, edit(3), 4)).toBe("ask");
    expect(outcome(failed, ask({ parentId: 2 }), 4)).toBe("ask");
    expect(outcome(failed, redo(2), 4)).toBe("3 MAX_MESSAGE_COUNT_REACHED");
    expect(outcome(failed, edit(1), 4)).toBe("3 MAX_MESSAGE_COUNT_REACHED");
    expect(outcome(failed, ask(), 4)).toBe("3 MAX_MESSAGE_COUNT_REACHED");
  });

  it("counts what a session holds and the prompt against its size", () => {
    const said = (request: TurnRequest, bytes: number) => {
      const decision = decideTurn(stateOf(pair, { bytes }), request, limits);
      return decision.ok ? "ok" : decision.refusal.msg;
    };
    const prompt = "\u4e2d".repeat(10);
    const full = "MAX_MESSAGE_COUNT_REACHED";
    expect(said(ask({ prompt }), 970)).toBe("ok");
    expect(said(ask({ prompt }), 971)).toBe(full);
    expect(said(edit(1, { prompt }), 971)).toBe(full);
    expect(said(redo(2), 1000)).toBe("ok");
    expect(said(redo(2), 1001)).toBe(full);
  });

  describe("files", () => {
    const file = (id: string, status = "SUCCESS"): TurnFile => ({ id, status, tokens: 10 });
    const many = (count: number) => Array.from({ length: count }, (_, index) => `f${index}`);
    const said = (messages: readonly TurnMessage[], request: TurnRequest, files: readonly TurnFile[]) => {
      const decision = decideTurn(stateOf(messages, { files: [...files] }), request, limits);
      return decision.ok
        ? "fileIds" in decision.turn && decision.turn.fileIds
        : `${decision.refusal.code} ${decision.refusal.msg}`;
    };

    it("are the caller's own and have a text, or nothing is sent", () => {
      const asked = ask({ fileIds: ["a", "b"] });
      expect(said([], asked, [file("b"), file("a")])).toEqual(["a", "b"]);
      expect(said([], asked, [file("a")])).toBe("9 INVALID_FILE_REFERENCE");
      const unfit = ["PENDING", "PARSING", "FAILED", "CONTENT_EMPTY", "CONTENT_TOO_LONG", "CONTENT_FILTER"];
      for (const status of unfit) {
        expect(said([], asked, [file("a"), file("b", status)]), status).toBe("9 INVALID_FILE_REFERENCE");
      }
    });

    it("may stand without words, and once each", () => {
      expect(said([], ask({ prompt: " ", fileIds: ["a", "a"] }), [file("a")])).toEqual(["a"]);
    });

    it("are 50 in a session at most, those of other branches counted, none twice [FILE-019]", () => {
      expect(LIMITS.filesPerSession).toBe(50);
      const carried = [user(1, null, { fileIds: many(49) }), reply(2, 1)];
      const more = [file("new"), file("newer"), ...many(49).map((id) => file(id))];
      expect(said(carried, ask({ fileIds: ["new"] }), more)).toEqual(["new"]);
      expect(said(carried, ask({ fileIds: ["new", "newer"] }), more)).toBe("10 SESSION_FILE_LIMIT_REACHED");
      expect(said(carried, ask({ fileIds: ["new", "f0", "f48"] }), more)).toEqual(["new", "f0", "f48"]);
    });

    it("of a message that goes, because it is sent again, do not count", () => {
      const failedBefore = [
        user(1, null, { fileIds: many(50) }),
        reply(2, 1, { status: "INCOMPLETE", hasText: false }),
      ];
      const others = many(100).slice(50);
      expect(
        said(
          failedBefore,
          ask({ fileIds: others }),
          others.map((id) => file(id)),
        ),
      ).toEqual(others);
    });

    it("follow an edited message", () => {
      const messages = [user(1, null, { fileIds: ["a", "b"] }), reply(2, 1)];
      expect(said(messages, edit(1), [file("a"), file("b")])).toEqual(["a", "b"]);
    });
  });

  it("says that the agent is gone before anything else", () => {
    const gone = (character_id: string | null) =>
      decideTurn(
        stateOf([], { agent: null, session: { ...emptySession, character_id } }),
        ask({ parentId: 9 }),
        limits,
      );
    expect(gone(null)).toMatchObject({ refusal: { code: 20, msg: "CHARACTER_NOT_AVAILABLE" } });
    expect(gone("c")).toMatchObject({ refusal: { code: 20, msg: "CHARACTER_DELETED" } });
  });

  it("a search goes neither with files nor with deep thinking [SRCH-003]", () => {
    const withFile = decide(pair, ask({ search: true, fileIds: ["f"] }));
    expect(withFile).toMatchObject({ ok: false, refusal: { code: 17 } });
    const both = decide(pair, ask({ search: true, thinking: true }));
    expect(both).toMatchObject({ turn: { modes: { thinking: true, search: false } } });
  });

  it("refuses a search with a persona, whether one is offered or not [STRM-038]", () => {
    const session = { ...emptySession, agent: "character", character_id: "c" };
    for (const searchAvailable of [true, false]) {
      for (const asked of [ask({ search: true }), redo(2, { search: true }), edit(1, { search: true })]) {
        const decision = decideTurn(stateOf(pair, { session }), asked, { ...limits, searchAvailable });
        expect(decision).toMatchObject({ refusal: { code: 21, msg: "SEARCH_NOT_WITH_CHARACTER" } });
      }
      const both = ask({ search: true, thinking: true });
      const served = decideTurn(stateOf(pair, { session }), both, { ...limits, searchAvailable });
      expect(served).toMatchObject({ turn: { modes: { thinking: true, search: false } } });
    }
  });

  it("lets a stopped reply go on once its last run has closed", () => {
    const messages = [user(1, null), reply(2, 1, { status: "INCOMPLETE" })];
    const said = (stopped: TurnState["stopped"]) => {
      const decision = decideTurn(stateOf(messages, { stopped }), goOn(2), limits);
      return decision.ok ? decision.turn : decision.refusal.msg;
    };
    const stopped: StoppedReply = {
      row: {} as MessageRow,
      reply: {} as ReplyRow,
      inTail: false,
      lastEpoch: 1,
    };
    expect(said(stopped)).toEqual({ kind: "go-on", requestId: 1, stopped });
    expect(said({ ...stopped, inTail: true })).toBe("CURRENT_MESSAGE_LOCKED");
    expect(said(null)).toBe("INVALID_MESSAGE_ID");
  });

  it.each([
    [{ thinking: false, search: false }, true, { thinking: false, search: false }],
    [{ thinking: true, search: false }, true, { thinking: true, search: false }],
    [{ thinking: false, search: true }, true, { thinking: false, search: true }],
    [{ thinking: true, search: true }, true, { thinking: true, search: false }],
    [{ thinking: false, search: true }, false, { thinking: false, search: false }],
    [{ thinking: true, search: true }, false, { thinking: true, search: false }],
  ])("serves %o, search offered: %s, as %o", (asked, searchAvailable, served) => {
    for (const request of [ask(asked), redo(2, asked), edit(1, asked)]) {
      const decision = decide(pair, request, { searchAvailable });
      expect(decision).toMatchObject({ ok: true, turn: { modes: served } });
    }
  });
});

describe("what a new turn removes", () => {
  const empty = { status: "INCOMPLETE", hasText: false };
  const removed = (messages: readonly TurnMessage[], request: TurnRequest): number[] => {
    const decision = decide(messages, request);
    return decision.ok && decision.turn.kind !== "go-on" ? decision.turn.remove : [];
  };

  it("is the empty failed pair a resend replaces, and nothing with words", () => {
    expect(removed([user(1, null), reply(2, 1, empty)], ask())).toEqual([1, 2]);
    expect(removed([user(1, null), reply(2, 1, { status: "INCOMPLETE" })], ask())).toEqual([]);
    expect(removed([user(1, null), reply(2, 1, empty), reply(3, 1)], ask())).toEqual([]);
  });

  it("is the empty failed reply a regenerate replaces, unless it was answered", () => {
    expect(removed([user(1, null), reply(2, 1, empty)], redo(2))).toEqual([2]);
    expect(removed([user(1, null), reply(2, 1, empty), user(3, 2), reply(4, 3)], redo(2))).toEqual([]);
  });

  it("never leaves a message without its parent", () => {
    const status = fc.constantFrom("FINISHED", "INCOMPLETE", "TIMEOUT");
    fc.assert(
      fc.property(
        fc.array(fc.record({ under: fc.nat(30), status, hasText: fc.boolean() }), { maxLength: 30 }),
        (steps) => {
          const messages: TurnMessage[] = [];
          for (const step of steps) {
            const parents = [
              null,
              ...messages.filter((one) => one.role === "ASSISTANT").map((one) => one.message_id),
            ];
            const parent = parents[step.under % parents.length] ?? null;
            const id = messages.length + 1;
            messages.push(
              user(id, parent),
              reply(id + 1, id, { status: step.status, hasText: step.hasText }),
            );
          }
          const parentId = messages.findLast((one) => one.role === "ASSISTANT")?.parent_id ?? null;
          const request = parentId === null ? ask() : edit(parentId);
          const gone = new Set(removed(messages, request));
          for (const one of messages) {
            if (!gone.has(one.message_id)) expect(gone.has(one.parent_id ?? 0)).toBe(false);
          }
        },
      ),
    );
  });
});
