// A page with its engine, as a user who is signed in opens it; a second call on the same disk is a reload.
import { getMessage, shownBranch } from "@plumb/protocol/conversation/message-tree";
import { createChat } from "../create-chat.ts";
import { createEngine } from "../create-engine.ts";
import type { Engine } from "../engine.ts";
import type { ClientMessage } from "../sessions/client-message.ts";
import { createFakeBrowser, emptyDisk, type Disk, type FakeBrowser } from "./fake-browser.ts";
import type { FakeServer } from "./fake-server.ts";

export interface Page {
  engine: Engine;
  browser: FakeBrowser;
  disk: Disk;
  /** Messages of the branch on show. */
  shown(key: string): ClientMessage[];
  /** Text of all fragments of the last message on show. */
  text(key: string): string;
  state(key: string): string | undefined;
  close(): void;
}

export function signedInDisk(): Disk {
  const disk = emptyDisk();
  disk.values.set("plumb.token", "token-1");
  return disk;
}

export function textOf(message: ClientMessage | undefined): string {
  return (message?.fragments ?? [])
    .map((fragment) =>
      "content" in fragment && typeof fragment.content === "string" ? fragment.content : "",
    )
    .join("|");
}

export async function openPage(
  server: FakeServer,
  disk: Disk = signedInDisk(),
  languages?: readonly string[],
): Promise<Page> {
  const browser = createFakeBrowser(server.network, disk, languages);
  const engine = createEngine(browser, async () => createChat);
  engine.start();
  await browser.settle();
  const shown = (key: string): ClientMessage[] => {
    const tree = engine.sessions.store.getState().byId[key]?.tree;
    if (tree === undefined) return [];
    return shownBranch(tree).flatMap((id) => getMessage(tree, id) ?? []);
  };
  return {
    engine,
    browser,
    disk,
    shown,
    text: (key) => textOf(shown(key).at(-1)),
    state: (key) => engine.sessions.store.getState().byId[key]?.state,
    close: () => engine.stop(),
  };
}
