import type { Fragment } from "@plumb/protocol/conversation/fragment";
import type { Message, MessageStatus } from "@plumb/protocol/conversation/message";
import { expect, test } from "vitest";
import { clientMessage } from "../sessions/client-message.ts";
import type { ClientSession } from "../sessions/client-session.ts";
import { wireMessage } from "../testing/wire-message.ts";
import { askBlock, continueButton, editBlock, regenerateBlock, shareBlock } from "./message-rules.ts";

const at = (state: ClientSession["state"], mutedUntil: number | null = null) => ({
  state,
  mutedUntil,
  isReadOnly: false,
});
const answer: Fragment = { id: 2, type: "RESPONSE", content: "Four." };
const reply = (change: Partial<Message> = {}) =>
  clientMessage(
    wireMessage({ message_id: 2, parent_id: 1, role: "ASSISTANT", fragments: [answer], ...change }),
  );

test.each<[ClientSession["state"], string | undefined]>([
  ["idle", undefined],
  ["completing", "waitForReply"],
  ["sending", "stillSending"],
  ["fetchingHistory", "historyIncomplete"],
  ["historyError", "historyIncomplete"],
])("regenerating is for a session at rest: %s [ENG-060]", (state, key) => {
  expect(regenerateBlock(at(state), reply())).toEqual(key === undefined ? null : { key });
});

test.each<[MessageStatus, string | undefined]>([
  ["FINISHED", undefined],
  ["INCOMPLETE", undefined],
  ["TIMEOUT", undefined],
  ["CONTENT_FILTER", "contentFiltered"],
  ["CONTEXT_LENGTH_EXCEEDED", "contextLengthExceeded"],
])("a reply that ended as %s [ENG-060]", (status, key) => {
  expect(regenerateBlock(at("idle"), reply({ status }))).toEqual(key === undefined ? null : { key });
});

test("a reply that the server keeps from being regenerated, or that it wrote by itself [ENG-060]", () => {
  expect(regenerateBlock(at("idle"), reply({ ban_regenerate: true }))).toEqual({ key: "cannotRegenerate" });
  const template: Fragment = { id: 2, type: "TEMPLATE_RESPONSE", content: "I am Plumb." };
  expect(regenerateBlock(at("idle"), reply({ fragments: [template] }))).toEqual({ key: "cannotRegenerate" });
});

test("a question is edited in a session at rest, unless the server keeps it from being edited [ENG-068]", () => {
  const question = (ban_edit: boolean) =>
    clientMessage(wireMessage({ message_id: 1, parent_id: null, role: "USER", ban_edit }));
  expect(editBlock(at("idle"), question(false))).toBeNull();
  expect(editBlock(at("completing"), question(false))).toEqual({ key: "waitForReply" });
  expect(editBlock(at("idle"), question(true))).toEqual({ key: "editNotAllowed" });
});

test.each<[ClientSession["state"], ReturnType<typeof continueButton>]>([
  ["idle", { shown: true, blocked: null }],
  ["fetchingHistory", { shown: false }],
  ["historyError", { shown: false }],
  ["sending", { shown: true, blocked: { key: "stillSending" } }],
  ["completing", { shown: true, blocked: { key: "waitForReply" } }],
])("a reply that ended early may go on: %s [ENG-071]", (state, button) => {
  expect(continueButton(at(state), reply({ status: "INCOMPLETE" }), { isLast: true })).toEqual(button);
});

test.each<[string, Partial<Message>, boolean]>([
  ["that finished", {}, true],
  ["that timed out", { status: "TIMEOUT" }, true],
  ["that runs", { status: "WIP" }, true],
  ["with something after it", { status: "INCOMPLETE" }, false],
  ["without any text", { status: "INCOMPLETE", fragments: [] }, true],
  ["that is not stored", { status: "INCOMPLETE", message_id: -3 }, true],
])("a reply %s is not continued [ENG-071]", (_title, change, isLast) => {
  expect(continueButton(at("idle"), reply(change), { isLast })).toEqual({ shown: false });
});

test("a muted user can ask for nothing, and reads until when", () => {
  const muted = at("idle", 1_790_000_100);
  const reason = { key: "mutedUntil", params: { mute_until: { moment: 1_790_000_100 } } };
  expect(askBlock(muted)).toEqual(reason);
  expect(regenerateBlock(muted, reply())).toEqual(reason);
  const goesOn = continueButton(muted, reply({ status: "INCOMPLETE" }), { isLast: true });
  expect(goesOn).toEqual({ shown: true, blocked: reason });
});

test("a chat whose role was deleted can be asked nothing, and has no button to go on", () => {
  const gone = { ...at("idle"), isReadOnly: true };
  expect(askBlock(gone)).toEqual({ key: "characterDeleted" });
  expect(continueButton(gone, reply({ status: "INCOMPLETE" }), { isLast: true })).toEqual({ shown: false });
});

test.each<[string, MessageStatus, MessageStatus, string | undefined]>([
  ["both ended", "FINISHED", "FINISHED", undefined],
  ["the reply stopped", "FINISHED", "INCOMPLETE", undefined],
  ["the reply is being written", "FINISHED", "WIP", "cannotShare"],
  ["the reply was withdrawn", "FINISHED", "CONTENT_FILTER", "cannotShare"],
  ["the question was withdrawn", "CONTENT_FILTER", "FINISHED", "cannotShare"],
])("sharing a reply where %s [SHARE-007]", (_case, asked, answered, key) => {
  const question = clientMessage(
    wireMessage({ message_id: 1, parent_id: null, role: "USER", status: asked }),
  );
  expect(shareBlock(reply({ status: answered }), question)).toEqual(key === undefined ? null : { key });
  expect(shareBlock(reply(), undefined)).toEqual({ key: "cannotShare" });
});
