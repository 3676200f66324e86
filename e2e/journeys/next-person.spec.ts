// One browser, two people: what the first has signed out of is nowhere when the second signs in.
import type { Page } from "@playwright/test";
import { ApiAccount } from "../support/api-account.ts";
import { expect, test } from "../support/journey.ts";
import { ChatPage } from "../support/pages/chat-page.ts";
import { Sidebar } from "../support/pages/sidebar.ts";
import { SignInPage } from "../support/pages/sign-in-page.ts";

/** Everything that the page shows and its origin keeps, as one text. */
function everything(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const kept: unknown[] = [document.documentElement.outerHTML, { ...localStorage }, { ...sessionStorage }];
    kept.push(document.cookie, location.href, history.state);
    const ended = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(new Error("a database could not be read"));
      });
    for (const { name } of await indexedDB.databases()) {
      const database = await ended(indexedDB.open(name ?? ""));
      for (const store of database.objectStoreNames) {
        const rows = database.transaction(store).objectStore(store);
        kept.push(await ended(rows.getAllKeys()), await ended(rows.getAll()));
      }
      database.close();
    }
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        const type = (await cache.match(request))?.headers.get("content-type") ?? "";
        kept.push(request.url, /json|html/u.test(type) ? await (await cache.match(request))?.text() : type);
      }
    }
    return JSON.stringify(kept, (_key, value: unknown) => (value instanceof Map ? [...value] : value));
  });
}

test("after a person's sign-ins are ended elsewhere, nothing of theirs is left for the next, who is led to the start without a word, and they get back what they typed", async ({
  openAs,
  stack,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  const [first, second] = [await ApiAccount.signUp(stack), await ApiAccount.signUp(stack)];
  const sessionId = await first.ask(question);
  const typed = `draft of quokka${Math.random().toString(36).slice(2)}`;
  const path = `/a/chat/s/${sessionId}`;
  const page = await openAs(null, { path: "/sign_in" });
  const [form, chat] = [new SignInPage(page), new ChatPage(page)];
  await form.signIn(first);
  await expect(chat.composer).toBeVisible();
  const endElsewhere = async () => {
    await page.goto(path);
    await expect(chat.questions).toHaveText(question);
    await chat.composer.fill(typed);
    await expect.poll(() => everything(page)).toContain(typed);
    await (await first.signInAgain()).endAllSignIns();
    await page.reload();
    await expect(page).toHaveURL(`/sign_in?redirect=${encodeURIComponent(path)}`);
    expect(await page.locator("body").innerText()).not.toContain(typed);
  };
  await endElsewhere();
  await form.signIn(first);
  await expect(page).toHaveURL(path);
  await expect(chat.questions).toHaveText(question);
  await expect(chat.composer).toHaveValue(typed);

  await endElsewhere();
  await form.signIn(second);
  await expect(page).toHaveURL("/");
  // It would have come with that, and gone by itself.
  expect(await page.getByText(chat.text("chatNotFound")).count()).toBe(0);
  await expect(chat.composer).toHaveValue("");
  await expect(new Sidebar(page).rows).toHaveCount(0);
  await expect
    .poll(async () => {
      const all = await everything(page);
      return [typed, question, sessionId, first.email].filter((mark) => all.includes(mark));
    })
    .toEqual([]);
  // A link that they follow by themselves is another thing.
  await page.evaluate(() => history.pushState(null, "", `/a/chat/s/${crypto.randomUUID()}`));
  await expect(page.getByText(chat.text("chatNotFound"))).toBeVisible();
  await expect(page).toHaveURL("/");
});

test("after one person signs out, nothing of theirs is left for the next: on the page, in storages, databases and caches", async ({
  openAs,
  stack,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  const secret = `quokka${Math.random().toString(36).slice(2)}`;
  upstream.script({ match: { user: question }, answer: `The word is ${secret}.` });
  const [first, second] = [await ApiAccount.signUp(stack), await ApiAccount.signUp(stack)];
  const page = await openAs(null, { path: "/sign_in" });
  const form = new SignInPage(page);
  const chat = new ChatPage(page);
  const sidebar = new Sidebar(page);
  await form.signIn(first);
  await chat.send(question);
  await expect(chat.replies.getByText(secret)).toBeVisible();
  await expect(sidebar.rows).toHaveCount(1);
  const path = new URL(page.url()).pathname;
  const sessionId = path.split("/").at(-1) ?? "";
  await chat.composer.fill(`draft of ${secret}`);
  const user = await first.get("/api/v0/users/current");
  const next = await second.get("/api/v0/users/current");
  const token = await page.evaluate(() => localStorage.getItem("plumb.token"));
  // What is kept is written after a while: it must have been there to be taken away.
  await expect.poll(() => everything(page)).toContain(`draft of ${secret}`);
  await expect.poll(() => everything(page)).toContain(sessionId);

  await sidebar.accountAction("profile.logout");
  await expect(page).toHaveURL(/^[^?]*\/sign_in/);
  await form.signIn(second);
  await expect(chat.composer).toBeVisible();
  await expect(sidebar.rows).toHaveCount(0);
  const marks = [
    secret,
    question,
    sessionId,
    String(user["id"]),
    // With its middle hidden it may be that of the next person, too.
    ...(user["email"] === next["email"] ? [] : [String(user["email"])]),
    first.email,
    String(token),
  ];
  await expect
    .poll(async () => {
      const all = await everything(page);
      // Where one is, tells what has kept it.
      return marks.flatMap((mark) => {
        const at = all.indexOf(mark);
        return at === -1 ? [] : [all.slice(Math.max(0, at - 80), at + 60)];
      });
    })
    .toEqual([]);

  // Neither does the way back, nor the address of what was there.
  await page.goto(path);
  await expect(chat.composer).toBeVisible();
  await expect(page.getByText(secret)).toHaveCount(0);
  expect(await page.locator("body").innerText()).not.toContain(secret);
});
