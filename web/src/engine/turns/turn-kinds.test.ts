// Regenerate, edit and continue, from the engine's face to the server and back.
import type { FileInfo } from "@plumb/protocol/conversation/file-info";
import { describe, expect, it } from "vitest";
import { editDraftKey } from "../sessions/edit-drafts.ts";
import { globalError, ok, refused } from "../testing/fake-answers.ts";
import { thinkingReply } from "../testing/fake-replies.ts";
import { createFakeServer } from "../testing/fake-server.ts";
import { wireFile } from "../testing/wire-file.ts";
import { shortTalk, wireMessage } from "../testing/wire-message.ts";
import { openPage, textOf, type Page } from "../testing/open-page.ts";

const REGENERATE = "/api/v0/chat/regenerate";
const EDIT = "/api/v0/chat/edit_message";
const CONTINUE = "/api/v0/chat/continue";
const LOOK_UP = "/api/v0/chat/get_client_streams";
const WHOLE = "Two plus two 🧮|Four, 四.";
const BOX = editDraftKey("s1", 1);

const file = wireFile({ id: "file-1", file_name: "a.txt" });

async function openTalk(
  last: Parameters<typeof wireMessage>[0] = { ...shortTalk[1]! },
  files = [] as FileInfo[],
) {
  const server = createFakeServer();
  server.addSession("s1", [{ ...shortTalk[0]!, files }, wireMessage(last)]);
  const page = await openPage(server);
  page.engine.sessions.open("s1");
  await page.browser.settle();
  const produce = async (count: number): Promise<void> => {
    server.produce(count);
    await page.browser.advance(20);
  };
  return { server, page, produce, turns: page.engine.turns };
}

const ids = (page: Page): number[] => page.shown("s1").map(({ message_id }) => message_id);
const childIds = (page: Page, id: number) =>
  page.engine.sessions.store.getState().byId["s1"]?.tree.nodes.get(id)?.childIds;
const hintAt = (page: Page) => page.shown("s1").map(({ hint }) => hint && { ...hint.text });

const half = wireMessage({
  message_id: 2,
  parent_id: 1,
  role: "ASSISTANT",
  status: "INCOMPLETE",
  fragments: [{ id: 2, type: "RESPONSE", content: "hel" }],
});

