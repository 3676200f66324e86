// What follows a diagram stays where it is while the diagram is drawn, or can't be.
import type { Page } from "@playwright/test";
import { expect, test } from "../support/journey.ts";
import { ChatPage } from "../support/pages/chat-page.ts";

const order = `stateDiagram-v2
  [*] --> Pending
  Pending --> Paid : payment received
  Paid --> Shipped : packed
  Shipped --> Delivered : arrived
  Delivered --> [*]
  Pending --> Cancelled : user cancels
  Paid --> Refunded : refund
  Cancelled --> [*]
  Refunded --> [*]`;
const testing = `mindmap
  root((Software testing))
    Unit
      Fast
      Isolated
    Integration
      Database
      Network
    Security
      Static analysis
      Penetration test`;
const talk = "sequenceDiagram\n  Alice->>Bob: Hello\n  Bob-->>Alice: Hello to you\n  Alice-)Bob: Until then";
const across = "flowchart LR\n  A[Read] --> B[Check] --> C[Write]";
const broken =
  "flowchart TD\n  A[Open the app] --> B{Logged in?}\n  B -->|Yes| C[Show it\n  B -->|No| D[Sign in]";

/** Notes, from the next load on, how far the line after each diagram is below its block's top; one list for each. */
async function noteDistances(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const distances: number[][] = [];
    Object.assign(window, { distances });
    const look = () => {
      const lines = [...document.querySelectorAll("p")].filter((line) =>
        line.textContent.startsWith("After it"),
      );
      const blocks = [...document.querySelectorAll("[data-uncopied]")]
        .filter((bar) => bar.textContent.startsWith("mermaid"))
        .map((bar) => bar.parentElement);
      for (const [index, line] of lines.entries()) {
        const top = blocks[index]?.getBoundingClientRect().top;
        // A page of answers that is still hidden moves nothing.
        const isSeen = getComputedStyle(line).visibility === "visible";
        if (top !== undefined && isSeen)
          (distances[index] ??= []).push(line.getBoundingClientRect().top - top);
      }
      // After a frame, as it was seen.
      requestAnimationFrame(() => setTimeout(look));
    };
    look();
  });
}

/** How far each of those lines moved, in px. */
async function wayOfLines(page: Page): Promise<number[]> {
  return page.evaluate(() => {
    const { distances } = window as unknown as { distances: number[][] };
    return distances.map((each) => Math.max(...each) - Math.min(...each));
  });
}

const answerOf = (sources: readonly string[]): string =>
  `${sources.map((source) => `\`\`\`mermaid\n${source}\n\`\`\`\n\nAfter it.\n\n`).join("")}Done.`;

for (const { name, size } of [
  { name: "at a desk", size: { width: 1440, height: 900 } },
  { name: "on a phone", size: { width: 390, height: 844 } },
])
  test(`${name} diagrams that stream in, one of them broken, move nothing that follows when they are drawn`, async ({
    chat,
    upstream,
    calls,
    question,
  }) => {
    calls.expect({ answer: 1 });
    const { page } = chat;
    await page.setViewportSize(size);
    const sources = [order, testing, talk, across, broken];
    upstream.script({ match: { user: question }, answer: answerOf(sources), chunkChars: 8, paceMs: 20 });
    await noteDistances(page);
    await page.reload();
    await chat.send(question);
    await chat.finished();
    await expect(chat.lastReply.getByRole("img", { name: chat.text("markdown.diagram") })).toHaveCount(4, {
      timeout: 25_000,
    });
    await expect(chat.lastReply.getByText(chat.text("markdown.diagramFailed"))).toBeVisible();
    const ways = await wayOfLines(page);
    expect(ways).toHaveLength(sources.length);
    expect(Math.max(...ways), String(ways)).toBeLessThanOrEqual(8);
    // Copied, a diagram is its source: its picture is of this page alone.
    await page.mouse.move(20, 20);
    const copied = () =>
      chat.lastReply.evaluate((reply) => {
        document.getSelection()?.selectAllChildren(reply);
        const clipboardData = new DataTransfer();
        document.dispatchEvent(
          new ClipboardEvent("copy", { clipboardData, bubbles: true, cancelable: true }),
        );
        return [clipboardData.getData("text/plain"), clipboardData.getData("text/html")];
      });
    await expect.poll(async () => (await copied())[0]).toContain(`\`\`\`mermaid\n${testing}\n\`\`\``);
    expect((await copied())[1]).not.toMatch(/<img|<button/);
  });

