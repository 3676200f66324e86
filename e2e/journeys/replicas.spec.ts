import { ApiAccount } from "../support/api-account.ts";
import { brokenConnection, refusedWith } from "../support/checks.ts";
import { expect, test as base } from "../support/journey.ts";
import { ChatPage, plain } from "../support/pages/chat-page.ts";
import { expectOnlyGrowth, logAnswers, seenAnswers } from "../support/screen-log.ts";
import { startReplicaStack, type ReplicaStack } from "../support/start-stack.ts";

const test = base.extend<{ chat: ChatPage }, { replicas: ReplicaStack; replicaAccount: ApiAccount }>({
  replicas: [
    async ({ upstream }, use) => {
      const replicas = await startReplicaStack(upstream);
      await use(replicas);
      await replicas.close();
    },
    { scope: "worker", timeout: 120_000 },
  ],
  replicaAccount: [async ({ replicas }, use) => use(await ApiAccount.signUp(replicas)), { scope: "worker" }],
  chat: async ({ openAs, replicas, replicaAccount }, use) => {
    const page = await openAs(replicaAccount, { origin: replicas.origin });
    await logAnswers(page);
    await page.reload();
    await use(new ChatPage(page));
  },
});

test.beforeEach(({ consoleWatch }) => consoleWatch.allow(brokenConnection, refusedWith(503)));
test.afterEach(async ({ replicas }) => {
  for (const server of replicas.servers) if (!server.running) await server.restart();
  await expect.poll(() => replicas.balancer.ready().length).toBe(2);
});

test("kill -9 of the process that writes: the other one finishes the reply without a restart", async ({
  chat,
  replicas,
  replicaAccount,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 1, continuation: 1 });
  upstream.script({ match: { user: question }, tokens: 140, paceMs: 20 });
  await chat.send(question);
  await expect(chat.lastReply).toContainText("#20");
  const { owner, other } = replicas.ownerAndOther();
  await owner.kill9();
  await chat.finished();

  expect(owner.running).toBe(false);
  expect(other.running).toBe(true);
  const { answer, message } = await replicaAccount.lastReply(await chat.sessionId());
  expect(message.status).toBe("FINISHED");
  expect(answer).toBe(upstream.expected(question).answer);
  expect(plain(await chat.answer())).toBe(plain(answer));
  expectOnlyGrowth(await seenAnswers(chat.page), answer);
});

test("SIGTERM of the process that writes: it leaves, and the other one goes on", async ({
  chat,
  replicas,
  replicaAccount,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 1, continuation: 1 });
  upstream.script({ match: { user: question }, tokens: 140, paceMs: 20 });
  await chat.send(question);
  await expect(chat.lastReply).toContainText("#20");
  expect(await replicas.ownerAndOther().owner.term()).toBe(0);
  await chat.finished();
  const { answer } = await replicaAccount.lastReply(await chat.sessionId());
  expect(answer).toBe(upstream.expected(question).answer);
  expectOnlyGrowth(await seenAnswers(chat.page), answer);
});

test("a reload in the middle finds the reply on whichever process answers", async ({
  chat,
  upstream,
  calls,
  question,
}) => {
  calls.expect({ answer: 1 });
  upstream.script({ match: { user: question }, tokens: 140, paceMs: 20 });
  await chat.send(question);
  for (const offset of [60, 300]) {
    await chat.answerReaches(offset);
    await chat.page.reload();
  }
  await chat.finished();
  const { answer } = upstream.expected(question);
  expect(plain(await chat.answer())).toBe(plain(answer));
  expectOnlyGrowth(await seenAnswers(chat.page), answer);
});
