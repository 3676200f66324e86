// The edit box of a question: when it opens, and that what is typed in it is never lost.
import { describe, expect, it } from "vitest";
import { globalError } from "../testing/fake-answers.ts";
import { createFakeServer } from "../testing/fake-server.ts";
import { openPage, type Page } from "../testing/open-page.ts";
import { shortTalk, wireMessage } from "../testing/wire-message.ts";

const EDIT = "/api/v0/chat/edit_message";

/** Types in the box of the question, and sends it. */
async function edit({ engine }: Page, text: string): Promise<boolean> {
  engine.turns.startEdit("s1", 1);
  engine.sessions.setDraft("s1#1", text);
  return engine.turns.editMessage("s1", 1, text);
}

async function openTalk(question: Partial<Parameters<typeof wireMessage>[0]> = {}) {
  const server = createFakeServer();
  server.addSession("s1", [{ ...shortTalk[0]!, ...question }, shortTalk[1]!]);
  const page = await openPage(server);
  page.engine.sessions.open("s1");
  await page.browser.settle();
  const { sessions, turns } = page.engine;
  return { server, page, turns, sessions, drafts: () => sessions.store.getState().drafts };
}

const editing = (page: Page): boolean[] => page.shown("s1").map(({ isEditing }) => isEditing);

/** The page loaded again, with what the browser keeps. */
async function reload({ server, page }: Awaited<ReturnType<typeof openTalk>>) {
  page.browser.setVisible(false);
  page.close();
  const again = await openPage(server, page.disk);
  again.engine.sessions.open("s1");
  await again.browser.settle();
  return again;
}

describe("an edit box", () => {
  it("[ENG-063] opens with the text of the question and closes without a trace", async () => {
    const { page, turns, drafts } = await openTalk();
    expect(turns.startEdit("s1", 1)).toBe(true);
    expect(editing(page)).toEqual([true, false]);
    expect(drafts()).toEqual({ "s1#1": "hi" });
    turns.cancelEdit("s1", 1);
    expect(editing(page)).toEqual([false, false]);
    expect(drafts()).toEqual({});
    page.close();
  });

  it("[ENG-068] opens for no question that may not be edited, for no reply, and not while a reply runs", async () => {
    const banned = await openTalk({ ban_edit: true });
    expect(banned.turns.startEdit("s1", 1)).toBe(false);
    banned.page.close();
    const { page, turns } = await openTalk();
    expect(turns.startEdit("s1", 2)).toBe(false);
    await turns.send("s1", "more");
    expect(turns.startEdit("s1", 1)).toBe(false);
    expect(editing(page)).toEqual([false, false, false, false]);
    page.close();
  });

  it("keeps its text through a history that comes anew, and through a reload", async () => {
    const talk = await openTalk();
    const { server, page, turns, sessions, drafts } = talk;
    turns.startEdit("s1", 1);
    sessions.setDraft("s1#1", "hi, who");
    server.addSession("s1", [...shortTalk, wireMessage({ message_id: 3, parent_id: 2, role: "USER" })]);
    sessions.retryHistory("s1");
    await page.browser.settle();
    expect(page.shown("s1")).toHaveLength(3);
    expect(editing(page)).toEqual([true, false, false]);
    expect(drafts()).toEqual({ "s1#1": "hi, who" });

    const again = await reload(talk);
    again.engine.turns.startEdit("s1", 1);
    expect(again.engine.sessions.store.getState().drafts).toEqual({ "s1#1": "hi, who" });
    again.close();
  });

  it("that was sent when the page was reloaded has its text again only where it did not arrive", async () => {
    for (const arrives of [true, false]) {
      const talk = await openTalk();
      const { server, page } = talk;
      if (!arrives) server.answer(EDIT, () => new Promise(() => {}));
      void edit(page, "hello");
      await page.browser.settle();
      const again = await reload(talk);
      const { drafts } = again.engine.sessions.store.getState();
      expect(drafts, `arrives: ${arrives}`).toEqual(arrives ? {} : { "s1#1": "hello" });
      again.close();
    }
  });

  it("that is sent while a reply of another tab runs says that, and keeps its text", async () => {
    const { server, page, turns, sessions, drafts } = await openTalk();
    const other = await openPage(server, page.disk);
    other.engine.sessions.open("s1");
    await other.browser.settle();
    turns.startEdit("s1", 1);
    sessions.setDraft("s1#1", "hi, who");
    await other.engine.turns.send("s1", "meanwhile");
    await other.browser.settle();
    server.produce(4);
    await page.browser.advance(20);
    expect(page.state("s1")).toBe("completing");
    expect(await turns.editMessage("s1", 1, "hi, who")).toBe(false);
    const toasts = () => page.engine.site.toasts.getState().toasts;
    expect(toasts()).toMatchObject([{ text: { key: "waitForReply" } }]);
    // Each reason is said, and once.
    for (const prompt of ["hi, who", "\ud800", "\ud800"])
      expect(await turns.editMessage("s1", 1, prompt)).toBe(false);
    expect(toasts()).toMatchObject([{ text: { key: "waitForReply" } }, { text: { key: "invalidUnicode" } }]);
    expect(drafts()).toEqual({ "s1#1": "hi, who" });
    expect(editing(page)[0]).toBe(true);
    for (const opened of [page, other]) opened.close();
  });

  it("refused with a hint, has its text again at the question it was to replace", async () => {
    const { server, page, turns, drafts } = await openTalk();
    server.answer(EDIT, () => globalError(41300, "BODY_TOO_LARGE", 413));
    await edit(page, "hello");
    await page.browser.settle();
    const [unsent] = page.shown("s1");
    expect(unsent).toMatchObject({ hint: { text: { key: "messageTooLong" } }, isEditing: false });
    expect(turns.startEdit("s1", unsent?.message_id ?? 0)).toBe(true);
    expect(page.shown("s1").map(({ message_id }) => message_id)).toEqual([1, 2]);
    expect(editing(page)).toEqual([true, false]);
    expect(drafts()).toEqual({ "s1#1": "hello" });
    page.close();
  });

  it("stopped before the server had it, is open again", async () => {
    const { server, page, turns, drafts } = await openTalk();
    server.answer(EDIT, () => new Promise(() => {}));
    void edit(page, "hello");
    await page.browser.settle();
    turns.stop("s1");
    await page.browser.advance(20_000);
    expect(editing(page)).toEqual([true, false]);
    expect(drafts()).toEqual({ "s1#1": "hello" });
    page.close();
  });

  it("goes with its chat", async () => {
    const talk = await openTalk();
    talk.turns.startEdit("s1", 1);
    talk.sessions.setDraft("s1#1", "hello");
    talk.sessions.setDraft("s10#1", "another chat's");
    await talk.sessions.remove("s1");
    expect(talk.drafts()).toEqual({ "s10#1": "another chat's" });
    talk.page.browser.setVisible(false);
    expect(talk.page.disk.values.get("plumb.drafts")).not.toContain("hello");
    talk.page.close();
  });
});
