import { firstWordsTitle } from "@plumb/protocol/rules/title-rules";
import { brokenConnection, refusedWith } from "../support/checks.ts";
import { expect, test } from "../support/journey.ts";

test("a new chat stays hidden until the server has it, and has its route and row while the model still reads [SESS-050] [SESS-051]", async ({
  chat,
  sidebar,
  account,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  upstream.script({ match: { user: question }, tokens: 20, fault: { at: 0, kind: "stall" } });
  const rows = (await account.sessions()).length;
  await expect(sidebar.rows).toHaveCount(rows);
  let letThrough: () => void = () => {};
  const held = new Promise<void>((resolve) => {
    letThrough = resolve;
  });
  const asked = chat.page.waitForRequest("**/api/v0/chat/completion");
  await chat.page.route("**/api/v0/chat/completion", async (route) => {
    await held;
    await route.continue();
  });
  await chat.send(question);
  await asked;
  await expect(chat.questions).toHaveText([question]);
  await expect(chat.page).toHaveURL("/");
  expect(await sidebar.rows.count()).toBe(rows);
  letThrough();
  // The model has sent nothing yet, and sends nothing before it is released.
  await chat.sessionId();
  await expect(sidebar.rows).toHaveCount(rows + 1);
  await expect(chat.composer).toHaveValue("");
  // It is called by its first words, and the waiting place says what goes on.
  await expect(sidebar.row(firstWordsTitle(question))).toBeVisible();
  await expect(chat.lastReply).toContainText(/Reading your question · \d+ s/);
  await expect(chat.lastReply).toHaveAttribute("aria-busy", "true");
  await chat.page.reload();
  await expect(chat.questions).toHaveText([question]);
  await expect(chat.lastReply).toHaveAttribute("aria-busy", "true");
  expect(await chat.answer()).toBe("");
  upstream.release();
  await chat.finished();
  expect(await chat.answer()).not.toBe("");
  await expect(chat.questions).toHaveText([question]);
  // The back button leads home, not to a half-made chat.
  await chat.page.goBack();
  await expect(chat.page).toHaveURL("/");
});

test("another new chat can begin while the first question of one is on its way; that goes on behind it [SHELL-025]", async ({
  chat,
  sidebar,
  account,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 2 });
  const { page } = chat;
  const second = `Something else: ${[...question].toReversed().join("")}`;
  upstream.script({ match: { user: second }, answer: "The second answer." });
  upstream.script({ match: { user: question }, answer: "The first answer." });
  const rows = (await account.sessions()).length;
  await expect(sidebar.rows).toHaveCount(rows);
  let letThrough: () => void = () => {};
  const held = new Promise<void>((resolve) => (letThrough = resolve));
  await page.route("**/api/v0/chat/completion", async (route) => {
    if (route.request().postDataJSON().prompt === question) await held;
    await route.continue();
  });
  const asked = page.waitForRequest("**/api/v0/chat/completion");
  await chat.send(question);
  await asked;
  await expect(chat.questions).toHaveText([question]);
  await page.keyboard.press("Control+j");
  await expect(chat.questions).toHaveCount(0);
  await expect(chat.composer).toHaveValue("");
  await expect(chat.composer).toBeFocused();
  await chat.composer.fill(second);
  letThrough();
  // It has its row now, and the reader is where they were.
  await expect(sidebar.rows).toHaveCount(rows + 1);
  await expect(page).toHaveURL("/");
  await expect(chat.composer).toHaveValue(second);
  await chat.composer.press("Enter");
  await chat.sessionId();
  await expect(chat.lastReply).toContainText("The second answer.");
  await chat.finished();
  await expect(chat.questions).toHaveText([second]);
  await expect(sidebar.rows).toHaveCount(rows + 2);
  await sidebar.rows.nth(1).click();
  await expect(chat.questions).toHaveText([question]);
  await expect(chat.lastReply).toContainText("The first answer.");
});

