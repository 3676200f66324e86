import { expect, it } from "vitest";
import { globalError } from "../testing/fake-answers.ts";
import { createFakeServer } from "../testing/fake-server.ts";
import { openPage } from "../testing/open-page.ts";

const COMPLETION = "/api/v0/chat/completion";
const NEW = "new:chat";

it.each([
  ["within its life", 60, ["session-1", "session-1"]],
  ["after it, since the server has forgotten it,", 86_400, ["session-1", "session-2"]],
])("a session that a refused message left is used %s or another is made", async (_, secs, used) => {
  const server = createFakeServer();
  const page = await openPage(server);
  server.answer(COMPLETION, () => globalError(42900, "RATE_LIMIT_REACHED", 429));
  await page.engine.turns.send(NEW, "2+2?");
  await page.browser.settle();
  page.disk.now += secs * 1000;
  await page.engine.turns.send(NEW, "2+2?");
  await page.browser.settle();
  expect(server.calls(COMPLETION).map(({ body }) => body["chat_session_id"])).toEqual(used);
  page.close();
});
