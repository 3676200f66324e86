// The engine's part for sharing. Its code loads when somebody shares or reads a share (load-sharing.ts).
import type { ApiClient } from "../api-client.ts";
import type { Browser } from "../browser.ts";
import type { Reactions } from "../reactions.ts";
import type { ForgetSession } from "../sessions/forget-session.ts";
import type { HistoryLoader } from "../sessions/history.ts";
import type { SessionList } from "../sessions/session-list.ts";
import type { SessionStore } from "../sessions/session-store.ts";
import type { ShownSession } from "../sessions/shown-session.ts";
import type { createOverlays } from "../site/overlays.ts";
import type { createSettingsStore } from "../site/settings-store.ts";
import { createCreateLink, type CreateLink } from "./create-link.ts";
import { createShareSelection, type ShareSelection } from "./share-selection.ts";
import { createSharedChat, type SharedChat } from "./shared-chat.ts";
import { createSharedLinks, type SharedLinks } from "./shared-links.ts";

export interface SharingDeps {
  browser: Browser;
  api: ApiClient;
  reactions: Reactions;
  settings: ReturnType<typeof createSettingsStore>;
  sessions: SessionStore;
  overlays: ReturnType<typeof createOverlays>;
  forgetSession: ForgetSession;
  /** Closes the box in which a question is edited; what is typed there stays. */
  closeEditBox(sessionId: string, messageId: number): void;
  list: Pick<SessionList, "refresh">;
  history: Pick<HistoryLoader, "load">;
  shown: ShownSession;
  /** Sends from a session of the user's; false = refused before anything was sent. */
  send(sessionId: string, prompt: string): Promise<boolean>;
  /** Whether files stand with the draft under this key. */
  hasFiles(key: string): boolean;
  /** Asks the server about the account once more. */
  checkAccount(): void;
}

/** What `engine.sharing.load` brings. */
export interface SharingWork {
  /** The turns that are chosen to be shared. */
  selection: ShareSelection;
  /** The dialog that makes a link of them. */
  createLink: CreateLink;
  /** The user's shared links. */
  links: SharedLinks;
  /** The shares that are read here. */
  shared: SharedChat;
  /** The account leaves. */
  clear(): void;
}

export function createSharing(deps: SharingDeps): SharingWork {
  const { browser, api, reactions, settings } = deps;
  const links = createSharedLinks({ browser, api, reactions, pageSize: settings.sharePageSize });
  const shared = createSharedChat(deps);
  const selection = createShareSelection(deps);
  const createLink = createCreateLink({ ...deps, selection });
  return {
    selection,
    createLink,
    links,
    shared,
    clear() {
      shared.clear();
      createLink.clear();
      selection.end();
      links.clear();
    },
  };
}
