import { expect, test } from "vitest";
import { ok, refused } from "../testing/fake-answers.ts";
import { createFakeServer } from "../testing/fake-server.ts";
import { thinkingReply } from "../testing/fake-replies.ts";
import { openPage } from "../testing/open-page.ts";

test("what is left of deep thinking is asked at the start, told by replies, and goes with the account [ENG-026]", async () => {
  const quota = { quota: 50, used: 3, reset_at: 1_790_006_400 };
  const server = createFakeServer();
  server.answer("/api/v0/users/feature_quota", () => ok({ thinking: quota }));
  server.addSession("s1");
  server.setEvents((requestId, responseId, clientStreamId) =>
    thinkingReply(requestId, responseId, clientStreamId).map((event) =>
      event.type === "update_session"
        ? { ...event, data: { ...event.data, thinking_quota: { ...quota, used: 4 } } }
        : event,
    ),
  );
  const page = await openPage(server);
  const { engine, browser } = page;
  expect(engine.accounts.thinkingQuota.getState()).toEqual({ quota });
  engine.sessions.open("s1");
  await browser.settle();
  await engine.turns.send("s1", "2+2?");
  await browser.settle();
  server.produce(15);
  await browser.advance(20);
  expect(engine.accounts.thinkingQuota.getState()).toEqual({ quota: { ...quota, used: 4 } });
  await engine.accounts.signOut();
  expect(engine.accounts.thinkingQuota.getState()).toEqual({ quota: null });
  page.close();
});

test("a page that is left open asks again when the new day has begun, and then not before the next [ENG-026] [ENG-027]", async () => {
  const server = createFakeServer();
  let used = 50;
  let resetAt = 1_790_000_000 + 600;
  server.answer("/api/v0/users/feature_quota", () =>
    ok({ thinking: { quota: 50, used, reset_at: resetAt } }),
  );
  const page = await openPage(server);
  const { engine, browser } = page;
  const asked = () => server.calls("/api/v0/users/feature_quota").length;
  await browser.advance(599_000);
  expect(asked()).toBe(1);
  used = 0;
  resetAt += 86_400;
  await browser.advance(70_000);
  expect(asked()).toBe(2);
  expect(engine.accounts.thinkingQuota.getState().quota).toMatchObject({ used: 0 });
  await browser.advance(1_200_000);
  expect(asked()).toBe(2);
  page.close();
});

test("a machine that slept over the end of the day asks soon after it woke up [ENG-026]", async () => {
  const server = createFakeServer();
  let used = 3;
  const resetAt = 1_790_000_000 + 7200;
  server.answer("/api/v0/users/feature_quota", () => ok({ thinking: { quota: 3, used, reset_at: resetAt } }));
  const page = await openPage(server);
  await page.browser.advance(60_000);
  used = 0;
  // Timers stand still meanwhile: each is as far away after it as before.
  page.browser.sleep(22 * 3_600_000);
  await page.browser.advance(40_000);
  expect(server.calls("/api/v0/users/feature_quota")).toHaveLength(2);
  expect(page.engine.accounts.thinkingQuota.getState().quota).toMatchObject({ used: 0 });
  page.close();
});

test("a clock that is fast does not make the page ask all the time", async () => {
  const server = createFakeServer();
  const quota = { quota: 50, used: 3, reset_at: 1_790_000_000 - 3600 };
  server.answer("/api/v0/users/feature_quota", () => ok({ thinking: quota }));
  const page = await openPage(server);
  await page.browser.advance(290_000);
  expect(server.calls("/api/v0/users/feature_quota")).toHaveLength(1);
  await page.engine.accounts.signOut();
  await page.browser.advance(600_000);
  expect(server.calls("/api/v0/users/feature_quota")).toHaveLength(1);
  page.close();
});

test("a message that is refused for want of it tells what is left: nothing [ENG-027]", async () => {
  const quota = { quota: 50, used: 3, reset_at: 1_790_006_400 };
  const server = createFakeServer();
  server.answer("/api/v0/users/feature_quota", () => ok({ thinking: quota }));
  server.addSession("s1");
  server.answer("/api/v0/chat/completion", () =>
    refused(15, "THINKING_QUOTA_EXCEEDED", { ...quota, used: 50 }),
  );
  const page = await openPage(server);
  page.engine.sessions.open("s1");
  await page.browser.settle();
  await page.engine.turns.send("s1", "2+2?");
  await page.browser.settle();
  expect(page.engine.accounts.thinkingQuota.getState().quota).toEqual({ ...quota, used: 50 });
  page.close();
});
