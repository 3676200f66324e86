// Nothing jumps: what the browser measures as shifted while a chat is opened, read, reloaded and continued.
import { expect, test } from "../support/journey.ts";
import { expectStill, noteShifts } from "../support/layout-shifts.ts";
import { ChatPage } from "../support/pages/chat-page.ts";
import { SignInPage } from "../support/pages/sign-in-page.ts";

const long = Array.from({ length: 30 }, (_, index) => `Line ${index + 1} of what was said before.`).join(
  "\n\n",
);

test("nothing jumps while a chat is opened, reloaded, read, continued and pointed at", async ({
  openAs,
  account,
  upstream,
  calls,
  question,
}) => {
  const turns = ["short", "table", "code", "formula", "last but one", "last"];
  calls.expect({ answer: 2 * turns.length + 3 });
  const answers: Record<string, string> = {
    table: `${long}\n\n| a | b |\n|---|---|\n| 1 | 2 |`,
    code: `\`\`\`ts\n${"const x = 1;\n".repeat(20)}\`\`\``,
    formula: "So\n\n$$\n\\frac{1}{2}\n$$\n\nholds.",
    "one, last": `${"Both $x_1 + \\frac{a}{b}$ and \\(\\sqrt{2}\\) hold.\n\n$$\n\\sum_{n=1}^{9} \\frac{1}{n}\n$$\n\n".repeat(5)}End.`,
    "two, last": long,
  };
  const first = await account.ask(`${question}, one`);
  const second = await account.ask(`${question}, two`);
  for (const [name, id] of [
    ["one", first],
    ["two", second],
  ] as const) {
    for (const turn of turns) {
      const prompt = `${question}, ${name}, ${turn}`;
      upstream.script({
        match: { user: prompt, kind: "answer" },
        answer: answers[`${name}, ${turn}`] ?? answers[turn] ?? "Yes.",
      });
      await account.ask(prompt, { sessionId: id });
    }
    await account.rename(id, `Jumping ${name}`);
  }
  const page = await openAs(account);
  const chat = new ChatPage(page);
  await noteShifts(page);
  await page.goto(`/a/chat/s/${first}`);
  await expect(chat.replies).toHaveCount(turns.length + 1);
  await expectStill(page, "loading a chat");
  await page.reload();
  await expect(chat.replies).toHaveCount(turns.length + 1);
  await expectStill(page, "reloading");
  const chats = page.getByRole("navigation");
  await chats.getByRole("link", { name: "Jumping two" }).click();
  await expect(page).toHaveURL(new RegExp(second));
  await expect(chat.lastReply).toContainText("Line 30 ");
  await expectStill(page, "opening another chat");

  const { height } = (await chat.composer.boundingBox()) ?? { height: 0 };
  const { y } = (await chat.composer.boundingBox()) ?? { y: 0 };
  await chat.sendButton.hover();
  await expect(page.getByRole("tooltip")).toBeVisible();
  expect((await chat.composer.boundingBox())?.y).toBe(y);
  expect((await chat.composer.boundingBox())?.height).toBe(height);
  await chat.questions.last().hover();
  await expectStill(page, "pointing at things");

  await chat.conversation.hover();
  for (let step = 0; step < 8; step += 1) {
    await page.mouse.wheel(0, -400);
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  }
  await expectStill(page, "reading upwards");
  await chat.button("conversation.toBottom").click();

  upstream.script({ match: { user: `${question}, on` }, answer: long, chunkChars: 40, paceMs: 10 });
  await chat.send(`${question}, on`);
  await chat.finished();
  await expectStill(page, "sending and a growing reply");
});

test("a refusal moves nothing of the forms", async ({ openAs }) => {
  const page = await openAs(null, { path: "/sign_in" });
  const form = new SignInPage(page);
  const button = form.button("form.signIn");
  await expect(button).toBeVisible();
  const before = await button.boundingBox();
  await form.signIn({ email: "nobody@example.com", password: "not it" });
  const alert = page.getByRole("alert").filter({ hasText: form.text("passwordOrUserWrong") });
  await expect(alert).toBeVisible();
  expect(await button.boundingBox()).toEqual(before);

  // The longest refusal of a whole sign-up, and the hint beside the code.
  await page.goto("/sign_up");
  await page.route("**/api/v0/users/register", async (route) => {
    const refused = { biz_code: 9, biz_msg: "EMAIL_DOMAIN_NOT_SUPPORTED", biz_data: null };
    await route.fulfill({ json: { code: 0, msg: "", data: refused } });
  });
  const signUp = form.button("form.signUp");
  await expect(form.field("form.code")).toBeVisible();
  const place = await signUp.boundingBox();
  await form.signUp({
    email: "somebody@example.com",
    password: "a long passphrase",
    code: () => "123456",
  });
  await expect(
    page.getByRole("alert").filter({ hasText: form.text("emailDomainNotSupported") }),
  ).toBeVisible();
  expect(await signUp.boundingBox()).toEqual(place);
});
