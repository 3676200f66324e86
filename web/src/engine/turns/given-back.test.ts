// Texts that were given back to their composer though the server may have them, or has.
import { describe, expect, it } from "vitest";
import { globalError, refused } from "../testing/fake-answers.ts";
import { createFakeServer, type FakeServer } from "../testing/fake-server.ts";
import { openPage, signedInDisk, type Page } from "../testing/open-page.ts";
import { shortTalk } from "../testing/wire-message.ts";

const COMPLETION = "/api/v0/chat/completion";
const EDIT = "/api/v0/chat/edit_message";
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

/** The server has taken it, and nothing of that has come back. */
async function loseAnswer(server: FakeServer, page: Page, key = "s1"): Promise<void> {
  page.engine.sessions.setDraft(key, "2+2?");
  page.engine.sessions.open(key);
  server.answer(COMPLETION, (request) => {
    server.answerAsUsual(COMPLETION);
    void server.network(COMPLETION, {
      method: "POST",
      headers: request.headers,
      body: JSON.stringify(request.body),
    });
    server.setDown(true);
    throw new TypeError("the connection was reset");
  });
  await page.engine.turns.send(key, "2+2?");
  await page.browser.advance(90_000);
  expect(drafts(page)).toEqual({ [key]: "2+2?" });
}

describe("a text that was given back because its connection was lost", () => {
  it("leaves the composer when it is found to have arrived, though another message was edited meanwhile", async () => {
    const { server, page } = await openTalk();
    await loseAnswer(server, page);
    server.produce(100);
    server.setDown(false);
    expect(await page.engine.turns.editMessage("s1", 1, "hello")).toBe(true);
    await page.browser.settle();
    server.produce(100);
    await page.browser.advance(60_000);
    expect(server.calls(EDIT)).toHaveLength(1);
    expect(prompts(server)).toEqual(["hi", "2+2?", "hello"]);
    expect(drafts(page)).toEqual({});
    page.close();
  });

  it("leaves it also where it was sent once more by hand, and refused since it had arrived", async () => {
    const { server, page } = await openTalk();
    await loseAnswer(server, page);
    server.produce(100);
    server.setDown(false);
    await page.engine.turns.send("s1", "2+2?");
    await page.browser.advance(1000);
    expect(page.engine.site.toasts.getState().toasts.map(({ text }) => text)).toContainEqual({
      key: "sessionHasNewerMessages",
    });
    expect(prompts(server)).toEqual(["hi", "2+2?"]);
    expect(drafts(page)).toEqual({});
    page.close();
  });

  it("stays where the same is typed anew after a retry has brought it there", async () => {
    const { server, page } = await openTalk();
    await loseAnswer(server, page);
    server.setDown(false);
    page.engine.turns.retry("s1", page.shown("s1").findLast(({ role }) => role === "USER")!.message_id);
    await page.browser.settle();
    server.produce(100);
    await page.browser.advance(20);
    page.engine.sessions.setDraft("s1", "2+2?");
    await page.browser.advance(60_000);
    expect(prompts(server)).toEqual(["hi", "2+2?"]);
    expect(drafts(page)).toEqual({ s1: "2+2?" });
    page.close();
  });

  it.each(["s1", NEW])("is not in the composer of %s after a reload that finds it arrived", async (key) => {
    const { server, page } = await openTalk();
    await loseAnswer(server, page, key);
    page.close();
    server.setDown(false);
    const again = await openPage(server, page.disk);
    again.engine.sessions.open(key);
    await again.browser.advance(1000);
    expect(drafts(again)).toEqual({});
    expect(again.engine.site.navigation.getState().to).toBe(key === NEW ? "/a/chat/s/session-1" : null);
    again.close();
  });

  it("is in the composer after a reload where it never arrived, and in that of another tab where its own is closed", async () => {
    const { server, page } = await openTalk();
    const other = await openPage(server, page.disk);
    other.engine.sessions.open("s1");
    page.engine.sessions.setDraft("s1", "2+2?");
    server.answer(COMPLETION, () => Promise.reject(new TypeError("the connection was reset")));
    server.answer("/api/v0/chat/get_client_streams", () => Promise.reject(new TypeError("away")));
    await page.engine.turns.send("s1", "2+2?");
    await page.browser.advance(90_000);
    expect(drafts(page)).toEqual({ s1: "2+2?" });
    page.browser.leave();
    page.close();
    await other.browser.advance(5000);
    expect(drafts(other)).toEqual({ s1: "2+2?" });
    other.close();
    const again = await openPage(server, page.disk);
    again.engine.sessions.open("s1");
    await again.browser.advance(1000);
    expect(drafts(again)).toEqual({ s1: "2+2?" });
    again.close();
  });

  it("is not there twice where the page is loaded again as a retry is on its way", async () => {
    const { server, page } = await openTalk();
    page.engine.sessions.setDraft("s1", "2+2?");
    server.answer(COMPLETION, () => Promise.reject(new TypeError("the connection was reset")));
    await page.engine.turns.send("s1", "2+2?");
    await page.browser.advance(90_000);
    server.answerAsUsual(COMPLETION);
    page.engine.turns.retry("s1", page.shown("s1").findLast(({ role }) => role === "USER")!.message_id);
    await page.browser.settle();
    page.close();
    const again = await openPage(server, page.disk);
    again.engine.sessions.open("s1");
    await again.browser.advance(50);
    expect(prompts(server)).toEqual(["hi", "2+2?"]);
    expect(drafts(again)).toEqual({});
    again.close();
  });
});

describe("a question that was answered with a failure of the server, and arrived", () => {
  it.each([false, true])("is shown once, and leaves the composer (after a reload: %s)", async (reloads) => {
    const { server, page } = await openTalk();
    page.engine.sessions.setDraft("s1", "2+2?");
    server.answer(COMPLETION, async (request) => {
      server.answerAsUsual(COMPLETION);
      await server.network(COMPLETION, {
        method: "POST",
        headers: request.headers,
        body: JSON.stringify(request.body),
      });
      return new Response("Bad Gateway", { status: 502 });
    });
    await page.engine.turns.send("s1", "2+2?");
    await page.browser.settle();
    expect(page.shown("s1").at(-1)?.hint).toMatchObject({ text: { key: "serverUnavailable" } });
    expect(drafts(page)).toEqual({ s1: "2+2?" });
    if (reloads) {
      await page.browser.advance(1000);
      page.close();
    }
    const now = reloads ? await openPage(server, page.disk) : page;
    now.engine.sessions.open("s1");
    await now.browser.advance(30_000);
    expect(now.shown("s1").map(({ role, status }) => [role, status])).toEqual([
      ["USER", "FINISHED"],
      ["ASSISTANT", "FINISHED"],
      ["USER", "FINISHED"],
      ["ASSISTANT", "WIP"],
    ]);
    expect(drafts(now)).toEqual({});
    now.close();
  });
});

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
