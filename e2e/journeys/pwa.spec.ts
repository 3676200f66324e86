// The page as an app that installs: it opens without a server, goes from one build to the next in one piece, and keeps
// nothing of an account beyond its sign-out.
import type { Page } from "@playwright/test";
import { ApiAccount } from "../support/api-account.ts";
import { expectAccessible } from "../support/accessible.ts";
import { brokenConnection, refusedWith } from "../support/checks.ts";
import { expect, test } from "../support/journey.ts";
import { ChatPage } from "../support/pages/chat-page.ts";
import { Sidebar } from "../support/pages/sidebar.ts";
import { SignInPage } from "../support/pages/sign-in-page.ts";
import { startTwoBuilds, type TwoBuilds } from "../support/two-builds.ts";

test.use({ serviceWorkers: "allow" });

let front: TwoBuilds;
test.beforeEach(async ({ stack, consoleWatch }) => {
  front = await startTwoBuilds(() => stack.server.port);
  // The last: a page that goes while its new worker is asked for.
  consoleWatch.allow(brokenConnection, /ERR_FAILED/, /Failed to fetch/, /occurred when fetching the script/);
});
test.afterEach(async ({ browser }) => {
  // Before what they load from: parts of a page may still be on their way.
  for (const context of browser.contexts()) for (const page of context.pages()) await page.close();
  await front.close();
});

/** Names of the caches, with the paths of what is in them. */
function cached(page: Page): Promise<Record<string, string[]>> {
  return page.evaluate(async () => {
    const names = await caches.keys();
    const paths = names.map(async (name) => {
      const keys = await (await caches.open(name)).keys();
      return [name, keys.map(({ url }) => new URL(url).pathname)] as const;
    });
    return Object.fromEntries(await Promise.all(paths));
  });
}

/** Waits until the page is the worker's, and the worker has a whole build. */
async function workerIsThere(page: Page): Promise<void> {
  await expect
    .poll(() => page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.active?.state))
    .toBe("activated");
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
}

/** The script by which the page began. */
function entryOf(page: Page): Promise<string | null> {
  return page.evaluate(() => document.querySelector('script[type="module"]')?.getAttribute("src") ?? null);
}

/** Which of these words stand anywhere in what the browser keeps for this origin. */
function keptOf(page: Page, words: readonly string[]): Promise<string[]> {
  return page.evaluate(async (looked) => {
    const kept: unknown[] = [{ ...localStorage }, { ...sessionStorage }];
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        const answer = await cache.match(request);
        kept.push([request.url, [...request.headers], await answer?.text()]);
      }
    }
    for (const { name } of await indexedDB.databases()) {
      const db = await new Promise<IDBDatabase>((resolve, reject) => {
        const opening = indexedDB.open(name ?? "");
        opening.onsuccess = () => resolve(opening.result);
        opening.onerror = () => reject(new Error(name));
      });
      for (const store of db.objectStoreNames) {
        const asking = db.transaction(store).objectStore(store).getAll();
        kept.push(await new Promise((resolve) => (asking.onsuccess = () => resolve(asking.result))));
      }
      db.close();
    }
    const text = JSON.stringify(kept);
    return looked.filter((word) => text.includes(word));
  }, words);
}

