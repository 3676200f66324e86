import { expect, test } from "../support/journey.ts";

test("in forced colours, which know no transparent ink, what a formula leaves blank stays blank", async ({
  chat,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  upstream.script({
    match: { user: question },
    answer: "Burn $\\ce{2H2 + O2 -> 2H2O}$, or leave room: $a\\phantom{xyz}b$.",
  });
  await chat.send(question);
  await chat.finished();
  const blanks = chat.lastReply.locator(".katex-html").getByText(/^[Xxyz]$/u);
  await expect.poll(() => blanks.count()).toBeGreaterThan(3);
  await chat.page.emulateMedia({ forcedColors: "active" });
  await expect(blanks.filter({ visible: true })).toHaveCount(0);
  await expect(chat.lastReply.locator(".katex-html").getByText("b", { exact: true })).toBeVisible();
});
