import { ApiAccount } from "../support/api-account.ts";
import { expect, test as base } from "../support/journey.ts";
import { ChatPage, plain } from "../support/pages/chat-page.ts";
import { Sidebar } from "../support/pages/sidebar.ts";
import { SignInPage } from "../support/pages/sign-in-page.ts";

interface Visitor {
  account: ApiAccount;
  path: string;
  page: ChatPage;
}

const test = base.extend<{ visitor: Visitor; other: ChatPage }>({
  /** An account whose login no other journey needs, with one chat on show. */
  visitor: async ({ stack, openAs, calls, question }, use) => {
    calls.expect({ answer: 1 });
    const account = await ApiAccount.signUp(stack);
    const sessionId = await account.ask(question);
    const path = `/a/chat/s/${sessionId}`;
    const page = new ChatPage(await openAs(account, { path }));
    await expect(page.questions).toHaveText(question);
    await use({ account, path, page });
  },
  /** Another tab of the same browser, on the same chat. */
  other: async ({ visitor: { path, page }, consoleWatch, question }, use) => {
    const other = new ChatPage(await page.page.context().newPage());
    consoleWatch.watch(other.page);
    await other.page.goto(path);
    await expect(other.questions).toHaveText(question);
    await use(other);
    // A tab behind another paints nothing: the first is looked at for what must hold after every journey.
    await other.page.close();
    await page.page.bringToFront();
  },
});

test("a login that ended at the send: after signing in the text is in the composer of the same chat", async ({
  visitor: { account, path, page },
}) => {
  // The first touch makes a proof ready, so that the send is what hears of the end.
  const proof = page.page.waitForResponse("**/api/v0/chat/create_pow_challenge");
  await page.page.mouse.move(10, 10);
  await proof;
  const ended = await page.page.evaluate(async () => {
    const authorization = `Bearer ${localStorage.getItem("plumb.token")}`;
    const headers = { "content-type": "application/json", authorization };
    return (await fetch("/api/v0/users/logout", { method: "POST", headers, body: "{}" })).status;
  });
  expect(ended).toBe(200);
  await page.send("What I typed meanwhile");
  await expect(page.page).toHaveURL(`/sign_in?redirect=${encodeURIComponent(path)}`);
  await new SignInPage(page.page).signIn(account);
  await expect(page.page).toHaveURL(path);
  await expect(page.composer).toHaveValue("What I typed meanwhile");
});

test("signing out in one tab signs the other out, and another user's login shows nothing of the first", async ({
  visitor: { page },
  other,
  stack,
}) => {
  await other.composer.fill("Not for other eyes");
  await new Sidebar(page.page).accountAction("profile.logout");
  await expect(page.page).toHaveURL("/sign_in");
  await expect(other.page).toHaveURL("/sign_in");

  const stranger = await ApiAccount.signUp(stack);
  await new SignInPage(page.page).signIn(stranger);
  for (const tab of [page, other]) {
    await expect(tab.page).toHaveURL("/");
    await expect(tab.composer).toHaveValue("");
    await expect(new Sidebar(tab.page).rows).toHaveCount(0);
  }
});

test("the tab that did not send follows the reply by itself, shows its dot from another chat, and what is done to the list", async ({
  visitor: { account, page },
  other,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 3 });
  const next = `${question}, and then`;
  upstream.script({ match: { user: next }, tokens: 120, paceMs: 15 });
  await page.send(next);
  await page.answerReaches(40);
  await expect(other.questions).toHaveText([question, next]);
  await Promise.all([page.finished(), other.finished()]);
  const whole = plain(upstream.expected(next).answer);
  expect(plain(await page.answer())).toBe(whole);
  expect(plain(await other.answer())).toBe(whole);

  // From another chat the list says of it what this tab does not read itself.
  const list = new Sidebar(other.page);
  await other.page.goto("/");
  const last = `${question}, at last`;
  upstream.script({ match: { user: last }, tokens: 120, paceMs: 15 });
  await page.send(last);
  await expect(list.navigation.getByRole("img", { name: list.text("sidebar.replyRunning") })).toBeVisible();
  await page.finished();
  await expect(list.navigation.getByRole("img")).toHaveCount(0);

  await account.rename(await page.sessionId(), "Two tabs");
  await new Sidebar(page.page).rowAction("Two tabs", "sidebar.pin");
  await expect(list.group("sidebar.pinned").getByRole("link")).toHaveText(["Two tabs"]);
});

/** Whether this tab is behind others, as its page is told: a tab of a browser without a window never is. */
async function setHidden({ page }: ChatPage, hidden: boolean): Promise<void> {
  await page.evaluate(
    (state) => {
      Object.defineProperty(document, "visibilityState", { configurable: true, get: () => state });
      document.dispatchEvent(new Event("visibilitychange"));
    },
    hidden ? "hidden" : "visible",
  );
}

test("with one running reply on show in six tabs a seventh opens, and each of them has the reply whole", async ({
  visitor: { path, page },
  consoleWatch,
  upstream,
  calls,
  question,
}) => {
  test.slow();
  calls.expect({ answer: 2 });
  const open = async (): Promise<ChatPage> => {
    const tab = new ChatPage(await page.page.context().newPage());
    consoleWatch.watch(tab.page);
    await tab.page.goto(path);
    await expect(tab.questions.first()).toHaveText(question);
    return tab;
  };
  const followers: ChatPage[] = [];
  while (followers.length < 5) followers.push(await open());
  const next = `${question}, at length`;
  upstream.script({ match: { user: next }, tokens: 200, fault: { at: 300, kind: "stall" } });
  await page.send(next);
  // Six connections to a server are all that a browser has over HTTP/1.1.
  const reads = async (tab: ChatPage): Promise<void> => {
    await expect(tab.questions).toHaveText([question, next]);
    await tab.answerReaches(200);
  };
  for (const tab of [page, ...followers]) await reads(tab);
  const letGo = followers.map(async (tab) => {
    await Promise.all([
      tab.page.waitForEvent("requestfailed", (request) => request.url().endsWith("/resume_stream")),
      setHidden(tab, true),
    ]);
  });
  await Promise.all(letGo);
  const seventh = await open();
  await reads(seventh);

  const [seen, ...hidden] = followers as [ChatPage, ...ChatPage[]];
  await setHidden(seen, false);
  upstream.release();
  const whole = plain(upstream.expected(next).answer);
  for (const tab of [page, seventh, seen, ...hidden]) {
    await tab.finished();
    expect(plain(await tab.answer())).toBe(whole);
  }
  for (const tab of [seventh, ...followers]) await tab.page.close();
  await page.page.bringToFront();
});