test("installs, opens without a server with list, chat and draft, goes on when it is back, and keeps nothing after signing out", async ({
  openAs,
  stack,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  const person = await ApiAccount.signUp(stack);
  const session = await person.ask(question);
  await person.rename(session, "A canary of a title");
  const page = await openAs(person, { origin: front.origin });
  const chat = new ChatPage(page);
  const sidebar = new Sidebar(page);
  await sidebar.row("A canary of a title").click();
  await expect(chat.questions).toHaveText(question);
  await workerIsThere(page);

  const devtools = await page.context().newCDPSession(page);
  const { installabilityErrors } = await devtools.send("Page.getInstallabilityErrors");
  // A browser of tests is one without a profile.
  expect(installabilityErrors.filter(({ errorId }) => errorId !== "in-incognito")).toEqual([]);
  const manifest = await devtools.send("Page.getAppManifest");
  expect(manifest.errors).toEqual([]);
  expect(manifest.data).toContain('"share_target"');

  // The page and its files, and no answer of a call, after all that was asked.
  const paths = Object.values(await cached(page)).flat();
  expect(paths).toContain("/");
  expect(paths.length).toBeGreaterThan(50);
  expect(paths.filter((path) => !/^\/(static\/.*\.(js|css|svg|woff2))?$/.test(path))).toEqual([]);

  await chat.button("common.newChat").first().click();
  await chat.composer.fill("A canary of a draft");
  await expect
    .poll(() => page.evaluate(() => localStorage.getItem("plumb.list")))
    .toContain("A canary of a title");
  front.away = true;
  await page.reload();
  await expect(page.getByText(chat.text("composer.unreached"))).toBeVisible();
  await expect(chat.composer).toHaveValue("A canary of a draft");
  await sidebar.row("A canary of a title").click();
  await expect(chat.questions).toHaveText(question);
  await chat.button("common.newChat").first().click();
  await chat.composer.fill("A canary of a draft, and more");

  front.away = false;
  await expect(page.getByText(chat.text("composer.unreached"))).toBeHidden();
  await expect(chat.composer).toHaveValue("A canary of a draft, and more");
  const words = ["canary", question, person.token, session];
  // What is looked for is found as long as it is there.
  await expect.poll(() => keptOf(page, ["draft, and more", ...words])).toEqual(["draft, and more", ...words]);

  await sidebar.accountAction("profile.logout");
  await expect(page).toHaveURL(/\/sign_in/);
  expect(await keptOf(page, words)).toEqual([]);
});

test("an update comes in one piece: the open page goes on with its own files and its text, until it is loaded again", async ({
  openAs,
  account,
  consoleWatch,
}) => {
  const page = await openAs(account, { origin: front.origin });
  const chat = new ChatPage(page);
  await workerIsThere(page);
  await chat.composer.fill("typed before the update");
  const before = await entryOf(page);

  front.build = "b";
  front.asked.length = 0;
  // As the browser looks by itself when the page comes back after an hour.
  await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update());
  const notice = page.getByRole("status").filter({ hasText: chat.text("newVersion.ready") });
  await expect(notice).toBeVisible();
  expect(Object.keys(await cached(page))).toHaveLength(2);

  // A part that was not loaded yet: from the cache of its own build, since the server has no such file any more.
  front.asked.length = 0;
  await page.keyboard.press("Control+/");
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
  expect(front.asked.filter((path) => !path.includes("~b"))).toEqual([]);
  expect(await entryOf(page)).toBe(before);

  await notice.getByRole("button", { name: chat.text("newVersion.reload") }).click();
  await expect.poll(() => entryOf(page)).toContain("~b");
  await expect(chat.composer).toHaveValue("typed before the update");
  const loaded = await page.evaluate(() =>
    performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname),
  );
  const files = loaded.filter((path) => /^\/static\/assets\/.*\.(js|css)$/.test(path));
  expect(files.length).toBeGreaterThan(5);
  expect(files.filter((path) => !path.includes("~b"))).toEqual([]);
  // No page of the older build is open any more.
  await expect.poll(async () => Object.keys(await cached(page)).length).toBe(1);
  await expect(notice).toHaveCount(0);

  // The operator takes the worker out of use.
  consoleWatch.allow(refusedWith(404), /bad HTTP response code \(404\)/);
  front.withoutWorker = true;
  await page.reload();
  await expect
    .poll(() => page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length))
    .toBe(0);
  expect(await cached(page)).toEqual({});
  await expect(chat.composer).toHaveValue("typed before the update");
});

