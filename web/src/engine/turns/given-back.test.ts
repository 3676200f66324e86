// Texts that were given back to their composer though the server may have them, or has.
import { describe, expect, it } from "vitest";
import { globalError, refused } from "../testing/fake-answers.ts";
import { createFakeServer, type FakeServer } from "../testing/fake-server.ts";
import { openPage, signedInDisk, type Page } from "../testing/open-page.ts";
import { shortTalk } from "../testing/wire-message.ts";

const COMPLETION = "/api/v0/chat/completion";
const NEW = "new:chat";

const drafts = (page: Page) => page.engine.sessions.store.getState().drafts;
const prompts = (server: FakeServer, id = "s1") =>
  server
    .messagesOf(id)
    .filter(({ role }) => role === "USER")
    .map(({ fragments }) => fragments.map((one) => ("content" in one ? one.content : "")).join(""));

async function openTalk(disk = signedInDisk()) {
  const server = createFakeServer();
  server.addSession("s1", shortTalk);
  const page = await openPage(server, disk);
  page.engine.sessions.open("s1");
  await page.browser.settle();
  return { server, page };
}

describe("a text that was not sent, where something else is typed by then,", () => {
  it.each([
    ["a toast", () => refused(9, "INVALID_FILE_REFERENCE")],
    ["a hint", () => globalError(42900, "RATE_LIMIT_REACHED", 429)],
  ])("stands above that after %s", async (_, answer) => {
    const { server, page } = await openTalk();
    let say = (_answer: Response): void => {};
    server.answer(COMPLETION, () => new Promise<Response>((resolve) => (say = resolve)));
    page.engine.sessions.setDraft("s1", "2+2?");
    await page.engine.turns.send("s1", "2+2?");
    page.engine.sessions.setDraft("s1", "And 3+3?");
    await page.browser.settle();
    say(answer());
    await page.browser.settle();
    expect(drafts(page)).toEqual({ s1: "2+2?\n\nAnd 3+3?" });
    page.close();
    const again = await openPage(server, page.disk);
    expect(drafts(again)).toEqual({ s1: "2+2?\n\nAnd 3+3?" });
    again.close();
  });

  it("stands above that where a new chat got no session", async () => {
    const { server, page } = await openTalk();
    server.setDown(true);
    page.engine.sessions.setDraft(NEW, "2+2?");
    const sending = page.engine.turns.send(NEW, "2+2?");
    page.engine.sessions.setDraft(NEW, "And 3+3?");
    expect(await sending).toBe(false);
    expect(drafts(page)).toEqual({ [NEW]: "2+2?\n\nAnd 3+3?" });
    page.close();
  });

  it("leaves that alone there when a retry sends it", async () => {
    const { server, page } = await openTalk();
    server.answer(COMPLETION, () => globalError(42900, "RATE_LIMIT_REACHED", 429));
    const sending = page.engine.turns.send("s1", "2+2?");
    page.engine.sessions.setDraft("s1", "And 3+3?");
    await sending;
    await page.browser.settle();
    expect(drafts(page)).toEqual({ s1: "2+2?\n\nAnd 3+3?" });
    server.answerAsUsual(COMPLETION);
    page.engine.turns.retry("s1", page.shown("s1").at(-1)!.message_id);
    await page.browser.settle();
    expect(drafts(page)).toEqual({ s1: "And 3+3?" });
    server.produce(100);
    await page.browser.advance(20);
    expect(prompts(server)).toEqual(["hi", "2+2?"]);
    expect(drafts(page)).toEqual({ s1: "And 3+3?" });
    page.close();
  });

  it("leaves that alone there when it was stopped before its answer began, and is found", async () => {
    const { server, page } = await openTalk();
    const sending = page.engine.turns.send("s1", "2+2?");
    page.engine.sessions.setDraft("s1", "And 3+3?");
    await sending;
    page.engine.turns.stop("s1");
    await page.browser.advance(5000);
    expect(prompts(server)).toEqual(["hi", "2+2?"]);
    expect(drafts(page)).toEqual({ s1: "And 3+3?" });
    page.close();
  });
});

it("a retry at a lost reply says so where the server is still away", async () => {
  const { server, page } = await openTalk();
  await page.engine.turns.send("s1", "2+2?");
  await page.browser.settle();
  server.produce(5);
  await page.browser.advance(20);
  server.setDown(true);
  server.cut();
  await page.browser.advance(90_000);
  const asked = page.shown("s1").at(-2)!;
  expect(asked.hint).toMatchObject({ text: { key: "connectionLost" } });
  // What is tried by itself says nothing.
  await page.browser.advance(60_000);
  const said = () => page.engine.site.toasts.getState().toasts.map(({ text }) => text);
  expect(said()).toEqual([]);
  page.engine.turns.retry("s1", asked.message_id);
  await page.browser.advance(100);
  expect(said()).toEqual([{ key: "connectionLost" }]);
  page.close();
});
