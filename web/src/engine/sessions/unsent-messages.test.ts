// A message that was refused stays on show, and its chat hears of other devices all the same.
import {
  insertMessage,
  shownBranch,
  showMessage,
  treeOf,
  type MessageTree,
} from "@plumb/protocol/conversation/message-tree";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { globalError } from "../testing/fake-answers.ts";
import { createFakeServer } from "../testing/fake-server.ts";
import { openPage, type Page } from "../testing/open-page.ts";
import { shortTalk, wireMessage } from "../testing/wire-message.ts";
import { clientMessage, type ClientMessage } from "./client-message.ts";
import { withUnsentOf } from "./unsent-messages.ts";

const COMPLETION = "/api/v0/chat/completion";
const REGENERATE = "/api/v0/chat/regenerate";
const EDIT = "/api/v0/chat/edit_message";
const WHOLE = "Two plus two 🧮|Four, 四.";

const ids = (page: Page): number[] => page.shown("s1").map(({ message_id }) => message_id);
const tooFast = () => globalError(42900, "RATE_LIMIT_REACHED", 429);

/** Two devices on one session; what the first sends to `path` is refused until `allow`. */
async function refusedAt(path: string, begin: (page: Page) => Promise<boolean>) {
  const server = createFakeServer();
  server.addSession("s1", shortTalk);
  const [desktop, phone] = [await openPage(server), await openPage(server)];
  for (const page of [desktop, phone]) {
    page.engine.sessions.open("s1");
    await page.browser.settle();
  }
  server.answer(path, tooFast);
  await begin(desktop);
  await desktop.browser.settle();
  server.answerAsUsual(path);
  return {
    server,
    desktop,
    phone,
    async phoneSends(prompt: string): Promise<void> {
      await phone.engine.turns.send("s1", prompt);
      await phone.browser.settle();
    },
    async finish(page: Page): Promise<void> {
      server.produce(30);
      await page.browser.advance(20);
    },
    close(): void {
      desktop.close();
      phone.close();
    },
  };
}

