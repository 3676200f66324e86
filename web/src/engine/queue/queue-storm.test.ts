// Queued messages under random events: none is sent twice, and none is lost.
import fc from "fast-check";
import { expect, it } from "vitest";
import { loadQueue } from "../load-queue.ts";
import { nextDraftKey } from "../sessions/edit-drafts.ts";
import { KEPT_DRAFTS } from "../sessions/kept-under.ts";
import type { Disk } from "../testing/fake-browser.ts";
import { createFakeServer } from "../testing/fake-server.ts";
import { openPage, signedInDisk, type Page } from "../testing/open-page.ts";
import { shortTalk } from "../testing/wire-message.ts";

// As on a page that somebody touched.
await loadQueue();

const KEY = "s1";

type Step =
  | { kind: "produce"; count: number }
  | { kind: "wait"; ms: number }
  | { kind: "queue" | "edit" | "withdraw" | "sendNow" | "stop"; inOther: boolean }
  | { kind: "cut" | "down" | "up" | "reload" | "openOther" | "closeOther" };

const byHand = fc
  .constantFrom("queue", "queue", "edit", "withdraw", "sendNow", "stop")
  .chain((kind) => fc.boolean().map((inOther) => ({ kind, inOther }) as Step));
const byItself = fc.constantFrom<Step[]>(
  { kind: "cut" },
  { kind: "down" },
  { kind: "up" },
  { kind: "reload" },
  { kind: "openOther" },
  { kind: "closeOther" },
);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(1, 3, 20).map((count) => ({ kind: "produce" as const, count })) },
  { weight: 2, arbitrary: fc.constantFrom(1, 50, 3000).map((ms) => ({ kind: "wait" as const, ms })) },
  { weight: 5, arbitrary: byHand },
  { weight: 3, arbitrary: byItself },
);

/** What is stored of this draft, whichever tab has typed it. */
function keptTextAt({ values }: Disk, key: string): string {
  const kept = JSON.parse(values.get(KEPT_DRAFTS) ?? "{}") as { texts?: Record<string, string> };
  return kept.texts?.[key] ?? "";
}

it("under stops, reloads, other tabs and a dead network no queued message is sent twice or lost", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
      const server = createFakeServer();
      server.addSession(KEY, shortTalk);
      const disk = signedInDisk();
      const open = async (): Promise<Page> => {
        const page = await openPage(server, disk);
        page.engine.sessions.open(KEY);
        await page.browser.advance(10);
        return page;
      };
      let page = await open();
      let other: Page | null = null;
      const pass = async (ms: number): Promise<void> => {
        await page.browser.advance(ms);
        await other?.browser.advance(ms);
      };
      const produce = async (count: number): Promise<void> => {
        server.produce(count);
        await pass(20);
      };
      await page.engine.turns.send(KEY, "2+2?");
      await page.browser.settle();
      await produce(4);

      const queuedTexts: string[] = [];
      const withdrawn = new Set<string>();
      const draftsOf = (of: Page): string =>
        Object.values(of.engine.sessions.store.getState().drafts).join("\n");
      for (const one of steps) {
        const at: Page = "inOther" in one && one.inOther && other !== null ? other : page;
        const { queue, sessions, turns } = at.engine;
        switch (one.kind) {
          case "produce":
            await produce(one.count);
            break;
          case "wait":
            await pass(one.ms);
            break;
          case "queue": {
            // A tab has its own composer; another's draft is not to be overwritten there.
            const typed = sessions.store.getState().drafts[KEY] ?? "";
            const text = `(N${queuedTexts.length + 1})`;
            if (at.state(KEY) !== "completing") break;
            queuedTexts.push(text);
            sessions.setDraft(KEY, typed === "" ? text : `${typed}\n\n${text}`);
            queue.add(KEY);
            break;
          }
          case "withdraw": {
            // What another tab has queued counts, too, though this one has not shown it yet.
            const next = keptTextAt(disk, nextDraftKey(KEY));
            for (const text of queuedTexts) if (next.includes(text)) withdrawn.add(text);
            queue.withdraw(KEY);
            break;
          }
          case "edit":
          case "sendNow":
            queue[one.kind](KEY);
            break;
          case "stop":
            turns.stop(KEY);
            break;
          case "cut":
            server.cut();
            break;
          case "down":
          case "up":
            server.setDown(one.kind === "down");
            break;
          case "reload":
            page.browser.leave();
            page.close();
            page = await open();
            break;
          case "openOther":
            other ??= await open();
            break;
          case "closeOther":
            other?.browser.leave();
            other?.close();
            // What it had taken back to edit comes to this tab a moment later.
            if (other !== null) await pass(3000);
            other = null;
        }
        await pass(10);
      }
      server.setDown(false);
      for (let round = 0; round < 4; round += 1) {
        await produce(100);
        await pass(8000);
      }
      page.browser.leave();
      other?.browser.leave();
      const sent = server
        .messagesOf(KEY)
        .filter(({ role }) => role === "USER")
        .map(({ fragments }) => JSON.stringify(fragments));
      const left = [page, ...(other === null ? [] : [other])].map(draftsOf).join("\n");
      for (const text of queuedTexts) {
        const times = sent.filter((prompt) => prompt.includes(text)).length;
        expect(times, `${text} was sent`).toBeLessThanOrEqual(1);
        if (times === 0 && !withdrawn.has(text)) expect(left).toContain(text);
      }
      page.close();
      other?.close();
    }),
    {
      numRuns: process.env["TEST_LONG"] === "1" ? 400 : 12,
      examples: [
        // A tab is closed with what it had queued.
        [[{ kind: "openOther" }, { kind: "queue", inOther: true }, { kind: "closeOther" }]],
        // One is sent and stopped at once, and another tab opens before what was typed is put away.
        [
          [
            { kind: "queue", inOther: false },
            { kind: "produce", count: 20 },
            { kind: "stop", inOther: false },
            { kind: "openOther" },
            { kind: "sendNow", inOther: true },
          ],
        ],
        // Two tabs: one sends what it had queued while the other, which does not know that, queues more.
        [
          [
            { kind: "openOther" },
            { kind: "queue", inOther: false },
            { kind: "produce", count: 20 },
            { kind: "queue", inOther: true },
            { kind: "wait", ms: 1 },
          ],
        ],
        // One learns that what it sent has arrived after the other has queued more in its place.
        [
          [
            { kind: "queue", inOther: false },
            { kind: "produce", count: 20 },
            { kind: "openOther" },
            { kind: "queue", inOther: true },
            { kind: "cut" },
          ],
        ],
        // One is closed with what it had taken back to edit.
        [
          [
            { kind: "openOther" },
            { kind: "queue", inOther: false },
            { kind: "edit", inOther: true },
            { kind: "closeOther" },
            { kind: "queue", inOther: false },
          ],
        ],
      ],
    },
  );
}, 600_000);
