// Choosing turns of a conversation to share them.
import { updateMessage } from "@plumb/protocol/conversation/message-tree";
import { describe, expect, it } from "vitest";
import { createFakeServer } from "../testing/fake-server.ts";
import { openPage } from "../testing/open-page.ts";
import { wireMessage } from "../testing/wire-message.ts";
import { wireFile } from "../testing/wire-file.ts";
import { carriesFiles, selectionExtent, shareTitle, turnCount } from "./share-selection.ts";

const turn = (first: number, status: "FINISHED" | "WIP" | "CONTENT_FILTER" = "FINISHED") => [
  wireMessage({
    message_id: first,
    parent_id: first === 1 ? null : first - 1,
    role: "USER",
    fragments: [{ id: 1, type: "REQUEST", content: `question ${first}` }],
  }),
  wireMessage({
    message_id: first + 1,
    parent_id: first,
    role: "ASSISTANT",
    status,
    fragments: [{ id: 2, type: "RESPONSE", content: "an answer" }],
  }),
];

async function open(messages = [...turn(1), ...turn(3, "CONTENT_FILTER"), ...turn(5)]) {
  const server = createFakeServer();
  server.addSession("s1", messages);
  server.addSession("s2", turn(1));
  const page = await openPage(server);
  const { engine, browser } = page;
  engine.sessions.open("s1");
  await browser.settle();
  const { selection } = await engine.sharing.load();
  const begin = async (messageId?: number) => {
    engine.sharing.begin("s1", messageId);
    await browser.settle();
  };
  const chosen = () => [...selection.store.getState().chosen].toSorted((a, b) => a - b);
  const selecting = () => engine.site.overlays.getState().selecting;
  return { server, page, engine, browser, selection, begin, chosen, selecting };
}

