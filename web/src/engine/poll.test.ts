import { expect, test } from "vitest";
import { createFakeBrowser } from "./testing/fake-browser.ts";
import { createPoll, type Asked } from "./poll.ts";

const ANSWERED: Asked = { outcome: "answered" };
const FAILED: Asked = { outcome: "failed" };

function build() {
  const browser = createFakeBrowser(() => new Response());
  const began = browser.now();
  const asked: number[] = [];
  let answer: () => Promise<Asked> = async () => ANSWERED;
  const poll = createPoll({
    browser,
    everyMs: 5000,
    slowestMs: 60_000,
    ask() {
      asked.push((browser.now() - began) / 1000);
      return answer();
    },
  });
  return {
    browser,
    poll,
    /** When it was asked, in seconds. */
    take: (): number[] => asked.splice(0),
    setAnswer: (next: () => Promise<Asked>): void => void (answer = next),
  };
}

test("it is asked every 5 s, counted from the last asking, which a look at the page may be", async () => {
  const { browser, poll, take } = build();
  await browser.advance(10_000);
  poll.now();
  expect(take()).toEqual([]);
  poll.start();
  await browser.advance(12_000);
  poll.now();
  await browser.advance(6000);
  expect(take()).toEqual([15, 20, 22, 27]);
  poll.stop();
  poll.now();
  await browser.advance(60_000);
  expect(take()).toEqual([]);
});

test("nothing is asked while the page is hidden or without a network", async () => {
  const { browser, poll, take } = build();
  poll.start();
  browser.setVisible(false);
  poll.now();
  await browser.advance(60_000);
  browser.setVisible(true);
  browser.goOffline();
  poll.now();
  await browser.advance(60_000);
  expect(take()).toEqual([]);
  browser.comeOnline();
  poll.now();
  expect(take()).toEqual([120]);
});

test("after failures it is asked less and less often, once a minute at last, and as before after an answer", async () => {
  const { browser, poll, take, setAnswer } = build();
  setAnswer(async () => FAILED);
  poll.start();
  await browser.advance(245_000);
  expect(take()).toEqual([5, 15, 35, 75, 135, 195]);
  setAnswer(async () => ANSWERED);
  poll.now();
  await browser.advance(10_000);
  expect(take()).toEqual([245, 250, 255]);
});

test("a server that says how long it wants to rest is left alone so long; what is thrown is a failure", async () => {
  const { browser, poll, take, setAnswer } = build();
  const error = { kind: "http", status: 429, code: 42903, msg: "", logId: "", retryAfterSecs: 40 } as const;
  setAnswer(async () => ({ outcome: "failed", error }));
  poll.start();
  await browser.advance(6000);
  setAnswer(() => Promise.reject(new Error("broken")));
  await browser.advance(59_000);
  expect(take()).toEqual([5, 45, 65]);
  expect(browser.logged).toContain("asking for news failed");
});

test("one asking at a time", async () => {
  const { browser, poll, take, setAnswer } = build();
  let end = (): void => {};
  setAnswer(() => new Promise<Asked>((resolve) => (end = () => resolve(ANSWERED))));
  poll.start();
  await browser.advance(30_000);
  poll.now();
  expect(take()).toEqual([5]);
  end();
  await browser.advance(5000);
  expect(take()).toEqual([35]);
});
