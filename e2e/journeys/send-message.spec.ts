import { expectAccessible } from "../support/accessible.ts";
import { expect, test } from "../support/journey.ts";
import { plain } from "../support/pages/chat-page.ts";
import { expectOnlyGrowth, logAnswers, seenAnswers } from "../support/screen-log.ts";

test("an answer streams in with its thought, and the title arrives [STRM-001] [ENG-016] [SHELL-052]", async ({
  chat,
  sidebar,
  account,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  upstream.script(
    { match: { user: question }, reasoning: 12, tokens: 60, paceMs: 25, fault: { at: 20, kind: "stall" } },
    { match: { kind: "title", user: question }, answer: "Rivers and lanterns" },
  );
  const { page } = chat;
  await logAnswers(page);
  await page.reload();
  await chat.setThinking(true);
  await chat.send(question);

  await expect(chat.questions).toHaveText(question);
  const think = chat.lastReply.getByRole("button", { name: chat.text("think.running") });
  await expect(think).toHaveAttribute("aria-expanded", "true");
  // Again and again, since the stall may not have been reached yet.
  await expect
    .poll(async () => {
      upstream.release();
      return (await chat.answer()).length;
    })
    .toBeGreaterThan(20);
  await expect(chat.sendButton).toHaveAttribute("data-send", "stop");
  await expectAccessible(page, "a running reply");
  await chat.finished();

  const sessionId = await chat.sessionId();
  const { thought, answer, message } = await account.lastReply(sessionId);
  const expected = upstream.expected(question);
  expect(answer).toBe(expected.answer);
  expect(thought).toBe(expected.reasoning);
  expect(plain(await chat.answer())).toBe(plain(answer));
  expectOnlyGrowth(await seenAnswers(page), answer);
  expect((await seenAnswers(page)).length).toBeGreaterThan(5);

  const seconds = message.fragments.flatMap((part) => ("elapsed_secs" in part ? [part.elapsed_secs] : []));
  expect(seconds).toEqual([expect.any(Number)]);
  await expect(chat.lastReply.getByRole("button", { name: /^Thought for \d+ seconds?$/ })).toBeVisible();

  await expect(sidebar.row("Rivers and lanterns")).toHaveAttribute("aria-current", "page");
  await expect(page).toHaveTitle("Rivers and lanterns - Plumb");
  await expect(page.getByRole("textbox", { name: chat.text("header.title") })).toHaveValue(
    "Rivers and lanterns",
  );
  await expectAccessible(page, "a finished turn");
});

test("the second message goes on under the first reply, with the whole branch in the prompt [ENG-029]", async ({
  chat,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 2 });
  upstream.script({ match: { user: question }, answer: "First reply." });
  await chat.send(question);
  await chat.finished();
  await chat.send(`${question}, once more`);
  await expect(chat.replies).toHaveCount(2);
  await expect(chat.questions).toHaveText([question, `${question}, once more`]);
  await chat.finished();
  const last = calls.calls.findLast(({ kind }) => kind === "answer");
  expect(last?.messages.filter(({ role }) => role !== "system").map(({ content }) => content)).toEqual([
    question,
    "First reply.",
    `${question}, once more`,
  ]);
});

test("a finished thought is folded after a reload, and opens on a click", async ({
  chat,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  upstream.script({ match: { user: question }, reasoning: "Two plus two.", answer: "Four." });
  await chat.send(question);
  await chat.finished();
  await chat.page.reload();
  const think = chat.lastReply.getByRole("button", { name: /^Thought for/ });
  await expect(think).toHaveAttribute("aria-expanded", "false");
  await expect(chat.lastReply).not.toContainText("Two plus two.");
  await think.click();
  await expect(chat.lastReply).toContainText("Two plus two.");
});

test("what a model says before it closes a thought that its template opened is shown as the thought", async ({
  chat,
  account,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  upstream.script({
    match: { user: question },
    answer: "Two plus two.\n</think>\n\nFour, and `</think>` ends it.",
    chunkChars: 3,
    paceMs: 20,
  });
  await chat.send(question);
  await chat.finished();
  await expect(chat.lastReply.getByRole("button", { name: /^Thought for/ })).toBeVisible();
  expect(plain(await chat.answer())).toBe("Four, and </think> ends it.");
  const { thought, answer } = await account.lastReply(await chat.sessionId());
  expect([thought.trim(), answer]).toEqual(["Two plus two.", "Four, and `</think>` ends it."]);
  await chat.page.reload();
  await expect(chat.lastReply).not.toContainText("Two plus two.");
  expect(plain(await chat.answer())).toBe("Four, and </think> ends it.");
});

test("markdown is rendered: headings, lists, tables, code and formulas [REND-001] [REND-002] [REND-003]", async ({
  chat,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  const answer = [
    "## Steps",
    "1. one\n2. two",
    "| a | b |\n|---|---|\n| 1 | 2 |",
    "```js\nconst x = 1;\n```",
    "Euler: $e^{i\\pi} = -1$.",
  ].join("\n\n");
  upstream.script({ match: { user: question }, answer, chunkChars: 5, paceMs: 2 });
  await chat.send(question);
  await chat.finished();
  const reply = chat.lastReply;
  await expect(reply.getByRole("heading", { name: "Steps" })).toBeVisible();
  await expect(reply.getByRole("listitem")).toHaveText(["one", "two"]);
  await expect(reply.getByRole("cell", { name: "2" })).toBeVisible();
  await expect(reply.locator("pre")).toContainText("const x = 1;");
  await expect(reply.locator(".katex").first()).toBeVisible();
  await expectAccessible(chat.page, "rendered markdown");
});