test("on a phone that is turned diagrams are as high as if it had been so from the start", async ({
  chat,
  openAs,
  account,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  const { page } = chat;
  await page.setViewportSize({ width: 390, height: 844 });
  const sources = [order, testing, talk, across, broken];
  upstream.script({ match: { user: question }, answer: answerOf(sources), chunkChars: 40, paceMs: 10 });
  await chat.send(question);
  await chat.finished();
  /** Of the blocks whose diagrams are drawn. */
  const heights = async ({ lastReply }: ChatPage): Promise<(number | undefined)[]> => {
    await expect(lastReply.getByRole("img", { name: chat.text("markdown.diagram") })).toHaveCount(4, {
      timeout: 25_000,
    });
    await expect(lastReply.getByText(chat.text("markdown.diagramFailed"))).toBeVisible();
    return lastReply.evaluate((reply) =>
      [...reply.querySelectorAll("[data-uncopied]")]
        .filter((bar) => bar.textContent.startsWith("mermaid"))
        .map((bar) => bar.parentElement?.offsetHeight)
        .slice(0, 4),
    );
  };
  const upright = await heights(chat);
  // The last of them is turned behind its code.
  const last = chat.lastReply.locator("[data-uncopied]", { hasText: "mermaid" }).nth(3);
  await last.getByRole("button", { name: chat.text("markdown.code") }).click();
  await page.setViewportSize({ width: 844, height: 390 });
  await last.getByRole("button", { name: chat.text("markdown.diagram") }).click();
  const other = await openAs(account);
  await other.setViewportSize({ width: 844, height: 390 });
  await other.goto(page.url());
  await heights(new ChatPage(other));
  // Now their sizes are known there.
  await other.reload();
  const expected = await heights(new ChatPage(other));
  expect(expected).not.toEqual(upright);
  await expect.poll(() => heights(chat)).toEqual(expected);
});

test("a broken diagram of a chat that is opened keeps the room that was kept for it", async ({
  openAs,
  account,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 2 });
  const drawn = `${question}, drawn`;
  upstream.script({
    match: { user: drawn, kind: "answer" },
    answer: `\`\`\`mermaid\n${across}\n\`\`\`\n\nDone.`,
  });
  const first = await account.ask(drawn);
  upstream.script({
    match: { user: question, kind: "answer" },
    answer: answerOf([broken, `${broken}\n${"  C --> D\n".repeat(60)}`]),
  });
  const session = await account.ask(question);
  const page = await openAs(account);
  // All of it is on the screen.
  await page.setViewportSize({ width: 1440, height: 2400 });
  await noteDistances(page);
  await account.rename(session, "Broken diagrams");
  // What draws is there already, as it is but for the first diagram.
  await page.goto(`/a/chat/s/${first}`);
  const chat = new ChatPage(page);
  await expect(chat.lastReply.getByRole("img", { name: chat.text("markdown.diagram") })).toBeVisible();
  await page.getByRole("navigation").getByRole("link", { name: "Broken diagrams" }).click();
  await expect(chat.lastReply.getByText(chat.text("markdown.diagramFailed"))).toHaveCount(2);
  const ways = await wayOfLines(page);
  expect(ways).toHaveLength(2);
  expect(Math.max(...ways), String(ways)).toBeLessThanOrEqual(8);
  // All of its code can be read.
  const code = chat.lastReply.locator("pre").last();
  const { bottom, rest } = await code.evaluate((element) => {
    element.scrollTop = element.scrollHeight;
    return {
      bottom: element.getBoundingClientRect().bottom,
      rest: element.scrollHeight - element.clientHeight - element.scrollTop,
    };
  });
  expect(rest).toBeLessThan(2);
  const remark = await chat.lastReply.getByText(chat.text("markdown.diagramFailed")).last().boundingBox();
  expect(remark?.y).toBeGreaterThanOrEqual(bottom - 1);
});

test("the room kept for a broken diagram goes when nobody sees it, and what is read stays where it is", async ({
  openAs,
  account,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  const long = "flowchart TD\n  A --> B --> C --> D --> E --> F --> G --> H[Not closed";
  upstream.script({
    match: { user: question, kind: "answer" },
    answer: `\`\`\`mermaid\n${long}\n\`\`\`\n\n${"A line.\n\n".repeat(60)}Done.`,
  });
  const session = await account.ask(question);
  const page = await openAs(account);
  await page.setViewportSize({ width: 1440, height: 5000 });
  await page.goto(`/a/chat/s/${session}`);
  const chat = new ChatPage(page);
  await expect(chat.lastReply.getByText(chat.text("markdown.diagramFailed"))).toBeVisible();
  const block = chat.lastReply.locator("[data-waits], div:has(> [data-uncopied])").first();
  const height = async () => (await block.boundingBox())?.height ?? 0;
  expect(await height()).toBeGreaterThan(500);
  await page.setViewportSize({ width: 1440, height: 800 });
  const ways = await chat.conversation.evaluate(async (scroller) => {
    scroller.scrollTop = 1600;
    const lines = [...document.querySelectorAll("p")];
    const line = lines.find((each) => each.getBoundingClientRect().top > 200);
    const tops: number[] = [];
    for (let frame = 0; frame < 30; frame++) {
      await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
      tops.push(line?.getBoundingClientRect().top ?? Number.NaN);
    }
    return Math.max(...tops) - Math.min(...tops);
  });
  await expect.poll(height).toBeLessThan(250);
  expect(ways).toBeLessThanOrEqual(1);
});
