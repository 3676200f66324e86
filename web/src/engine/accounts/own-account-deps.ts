// What the parts of one's own account work with.
import type { AccountLifecycle } from "./account-lifecycle.ts";
import type { AuthStore } from "./auth-store.ts";
import type { ApiClient } from "../api-client.ts";
import type { Browser } from "../browser.ts";
import type { Reactions } from "../reactions.ts";
import type { createOverlays } from "../site/overlays.ts";

export interface OwnAccountDeps {
  browser: Browser;
  api: ApiClient;
  auth: AuthStore;
  reactions: Reactions;
  leave: AccountLifecycle["leave"];
  /** Asks the server about the account once more. */
  checkAccount(): void;
  overlays: Pick<ReturnType<typeof createOverlays>, "change">;
}
