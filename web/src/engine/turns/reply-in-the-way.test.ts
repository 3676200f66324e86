// A reply that another page asked for is in the way of what is asked here: while it runs, and once it has ended
// (wire-contract.md §17.1, §18.2, §18.11).
import { afterEach, describe, expect, it } from "vitest";
import { refused } from "../testing/fake-answers.ts";
import { createFakeServer } from "../testing/fake-server.ts";
import { openPage, type Page } from "../testing/open-page.ts";
import { shortTalk, wireMessage } from "../testing/wire-message.ts";

const COMPLETION = "/api/v0/chat/completion";
const WHOLE = "Two plus two 🧮|Four, 四.";
const RUNS = { text: { key: "lastMessageInProgress" }, clickBehavior: "retry" };
const RAN = { text: { key: "messageWasInProgress" }, clickBehavior: "retry" };

let opened: Page[] = [];
afterEach(() => {
  for (const page of opened) page.close();
  opened = [];
});

/** Pages on one chat; the first has asked, the others have not heard of it. */
async function asking(ask: (page: Page) => Promise<boolean>, talk = shortTalk) {
  const server = createFakeServer();
  server.addSession("s1", talk);
  for (let count = 0; count < 3; count++) {
    const page = await openPage(server);
    opened.push(page);
    page.engine.sessions.open("s1");
    await page.browser.settle();
  }
  const [first, second, third] = opened as [Page, Page, Page];
  await ask(first);
  await first.browser.settle();
  server.produce(4);
  const finish = async (): Promise<void> => {
    server.produce(30);
    for (const page of opened) await page.browser.advance(20);
  };
  return { server, first, second, third, finish };
}

const asksNext = ({ engine }: Page): Promise<boolean> => engine.turns.send("s1", "from the first");
const last = (page: Page) => page.shown("s1").at(-1);

async function sendRefused(page: Page): Promise<void> {
  page.engine.sessions.setDraft("s1", "from the second");
  await page.engine.turns.send("s1", "from the second");
  await page.browser.settle();
}

describe("what met a reply of another page", () => {
  it("says so of a send while that runs, then that it ran, and a retry sends it below [STRM-033]", async () => {
    const { server, second, finish } = await asking(asksNext);
    await sendRefused(second);
    expect(second.state("s1")).toBe("completing");
    expect(last(second)?.hint).toMatchObject(RUNS);

    await finish();
    expect(second.state("s1")).toBe("idle");
    expect(last(second)).toMatchObject({ role: "USER", hint: RAN });
    expect(second.engine.sessions.store.getState().drafts).toEqual({ s1: "from the second" });

    second.engine.turns.retry("s1", last(second)!.message_id);
    await second.browser.settle();
    expect(server.calls(COMPLETION).at(-1)?.body).toMatchObject({
      parent_message_id: 4,
      prompt: "from the second",
    });
    await finish();
    expect(second.shown("s1").map(({ message_id }) => message_id)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(second.shown("s1").flatMap(({ hint }) => hint ?? [])).toEqual([]);
    expect(second.engine.sessions.store.getState().drafts).toEqual({});
  });

  it("says so of an edit of the same question, whose retry then is one more branch", async () => {
    const { second, finish } = await asking(({ engine }) => engine.turns.editMessage("s1", 1, "the first's"));
    second.engine.turns.startEdit("s1", 1);
    await second.engine.turns.editMessage("s1", 1, "the second's");
    await second.browser.settle();
    expect(second.shown("s1")).toMatchObject([{ role: "USER", hint: RUNS }]);

    await finish();
    expect(second.shown("s1")).toMatchObject([{ role: "USER", hint: RAN }]);
    second.engine.turns.retry("s1", last(second)!.message_id);
    await second.browser.settle();
    await finish();
    expect(second.shown("s1").map(({ message_id }) => message_id)).toEqual([5, 6]);
    expect(second.text("s1")).toBe(WHOLE);
  });

  it.each([
    ["a regenerate", ({ engine }: Page) => engine.turns.regenerate("s1", 2)],
    ["a continue", ({ engine }: Page) => engine.turns.continueReply("s1", 2)],
  ])("says so of %s, at the reply itself", async (_title, ask) => {
    const half = { ...shortTalk[1]!, status: "INCOMPLETE" as const };
    const beside = wireMessage({ message_id: 3, parent_id: null, role: "USER" });
    const talk = [shortTalk[0]!, half, beside, { ...half, message_id: 4, parent_id: 3 }];
    const { second, finish } = await asking(({ engine }) => engine.turns.editMessage("s1", 3, "anew"), talk);
    second.engine.sessions.switchBranch("s1", 1);
    await ask(second);
    await second.browser.settle();
    const hint = () => second.engine.sessions.store.getState().byId["s1"]?.tree.nodes.get(2)?.message.hint;
    expect(hint()).toMatchObject(RUNS);
    await finish();
    expect(hint()).toMatchObject(RAN);
  });

  it("hears of the end of one that is stopped, too", async () => {
    const { first, second } = await asking(asksNext);
    await sendRefused(second);
    first.engine.turns.stop("s1");
    for (const page of [first, second]) await page.browser.advance(3000);
    expect(second.shown("s1")[3]?.status).toBe("INCOMPLETE");
    expect(last(second)?.hint).toMatchObject(RAN);
  });

  it("never says that a reply runs which had ended when the history came", async () => {
    const { server, second } = await asking(asksNext);
    server.answer(COMPLETION, () => {
      server.produce(30);
      return refused(11, "LAST_MESSAGE_IS_WIP");
    });
    await sendRefused(second);
    expect(second.shown("s1")[3]?.status).toBe("FINISHED");
    expect(last(second)?.hint).toMatchObject(RAN);
  });

  it("says it of a third page's reply while only that is known of, until none runs", async () => {
    const { server, first, second, third, finish } = await asking(asksNext);
    const HISTORY = "/api/v0/chat/history_messages";
    server.answer(HISTORY, () => new Response("", { status: 502 }));
    await sendRefused(second);
    expect(last(second)?.hint).toMatchObject(RUNS);
    server.produce(30);
    await first.browser.advance(20);
    server.answerAsUsual(HISTORY);
    await third.browser.advance(5100);
    await third.engine.turns.send("s1", "from the third");
    await third.browser.settle();
    server.produce(4);

    await second.browser.advance(60_000);
    expect(second.state("s1")).toBe("completing");
    expect(last(second)?.hint).toMatchObject(RUNS);
    await finish();
    expect(
      second
        .shown("s1")
        .map(({ message_id }) => message_id)
        .slice(0, 6),
    ).toEqual([1, 2, 3, 4, 5, 6]);
    expect(last(second)).toMatchObject({ role: "USER", hint: RAN });
  });
});