describe("regenerate", () => {
  it("is what a retry of a finished reply without an answer does", async () => {
    const thought = { id: 2, type: "THINK", content: "Well", elapsed_secs: 1 } as const;
    const { server, page, produce, turns } = await openTalk(
      wireMessage({ message_id: 2, parent_id: 1, role: "ASSISTANT", fragments: [thought] }),
    );
    turns.retry("s1", 2);
    await page.browser.settle();
    await produce(30);
    expect(server.calls(REGENERATE)).toHaveLength(1);
    expect(childIds(page, 1)).toEqual([2, 3]);
    page.close();
  });

  it("is what a retry of a failed reply does whose question has other replies, after a reload too", async () => {
    const { server, page, produce, turns } = await openTalk();
    const failed = wireMessage({ message_id: 3, parent_id: 1, role: "ASSISTANT", status: "TIMEOUT" });
    server.addSession("s2", [...shortTalk, failed]);
    page.engine.sessions.open("s2");
    await page.browser.settle();
    turns.retry("s2", 3);
    await page.browser.settle();
    await produce(30);
    expect(server.calls(REGENERATE).map(({ body }) => body["child_message_id"])).toEqual([3]);
    const { rootIds, nodes } = page.engine.sessions.store.getState().byId["s2"]!.tree;
    expect(rootIds).toEqual([1]);
    expect(nodes.get(1)?.childIds).toEqual([2, 4]);
    page.close();
  });

  it("[ENG-057] [ENG-058] puts a reply beside the old one, with a proof and an id of its own", async () => {
    const { server, page, produce, turns } = await openTalk();
    page.engine.site.setPreferences({ thinkingEnabled: true });
    const sending = turns.regenerate("s1", 2);
    expect(ids(page)).toEqual([1, -3]);
    expect(page.state("s1")).toBe("sending");
    expect(await sending).toBe(true);
    await page.browser.settle();
    const [call] = server.calls(REGENERATE);
    expect(call?.body).toEqual({
      chat_session_id: "s1",
      child_message_id: 2,
      thinking_enabled: true,
      search_enabled: false,
      client_stream_id: expect.stringMatching(/^\d{8}-[0-9a-zA-Z]{16}$/),
    });
    expect(call?.headers["x-ds-pow-response"]).toBeTruthy();
    await produce(20);
    expect(ids(page)).toEqual([1, 3]);
    expect(page.text("s1")).toBe(WHOLE);
    expect(childIds(page, 1)).toEqual([2, 3]);
    expect(page.state("s1")).toBe("idle");
    page.close();
  });

  it("[STRM-026] [ENG-059] refused, shows the old reply again and leaves nothing behind", async () => {
    const { server, page, turns } = await openTalk();
    server.answer(REGENERATE, () => refused(4, "REGENERATE_NOT_ALLOWED"));
    await turns.regenerate("s1", 2);
    await page.browser.settle();
    expect(ids(page)).toEqual([1, 2]);
    expect(childIds(page, 1)).toEqual([2]);
    expect(page.engine.site.toasts.getState().toasts).toMatchObject([{ text: { key: "cannotRegenerate" } }]);
    expect(page.engine.sessions.store.getState().drafts).toEqual({});
    page.close();
  });

  it("[ENG-059] of an older sibling, refused with a hint, shows that one again, where a retry regenerates", async () => {
    const { server, page, produce, turns } = await openTalk();
    await turns.regenerate("s1", 2);
    await page.browser.settle();
    await produce(20);
    server.answer(REGENERATE, () => globalError(42900, "RATE_LIMIT_REACHED", 429));
    await turns.regenerate("s1", 2);
    await page.browser.settle();
    expect(ids(page)).toEqual([1, 2]);
    expect(hintAt(page)).toEqual([null, { key: "rateLimitReached" }]);
    server.answerAsUsual(REGENERATE);
    turns.retry("s1", 2);
    await page.browser.settle();
    await produce(20);
    expect(server.calls(REGENERATE).map(({ body }) => body["child_message_id"])).toEqual([2, 2, 2]);
    expect(ids(page)).toEqual([1, 4]);
    expect(childIds(page, 1)).toEqual([2, 3, 4]);
    page.close();
  });

  it("takes a failed reply without text away as the server does", async () => {
    const { page, produce, turns } = await openTalk({
      message_id: 2,
      parent_id: 1,
      role: "ASSISTANT",
      status: "TIMEOUT",
    });
    await turns.regenerate("s1", 2);
    await page.browser.settle();
    await produce(20);
    expect(childIds(page, 1)).toEqual([3]);
    page.close();
  });

  it("leaves on show what was said under an empty failed reply, as the server keeps it", async () => {
    const { server, page, produce, turns } = await openTalk({
      message_id: 2,
      parent_id: 1,
      role: "ASSISTANT",
      status: "TIMEOUT",
    });
    await turns.send("s1", "2+2?");
    await page.browser.settle();
    await produce(20);
    expect(ids(page)).toEqual([1, 2, 3, 4]);
    await turns.regenerate("s1", 2);
    await page.browser.settle();
    await produce(20);
    expect(ids(page)).toEqual([1, 5]);
    page.engine.sessions.switchBranch("s1", 2);
    expect(ids(page)).toEqual([1, 2, 3, 4]);
    expect(server.messagesOf("s1")).toHaveLength(5);
    page.close();
  });

  it("resumes after a drop at any point", async () => {
    for (let at = 0; at < 15; at++) {
      const { server, page, produce, turns } = await openTalk();
      await turns.regenerate("s1", 2);
      await page.browser.settle();
      server.produce(at);
      await page.browser.settle();
      server.cut();
      await page.browser.advance(20);
      await produce(20);
      await page.browser.advance(5000);
      expect(page.text("s1"), `cut after ${at}`).toBe(WHOLE);
      expect(server.calls(REGENERATE)).toHaveLength(1);
      expect(ids(page)).toEqual([1, 3]);
      page.close();
    }
  });

  it("is refused here for a message that is no stored reply, and while a reply runs", async () => {
    const { server, page, turns } = await openTalk();
    expect(await turns.regenerate("s1", 1)).toBe(false);
    expect(await turns.regenerate("s1", 77)).toBe(false);
    await turns.regenerate("s1", 2);
    expect(await turns.regenerate("s1", 2)).toBe(false);
    await page.browser.settle();
    expect(server.calls(REGENERATE)).toHaveLength(1);
    page.close();
  });
});