test("a question stays on the screen as its chat becomes a session, though the drawer of formulas is still on its way", async ({
  chat,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  const { page } = chat;
  upstream.script({ match: { user: question }, answer: "So $E = mc^2$ it is.", chunkChars: 100 });
  let arrive = () => {};
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  await page.route("**/katex-*.js", async (route) => {
    await arrived;
    await route.continue();
  });
  await page.evaluate(() => {
    const seen = { hidden: false };
    Object.assign(window, { seen });
    new MutationObserver((changes) => {
      for (const { target } of changes)
        if (target instanceof HTMLElement && target.style.visibility === "hidden") seen.hidden = true;
    }).observe(document.body, { attributes: true, attributeFilter: ["style"], subtree: true });
  });
  await chat.send(question);
  await chat.sessionId();
  await expect(chat.lastReply).toContainText("it is.");
  await chat.finished();
  arrive();
  await expect(chat.lastReply.locator(".katex")).toBeVisible();
  expect(await page.evaluate(() => (window as unknown as { seen: { hidden: boolean } }).seen.hidden)).toBe(
    false,
  );
});

test("a page that is reloaded before it heard of its question's arrival opens the chat where the reply runs", async ({
  chat,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  upstream.script({ match: { user: question }, answer: "Here it is." });
  // The question arrives; its answer never reaches this page.
  await chat.page.route("**/api/v0/chat/completion", async (route) => void (await route.fetch()));
  await chat.send(question);
  await expect.poll(() => calls.count("answer")).toBe(1);
  await expect(chat.page).toHaveURL("/");
  await chat.page.reload();
  await chat.sessionId();
  await expect(chat.questions).toHaveText([question]);
  await expect(chat.composer).toHaveValue("");
  await expect(chat.lastReply).toContainText("Here it is.");
});

test("a reload under way as a new chat comes to light opens the chat", async ({
  chat,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  upstream.script({ match: { user: question }, tokens: 20, fault: { at: 0, kind: "stall" } });
  const { page } = chat;
  let letThrough = (): void => {};
  const held = new Promise<void>((resolve) => (letThrough = resolve));
  const asked = page.waitForRequest("**/api/v0/chat/completion");
  await page.route("**/api/v0/chat/completion", async (route) => {
    await held;
    await route.continue();
  });
  let loadAgain = (): void => {};
  const loading = new Promise<void>((resolve) => (loadAgain = resolve));
  await page.route("/", async (route) => {
    await loading;
    await route.continue();
  });
  await chat.send(question);
  await asked;
  const onItsWay = page.waitForRequest((request) => request.isNavigationRequest());
  await page.evaluate(() => setTimeout(() => location.reload()));
  await onItsWay;
  // The page that is left moves to its chat: nothing is kept of the question any more.
  const moved = page.waitForEvent("framenavigated", (frame) => frame.url().includes("/a/chat/s/"));
  letThrough();
  await moved;
  loadAgain();
  await chat.sessionId();
  await expect(chat.questions).toHaveText([question]);
  expect(await page.evaluate(() => performance.getEntriesByType("navigation")[0]?.toJSON())).toMatchObject({
    type: "reload",
  });
});

test("a model that fails before the first token: the prompt is kept and can be sent again [SESS-052]", async ({
  chat,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 2 });
  upstream.script({
    match: { user: question, kind: "answer" },
    times: 1,
    refusal: { kind: "http", status: 400 },
  });
  upstream.script({ match: { user: question }, answer: "Now it works." });
  await chat.send(question);
  await expect(chat.page.getByRole("alert").first()).toBeVisible();
  await expect(chat.page.getByText(question).first()).toBeVisible();
  await chat.button("common.retry").click();
  await expect(chat.lastReply).toContainText("Now it works.");
  await chat.finished();
  await expect(chat.questions).toHaveCount(1);
  await chat.page.reload();
  await expect(chat.questions).toHaveText([question]);
  await expect(chat.lastReply).toContainText("Now it works.");
});

test("a send without a network keeps the prompt in the composer [SESS-052]", async ({
  chat,
  consoleWatch,
  upstream,
  calls,
  question,
}) => {
  consoleWatch.allow(brokenConnection);
  calls.expect({ answer: 1 });
  upstream.script({ match: { user: question }, answer: "Here again." });
  // A page that is at rest has loaded what a conversation needs.
  const loaded = () =>
    chat.page.evaluate(() =>
      performance
        .getEntriesByType("resource")
        .map(({ name }) => name)
        .join(),
    );
  await expect.poll(loaded).toMatch(/\/conversation-[\w-]+\.js/);
  await chat.page.context().setOffline(true);
  await chat.send(question);
  await expect(chat.sendButton).toHaveAttribute("data-send", "send", { timeout: 15_000 });
  await expect(chat.composer).toHaveValue(question);
  await expect(chat.page).toHaveURL("/");
  await chat.page.context().setOffline(false);
  await chat.composer.press("Enter");
  await expect(chat.lastReply).toContainText("Here again.");
  await chat.finished();
  await expect(chat.questions).toHaveText([question]);
});

test("a refused send keeps the prompt and says why", async ({ chat, consoleWatch, question }) => {
  consoleWatch.allow(refusedWith(429));
  await chat.page.route("**/api/v0/chat/completion", (route) =>
    route.fulfill({
      status: 429,
      contentType: "application/json",
      headers: { "retry-after": "60" },
      body: JSON.stringify({ code: 42900, msg: "RATE_LIMIT_REACHED", data: null, context: { logId: "0" } }),
    }),
  );
  await chat.send(question);
  await expect(chat.page.getByText(chat.text("rateLimitReached"))).toBeVisible();
  // How long it is to wait is counted down beside it, and a retry waits as long.
  await expect(chat.page.getByText(/\b(60|[45]\d)\b/)).toBeVisible();
  await expect(chat.button("common.retry")).toBeDisabled();
  await expect(chat.page.getByText(question).first()).toBeVisible();
});

test("an unsent draft survives a reload and another chat", async ({ chat, question }) => {
  await chat.composer.fill(question);
  const storage = () => chat.page.evaluate(() => Object.values(localStorage).join());
  await expect.poll(storage).toContain(question);
  await chat.page.reload();
  await expect(chat.composer).toHaveValue(question);
  await chat.composer.fill("");
});
