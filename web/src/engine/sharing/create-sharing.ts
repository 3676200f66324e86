// The engine's part for sharing: the user's links. Its code loads when somebody shares or reads a share (load-sharing.ts).
import type { ApiClient } from "../api-client.ts";
import type { Browser } from "../browser.ts";
import type { Reactions } from "../reactions.ts";
import type { createSettingsStore } from "../site/settings-store.ts";
import { createSharedLinks, type SharedLinks } from "./shared-links.ts";

export interface SharingDeps {
  browser: Browser;
  api: ApiClient;
  reactions: Reactions;
  settings: ReturnType<typeof createSettingsStore>;
}

/** What `engine.sharing.load` brings. */
export interface SharingWork {
  /** The user's shared links. */
  links: SharedLinks;
  /** The account leaves. */
  clear(): void;
}

export function createSharing({ browser, api, reactions, settings }: SharingDeps): SharingWork {
  const links = createSharedLinks({ browser, api, reactions, pageSize: settings.sharePageSize });
  return {
    links,
    clear: links.clear,
  };
}