describe("edit", () => {
  it("[ENG-061] [ENG-062] puts a prompt with the same files beside the old one, and leaves the composer alone", async () => {
    const { server, page, produce, turns } = await openTalk(undefined, [file]);
    page.engine.sessions.setDraft("s1", "typed");
    expect(await turns.editMessage("s1", 1, "2+2?")).toBe(true);
    await page.browser.settle();
    expect(ids(page)).toEqual([-2, -3]);
    expect(page.shown("s1")[0]?.files).toEqual([file]);
    const body = server.calls(EDIT)[0]?.body;
    expect(body).toMatchObject({ chat_session_id: "s1", message_id: 1, prompt: "2+2?" });
    expect(body).not.toHaveProperty("known_last_message_id");
    await produce(20);
    expect(ids(page)).toEqual([3, 4]);
    expect(page.text("s1")).toBe(WHOLE);
    const { byId, drafts } = page.engine.sessions.store.getState();
    expect(byId["s1"]?.tree.rootIds).toEqual([1, 3]);
    expect(drafts).toEqual({ s1: "typed" });
    page.close();
  });

  it("refused with a toast, shows the old prompt again with the text in its box, whatever the composer holds", async () => {
    const { server, page, turns } = await openTalk();
    server.answer(EDIT, () => refused(12, "EDIT_NOT_ALLOWED"));
    page.engine.sessions.setDraft("s1", "typed");
    turns.startEdit("s1", 1);
    page.engine.sessions.setDraft("s1#1", "2+2?");
    await turns.editMessage("s1", 1, "2+2?");
    expect(page.engine.sessions.store.getState().drafts).toEqual({ s1: "typed" });
    await page.browser.settle();
    expect(ids(page)).toEqual([1, 2]);
    expect(page.shown("s1")[0]?.isEditing).toBe(true);
    expect(page.engine.sessions.store.getState().drafts).toEqual({ s1: "typed", "s1#1": "2+2?" });
    page.close();
  });

  it("[ENG-072] refused with a hint, stays as an unsent message whose retry edits the same message", async () => {
    const { server, page, produce, turns } = await openTalk();
    server.answer(EDIT, () => globalError(42900, "RATE_LIMIT_REACHED", 429));
    await turns.editMessage("s1", 1, "2+2?");
    await page.browser.settle();
    expect(ids(page)).toEqual([-2]);
    expect(hintAt(page)).toEqual([{ key: "rateLimitReached" }]);
    expect(page.engine.sessions.store.getState().drafts).toEqual({ "s1#1": "2+2?" });
    server.answerAsUsual(EDIT);
    turns.retry("s1", -2);
    await page.browser.settle();
    await produce(20);
    expect(server.calls(EDIT).map(({ body }) => [body["message_id"], body["prompt"]])).toEqual([
      [1, "2+2?"],
      [1, "2+2?"],
    ]);
    expect(ids(page)).toEqual([3, 4]);
    expect(page.engine.sessions.store.getState().drafts).toEqual({});
    page.close();
  });

  it("[ENG-072] that failed after it was stored is itself edited again, and goes", async () => {
    const { server, page, produce, turns } = await openTalk();
    await turns.editMessage("s1", 1, "2+2?");
    await page.browser.settle();
    await produce(2);
    server.stopReply(server.replies[0]!);
    await page.browser.advance(20);
    expect(page.shown("s1").at(-1)).toMatchObject({ status: "INCOMPLETE", fragments: [] });
    turns.retry("s1", 4);
    await page.browser.settle();
    await produce(20);
    expect(server.calls(EDIT).map(({ body }) => body["message_id"])).toEqual([1, 3]);
    expect(ids(page)).toEqual([5, 6]);
    expect(page.engine.sessions.store.getState().byId["s1"]?.tree.rootIds).toEqual([1, 5]);
    page.close();
  });

  it("lost before ready, is sent again by a retry with its own id, and the composer stays empty", async () => {
    const { server, page, produce, turns } = await openTalk();
    turns.prepare();
    await page.browser.settle();
    server.setDown(true);
    server.answer("/api/v0/chat/create_pow_challenge", () => globalError(50000, "INTERNAL_ERROR", 500));
    await turns.editMessage("s1", 1, "2+2?");
    await page.browser.advance(120_000);
    expect(hintAt(page)).toEqual([{ key: "connectionLost" }, null]);
    server.setDown(false);
    server.answerAsUsual("/api/v0/chat/create_pow_challenge");
    turns.retry("s1", ids(page)[0]!);
    await page.browser.advance(1000);
    await produce(20);
    expect(new Set(server.calls(EDIT).map(({ body }) => body["client_stream_id"])).size).toBe(1);
    expect(ids(page)).toEqual([3, 4]);
    expect(page.engine.sessions.store.getState().drafts).toEqual({});
    page.close();
  });

  it("[ENG-065] sends nothing that is blank", async () => {
    const { server, page, turns } = await openTalk();
    expect(await turns.editMessage("s1", 1, " \n")).toBe(false);
    expect(server.calls(EDIT)).toHaveLength(0);
    page.close();
  });

  it("[ENG-065] sends nothing before the session is at rest: the box stays open with its text", async () => {
    const { server, page, produce, turns } = await openTalk();
    turns.startEdit("s1", 1);
    page.engine.sessions.setDraft(BOX, "3+3?");
    await turns.send("s1", "2+2?");
    for (const state of ["sending", "completing"]) {
      expect(page.state("s1")).toBe(state);
      expect(await turns.editMessage("s1", 1, "3+3?")).toBe(false);
      await page.browser.settle();
      await produce(3);
    }
    await produce(20);
    expect(page.shown("s1")[0]?.isEditing).toBe(true);
    expect(page.engine.sessions.store.getState().drafts).toEqual({ [BOX]: "3+3?" });
    expect(server.calls(EDIT)).toHaveLength(0);
    expect(await turns.editMessage("s1", 1, "3+3?")).toBe(true);
    page.close();
  });
});

