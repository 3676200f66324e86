// Turns of every kind under random faults: what the page shows in the end is what the server has.
import fc from "fast-check";
import { expect, it } from "vitest";
import { slowReply, thinkingReply } from "../testing/fake-replies.ts";
import { createFakeServer } from "../testing/fake-server.ts";
import { openPage, signedInDisk, textOf, type Page } from "../testing/open-page.ts";
import { watchStates } from "../testing/watch-states.ts";
import { clientMessage } from "../sessions/client-message.ts";
import { shortTalk, wireMessage } from "../testing/wire-message.ts";

const half = wireMessage({
  message_id: 2,
  parent_id: 1,
  role: "ASSISTANT",
  status: "INCOMPLETE",
  fragments: [{ id: 2, type: "RESPONSE", content: "hel" }],
});

const KINDS = {
  new: (page: Page) => page.engine.turns.send("s1", "2+2?"),
  regenerate: (page: Page) => page.engine.turns.regenerate("s1", 2),
  edit: (page: Page) => page.engine.turns.editMessage("s1", 1, "2+2?"),
  continue: (page: Page) => page.engine.turns.continueReply("s1", 2),
};

type Step =
  | { kind: "produce"; count: number }
  | { kind: "wait"; ms: number }
  | { kind: "cut" | "down" | "up" | "online" | "stop" | "reload" };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.integer({ min: 1, max: 5 }).map((count) => ({ kind: "produce" as const, count })),
  },
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 5000 }).map((ms) => ({ kind: "wait" as const, ms })) },
  {
    weight: 4,
    arbitrary: fc.constantFrom("cut" as const, "down" as const, "up" as const).map((kind) => ({ kind })),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom("online" as const, "stop" as const, "reload" as const)
      .map((kind) => ({ kind })),
  },
);

it("a turn under cuts, a dead network, stops and reloads ends as the server has it, with nothing twice", async () => {
  const kinds = fc.constantFrom(...(Object.keys(KINDS) as (keyof typeof KINDS)[]));
  const steps = fc.array(step, { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(kinds, fc.boolean(), steps, async (kind, isSlow, steps) => {
      const server = createFakeServer();
      server.addSession("s1", [shortTalk[0]!, half]);
      server.setEvents(isSlow ? slowReply : thinkingReply);
      const disk = signedInDisk();
      let page = await openPage(server, disk);
      const watches = [watchStates(page.engine, "s1")];
      const open = async (): Promise<void> => {
        page.engine.sessions.open("s1");
        await page.browser.settle();
      };
      const produce = (count: number): void => {
        if (server.replies.length > 0) server.produce(count);
      };
      await open();
      await KINDS[kind](page);
      await page.browser.settle();
      for (const one of steps) {
        if (one.kind === "produce") produce(one.count);
        if (one.kind === "wait") await page.browser.advance(one.ms);
        if (one.kind === "cut") server.cut();
        if (one.kind === "down" || one.kind === "up") server.setDown(one.kind === "down");
        if (one.kind === "online") page.browser.comeOnline();
        if (one.kind === "stop") page.engine.turns.stop("s1");
        if (one.kind === "reload") {
          page.close();
          page = await openPage(server, disk);
          watches.push(watchStates(page.engine, "s1"));
          await open();
        }
        await page.browser.advance(20);
      }

      // The network is back for good; the user retries what asks for it.
      server.setDown(false);
      for (let round = 0; round < 4; round++) {
        await page.browser.advance(25_000);
        produce(20);
        await page.browser.advance(6000);
        if (page.state("s1") === "historyError") page.engine.sessions.retryHistory("s1");
        const failed = page.shown("s1").find(({ hint }) => hint?.clickBehavior === "retry");
        if (failed !== undefined) page.engine.turns.retry("s1", failed.message_id);
        await page.browser.advance(1000);
      }

      expect(watches.flatMap((wrongMoves) => wrongMoves())).toEqual([]);
      expect(page.state("s1")).toBe("idle");
      const stored = new Map(server.messagesOf("s1").map((message) => [message.message_id, message]));
      const seen = page.shown("s1").map((message) => [message.message_id, message.status, textOf(message)]);
      const kept = page.shown("s1").map(({ message_id: id }) => {
        const message = stored.get(id);
        return [id, message?.status, message && textOf(clientMessage(message))];
      });
      expect(seen).toEqual(kept);
      expect(page.shown("s1").every(({ generateState }) => generateState === null)).toBe(true);
      const requests = [...stored.values()].filter(({ fragments }) =>
        fragments.some((fragment) => "content" in fragment && fragment.content === "2+2?"),
      );
      expect(requests.length).toBeLessThanOrEqual(1);
      // What has arrived is not offered to be sent again.
      const typed = Object.values(page.engine.sessions.store.getState().drafts).includes("2+2?");
      expect(requests.length + (typed ? 1 : 0)).toBeLessThanOrEqual(1);
      page.close();
    }),
    { numRuns: process.env["TEST_LONG"] === "1" ? 400 : 15 },
  );
}, 600_000);
