import { expect, test } from "../support/journey.ts";

test("Enter sends; Shift+Enter and Ctrl+Enter begin a new line [ENG-032]", async ({
  chat,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  upstream.script({ match: { user: question }, answer: "Good." });
  await chat.composer.click();
  await chat.page.keyboard.type(question);
  await chat.page.keyboard.press("Shift+Enter");
  await chat.page.keyboard.type("second line");
  await chat.page.keyboard.press("Control+Enter");
  await chat.page.keyboard.type("third line");
  await expect(chat.composer).toHaveValue(`${question}\nsecond line\nthird line`);
  expect(calls.calls).toEqual([]);
  await chat.page.keyboard.press("Enter");
  await expect(chat.lastReply).toContainText("Good.");
  await chat.finished();
  expect(calls.firstAnswer?.question).toBe(`${question}\nsecond line\nthird line`);
  await expect(chat.composer).toBeFocused();
});

test("an Enter that confirms a composition sends nothing", async ({ chat, calls }) => {
  await chat.composer.click();
  const session = await chat.page.context().newCDPSession(chat.page);
  await session.send("Input.imeSetComposition", { text: "你好", selectionStart: 2, selectionEnd: 2 });
  // What an input method makes of the Enter that ends a composition.
  await session.send("Input.dispatchKeyEvent", {
    type: "rawKeyDown",
    key: "Process",
    code: "Enter",
    windowsVirtualKeyCode: 229,
    nativeVirtualKeyCode: 229,
  });
  await session.send("Input.insertText", { text: "你好" });
  await expect(chat.composer).toHaveValue("你好");
  expect(calls.calls).toEqual([]);
  await expect(chat.page).toHaveURL("/");
  await chat.composer.fill("");
});

test("arrow up in an empty composer brings the last prompt back, and in a filled one does not [ENG-034]", async ({
  chat,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  await chat.send(question);
  await chat.finished();
  await chat.composer.press("ArrowUp");
  await expect(chat.composer).toHaveValue(question);
  await chat.composer.fill("something else");
  await chat.composer.press("ArrowUp");
  await expect(chat.composer).toHaveValue("something else");
  await chat.composer.fill("");
});

test("a blank prompt is not sent [ENG-038]", async ({ chat, calls }) => {
  await chat.send("   \n  ");
  await expect(chat.sendButton).toHaveAttribute("aria-disabled", "true");
  await chat.sendButton.click({ force: true });
  await expect(chat.questions).toHaveCount(0);
  expect(calls.calls).toEqual([]);
  await chat.composer.fill("");
});

test("Ctrl+J begins a new chat, Ctrl+/ shows the keys [SHELL-025]", async ({ chat, calls, question }) => {
  calls.expect({ answer: 1 });
  await chat.send(question);
  await chat.finished();
  await chat.sessionId();
  await chat.page.keyboard.press("Control+j");
  await expect(chat.page).toHaveURL("/");
  await expect(chat.composer).toBeFocused();
  await chat.page.keyboard.press("Control+/");
  await expect(chat.page.getByRole("dialog", { name: chat.text("shortcuts.title") })).toBeVisible();
  await chat.page.keyboard.press("Escape");
  await expect(chat.page.getByRole("dialog")).toHaveCount(0);
});

test("the Enter that ends a title's editing in the header leads to the composer and writes nothing there", async ({
  chat,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  upstream.script({ match: { user: question }, answer: "One." });
  await chat.send(question);
  await chat.finished();
  const title = chat.page.getByRole("textbox", { name: chat.text("header.title") });
  // The title that the server gives would else come in between.
  await expect(title).toHaveValue("One");
  await title.fill("A name of mine");
  await title.press("Enter");
  await expect(chat.composer).toBeFocused();
  await expect(chat.composer).toHaveValue("");
  await expect(title).toHaveValue("A name of mine");
});
