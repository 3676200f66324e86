import { brokenConnection } from "../support/checks.ts";
import { expect, test } from "../support/journey.ts";
import { ChatPage } from "../support/pages/chat-page.ts";

const WORKER = "**/*proof-of-work.worker*";
const PLAIN_HASH = /\/(?:sha256|solve-on-page)-[\w-]+\.js$/;

test("where WebAssembly is refused the worker hashes in plain script", async ({
  openAs,
  account,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  const page = await openAs(account);
  await page.route(WORKER, async (route) => {
    const response = await route.fetch();
    const policy = "default-src 'none'; script-src 'self'; connect-src 'self'";
    await route.fulfill({ response, headers: { ...response.headers(), "content-security-policy": policy } });
  });
  const hashLoaded = page.waitForRequest((request) => PLAIN_HASH.test(request.url()));
  await page.reload();
  const chat = new ChatPage(page);
  await chat.send(question);
  await hashLoaded;
  await chat.finished();
  await expect(chat.questions).toHaveText(question);
});

test("where no worker starts the page itself hashes", async ({
  openAs,
  account,
  calls,
  question,
  consoleWatch,
}) => {
  calls.expect({ answer: 1 });
  consoleWatch.allow(brokenConnection);
  const page = await openAs(account);
  await page.route(WORKER, (route) => route.abort());
  const hashLoaded = page.waitForRequest((request) => PLAIN_HASH.test(request.url()));
  await page.reload();
  const chat = new ChatPage(page);
  await chat.send(question);
  await hashLoaded;
  await chat.finished();
  await expect(chat.questions).toHaveText(question);
});
