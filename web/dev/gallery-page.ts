// A page of the gallery: the real engine on this browser's clock, over a server and a storage in memory.
import { createRealBrowser } from "../src/app/real-browser.ts";
import type { Browser } from "../src/engine/browser.ts";
import { createChat } from "../src/engine/create-chat.ts";
import { createEngine } from "../src/engine/create-engine.ts";
import type { Engine } from "../src/engine/engine.ts";
import type { Preferences } from "../src/engine/site/preferences.ts";
import { ok } from "../src/engine/testing/fake-answers.ts";
import { createFakeServer, type FakeServer } from "../src/engine/testing/fake-server.ts";
import { gallerySettings } from "./gallery-settings.ts";
import { until } from "./until.ts";

/** One state of the screen: what the server holds, and what the user did. */
export interface GalleryState {
  path: string;
  /** False: nobody is signed in. */
  signedIn?: boolean;
  /** True: the browser has no network. */
  offline?: boolean;
  preferences?: Partial<Preferences>;
  /** What the server holds and how it answers, before the page opens. */
  prepare?: (server: FakeServer) => void;
  /** What happens once the user is known. */
  act?: (engine: Engine, server: FakeServer) => void | Promise<void>;
}

/** This browser with another network, and with a storage that begins as `values` and lasts as long as the page. */
function galleryBrowser(server: FakeServer, values: Map<string, string>, online: boolean): Browser {
  const records = new Map<string, unknown>();
  return {
    ...createRealBrowser(),
    online: () => online,
    fetch: async (path, init) => server.network(path, init),
    upload: async (path, { headers, file, signal, onProgress }) =>
      server.network(path, { method: "POST", headers, file, signal, progress: onProgress }),
    storage: {
      get: (key) => values.get(key) ?? null,
      set: (key, value) => values.set(key, value) === values,
      remove: (key) => void values.delete(key),
    },
    openChannel: () => ({ post() {}, listen: () => () => {}, close() {} }),
    openRecords: () => ({
      get: async (key) => records.get(key),
      set: async (key, value) => void records.set(key, value),
      remove: async (key) => void records.delete(key),
      clear: async () => records.clear(),
    }),
  };
}

/** Opens the state with these preferences; resolves when what the user did is done. */
export async function openGalleryPage(
  { signedIn = true, offline = false, preferences, prepare, act }: GalleryState,
  chosen: Pick<Preferences, "theme" | "locale">,
): Promise<{ engine: Engine; browser: Browser }> {
  const server = createFakeServer();
  server.answer("/api/v0/client/settings", () => ok(gallerySettings()));
  prepare?.(server);
  const values = new Map([["plumb.preferences", JSON.stringify({ ...preferences, ...chosen })]]);
  if (signedIn) values.set("plumb.token", "token-1");
  const browser = galleryBrowser(server, values, !offline);
  const engine = createEngine(browser, async () => createChat);
  engine.start();
  if (act !== undefined) {
    if (signedIn) {
      await engine.loadChat();
      await until(() => engine.accounts.auth.getState().status === "yes");
    }
    await act(engine, server);
  }
  return { engine, browser };
}
