import { describe, expect, it } from "vitest";
import { createFakeServer } from "../testing/fake-server.ts";
import { openPage } from "../testing/open-page.ts";
import { shortTalk } from "../testing/wire-message.ts";
import { nextDraftKey } from "./edit-drafts.ts";
import { refused } from "../testing/fake-answers.ts";

const RENAME = "/api/v0/chat_session/update_title";

async function openTwo() {
  const server = createFakeServer();
  for (const id of ["s1", "s2"]) server.addSession(id, shortTalk);
  const page = await openPage(server);
  for (const id of ["s1", "s2"]) {
    page.engine.sessions.open(id);
    await page.browser.settle();
    page.engine.sessions.setDraft(id, `draft of ${id}`);
  }
  server.answer(RENAME, () => refused(1, "CHAT_SESSION_DELETED"));
  return page;
}

describe("a session that is gone", () => {
  it("leaves the page, the storage and its own screen, with a word; what was typed in it stands in a new chat [SESS-036]", async () => {
    const page = await openTwo();
    await page.engine.sessions.rename("s2", "New");
    await page.browser.settle();
    expect(page.engine.sessions.store.getState().byId["s2"]).toBeUndefined();
    expect(page.engine.sessions.store.getState().drafts).toEqual({
      s1: "draft of s1",
      "new:chat": "draft of s2",
    });
    expect([...page.disk.records.keys()]).toEqual(["s1"]);
    expect(page.engine.site.navigation.getState()).toEqual({ to: "/", replace: true });
    expect(page.engine.site.toasts.getState().toasts).toMatchObject([{ text: { key: "chatDeleted" } }]);
    page.close();
  });

  it("leaves all that was written in it to a new chat, below what is typed there: what was queued, and the composer's", async () => {
    const page = await openTwo();
    page.engine.sessions.setDraft("new:chat", "draft of a new one");
    page.engine.sessions.setDraft(nextDraftKey("s2"), "queued in s2");
    await page.engine.sessions.rename("s2", "New");
    await page.browser.settle();
    expect(page.engine.sessions.store.getState().drafts).toEqual({
      s1: "draft of s1",
      "new:chat": "draft of a new one\n\nqueued in s2\n\ndraft of s2",
    });
    page.close();
  });

  it("takes the dialogs about it along, and no others", async () => {
    const page = await openTwo();
    const { site, sessions } = page.engine;
    const feedback = { sessionId: "s2", messageId: 2 };
    site.setOverlays({ feedback, deleting: "s2", renaming: "s1" });
    await sessions.rename("s2", "New");
    expect(site.overlays.getState()).toMatchObject({ feedback: null, deleting: null, renaming: "s1" });
    page.close();
  });

  it("leaves the screen of another session alone", async () => {
    const page = await openTwo();
    await page.engine.sessions.rename("s1", "New");
    await page.browser.settle();
    expect(page.engine.sessions.store.getState().byId["s1"]).toBeUndefined();
    expect(page.engine.sessions.store.getState().byId["s2"]?.state).toBe("idle");
    expect(page.engine.site.navigation.getState().to).toBeNull();
    page.close();
  });
});