describe("continue", () => {
  it("[ENG-069] [ENG-070] goes on with the same message, without a proof, and keeps its text on show", async () => {
    const { server, page, produce, turns } = await openTalk(half);
    const texts: string[] = [];
    page.engine.sessions.store.subscribe(() => texts.push(page.text("s1")));
    const key = page.shown("s1")[1]?.key;
    expect(await turns.continueReply("s1", 2)).toBe(true);
    await page.browser.settle();
    expect(page.shown("s1").at(-1)).toMatchObject({ status: "WIP", generateState: "INITIALIZING" });
    expect(server.calls(CONTINUE)[0]?.body).toEqual({
      chat_session_id: "s1",
      message_id: 2,
      fallback_to_resume: false,
    });
    expect(server.calls(CONTINUE)[0]?.headers).not.toHaveProperty("x-ds-pow-response");
    await produce(20);
    expect(page.text("s1")).toBe("hel And so on.");
    expect(page.shown("s1").at(-1)).toMatchObject({ status: "FINISHED", key, generateState: null });
    expect(texts.every((text) => text.startsWith("hel"))).toBe(true);
    expect(page.state("s1")).toBe("idle");
    page.close();
  });

  it("[STRM-039] refused, is what it was before", async () => {
    const { server, page, turns } = await openTalk(half);
    server.answer(CONTINUE, () => refused(23, "MESSAGE_IS_NOT_LEAF"));
    await turns.continueReply("s1", 2);
    await page.browser.settle();
    expect(page.engine.site.toasts.getState().toasts).toMatchObject([{ text: { key: "messageIsNotLeaf" } }]);
    expect(page.shown("s1").at(-1)).toMatchObject({ status: "INCOMPLETE", hint: null, generateState: null });
    expect(page.text("s1")).toBe("hel");
    page.close();
  });

  it("refused with a hint, continues at the retry", async () => {
    const { server, page, produce, turns } = await openTalk(half);
    server.answer(CONTINUE, () => globalError(42900, "RATE_LIMIT_REACHED", 429));
    await turns.continueReply("s1", 2);
    await page.browser.settle();
    expect(hintAt(page)).toEqual([null, { key: "rateLimitReached" }]);
    server.answerAsUsual(CONTINUE);
    turns.retry("s1", 2);
    await page.browser.settle();
    await produce(20);
    expect(page.text("s1")).toBe("hel And so on.");
    expect(hintAt(page)).toEqual([null, null]);
    page.close();
  });

  it("dropped before ready, is sent again with fallback_to_resume and reads what the first one began", async () => {
    const { server, page, produce, turns } = await openTalk(half);
    await turns.continueReply("s1", 2);
    await page.browser.settle();
    server.cut();
    await page.browser.settle();
    expect(server.calls(CONTINUE).map(({ body }) => body["fallback_to_resume"])).toEqual([false, true]);
    expect(server.calls(LOOK_UP)).toHaveLength(0);
    await produce(20);
    expect(page.text("s1")).toBe("hel And so on.");
    page.close();
  });

  it("dropped after ready, is resumed at any point", async () => {
    for (let at = 1; at < 10; at++) {
      const { server, page, produce, turns } = await openTalk(half);
      await turns.continueReply("s1", 2);
      await page.browser.settle();
      await produce(at);
      server.cut();
      await page.browser.advance(20);
      await produce(20);
      await page.browser.advance(5000);
      expect(page.text("s1"), `cut after ${at}`).toBe("hel And so on.");
      expect(page.shown("s1").at(-1)?.status).toBe("FINISHED");
      expect(server.calls(CONTINUE)).toHaveLength(1);
      page.close();
    }
  });

  it("takes the whole message where it had finished meanwhile", async () => {
    const { server, page, turns } = await openTalk(half);
    const message = { ...half, status: "FINISHED" as const, fragments: [...half.fragments] };
    server.answer(CONTINUE, ({ body }) => {
      if (body["fallback_to_resume"] !== true) throw new TypeError("fetch failed");
      const { chat_session } = {
        chat_session: { id: "s1", title: "Old", title_type: "SYSTEM", updated_at: 1 },
      };
      return ok({ message, chat_session }, 22);
    });
    await turns.continueReply("s1", 2);
    await page.browser.advance(20);
    expect(page.shown("s1").at(-1)).toMatchObject({ status: "FINISHED", generateState: null });
    expect(page.state("s1")).toBe("idle");
    page.close();
  });

  it("is refused here for a reply that finished or has messages under it", async () => {
    const { server, page, turns } = await openTalk();
    expect(await turns.continueReply("s1", 2)).toBe(false);
    expect(await turns.continueReply("s1", 1)).toBe(false);
    expect(server.calls(CONTINUE)).toHaveLength(0);
    page.close();
  });

  it("can be stopped before and after ready", async () => {
    for (const produced of [0, 4]) {
      const { server, page, produce, turns } = await openTalk(half);
      await turns.continueReply("s1", 2);
      await page.browser.settle();
      await produce(produced);
      turns.stop("s1");
      await page.browser.advance(3000);
      expect(server.calls("/api/v0/chat/stop_stream")).toHaveLength(1);
      expect(page.state("s1")).toBe("idle");
      expect(page.shown("s1").at(-1)?.status).toBe("INCOMPLETE");
      expect(page.text("s1").startsWith("hel")).toBe(true);
      page.close();
    }
  });
});

it("a thinking reply of an edit goes on where a page was reloaded", async () => {
  const { server, page, produce, turns } = await openTalk();
  server.setEvents(thinkingReply);
  await turns.editMessage("s1", 1, "2+2?");
  await page.browser.settle();
  await produce(4);
  page.close();
  const again = await openPage(server, page.disk);
  again.engine.sessions.open("s1");
  await again.browser.advance(20);
  expect(textOf(again.shown("s1").at(-1))).toBe("Two plus");
  server.produce(20);
  await again.browser.advance(20);
  expect(again.text("s1")).toBe(WHOLE);
  again.close();
});
