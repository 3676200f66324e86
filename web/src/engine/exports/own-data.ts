// `await engine.ownData()`: all data of the user as an export, a conversation or a reply as a file, and the end of the history.
import type { ApiClient } from "../api-client.ts";
import type { Browser } from "../browser.ts";
import type { Reactions } from "../reactions.ts";
import { createDeleteHistory, type DeleteHistoryDeps } from "../sessions/delete-history.ts";
import type { createOverlays } from "../site/overlays.ts";
import type { createPreferences } from "../site/preferences.ts";
import { createImports } from "../imports/create-imports.ts";
import type { SendDeps } from "../files/send-file.ts";
import { createExports } from "./create-exports.ts";
import { createSaveAsFile, type SaveAsFileDeps } from "./save-as-file.ts";

export interface OwnDataDeps extends Omit<DeleteHistoryDeps, "onDeleted">, SaveAsFileDeps {
  browser: Browser;
  api: ApiClient;
  reactions: Reactions;
  overlays: ReturnType<typeof createOverlays>;
  preferences: ReturnType<typeof createPreferences>;
  proofs: SendDeps["proofs"];
}

export type OwnData = ReturnType<typeof createOwnData>;

export function createOwnData(deps: OwnDataDeps) {
  const exports = createExports(deps);
  const imports = createImports({ ...deps, onImported: () => void deps.list.reload() });
  function forget(): void {
    exports.forget();
    imports.forget();
  }
  return {
    exports,
    imports,
    ...createSaveAsFile(deps),
    history: createDeleteHistory({ ...deps, onDeleted: forget }),
  };
}
