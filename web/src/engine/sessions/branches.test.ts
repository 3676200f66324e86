import {
  insertMessage,
  removeMessage,
  replaceMessage,
  showMessage,
  shownBranch,
  treeOf,
} from "@plumb/protocol/conversation/message-tree";
import type { Message } from "@plumb/protocol/conversation/message";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { globalError } from "../testing/fake-answers.ts";
import { createFakeBrowser, emptyDisk } from "../testing/fake-browser.ts";
import { createFakeServer } from "../testing/fake-server.ts";
import { openPage, signedInDisk, textOf, type Page } from "../testing/open-page.ts";
import { wireMessage } from "../testing/wire-message.ts";
import { createBranches } from "./branches.ts";
import { clientMessage, type ClientMessage } from "./client-message.ts";
import { createSessionStore } from "./session-store.ts";

const STORED_AS = "plumb.branches";

/** 1 → 2, 3 (two replies); 3 → 4 → 5; 4 has a sibling 6 → 7. */
const FORKED: Message[] = [
  wireMessage({ message_id: 1, parent_id: null, role: "USER" }),
  wireMessage({ message_id: 2, parent_id: 1, role: "ASSISTANT" }),
  wireMessage({ message_id: 3, parent_id: 1, role: "ASSISTANT" }),
  wireMessage({ message_id: 4, parent_id: 3, role: "USER" }),
  wireMessage({ message_id: 5, parent_id: 4, role: "ASSISTANT" }),
  wireMessage({ message_id: 6, parent_id: 3, role: "USER" }),
  wireMessage({ message_id: 7, parent_id: 6, role: "ASSISTANT" }),
];

async function openForked() {
  const server = createFakeServer();
  server.addSession("s1", FORKED);
  const disk = signedInDisk();
  const open = async (): Promise<Page> => {
    const page = await openPage(server, disk);
    page.engine.sessions.open("s1");
    await page.browser.settle();
    return page;
  };
  const page = await open();
  const finish = async (of: Page): Promise<void> => {
    server.produce(20);
    await of.browser.advance(20);
  };
  const reload = async (of: Page): Promise<Page> => {
    of.close();
    return open();
  };
  return { server, disk, page, finish, reload };
}

const ids = (page: Page): number[] => page.shown("s1").map(({ message_id }) => message_id);
const kept = (page: Page): unknown => JSON.parse(page.disk.values.get(STORED_AS) ?? "{}");

