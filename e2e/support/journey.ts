// The test of every journey: one stack and one account per worker, a watched page per test.
import { test as base, type BrowserContext, type Page } from "@playwright/test";
import { ApiAccount } from "./api-account.ts";
import { expectAccessible } from "./accessible.ts";
import { ConsoleWatch, UpstreamWatch } from "./checks.ts";
import { ChatPage } from "./pages/chat-page.ts";
import { Sidebar } from "./pages/sidebar.ts";
import type { Settings } from "./server-process.ts";
import { startScriptedUpstream, type ScriptedUpstream } from "./scripted-upstream.ts";
import { startSingleStack, type SingleStack } from "./start-stack.ts";

interface WorkerFixtures {
  upstream: ScriptedUpstream;
  stack: SingleStack;
  account: ApiAccount;
}

interface TestFixtures {
  consoleWatch: ConsoleWatch;
  calls: UpstreamWatch;
  /** A signed-in page at the root. */
  chat: ChatPage;
  sidebar: Sidebar;
  /** A question that no other journey asks, so that its script is its own. */
  question: string;
  startStack: StartStack;
  openAs: OpenAs;
}

/** Starts a server with settings of its own. It runs until the pages are closed: what they still ask for is answered. */
type StartStack = (settings: Settings) => Promise<SingleStack>;

/** Opens a signed-in page in a browser context of its own. */
export type OpenAs = (
  account: ApiAccount | null,
  where?: { origin?: string; path?: string; preferences?: Record<string, unknown> },
) => Promise<Page>;

const preferencesKey = "plumb.preferences";

/**
 * What the page finds in its storage when it comes. Playwright's own way opens one more page for it in each context,
 * which takes as long as the page itself.
 */
async function giveStorage(
  page: Page,
  { origin, account, preferences }: { origin: string; account: ApiAccount | null; preferences: object },
) {
  const items: [string, string][] = [[preferencesKey, JSON.stringify(preferences)]];
  if (account !== null) items.push(["plumb.token", account.token]);
  return page.addInitScript(
    (given) => {
      if (location.origin !== given.origin || window !== window.top) return;
      // Once: what the page makes of it later is its own.
      if (localStorage.getItem(given.preferencesKey) !== null) return;
      for (const [key, value] of given.items) localStorage.setItem(key, value);
    },
    { origin, preferencesKey, items },
  );
}

let questions = 0;

export const test = base.extend<TestFixtures, WorkerFixtures>({
  upstream: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures a fixture needs from this pattern.
    async ({}, use) => {
      const upstream = await startScriptedUpstream();
      await use(upstream);
      await upstream.close();
    },
    { scope: "worker" },
  ],
  stack: [
    async ({ upstream }, use) => {
      const stack = await startSingleStack(upstream);
      await use(stack);
      await stack.close();
    },
    { scope: "worker", timeout: 90_000 },
  ],
  account: [
    async ({ stack }, use) => {
      await use(await ApiAccount.signUp(stack));
    },
    { scope: "worker", timeout: 60_000 },
  ],
  consoleWatch: [
    // oxlint-disable-next-line no-empty-pattern -- as above
    async ({}, use, testInfo) => {
      const watch = new ConsoleWatch();
      await use(watch);
      if (testInfo.status === testInfo.expectedStatus) watch.check();
    },
    { auto: true },
  ],
  calls: [
    async ({ upstream, stack }, use, testInfo) => {
      upstream.control({ reset: true });
      const watch = new UpstreamWatch(upstream);
      const from = stack.server.output.length;
      await use(watch);
      if (testInfo.status === testInfo.expectedStatus) return watch.check();
      const calls = watch.calls.map(({ kind, question, position, state }) => ({
        kind,
        question,
        position,
        state,
      }));
      await testInfo.attach("model calls", {
        body: JSON.stringify(calls, null, 1),
        contentType: "application/json",
      });
      await testInfo.attach("server log", {
        body: stack.server.output.slice(from),
        contentType: "text/plain",
      });
    },
    { auto: true },
  ],
  startStack: async ({ upstream }, use) => {
    const stacks: SingleStack[] = [];
    await use(async (settings) => {
      const stack = await startSingleStack(upstream, settings);
      stacks.push(stack);
      return stack;
    });
    for (const stack of stacks) await stack.close();
  },
  openAs: async (
    // oxlint-disable-next-line no-unused-vars -- naming startStack closes the pages before its servers
    { browser, stack, startStack: _, consoleWatch, contextOptions, viewport, isMobile, hasTouch },
    use,
    testInfo,
  ) => {
    const contexts: BrowserContext[] = [];
    const lastPages: Page[] = [];
    await use(async (account, { origin = stack.origin, path = "/", preferences = {} } = {}) => {
      const context = await browser.newContext({
        ...contextOptions,
        viewport,
        isMobile,
        hasTouch,
        locale: "en-US",
        colorScheme: "light",
        reducedMotion: "reduce",
        baseURL: origin,
      });
      contexts.push(context);
      const page = await context.newPage();
      lastPages.push(page);
      consoleWatch.watch(page);
      const storage = await giveStorage(page, { origin, account, preferences });
      await page.goto(path);
      // A page elsewhere has yet to come to its storage.
      if (page.url().startsWith(origin)) await storage.dispose();
      return page;
    });
    if (testInfo.status === testInfo.expectedStatus) {
      for (const page of lastPages)
        if (!page.isClosed()) await expectAccessible(page, `the end of ${testInfo.title}`);
    } else {
      for (const [index, page] of lastPages.entries()) {
        if (page.isClosed()) continue;
        await testInfo.attach(`page ${index + 1}`, {
          body: await page.screenshot(),
          contentType: "image/png",
        });
      }
    }
    for (const context of contexts) await context.close();
  },
  chat: async ({ openAs, account }, use) => {
    await use(new ChatPage(await openAs(account)));
  },
  sidebar: async ({ chat }, use) => {
    await use(new Sidebar(chat.page));
  },
  // oxlint-disable-next-line no-empty-pattern -- as above
  question: async ({}, use) => {
    questions += 1;
    await use(`Question number ${questions} of these journeys`);
  },
});

export { expect } from "@playwright/test";
