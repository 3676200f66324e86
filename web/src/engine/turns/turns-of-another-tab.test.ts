// A tab hears of a turn that another one begins, and asks for it once the server has it.
import { describe, expect, it } from "vitest";
import { loadQueue } from "../load-queue.ts";
import { globalError } from "../testing/fake-answers.ts";
import { createFakeServer, type FakeServer } from "../testing/fake-server.ts";
import { openPage, signedInDisk, type Page } from "../testing/open-page.ts";
import { shortTalk, wireMessage } from "../testing/wire-message.ts";

// As on a page that somebody touched.
await loadQueue();

const HISTORY = "/api/v0/chat/history_messages";
const RESUME = "/api/v0/chat/resume_stream";
const COMPLETION = "/api/v0/chat/completion";
const TURN = /\/(?:completion|regenerate|edit_message|continue)$/;
const KEY = "s1";

/** A line on which turns can be held up before the server has them; histories and what is read of replies on their way back. */
function slowLine(server: FakeServer) {
  const waiting: (() => void)[] = [];
  let isHeld = false;
  const pause = async (): Promise<void> => {
    if (isHeld) await new Promise<void>((resolve) => waiting.push(resolve));
  };
  const network: FakeServer["network"] = async (path, init) => {
    if (TURN.test(path)) await pause();
    const answer = await server.network(path, init);
    if (path.startsWith(HISTORY)) await pause();
    if (path !== RESUME || answer.body === null) return answer;
    const late = new TransformStream<Uint8Array, Uint8Array>({
      async transform(piece, out) {
        await pause();
        out.enqueue(piece);
      },
    });
    return new Response(answer.body.pipeThrough(late), answer);
  };
  return {
    server: { ...server, network },
    hold: (): void => void (isHeld = true),
    release(): void {
      isHeld = false;
      for (const run of waiting.splice(0)) run();
    },
  };
}

async function settle(...pages: Page[]): Promise<void> {
  for (const page of pages) await page.browser.advance(20);
}

/** Two tabs on one chat, the first one on a line that can be held up. */
async function twoTabs(last = shortTalk[1]!) {
  const server = createFakeServer();
  server.addSession(KEY, [shortTalk[0]!, last]);
  const disk = signedInDisk();
  const pages: Page[] = [];
  const open = async (to = server): Promise<Page> => {
    const page = await openPage(to, disk);
    pages.push(page);
    page.engine.sessions.open(KEY);
    await settle(page);
    return page;
  };
  const line = slowLine(server);
  const one = await open(line.server);
  const two = await open();
  return {
    server,
    line,
    one,
    two,
    open,
    /** How often a history was asked for. */
    asked: (): number => server.calls(HISTORY).length,
    close: (): void => pages.forEach((page) => page.close()),
  };
}

type Tabs = Awaited<ReturnType<typeof twoTabs>>;

async function failToSend({ server, one }: Tabs): Promise<void> {
  server.answer(COMPLETION, () => globalError(50300, "SERVICE_UNAVAILABLE", 503));
  await one.engine.turns.send(KEY, "2+2?");
  await settle(one);
  server.answerAsUsual(COMPLETION);
}

/** A reply is being written, both tabs read it, and the next message waits in this one for its end. */
async function queueIn(page: Page, { server, one, two }: Tabs): Promise<void> {
  await page.engine.turns.send(KEY, "1+1?");
  await settle(page);
  server.produce(4);
  await settle(one, two);
  page.engine.sessions.setDraft(KEY, "2+2?");
  page.engine.queue.add(KEY);
  await settle(one, two);
}

const half = wireMessage({
  ...shortTalk[1]!,
  status: "INCOMPLETE",
  fragments: [{ id: 2, type: "RESPONSE", content: "hel" }],
});

interface Kind {
  last?: typeof half;
  prepare?: (tabs: Tabs) => Promise<void>;
  begin(tabs: Tabs): void;
}