describe("the branch a reader looks at", () => {
  it("is the leaf last sent to at first, and the chosen one after a switch, over a reload too", async () => {
    const { page, reload } = await openForked();
    expect(ids(page)).toEqual([1, 3, 6, 7]);
    page.engine.sessions.switchBranch("s1", 4);
    expect(ids(page)).toEqual([1, 3, 4, 5]);
    page.engine.sessions.switchBranch("s1", 2);
    expect(ids(page)).toEqual([1, 2]);
    const again = await reload(page);
    expect(ids(again)).toEqual([1, 2]);
    again.engine.sessions.switchBranch("s1", 3);
    expect(ids(again)).toEqual([1, 3, 6, 7]);
    again.close();
  });

  it("is each tab's own over its reload; a tab that is new to the chat shows what was chosen last in any", async () => {
    const { server, page, reload } = await openForked();
    page.engine.sessions.switchBranch("s1", 2);
    await page.browser.advance(500);
    const openTab = async (): Promise<Page> => {
      const tab = await openPage(server, { ...page.disk, tabValues: new Map() });
      tab.engine.sessions.open("s1");
      await tab.browser.settle();
      return tab;
    };
    const second = await openTab();
    expect(ids(second)).toEqual([1, 2]);
    second.engine.sessions.switchBranch("s1", 3);
    await second.browser.advance(500);
    const third = await openTab();
    expect(ids(third)).toEqual([1, 3, 6, 7]);
    const again = await reload(page);
    expect(ids(again)).toEqual([1, 2]);
    for (const tab of [again, second, third]) tab.close();
  });

  it("takes the panel of the branch before away [FILE-042]", async () => {
    const { page } = await openForked();
    const { site, sessions } = page.engine;
    site.openPanel({ kind: "html", language: "html", code: "<p>" });
    sessions.switchBranch("s1", 4);
    expect(site.overlays.getState().panel?.phase).toBe("closing");
    page.close();
  });

  it.each<[what: string, turn: (page: Page) => Promise<boolean>]>([
    ["a regenerate", ({ engine }) => engine.turns.regenerate("s1", 7)],
    ["an edit", ({ engine }) => engine.turns.editMessage("s1", 6, "Other")],
  ])("takes it away with the branch that %s begins [FILE-042]", async (_what, turn) => {
    const { page } = await openForked();
    const { site } = page.engine;
    site.openPanel({ kind: "html", language: "html", code: "<p>" });
    expect(await turn(page)).toBe(true);
    expect(site.overlays.getState().panel?.phase).not.toBe("open");
    page.close();
  });

  it("goes back below a switch to what was shown there last, after a history that came meanwhile too", async () => {
    const { server, page } = await openForked();
    page.engine.sessions.switchBranch("s1", 4);
    page.engine.sessions.switchBranch("s1", 2);
    server.addSession("s1", [...FORKED, wireMessage({ message_id: 8, parent_id: 7, role: "USER" })]);
    page.browser.setVisible(true);
    await page.browser.settle();
    page.engine.sessions.switchBranch("s1", 3);
    expect(ids(page)).toEqual([1, 3, 4, 5]);
    page.close();
  });

  it("survives a regenerate, an edit and a send, each with a reload in the middle of its reply and after it", async () => {
    const { server, page: first, finish, reload } = await openForked();
    let page = first;
    page.engine.sessions.switchBranch("s1", 2);
    const turns: [(page: Page) => Promise<boolean>, number[]][] = [
      [({ engine }) => engine.turns.regenerate("s1", 2), [1, 8]],
      [({ engine }) => engine.turns.send("s1", "on"), [1, 8, 9, 10]],
      [({ engine }) => engine.turns.editMessage("s1", 9, "other"), [1, 8, 11, 12]],
    ];
    for (const [begin, branch] of turns) {
      await begin(page);
      await page.browser.settle();
      server.produce(4);
      await page.browser.advance(20);
      page = await reload(page);
      await page.browser.settle();
      expect(ids(page)).toEqual(branch);
      await finish(page);
      expect(page.state("s1")).toBe("idle");
      page = await reload(page);
      expect(ids(page)).toEqual(branch);
    }
    page.engine.sessions.switchBranch("s1", 9);
    expect(ids(page)).toEqual([1, 8, 9, 10]);
    page.close();
  });

  it("is the new reply where the page was left before the server answered", async () => {
    const { page, finish, reload } = await openForked();
    page.engine.sessions.switchBranch("s1", 2);
    const { fetch } = page.browser;
    page.browser.fetch = async (path, init) => {
      const answer = await fetch(path, init);
      return path.includes("regenerate") ? new Promise(() => {}) : answer;
    };
    await page.engine.turns.regenerate("s1", 2);
    await page.browser.settle();
    expect(ids(page).at(-1)).toBeLessThan(0);
    const again = await reload(page);
    await finish(again);
    expect(ids(again)).toEqual([1, 8]);
    expect(textOf(again.shown("s1").at(-1))).toContain("Four");
    again.close();
  });

  it("survives a refused regenerate of an older reply", async () => {
    const { server, page, reload } = await openForked();
    page.engine.sessions.switchBranch("s1", 2);
    server.answer("/api/v0/chat/regenerate", () => globalError(42900, "RATE_LIMIT_REACHED", 429));
    await page.engine.turns.regenerate("s1", 2);
    await page.browser.settle();
    expect(ids(page)).toEqual([1, 2]);
    const again = await reload(page);
    expect(ids(again)).toEqual([1, 2]);
    again.close();
  });

  it("is not left for what another device does, and grows with it", async () => {
    const { server, page } = await openForked();
    page.engine.sessions.switchBranch("s1", 4);
    const elsewhere = [
      wireMessage({ message_id: 8, parent_id: 4, role: "ASSISTANT" }),
      wireMessage({ message_id: 9, parent_id: 7, role: "USER" }),
    ];
    server.addSession("s1", [...FORKED, ...elsewhere]);
    page.browser.setVisible(true);
    await page.browser.settle();
    expect(ids(page)).toEqual([1, 3, 4, 5]);
    server.addSession("s1", [
      ...FORKED,
      ...elsewhere,
      wireMessage({ message_id: 10, parent_id: 5, role: "USER" }),
    ]);
    page.browser.setVisible(true);
    await page.browser.settle();
    expect(ids(page)).toEqual([1, 3, 4, 5, 10]);
    page.close();
  });

  it("that is gone gives way to what is left of it", async () => {
    const { server, page, disk } = await openForked();
    page.engine.sessions.switchBranch("s1", 4);
    server.addSession(
      "s1",
      FORKED.filter(({ message_id: id }) => id !== 5),
    );
    page.browser.setVisible(true);
    await page.browser.settle();
    expect(ids(page)).toEqual([1, 3, 4]);
    page.close();
    server.addSession(
      "s1",
      FORKED.filter(({ message_id: id }) => id !== 4 && id !== 5),
    );
    const again = await openPage(server, disk);
    again.engine.sessions.open("s1");
    await again.browser.settle();
    expect(ids(again)).toEqual([1, 3, 6, 7]);
    again.close();
  });

  it("is not lost to a cached history that is older than it", async () => {
    const { server, page, finish, reload } = await openForked();
    page.engine.sessions.switchBranch("s1", 4);
    await page.engine.turns.send("s1", "more");
    await page.browser.settle();
    await finish(page);
    await page.engine.turns.regenerate("s1", 9);
    await page.browser.settle();
    await finish(page);
    page.engine.sessions.switchBranch("s1", 9);
    expect(ids(page)).toEqual([1, 3, 4, 5, 8, 9]);
    const again = await reload(page);
    expect(ids(again)).toEqual([1, 3, 4, 5, 8, 9]);
    expect(server.messagesOf("s1").at(-1)?.message_id).toBe(10);
    again.close();
  });
});

