import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as accounts from "./accounts.ts";
import type { Call } from "./call.ts";
import * as guard from "./guard.ts";
import { parseRequest } from "./parse-request.ts";
import * as replies from "./replies.ts";
import * as sessions from "./sessions.ts";
import * as signIn from "./sign-in.ts";
import * as signUp from "./sign-up.ts";
import * as site from "./site.ts";
import * as turns from "./turns.ts";
import * as codes from "./verification-codes.ts";

const calls = [accounts, codes, guard, replies, sessions, signIn, signUp, site, turns]
  .flatMap((module): unknown[] => Object.values(module))
  .filter((value): value is Call => typeof value === "object" && value !== null && "request" in value);

const send = { chat_session_id: "s", prompt: "hello" };

describe("requests", () => {
  it("fills what is absent or null, reads ids given as text, ignores unknown keys", () => {
    const expected = {
      chat_session_id: "s",
      parent_message_id: 2,
      prompt: "hello",
      ref_file_ids: [],
      thinking_enabled: false,
      search_enabled: false,
      model: null,
      known_last_message_id: null,
      client_stream_id: null,
    };
    const sloppy = {
      ...send,
      parent_message_id: "2",
      ref_file_ids: null,
      thinking_enabled: null,
      unknown: {},
    };
    expect(parseRequest(turns.completion, sloppy)).toEqual({ ok: true, request: expected });
    expect(parseRequest(turns.completion, send)).toEqual({
      ok: true,
      request: { ...expected, parent_message_id: null },
    });
  });

  it.each<[string, Call, unknown]>([
    ["a blank prompt", turns.completion, { ...send, prompt: "" }],
    ["thinking with search", turns.completion, { ...send, thinking_enabled: true, search_enabled: true }],
    ["an empty title", sessions.updateSessionTitle, { chat_session_id: "s", title: "" }],
    ["an overlong title", sessions.updateSessionTitle, { chat_session_id: "s", title: "x".repeat(99) }],
    ["a malformed session id", sessions.historyMessages, { chat_session_id: "" }],
    ["a count out of bounds", sessions.fetchSessionPage, { count: "0" }],
    ["an absent email", codes.createEmailVerificationCode, {}],
    ["a malformed email", codes.createEmailVerificationCode, { email: "nobody" }],
    ["no identifier", signIn.login, { password: "" }],
    ["an absent code", signUp.register, { payload: { email: "", password: "" } }],
    ["an unknown target path", guard.createPowChallenge, { target_path: "/nowhere" }],
    ["an empty list", sessions.deleteSession, { chat_session_ids: [] }],
    ["a captcha field of another mode", codes.createEmailVerificationCode, { turnstile_token: 5 }],
  ])("lets %s through to the call's own refusal", (_name, call, raw) => {
    expect(parseRequest(call, raw)).toMatchObject({ ok: true });
  });

  it.each<[Call, unknown, string, string]>([
    [sessions.updateSessionTitle, { chat_session_id: "s" }, "body.title", "required"],
    [sessions.historyMessages, {}, "query.chat_session_id", "required"],
    [sessions.deleteSession, {}, "body.chat_session_id", "required"],
    [
      turns.regenerate,
      { chat_session_id: "s", child_message_id: "2x" },
      "body.child_message_id",
      "not an integer",
    ],
    [
      turns.regenerate,
      { chat_session_id: "s", child_message_id: 1.5 },
      "body.child_message_id",
      "not an integer",
    ],
    [
      turns.completion,
      { ...send, client_stream_id: "x".repeat(65) },
      "body.client_stream_id",
      "longer than 64",
    ],
    [turns.completion, { ...send, client_stream_id: "a\0" }, "body.client_stream_id", "invalid characters"],
    [signUp.register, { payload: { password: "x" } }, "body.payload.email", "required"],
    [signIn.login, { password: "x", device_id: "😀".repeat(501) }, "body.device_id", "longer than 500"],
  ])("tells what is wrong with %#", (call, raw, loc, msg) => {
    expect(parseRequest(call, raw)).toEqual({ ok: false, detail: [{ loc, msg }] });
  });

  it.each<[string, Call, unknown]>([
    ["51 files", turns.completion, { ...send, ref_file_ids: Array.from({ length: 51 }, () => "f") }],
    [
      "21 stream ids",
      replies.getClientStreams,
      { chat_session_id: "s", client_stream_ids: Array(21).fill("i") },
    ],
    ["101 sessions", sessions.deleteSession, { chat_session_ids: Array(101).fill("i") }],
    ["a flag as text", turns.completion, { ...send, thinking_enabled: "true" }],
    ["an id beyond 53 bits", replies.resumeStream, { chat_session_id: "s", message_id: "9007199254740993" }],
    ["a body that is a list", turns.completion, []],
    ["a body that is null", signIn.login, null],
    ["a span that is a text", site.clientSpan, "x"],
  ])("refuses %s", (_name, call, raw) => {
    expect(parseRequest(call, raw).ok).toBe(false);
  });

  it("counts code points, not UTF-16 units", () => {
    const device_id = "😀".repeat(500);
    expect(parseRequest(signIn.login, { password: "x", device_id })).toMatchObject({ ok: true });
  });

  it("reads a page's cursors as queries carry them", () => {
    const raw = {
      before_seq_id: "7",
      count: "20",
      "lte_cursor.updated_at": "1790000000.25",
      "lte_cursor.pinned": "x",
    };
    expect(parseRequest(sessions.fetchSessionPage, raw)).toEqual({
      ok: true,
      request: { before_seq_id: 7, count: 20, "lte_cursor.updated_at": 1_790_000_000.25 },
    });
  });

  it("has unique method and path per call", () => {
    const names = calls.map((call) => `${call.method} ${call.path}`);
    expect(names.length).toBeGreaterThan(25);
    expect(new Set(names).size).toBe(names.length);
    expect(names.every((name) => / \/api\/v0\//.test(name))).toBe(true);
  });

  it("never throws, whatever the call and the body", () => {
    fc.assert(
      fc.property(fc.constantFrom(...calls), fc.oneof(fc.jsonValue(), fc.anything()), (call, raw) => {
        expect(typeof parseRequest(call, raw).ok).toBe("boolean");
      }),
    );
  });
});
