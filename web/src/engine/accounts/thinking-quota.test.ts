import { expect, test } from "vitest";
import { ok } from "../testing/fake-answers.ts";
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