describe("what is kept", () => {
  it("is bounded, goes with its session and with the account, and a broken storage has none", async () => {
    const { server, page, reload } = await openForked();
    for (let n = 0; n < 220; n++) {
      server.addSession(`chat-${n}`, FORKED);
      page.engine.sessions.open(`chat-${n}`);
      await page.browser.settle();
    }
    await page.browser.advance(500);
    expect(Object.keys(kept(page) as object)).toHaveLength(200);
    expect(kept(page)).toMatchObject({ "chat-219": "1,3,6-7" });
    await page.engine.sessions.remove("chat-219");
    expect(kept(page)).not.toHaveProperty("chat-219");
    await page.engine.accounts.signOut();
    expect(page.disk.values.has(STORED_AS)).toBe(false);
    expect(page.disk.tabValues.has(STORED_AS)).toBe(false);
    page.disk.values.set("plumb.token", "token-1");
    page.disk.values.set(STORED_AS, '{"s1":7,"s2":"x"}');
    const again = await reload(page);
    expect(ids(again)).toEqual([1, 3, 6, 7]);
    again.close();
  }, 20_000);

  it("of branches that run in zigzag is bounded in its size", () => {
    const disk = emptyDisk();
    const browser = createFakeBrowser(() => new Response(), disk);
    const sessions = createSessionStore(browser);
    const branches = createBranches(browser, sessions);
    // Every second id is on the branch: no two make a range.
    const zigzag = Array.from({ length: 6000 }, (_, at) =>
      clientMessage(
        wireMessage({ message_id: 2 * at + 1, parent_id: at === 0 ? null : 2 * at - 1, role: "USER" }),
      ),
    );
    for (let n = 0; n < 20; n++) {
      const session = sessions.ensure(`chat-${n}`);
      sessions.put(`chat-${n}`, { ...session, tree: treeOf(zigzag, null) });
    }
    branches.stop();
    const stored = JSON.parse(disk.values.get(STORED_AS) ?? "{}") as Record<string, string>;
    expect(JSON.stringify(stored).length).toBeLessThan(110_000);
    // Its deepest messages are what it is found by.
    const last = stored["chat-19"]?.split(",");
    expect([last?.length, last?.at(-1)]).toEqual([2000, "11999"]);
  });
});

