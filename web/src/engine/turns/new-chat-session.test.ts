import { expect, it } from "vitest";
import { globalError, ok } from "../testing/fake-answers.ts";
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

it("a session that came when its account had left is nothing to the next one", async () => {
  const server = createFakeServer();
  const page = await openPage(server);
  const [usual, held] = [server.network, [] as (() => void)[]];
  server.answer("/api/v0/chat_session/create", async ({ path, headers }) => {
    server.answerAsUsual("/api/v0/chat_session/create");
    const made = await usual(path, { method: "POST", headers, body: "{}" });
    await new Promise<void>((resolve) => held.push(resolve));
    return made;
  });
  void page.engine.turns.send(NEW, "2+2?");
  await page.browser.settle();
  await page.engine.accounts.signOut();
  const user = { id: "user-2", token: "token-2", chat: { is_muted: 0, mute_until: null } };
  server.answer("/api/v0/users/login", () => ok({ code: 0, msg: "", user }));
  await page.engine.accounts.signIn({ identifier: "b@b.co", password: "12345678" });
  for (const answer of held) answer();
  await page.browser.settle();
  await page.engine.turns.send(NEW, "3+3?");
  await page.browser.settle();
  expect(server.calls(COMPLETION).map(({ body }) => body["chat_session_id"])).toEqual(["session-2"]);
  page.close();
});
