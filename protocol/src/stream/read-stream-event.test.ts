import { describe, expect, it } from "vitest";
import { readStreamEvent } from "./read-stream-event.ts";

const HINT = {
  type: "error",
  content: "c",
  clear_response: false,
  click_behavior: "retry",
  finish_reason: null,
};
const QUOTA = { quota: 50, used: 4, reset_at: 1790006400 };

describe("events that keep to their schema", () => {
  it.each<[string, string, object]>([
    ["[STRM-004] ready", "ready", { request_message_id: 1, response_message_id: 2, model_type: "default" }],
    ["[STRM-010] update_session", "update_session", { updated_at: 1790000000.25 }],
    ["[STRM-010] update_session with quota", "update_session", { updated_at: 1, thinking_quota: QUOTA }],
    ["[STRM-012] delta with path and op", "delta", { p: "response", o: "BATCH", v: [] }],
    ["[STRM-012] delta with a value alone", "message", { v: null }],
    ["[STRM-007] title of 32 characters", "title", { content: "📏".repeat(32) }],
    ["[STRM-008] toast warning", "toast", { type: "warning", content: "c" }],
    [
      "[STRM-008] toast error",
      "toast",
      { type: "error", content: "c", clear_response: true, finish_reason: null },
    ],
    ["[STRM-009] hint error", "hint", HINT],
    ["[STRM-009] hint with a wait", "hint", { ...HINT, retry_after: 12 }],
    ["[STRM-009] hint warning", "hint", { ...HINT, type: "warning", finish_reason: "timeout" }],
    ["finish", "finish", {}],
    ["[STRM-006] close retry", "close", { click_behavior: "retry", auto_resume: false }],
    ["[STRM-006] close none", "close", { click_behavior: "none", auto_resume: false }],
    [
      "close with a key of a later version",
      "close",
      { click_behavior: "none", auto_resume: false, mood: "good" },
    ],
  ])("%s", (_title, name, data) => {
    const type = name === "message" ? "delta" : name;
    expect(readStreamEvent(name, JSON.stringify(data))).toEqual({ type, data });
  });
});

describe("events that break their schema", () => {
  it.each<[string, string, unknown]>([
    ["[STRM-004]", "ready", { request_message_id: 1 }],
    ["[STRM-004]", "ready", { request_message_id: "1", response_message_id: 2 }],
    ["[STRM-004]", "ready", { request_message_id: 1, response_message_id: 2.5 }],
    ["[STRM-004]", "ready", { request_message_id: 1, response_message_id: 2, model_type: 3 }],
    ["[STRM-010]", "update_session", {}],
    ["[STRM-010]", "update_session", { updated_at: "now" }],
    ["[STRM-010]", "update_session", { updated_at: 1, thinking_quota: null }],
    ["[STRM-010]", "update_session", { updated_at: 1, thinking_quota: { ...QUOTA, used: "4" } }],
    ["[STRM-012]", "delta", {}],
    ["[STRM-012]", "delta", { p: "response", o: "SET" }],
    ["[STRM-012]", "delta", { p: 1, v: "" }],
    ["[STRM-012]", "delta", { p: null, v: "" }],
    ["[STRM-012]", "delta", { o: "append", v: "" }],
    ["[STRM-007]", "title", { content: null }],
    ["[STRM-007]", "title", { content: "x".repeat(33) }],
    ["[STRM-008]", "toast", { type: "info", content: "c" }],
    ["[STRM-008]", "toast", { type: "error" }],
    ["[STRM-008]", "toast", { type: "error", content: "c", clear_response: 1 }],
    ["[STRM-008]", "toast", { type: "error", content: "c", finish_reason: 1 }],
    ["[STRM-009]", "hint", { ...HINT, type: "success" }],
    ["[STRM-009]", "hint", { ...HINT, content: 1 }],
    ["[STRM-009]", "hint", { ...HINT, clear_response: undefined }],
    ["[STRM-009]", "hint", { ...HINT, click_behavior: "reload" }],
    ["[STRM-009]", "hint", { ...HINT, finish_reason: undefined }],
    ["[STRM-009]", "hint", { ...HINT, retry_after: "soon" }],
    ["[STRM-006]", "close", { click_behavior: "maybe", auto_resume: false }],
    ["[STRM-006]", "close", { auto_resume: false }],
    ["[STRM-006]", "close", { click_behavior: "none" }],
    ["[STRM-011]", "finish", []],
    ["[STRM-011]", "finish", null],
    ["[STRM-011]", "close", "none"],
    ["[STRM-011]", "delta", JSON.parse('{"__proto__":{"v":1}}')],
  ])("%s [STRM-011] %s %j is refused", (_id, name, data) => {
    expect(readStreamEvent(name, JSON.stringify(data))).toBe("schema");
  });

  it.each(["", "{", "undefined", "[DONE]", "{'v':1}"])("[STRM-011] data %j is no JSON", (data) => {
    expect(readStreamEvent(null, data)).toBe("json");
  });
});
