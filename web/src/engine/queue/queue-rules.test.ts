import { treeOf } from "@plumb/protocol/conversation/message-tree";
import type { Message } from "@plumb/protocol/conversation/message";
import { expect, test } from "vitest";
import { clientMessage, type ClientMessage } from "../sessions/client-message.ts";
import { wireMessage } from "../testing/wire-message.ts";
import { awaitedReply, queueStep, type Queued, type QueueStep, type QueueView } from "./queue-rules.ts";

const queued = (part: Partial<Queued> = {}): Queued => ({
  phase: "waiting",
  awaits: 2,
  why: null,
  modes: { thinking: false, search: false, model: "" },
  files: 0,
  clientStreamId: "id",
  ...part,
});

type State = NonNullable<QueueView["session"]>["state"];

function chat(state: State, status: Message["status"] = "FINISHED", part: Partial<ClientMessage> = {}) {
  const user = clientMessage(wireMessage({ message_id: 1, parent_id: null, role: "USER" }));
  const reply = clientMessage(wireMessage({ message_id: 2, parent_id: 1, role: "ASSISTANT", status }));
  return { state, tree: treeOf([user, { ...reply, ...part }], 2) };
}
const hint = { text: { key: "x" }, type: "error", clickBehavior: "none" } as const;
const view = (session: QueueView["session"], part: Partial<QueueView> = {}): QueueView => ({
  session,
  isDrafted: true,
  isOnTheWay: false,
  ...part,
});

test.each<[string, QueueView["session"], QueueStep]>([
  ["finished", chat("idle"), "send"],
  ["finished with a notice", chat("idle", "FINISHED", { hint }), "failed"],
  ["stopped by its reader", chat("idle", "INCOMPLETE", { isStopped: true }), "stopped"],
  ["incomplete", chat("idle", "INCOMPLETE"), "incomplete"],
  ["broken off", chat("idle", "INCOMPLETE", { hint }), "failed"],
  ["filtered", chat("idle", "CONTENT_FILTER"), "filtered"],
  ["too late", chat("idle", "TIMEOUT"), "failed"],
  ["too long", chat("idle", "CONTEXT_LENGTH_EXCEEDED"), "failed"],
  ["being written", chat("completing", "WIP"), "wait"],
  ["still loading", chat("fetchingHistory"), "wait"],
  ["not loaded", chat("historyError"), "wait"],
  ["not opened", undefined, "open"],
])("a message that waits for a reply that is %s: %o", (_name, session, step) => {
  expect(queueStep(queued(), view(session))).toBe(step);
});

test("a message that waits for a reply that is not on show stays", () => {
  expect(queueStep(queued({ awaits: 9 }), view(chat("idle")))).toBe("changed");
});

test("a message that waits for a reply which never got a name stays", () => {
  for (const state of ["idle", "idleWithNoHistory"] as const)
    expect(queueStep(queued({ awaits: -3 }), view(chat(state)))).toBe("unsent");
});

test("one that was taken back is done with, whatever it waited for", () => {
  for (const phase of ["waiting", "kept"] as const)
    expect(queueStep(queued({ phase }), view(chat("completing"), { isDrafted: false }))).toBe("done");
});

test("one that was on its way before a reload is looked for where its chat is not opened, one that was kept is not", () => {
  expect(queueStep(queued({ phase: "sending" }), view(undefined, { isDrafted: false }))).toBe("open");
  expect(queueStep(queued({ phase: "kept" }), view(undefined))).toBe("wait");
});

test("one that was kept stays until a hand sends it", () => {
  expect(queueStep(queued({ phase: "kept" }), view(chat("idle")))).toBe("wait");
});

test.each<[Queued["why"], QueueStep]>([
  ["stopped", "again"],
  ["incomplete", "again"],
  ["failed", "again"],
  ["changed", "wait"],
  ["filtered", "wait"],
  ["unsent", "wait"],
])("one that was kept because its reply was %s, which is written on: %s", (why, step) => {
  expect(queueStep(queued({ phase: "kept", why }), view(chat("completing", "WIP")))).toBe(step);
  expect(queueStep(queued({ phase: "kept", why, awaits: 9 }), view(chat("completing", "WIP")))).toBe("wait");
});

test.each<[Partial<QueueView>, State, QueueStep]>([
  [{ isDrafted: false, isOnTheWay: true }, "sending", "wait"],
  [{ isDrafted: false, isOnTheWay: true }, "completing", "wait"],
  [{ isDrafted: false, isOnTheWay: false }, "sending", "wait"],
  [{ isDrafted: false, isOnTheWay: false }, "completing", "done"],
  [{ isDrafted: false, isOnTheWay: false }, "idle", "done"],
  [{ isDrafted: true }, "idle", "unsent"],
  [{ isDrafted: true }, "fetchingHistory", "wait"],
])("one on its way of which %o while its chat is %s: %s", (part, state, step) => {
  expect(queueStep(queued({ phase: "sending" }), view(chat(state), part))).toBe(step);
});

test("what is awaited is the reply that is being written, by its name at the server", () => {
  expect(awaitedReply(chat("completing", "WIP"))).toBe(2);
  expect(awaitedReply(chat("completing", "WIP", { responseMessageId: 7 }))).toBe(7);
  expect(awaitedReply(chat("sending", "WIP"))).toBe(2);
  expect(awaitedReply(chat("idle"))).toBeNull();
  expect(awaitedReply(undefined)).toBeNull();
});