describe("any sequence of switches, turns, removals and reloads", () => {
  type Tree = ReturnType<typeof treeOf<ClientMessage>>;
  const message = (message_id: number, parent_id: number | null): ClientMessage =>
    clientMessage(wireMessage({ message_id, parent_id, role: "USER" }));

  /** A page over what a server stores; `pick` chooses among messages. */
  function createModel() {
    const disk = emptyDisk();
    let stored = FORKED.map(({ message_id, parent_id }) => message(message_id, parent_id));
    let current = 7;
    let lastId = 7;
    let page = openModelPage();

    function openModelPage() {
      const browser = createFakeBrowser(() => new Response(), disk);
      const sessions = createSessionStore(browser);
      return { sessions, branches: createBranches(browser, sessions) };
    }
    const tree = (): Tree => page.sessions.get("s1")?.tree ?? treeOf<ClientMessage>([], null);
    const setTree = (next: Tree): void =>
      page.sessions.put("s1", { ...page.sessions.ensure("s1"), tree: next });
    const load = (messages: readonly ClientMessage[], isCached = false): void =>
      setTree(page.branches.show("s1", treeOf(messages, current), { isCached }));
    const store = (parentId: number | null): ClientMessage => {
      const added = message(++lastId, parentId);
      stored = [...stored, added];
      current = lastId;
      return added;
    };
    const removeStored = (id: number): void => {
      const left = removeMessage(treeOf(stored, null), id);
      stored = stored.filter(({ message_id }) => left.nodes.has(message_id));
      if (!left.nodes.has(current)) current = shownBranch(left).at(-1) ?? 0;
    };
    load(stored);
    return {
      tree,
      setTree,
      store,
      removeStored,
      load: (): void => load(stored),
      ids: (): number[] => shownBranch(tree()),
      stored: (): readonly ClientMessage[] => stored,
      switchTo: (id: number): void => page.branches.switchTo("s1", id),
      reload(withOldCache: boolean): void {
        const cached = [...tree().nodes.values()].map((node) => node.message).slice(0, 5);
        page.branches.stop();
        page = openModelPage();
        if (withOldCache)
          load(
            cached.filter(({ message_id }) => message_id > 0),
            true,
          );
        load(stored);
      },
      close: (): void => page.branches.stop(),
    };
  }

  const command = fc.record({
    kind: fc.constantFrom(
      "switch",
      "turn",
      "refused",
      "elsewhere",
      "removal",
      "history",
      "reload",
      "reload with an old cache",
    ),
    pick: fc.nat(1000),
    beside: fc.boolean(),
  });

  it("[ENG-072] keeps the branch: each history shows the deepest message of it that is left", () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 40 }), (commands) => {
        const model = createModel();
        for (const { kind, pick, beside } of commands) {
          const before = model.ids();
          const all = [...model.tree().nodes.keys()];
          const some = <T>(from: readonly T[]): T | undefined => from[pick % Math.max(1, from.length)];
          const parentOf = (id: number | undefined): number | null =>
            model.tree().nodes.get(id ?? 0)?.message.parent_id ?? null;
          const expectKept = (): void => {
            const left = new Set(model.stored().map(({ message_id }) => message_id));
            const deepest = before.findLast((id) => left.has(id));
            if (deepest === undefined) return;
            const at = before.indexOf(deepest);
            expect(model.ids().slice(0, at + 1)).toEqual(before.slice(0, at + 1));
          };
          switch (kind) {
            case "switch": {
              const id = some(all);
              if (id === undefined) break;
              const above = before.slice(0, before.indexOf(parentOf(id) ?? 0) + 1);
              model.switchTo(id);
              if (above.at(-1) === (parentOf(id) ?? undefined)) {
                expect(model.ids().slice(0, above.length + 1)).toEqual([...above, id]);
              }
              break;
            }
            case "turn":
            case "refused": {
              // Beside a message of the branch (regenerate, edit), or under its leaf (send).
              const target = some(before);
              const parentId = beside ? parentOf(target) : (before.at(-1) ?? null);
              const left = new Set(model.stored().map(({ message_id }) => message_id));
              if (parentId !== null && !left.has(parentId)) break;
              const id = -2;
              model.setTree(insertMessage(model.tree(), message(id, parentId)));
              expect(model.ids().at(-1)).toBe(id);
              if (kind === "turn") {
                const added = model.store(parentId);
                model.setTree(replaceMessage(model.tree(), id, added));
                expect(model.ids().at(-1)).toBe(added.message_id);
              } else {
                const without = removeMessage(model.tree(), id);
                model.setTree(before.length === 0 ? without : showMessage(without, before.at(-1) ?? 0));
                expect(model.ids()).toEqual(before);
              }
              break;
            }
            case "elsewhere": {
              const under = some(model.stored());
              model.store(beside ? (under?.parent_id ?? null) : (under?.message_id ?? null));
              break;
            }
            case "removal": {
              const gone = some(model.stored());
              if (gone !== undefined) model.removeStored(gone.message_id);
              break;
            }
            case "history":
              model.load();
              expectKept();
              break;
            default:
              model.reload(kind === "reload with an old cache");
              expectKept();
          }
        }
        model.close();
      }),
      { numRuns: 300 },
    );
  });
});
