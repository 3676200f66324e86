import { createChat } from "../create-chat.ts";
import { createEngine } from "../create-engine.ts";
import type { Engine } from "../engine.ts";
import { createFakeBrowser } from "./fake-browser.ts";

/** An engine that was not started, with its part for chats, for what is drawn from its stores. */
export async function engineAtRest(): Promise<Engine> {
  const engine = createEngine(
    createFakeBrowser(() => new Response()),
    async () => createChat,
  );
  await engine.loadChat();
  return engine;
}