/** Posts a text as the system does it, and as any page can. */
function post(page: Page, action: string, title = "A canary"): Promise<void> {
  return page.evaluate(
    ([to, said]) => {
      const form = document.createElement("form");
      Object.assign(form, { method: "post", action: to, enctype: "multipart/form-data" });
      const fields = { title: said, text: "of a share", url: "https://e.org/" };
      for (const [name, value] of Object.entries(fields)) {
        const field = document.createElement("textarea");
        Object.assign(field, { name, value });
        form.append(field);
      }
      document.body.append(form);
      form.submit();
    },
    [action, title],
  );
}

/** The question whether to take what was shared. */
function offerOn(page: Page) {
  return page.getByRole("status").filter({ hasText: "A canary of a share https://e.org/" });
}

/** The same of a share with this title, beside others. */
function offerOf(page: Page, title: string) {
  return page
    .getByRole("status")
    .locator(":scope > *")
    .filter({ hasText: `${title} of a share` });
}

test("what another app shares comes into the draft of a new chat once its reader says so, and stands in no address", async ({
  openAs,
  account,
  stack,
}) => {
  const page = await openAs(account, { origin: front.origin });
  const chat = new ChatPage(page);
  await workerIsThere(page);
  await chat.composer.fill("typed before");
  const addresses: string[] = [];
  page.on("request", (request) => addresses.push(request.url()));
  const share = () => post(page, "/share-target");
  await share();
  await offerOn(page)
    .getByRole("button", { name: chat.text("share.take") })
    .click();
  await expect(chat.composer).toHaveValue("typed before\n\nA canary\nof a share\nhttps://e.org/");
  await expect(offerOn(page)).toHaveCount(0);
  await expect(page).toHaveURL(`${front.origin}/`);
  await expect(chat.questions).toHaveCount(0);
  expect(addresses.filter((address) => /canary/i.test(address))).toEqual([]);
  expect(stack.server.output).not.toContain("canary");

  // A browser that has lost its worker: the server answers, and the page says what to do.
  await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.unregister());
  await page.reload();
  await expect(chat.composer).toBeVisible();
  await share();
  await expect(page.getByRole("status").filter({ hasText: chat.text("share.lost") })).toBeVisible();
  await expect(page).toHaveURL(`${front.origin}/`);
  expect(stack.server.output).not.toContain("canary");
});

test("what another site posts as if it were shared comes into no draft by itself, and to no next person", async ({
  openAs,
  stack,
}) => {
  // Its sign-in ends here: others go on with that of the worker's account.
  const page = await openAs(await ApiAccount.signUp(stack), { origin: front.origin });
  const chat = new ChatPage(page);
  await workerIsThere(page);
  await chat.composer.fill("typed before");
  const elsewhere = "http://elsewhere.example/";
  await page.route(elsewhere, (route) =>
    route.fulfill({ contentType: "text/html", body: '<meta name="referrer" content="no-referrer">' }),
  );
  const fromElsewhere = async () => {
    await page.goto(elsewhere);
    await post(page, `${front.origin}/share-target`);
    await expect(offerOn(page)).toBeVisible();
    await expect(chat.composer).toHaveValue("typed before");
  };
  await fromElsewhere();
  await offerOn(page)
    .getByRole("button", { name: chat.text("common.close") })
    .click();
  await expect(offerOn(page)).toHaveCount(0);
  await expect(chat.composer).toHaveValue("typed before");

  await fromElsewhere();
  await new Sidebar(page).accountAction("profile.logout");
  await expect(page).toHaveURL(/\/sign_in/);
  await expect(offerOn(page)).toHaveCount(0);
});

