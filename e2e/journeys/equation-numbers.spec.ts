// The equations of an answer are numbered from 1, whatever the answers above hold.
import { expect, test } from "../support/journey.ts";
import { ChatPage } from "../support/pages/chat-page.ts";

const equation = "\\begin{equation}\nx^2 + y^2 = z^2\n\\end{equation}";

test("each answer numbers its equations from one; a long one, whose parts come and go, does not number them", async ({
  openAs,
  account,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 3 });
  const [second, long] = [`${question}, again`, `${question}, at length`];
  upstream.script({ match: { user: question, kind: "answer" }, answer: `${equation}\n\nBy (1).` });
  const session = await account.ask(question);
  upstream.script({ match: { user: second, kind: "answer" }, answer: `${equation}\n\nBy (1).` });
  await account.ask(second, { sessionId: session });
  upstream.script({
    match: { user: long, kind: "answer" },
    answer: `A paragraph.\n\n`.repeat(300) + equation,
  });
  await account.ask(long, { sessionId: session });
  const page = await openAs(account, { path: `/a/chat/s/${session}` });
  const chat = new ChatPage(page);
  const last = chat.lastReply.locator(".eqn-num");
  await expect(last).toHaveCount(1);
  await expect
    .poll(() => last.evaluate((number) => getComputedStyle(number, "::before").content))
    .toBe("none");
  const numbers = page.locator(".eqn-num");
  await page.mouse.move(700, 400);
  await expect(async () => {
    await page.mouse.wheel(0, -4000);
    await expect(numbers).toHaveCount(3, { timeout: 500 });
  }).toPass();
  await numbers.nth(0).scrollIntoViewIfNeeded();
  // Pictures of them: a counter's value can be read nowhere else.
  await expect(numbers.nth(1)).toBeVisible();
  const first = await numbers.nth(0).screenshot();
  expect((await numbers.nth(1).screenshot()).equals(first)).toBe(true);
});

test("a formula that names another tells its number, and no number is there twice", async ({
  chat,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  const answer = [
    "By $\\eqref{eq:three}$, which comes later:",
    "\\begin{equation}\\label{eq:one}a=b\\end{equation}",
    "\\begin{align}c&=d\\label{eq:two}\\\\e&=f\\label{eq:three}\\end{align}",
    "$$g=h\\tag{2}\\label{eq:hand}$$",
    "See $\\eqref{eq:one}$, $\\ref{eq:hand}$ and $\\eqref{eq:gone}$.",
  ].join("\n\n");
  upstream.script({ match: { user: question, kind: "answer" }, answer, chunkChars: 12, paceMs: 5 });
  await chat.send(question);
  await chat.finished();
  const named = () =>
    chat.lastReply.locator("p .katex-html").evaluateAll((drawn) => drawn.map((each) => each.textContent));
  await expect.poll(named).toEqual(["(4)", "(1)", "2", "(eq:gone)"]);
  // The second of ours passes over the one that is written by hand.
  const steps = () =>
    chat.lastReply
      .locator(".eqn-num")
      .evaluateAll((numbers) => numbers.map((each) => getComputedStyle(each, "::before").counterIncrement));
  await expect.poll(steps).toEqual(["katexEqnNo 1", "katexEqnNo 2", "katexEqnNo 1"]);
  await expect(chat.lastReply.locator("math", { hasText: /^\(4\)/ })).toBeAttached();
});
