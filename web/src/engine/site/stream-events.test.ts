import { expect, test } from "vitest";
import { ok } from "../testing/fake-answers.ts";
import { createFakeServer } from "../testing/fake-server.ts";
import { openPage } from "../testing/open-page.ts";
import { createStreamEvents } from "./stream-events.ts";

async function eventsOfATalk(enableEventsDisplay: boolean) {
  const server = createFakeServer();
  server.addSession("s1");
  const settings = { flags: { enableEventsDisplay }, ab_tests: {}, limits: {}, agents: [], models: [] };
  const offers = { thinking: { available: true }, search: { available: false } };
  server.answer("/api/v0/client/settings", () => ok({ ...settings, ...offers }));
  const page = await openPage(server);
  page.engine.sessions.open("s1");
  await page.browser.settle();
  await page.engine.turns.send("s1", "2+2?");
  await page.browser.settle();
  server.produce(50);
  await page.browser.advance(20);
  const types = page.engine.site.streamEvents.getState().events.map(({ type }) => type);
  await page.engine.accounts.signOut();
  expect(page.engine.site.streamEvents.getState().events).toEqual([]);
  page.close();
  return types;
}

test("the events of a reply are kept as they came, and only with the flag", async () => {
  const types = await eventsOfATalk(true);
  expect([types[0], types.at(-1)]).toEqual(["ready", "close"]);
  expect(types).toContain("delta");
  expect(await eventsOfATalk(false)).toEqual([]);
});

test("the oldest of many events go", () => {
  const { keep, store } = createStreamEvents(() => true);
  for (let id = 1; id <= 2000; id += 1) keep({ type: "finish", data: {}, id });
  expect(store.getState().events.map(({ id }) => id)).toEqual(
    Array.from({ length: 500 }, (_none, index) => 1501 + index),
  );
});