const kinds: Record<string, Kind> = {
  "a send": { begin: ({ one }) => void one.engine.turns.send(KEY, "2+2?") },
  "a regenerate": { begin: ({ one }) => void one.engine.turns.regenerate(KEY, 2) },
  "an edit": { begin: ({ one }) => void one.engine.turns.editMessage(KEY, 1, "2+2?") },
  "a continue": { last: half, begin: ({ one }) => void one.engine.turns.continueReply(KEY, 2) },
  "a message sent again": {
    prepare: failToSend,
    begin: ({ one }) => one.engine.turns.retry(KEY, one.shown(KEY).at(-1)!.message_id),
  },
  "a queued message": {
    prepare: (tabs) => queueIn(tabs.one, tabs),
    begin: ({ server }) => server.produce(100),
  },
};

describe("the other tab follows at once, and asks no more than it must", () => {
  it.each(Object.entries(kinds))("%s that takes its time to the server", async (_name, kind) => {
    const tabs = await twoTabs(kind.last);
    const { server, line, one, two, asked, close } = tabs;
    await kind.prepare?.(tabs);
    line.hold();
    const before = asked();
    kind.begin(tabs);
    await settle(one, two);
    expect(one.state(KEY)).toBe("sending");
    expect(asked()).toBe(before);
    line.release();
    await settle(one);
    server.produce(4);
    await settle(one, two);
    expect(two.state(KEY)).toBe("completing");
    expect(two.shown(KEY).at(-1)?.message_id).toBe(server.replies.at(-1)?.responseId);
    expect(two.text(KEY)).toBe(one.text(KEY));
    expect(asked() - before).toBe(1);
    close();
  });

  it("each of three does, and the one that nobody sees does when it is seen", async () => {
    const { server, line, one, two, open, asked, close } = await twoTabs();
    const [three, hidden] = [await open(), await open()];
    hidden.browser.setVisible(false);
    line.hold();
    const before = asked();
    void one.engine.turns.send(KEY, "2+2?");
    await settle(one, two, three, hidden);
    line.release();
    await settle(one);
    server.produce(4);
    await settle(one, two, three, hidden);
    await settle(one, two, three, hidden);
    expect([two, three, hidden].map((page) => page.state(KEY))).toEqual(["completing", "completing", "idle"]);
    expect(asked() - before).toBe(2);
    hidden.browser.setVisible(true);
    await settle(hidden);
    expect(hidden.text(KEY)).toBe(one.text(KEY));
    expect(asked() - before).toBe(3);
    close();
  });

  it("hears nothing of a send that the server refuses", async () => {
    const tabs = await twoTabs();
    const { two, asked, close } = tabs;
    const other = await tabs.open();
    other.engine.sessions.open("new:chat");
    const before = asked();
    await failToSend(tabs);
    await settle(two, other);
    expect(asked()).toBe(before);
    expect(other.engine.sessions.elsewhere.getState().bySession).toEqual({});
    close();
  });
});

it.each([
  ["by itself", false],
  ["as it opens the chat", true],
])(
  "what a tab has asked %s before a turn of another does not keep that turn from it",
  async (_when, opens) => {
    const { server, line, one: asks, two: sends, open, asked, close } = await twoTabs();
    line.hold();
    const before = asked();
    // A third tab would tell of the turn, too, once it follows it.
    if (opens) asks.close();
    else await asks.browser.advance(5000);
    const tab = opens ? await open(line.server) : asks;
    expect(asked() - before).toBe(1);
    await sends.engine.turns.send(KEY, "2+2?");
    await settle(sends);
    server.produce(4);
    await settle(sends, tab);
    line.release();
    await settle(tab);
    expect(tab.state(KEY)).toBe("completing");
    expect(tab.text(KEY)).toBe(sends.text(KEY));
    close();
  },
);

it("a tab that is behind with the reply before a queued message has that message as soon as it has read that reply", async () => {
  const tabs = await twoTabs();
  const { server, line, one: late, two: sends, asked, close } = tabs;
  await queueIn(sends, tabs);
  line.hold();
  const before = asked();
  server.produce(100);
  await settle(sends);
  server.produce(4);
  await settle(sends, late);
  expect([late.state(KEY), late.shown(KEY).length, sends.shown(KEY).length]).toEqual(["completing", 4, 6]);
  line.release();
  await settle(late);
  await settle(late);
  expect([late.state(KEY), late.shown(KEY).length]).toEqual(["completing", 6]);
  expect(late.text(KEY)).toBe(sends.text(KEY));
  expect(asked() - before).toBe(1);
  close();
});
