import { LIMITS } from "@plumb/protocol/limits";
import { emptyTree } from "@plumb/protocol/conversation/message-tree";
import { describe, expect, test } from "vitest";
import type { ClientSession } from "../sessions/client-session.ts";
import { checkSubmit, composerAction } from "./composer-rules.ts";

const sessionThatIs = (state: ClientSession["state"]): ClientSession => ({
  id: "s1",
  title: null,
  titleType: "WIP",
  titleIsNew: false,
  updatedAt: 0,
  agentId: "chat",
  state,
  connection: "live",
  endedUnseen: false,
  tree: emptyTree(),
  lastMessageId: 0,
});

describe("the composer", () => {
  test.each<[ClientSession["state"], ReturnType<typeof composerAction>]>([
    ["idleWithNoHistory", "wait"],
    ["fetchingHistory", "wait"],
    ["historyError", "reload"],
    ["sending", "wait"],
    ["completing", "stop"],
    ["idle", "send"],
  ])("of a session that is %s offers to %s [SESS-007] [SESS-008] [ENG-036] [ENG-039]", (state, action) => {
    const session = sessionThatIs(state);
    expect(composerAction("s1", session)).toBe(action);
    expect(checkSubmit("s1", session, "2+2?").ok).toBe(action === "send");
  });

  test("of a new chat sends at once, before and after a send that was given back", () => {
    expect(composerAction("new:chat", undefined)).toBe("send");
    expect(composerAction("new:chat", sessionThatIs("idleWithNoHistory"))).toBe("send");
    expect(composerAction("new:chat", sessionThatIs("sending"))).toBe("wait");
  });

  test("refuses blanks without a word and lone surrogates with one [ENG-038] [ERR-024]", () => {
    const session = sessionThatIs("idle");
    expect(checkSubmit("s1", session, " \n\t")).toEqual({ ok: false, type: "info", text: null });
    expect(checkSubmit("s1", session, "a\ud800b")).toEqual({
      ok: false,
      type: "error",
      text: { key: "invalidUnicode" },
    });
  });

  test("refuses what is surely too long by its length alone, and no less", () => {
    const session = sessionThatIs("idle");
    const tooLong = { ok: false, type: "error", text: { key: "messageTooLong" } };
    expect(checkSubmit("s1", session, "x".repeat(LIMITS.promptBytes))).toEqual({ ok: true });
    // Of what is not looked at nobody knows that it is blank, or no Unicode.
    for (const sign of ["x", " ", "\ud800"]) {
      const prompt = sign.repeat(LIMITS.promptBytes + 1);
      expect(checkSubmit("s1", session, prompt)).toEqual(tooLong);
      expect(checkSubmit("s1", session, prompt, { hasFiles: true })).toEqual(tooLong);
    }
  });

  test.each<[ClientSession["state"], string]>([
    ["completing", "waitForReply"],
    ["sending", "stillSending"],
    ["fetchingHistory", "chatStillLoading"],
    ["historyError", "chatNotLoaded"],
  ])("of a session that is %s says why nothing is sent", (state, key) => {
    const session = sessionThatIs(state);
    expect(checkSubmit("s1", session, "2+2?")).toEqual({ ok: false, type: "info", text: { key } });
    expect(checkSubmit("s1", session, " ")).toMatchObject({ text: null });
  });
});