describe("choosing what is shared", () => {
  it("begins in a session, takes turns one by one or all, and is left [SHARE-008]", async () => {
    const { page, selection, begin, chosen, selecting } = await open();
    await begin();
    expect(selecting()).toBe("s1");
    expect(chosen()).toEqual([]);
    expect(selectionExtent(selection.store.getState())).toBe("none");
    selection.toggle(1);
    expect(selectionExtent(selection.store.getState())).toBe("some");
    selection.toggleAll();
    expect(chosen()).toEqual([1, 2, 5, 6]);
    expect(selectionExtent(selection.store.getState())).toBe("all");
    expect(turnCount(selection.store.getState())).toBe(2);
    selection.toggleAll();
    expect(chosen()).toEqual([]);
    selection.end();
    expect(selecting()).toBeNull();
    page.close();
  });

  it.each([5, 6])("takes question and reply together, by either of them: %d [SHARE-012]", async (id) => {
    const { page, selection, begin, chosen } = await open();
    await begin();
    selection.toggle(id);
    expect(chosen()).toEqual([5, 6]);
    expect(selection.chosenIds()).toEqual([5, 6]);
    selection.toggle(id === 5 ? 6 : 5);
    expect(chosen()).toEqual([]);
    page.close();
  });

  it("tells whether a chosen turn carries a file", async () => {
    const [question, reply] = turn(3);
    const file = wireFile({ id: "file-1", file_name: "a.pdf" });
    const { page, selection, begin } = await open([...turn(1), { ...question!, files: [file] }, reply!]);
    await begin(2);
    expect(carriesFiles(selection.store.getState())).toBe(false);
    selection.toggle(4);
    expect(carriesFiles(selection.store.getState())).toBe(true);
    selection.toggle(3);
    expect(carriesFiles(selection.store.getState())).toBe(false);
    page.close();
  });

  it("calls the share after the first chosen question, until something else is typed", async () => {
    const { page, selection, begin } = await open([...turn(1), ...turn(3), ...turn(5)]);
    await begin();
    const title = () => shareTitle(selection.store.getState());
    expect(title()).toBe("");
    selection.toggle(6);
    expect(title()).toBe("question 5");
    selection.toggle(3);
    expect(title()).toBe("question 3");
    selection.typeTitle(` For you ${"x".repeat(40)}`);
    selection.toggle(1);
    expect(title()).toBe(`For you ${"x".repeat(23)}`);
    selection.typeTitle(" ");
    expect(selection.store.getState().typedTitle).toBe(" ");
    selection.leaveTitle();
    expect([selection.store.getState().typedTitle, title()]).toEqual([null, "question 1"]);
    selection.typeTitle("Mine");
    await begin();
    expect(title()).toBe("");
    page.close();
  });

  it("begins with the turn whose share button was pressed", async () => {
    const { page, begin, chosen } = await open();
    await begin(6);
    expect(chosen()).toEqual([5, 6]);
    page.close();
  });

  it("never takes what was withdrawn, is being written or is not sent yet [SHARE-011]", async () => {
    const { server, page, engine, browser, selection, begin, chosen } = await open();
    server.answer("/api/v0/chat/completion", () => new Promise(() => {}));
    engine.sessions.setDraft("s1", "one more");
    void engine.turns.send("s1", "one more");
    await browser.settle();
    expect(page.shown("s1").map(({ message_id: id }) => id)).toEqual([1, 2, 3, 4, 5, 6, -2, -3]);
    await begin();
    expect([...selection.store.getState().selectable]).toEqual([1, 2, 5, 6]);
    for (const id of [3, 4, -2, -3]) selection.toggle(id);
    expect(chosen()).toEqual([]);
    selection.toggleAll();
    expect(chosen()).toEqual([1, 2, 5, 6]);
    page.close();
  });

  it("takes a turn as soon as it can be shared, and lets go what is withdrawn meanwhile", async () => {
    const { page, engine, selection, begin, chosen } = await open([
      ...turn(1),
      ...turn(3, "CONTENT_FILTER"),
      ...turn(5),
    ]);
    await begin();
    selection.toggleAll();
    expect(chosen()).toEqual([1, 2, 5, 6]);
    const become = (id: number, status: "FINISHED" | "CONTENT_FILTER") =>
      engine.sessions.store.setState(({ byId }) => {
        const session = byId["s1"]!;
        const tree = updateMessage(session.tree, id, (message) => ({ ...message, status }));
        return { byId: { ...byId, s1: { ...session, tree } } };
      });
    become(4, "FINISHED");
    become(6, "CONTENT_FILTER");
    expect([...selection.store.getState().selectable]).toEqual([1, 2, 3, 4]);
    expect(chosen()).toEqual([1, 2]);
    page.close();
  });

  it("closes the box in which a question is edited, and keeps what is typed there [ENG-064]", async () => {
    const { page, engine, begin } = await open();
    engine.turns.startEdit("s1", 1);
    engine.sessions.setDraft("s1#1", "half an edit");
    await begin();
    expect(page.shown("s1").some(({ isEditing }) => isEditing)).toBe(false);
    expect(engine.sessions.store.getState().drafts["s1#1"]).toBe("half an edit");
    page.close();
  });

  it("is over when another chat is opened, the session is deleted or the account leaves", async () => {
    const { page, engine, browser, begin, chosen, selecting } = await open();
    await begin(1);
    engine.sessions.open("s2");
    expect(selecting()).toBeNull();
    expect(chosen()).toEqual([]);
    engine.sessions.open("s1");
    await begin(1);
    void engine.sessions.remove("s1");
    await browser.settle();
    expect(selecting()).toBeNull();
    engine.sessions.open("s2");
    await browser.settle();
    engine.sharing.begin("s2", 1);
    await browser.settle();
    expect(selecting()).toBe("s2");
    await engine.accounts.signOut();
    expect(selecting()).toBeNull();
    expect(chosen()).toEqual([]);
    page.close();
  });
});
