// What another device wrote meanwhile: known_last_message_id and code 28 (wire-contract.md §11.2, §18.2).
import { describe, expect, it } from "vitest";
import { globalError } from "../testing/fake-answers.ts";
import { createFakeServer } from "../testing/fake-server.ts";
import { shortTalk, wireMessage } from "../testing/wire-message.ts";
import { openPage } from "../testing/open-page.ts";

const COMPLETION = "/api/v0/chat/completion";

async function openTalk() {
  const server = createFakeServer();
  server.addSession("s1", shortTalk);
  const page = await openPage(server);
  page.engine.sessions.open("s1");
  await page.browser.settle();
  const known = () => server.calls(COMPLETION).map(({ body }) => body["known_last_message_id"]);
  const finish = async (): Promise<void> => {
    server.produce(20);
    await page.browser.advance(20);
  };
  return { server, page, known, finish };
}

describe("the greatest message id seen", () => {
  it("goes with every new turn, and not with the first one of a chat", async () => {
    const { page, known, finish } = await openTalk();
    await page.engine.turns.send("s1", "2+2?");
    await page.browser.settle();
    await finish();
    await page.engine.turns.send("s1", "and 3+3?");
    await page.browser.settle();
    await finish();
    await page.engine.turns.send("new:chat", "hello");
    await page.browser.settle();
    expect(known()).toEqual([2, 4, undefined]);
    page.close();
  });

  it("counts a failed pair that a retry took away: the server may still have it", async () => {
    const server = createFakeServer();
    server.addSession("s1", [
      ...shortTalk,
      wireMessage({
        message_id: 3,
        parent_id: 2,
        role: "USER",
        fragments: [{ id: 1, type: "REQUEST", content: "2+2?" }],
      }),
      wireMessage({ message_id: 4, parent_id: 3, role: "ASSISTANT", status: "INCOMPLETE" }),
    ]);
    const page = await openPage(server);
    page.engine.sessions.open("s1");
    await page.browser.settle();
    server.answer(COMPLETION, () => globalError(42900, "RATE_LIMIT_REACHED", 429));
    page.engine.turns.retry("s1", 4);
    await page.browser.settle();
    server.answerAsUsual(COMPLETION);
    page.engine.turns.retry("s1", page.shown("s1").at(-1)!.message_id);
    await page.browser.settle();
    expect(server.calls(COMPLETION).map(({ body }) => body["known_last_message_id"])).toEqual([4, 4]);
    server.produce(20);
    await page.browser.advance(20);
    expect(page.text("s1")).toBe("Two plus two 🧮|Four, 四.");
    page.close();
  });
});

describe("a turn sent from a screen that has not seen the newest messages", () => {
  it("takes its placeholders away, keeps the text, loads the history and shows a toast", async () => {
    const { server, page, finish } = await openTalk();
    const phone = await openPage(server);
    phone.engine.sessions.open("s1");
    await phone.browser.settle();
    await phone.engine.turns.send("s1", "from the phone");
    await phone.browser.settle();
    await finish();
    phone.close();

    page.engine.sessions.setDraft("s1", "from the desktop");
    await page.engine.turns.send("s1", "from the desktop");
    await page.browser.settle();
    expect(page.engine.site.toasts.getState().toasts).toMatchObject([
      { type: "info", text: { key: "sessionHasNewerMessages" } },
    ]);
    expect(page.shown("s1").map(({ message_id }) => message_id)).toEqual([1, 2, 3, 4]);
    expect(page.engine.sessions.store.getState().drafts["s1"]).toBe("from the desktop");
    expect(page.state("s1")).toBe("idle");

    expect(await page.engine.turns.send("s1", "from the desktop")).toBe(true);
    await page.browser.settle();
    await finish();
    expect(server.calls(COMPLETION).at(-1)?.body).toMatchObject({
      parent_message_id: 4,
      known_last_message_id: 4,
    });
    expect(page.shown("s1")).toHaveLength(6);
    page.close();
  });
});