test("each share is asked about by itself, through a reload and the next share, and only whoever was asked first", async ({
  openAs,
  stack,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  const [first, second] = [await ApiAccount.signUp(stack), await ApiAccount.signUp(stack)];
  await second.rename(await second.ask(question), "A chat before");
  const page = await openAs(first, { origin: front.origin });
  const chat = new ChatPage(page);
  await workerIsThere(page);
  await post(page, "/share-target", "A canary, the first");
  await expect(offerOf(page, "the first")).toBeVisible();
  await post(page, "/share-target", "A canary, the second");
  await expect(offerOf(page, "the second")).toBeVisible();
  await page.reload();
  await expect(offerOf(page, "the first")).toBeVisible();
  await offerOf(page, "the second")
    .getByRole("button", { name: chat.text("share.take") })
    .click();
  await expect(chat.composer).toHaveValue("A canary, the second\nof a share\nhttps://e.org/");
  await expect(chat.composer).toBeFocused();
  await expect(offerOf(page, "the second")).toHaveCount(0);
  await expect(offerOf(page, "the first")).toBeVisible();

  // One more that its page does not take: the worker has it still when the next person comes.
  const other = await page.context().newPage();
  await other.goto(front.origin);
  await other.addInitScript(() =>
    Object.defineProperty(navigator.serviceWorker, "controller", { value: null }),
  );
  await post(other, "/share-target", "A canary that nobody took");
  await expect(other.getByRole("status").filter({ hasText: chat.text("share.lost") })).toBeVisible();
  await other.close();

  await new Sidebar(page).accountAction("profile.logout");
  await expect(page).toHaveURL(/\/sign_in/);
  expect(await keptOf(page, ["canary"])).toEqual([]);
  await new SignInPage(page).signIn(second);
  await expect(chat.composer).toBeVisible();
  await post(page, "/share-target", "A canary, the third");
  await expect(offerOf(page, "the third")).toBeVisible();
  // Taken on the page of a chat, it opens a new one.
  await new Sidebar(page).row("A chat before").click();
  await expect(chat.questions).toHaveText(question);
  await offerOf(page, "the third")
    .getByRole("button", { name: chat.text("share.take") })
    .click();
  await expect(chat.composer).toHaveValue("A canary, the third\nof a share\nhttps://e.org/");
  await expect(chat.composer).toBeFocused();
  await expect(page.getByRole("status").locator(":scope > *").filter({ hasText: "canary" })).toHaveCount(0);
});

test("where the server is away, a share and an unknown page say what they need, and come when it is back", async ({
  openAs,
  stack,
  calls,
  question,
  consoleWatch,
}) => {
  calls.expect({ answer: 1 });
  consoleWatch.allow(refusedWith(503));
  const person = await ApiAccount.signUp(stack);
  const session = await person.ask(question);
  const share = await person.share(session, [1, 2]);
  const page = await openAs(person, { origin: front.origin });
  const chat = new ChatPage(page);
  await workerIsThere(page);
  const said = (key: string) => page.getByText(chat.text(key), { exact: true });
  const path = `/share/${share}`;

  front.away = true;
  await page.goto(front.origin + path);
  await expect(said("offline.noServer")).toBeVisible();
  await expect(said("offline.share")).toBeVisible();
  await page.goto(`${front.origin}/nowhere/at/all`);
  await expect(said("offline.page")).toBeVisible();
  await expectAccessible(page, "the page without a server");

  // A browser that is taken offline for a test does not tell its workers.
  const [worker] = page.context().serviceWorkers();
  await worker?.evaluate(() => Object.defineProperty(navigator, "onLine", { value: false }));
  await page.goto(front.origin + path);
  await expect(said("offline.noNetwork")).toBeVisible();
  await page.getByRole("link", { name: chat.text("offline.retry") }).click();
  await expect(said("offline.share")).toBeVisible();
  expect(await keptOf(page, [share])).toEqual([]);

  // It is looked whether the server is back: at once where the browser tells of a network, else after a while.
  await page.evaluate(() => window.dispatchEvent(new Event("online")));
  await expect(said("offline.share")).toBeVisible();
  front.away = false;
  await page.evaluate(() => window.dispatchEvent(new Event("online")));
  await expect(chat.questions).toHaveText(question);
  await expect(page).toHaveURL(front.origin + path);
});