describe("a chat with a message that was refused", () => {
  it("shows and streams what another device asks, with the refused message below it and its retry", async () => {
    const { server, desktop, phoneSends, finish, close } = await refusedAt(COMPLETION, (page) =>
      page.engine.turns.send("s1", "refused"),
    );
    const unsent = desktop.shown("s1").at(-1)!;
    await phoneSends("from the phone");
    server.produce(4);
    await desktop.browser.advance(5100);
    expect(desktop.state("s1")).toBe("completing");
    expect(ids(desktop)).toEqual([1, 2, 3, 4, unsent.message_id]);
    expect(desktop.shown("s1").at(-1)).toMatchObject({ key: unsent.key, hint: unsent.hint });
    await finish(desktop);
    expect(desktop.state("s1")).toBe("idle");
    desktop.engine.turns.retry("s1", unsent.message_id);
    await desktop.browser.settle();
    expect(server.calls(COMPLETION).at(-1)?.body).toMatchObject({
      parent_message_id: 4,
      known_last_message_id: 4,
      prompt: "refused",
    });
    await finish(desktop);
    expect(ids(desktop)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(desktop.text("s1")).toBe(WHOLE);
    close();
  });

  it("keeps a refused edit beside what it edits", async () => {
    const { desktop, phoneSends, finish, close } = await refusedAt(EDIT, (page) => {
      page.engine.turns.startEdit("s1", 1);
      return page.engine.turns.editMessage("s1", 1, "refused");
    });
    const unsent = desktop.shown("s1").at(-1)!;
    await phoneSends("from the phone");
    await desktop.browser.advance(5100);
    await finish(desktop);
    expect(desktop.shown("s1")).toMatchObject([{ key: unsent.key, parent_id: null, hint: unsent.hint }]);
    desktop.engine.sessions.switchBranch("s1", 1);
    expect(ids(desktop)).toEqual([1, 2, 3, 4]);
    expect(desktop.text("s1")).toBe(WHOLE);
    close();
  });

  it("keeps the notice of a refused regenerate at its reply", async () => {
    const { desktop, phoneSends, close } = await refusedAt(REGENERATE, (page) =>
      page.engine.turns.regenerate("s1", 2),
    );
    await phoneSends("from the phone");
    await desktop.browser.advance(5100);
    expect(ids(desktop)).toEqual([1, 2, 3, 4]);
    expect(desktop.shown("s1")[1]).toMatchObject({ hint: { clickBehavior: "retry" } });
    close();
  });

  it("[STRM-033] finds the running reply that refused it at once, without a reload", async () => {
    const server = createFakeServer();
    server.addSession("s1", shortTalk);
    const [desktop, phone] = [await openPage(server), await openPage(server)];
    for (const page of [desktop, phone]) {
      page.engine.sessions.open("s1");
      await page.browser.settle();
    }
    await phone.engine.turns.send("s1", "from the phone");
    await phone.browser.settle();
    server.produce(4);
    await desktop.engine.turns.send("s1", "refused");
    await desktop.browser.settle();
    expect(desktop.state("s1")).toBe("completing");
    expect(ids(desktop).slice(0, 4)).toEqual([1, 2, 3, 4]);
    expect(desktop.shown("s1").at(-1)).toMatchObject({ hint: { text: { key: "lastMessageInProgress" } } });
    server.produce(30);
    await desktop.browser.advance(20);
    expect(desktop.state("s1")).toBe("idle");
    expect(desktop.shown("s1")[3]?.status).toBe("FINISHED");
    desktop.close();
    phone.close();
  });

  it("shows a send once that was held to be lost and had arrived", async () => {
    const server = createFakeServer();
    server.addSession("s1", shortTalk);
    const page = await openPage(server);
    page.engine.sessions.open("s1");
    await page.browser.settle();
    await page.engine.turns.send("s1", "2+2?");
    await page.browser.settle();
    server.setDown(true);
    server.cut();
    await page.browser.advance(70_000);
    expect(page.shown("s1").at(-2)).toMatchObject({ hint: { clickBehavior: "retry" } });
    expect(page.engine.sessions.store.getState().drafts).toEqual({ s1: "2+2?" });
    server.setDown(false);
    server.produce(4);
    await page.browser.advance(60_000);
    expect(ids(page)).toEqual([1, 2, 3, 4]);
    expect(page.state("s1")).toBe("completing");
    expect(page.engine.sessions.store.getState().drafts).toEqual({});
    server.produce(30);
    await page.browser.advance(20);
    expect(page.text("s1")).toBe(WHOLE);
    expect(server.calls(COMPLETION)).toHaveLength(1);
    page.close();
  });
});

describe("the messages of before that were never stored", () => {
  const message = (id: number, parentId: number | null): ClientMessage =>
    clientMessage(
      wireMessage({
        message_id: id,
        parent_id: parentId,
        role: parentId === null || Math.abs(id) % 2 === 1 ? "USER" : "ASSISTANT",
        client_stream_id: id < 0 ? `unsent${id}` : null,
      }),
    );

  /** Questions odd, replies even; every question stands under a reply or is a root. */
  const talks = fc.array(fc.tuple(fc.boolean(), fc.nat()), { minLength: 1, maxLength: 12 }).map((steps) => {
    const messages: ClientMessage[] = [];
    for (const [isRoot, pick] of steps) {
      const replies = messages.filter(({ role }) => role === "ASSISTANT");
      const above = isRoot ? undefined : replies[pick % Math.max(1, replies.length)];
      const user = message(messages.length + 1, above?.message_id ?? null);
      messages.push(user, message(messages.length + 2, user.message_id));
    }
    return messages;
  });

  it("stand in the new tree where they were on show, and the stored ones are exactly those of the new tree", () => {
    fc.assert(
      fc.property(talks, fc.nat(), fc.nat(), fc.boolean(), (all, cut, at, withReply) => {
        const known = all.slice(0, 2 * (cut % (all.length / 2 + 1)));
        const replies = known.filter(({ role }) => role === "ASSISTANT");
        const parent = replies[at % Math.max(1, replies.length)]?.message_id ?? null;
        let before: MessageTree<ClientMessage> = insertMessage(treeOf(known, null), message(-3, parent));
        if (withReply) before = insertMessage(before, message(-4, -3));
        const fresh = treeOf(all, parent);
        const tree = withUnsentOf(fresh, before);
        const unsent = withReply ? [-3, -4] : [-3];
        expect(shownBranch(tree).slice(-unsent.length)).toEqual(unsent);
        expect(new Set([...tree.nodes.keys()].filter((id) => id > 0))).toEqual(new Set(fresh.nodes.keys()));
        // Not on show before: it is there, and what is on show is not moved.
        const aside = known.reduce((tree, { message_id: id }) => showMessage(tree, id), before);
        if (shownBranch(aside).includes(-3) || shownBranch(fresh).at(-1) === parent) return;
        const hidden = withUnsentOf(fresh, aside);
        expect(hidden.nodes.has(-3)).toBe(true);
        expect(shownBranch(hidden)).toEqual(shownBranch(fresh));
      }),
    );
  });

  it("go where the question above is gone, and where the server has them", () => {
    const reply = message(-4, 1);
    const before = insertMessage(treeOf([message(1, null)], null), reply);
    expect(withUnsentOf(treeOf([message(3, null)], null), before).nodes.has(-4)).toBe(false);
    const arrived = { ...message(2, 1), client_stream_id: reply.client_stream_id };
    expect(withUnsentOf(treeOf([message(1, null), arrived], null), before).nodes.has(-4)).toBe(false);
  });
});
