import type { Engine } from "../engine/engine.ts";

/** Empties the draft under `key`, its files too, and closes what lies over the page but for what only an answer ends. */
export function startAfresh({ sessions, files, site }: Engine, key: string): void {
  sessions.setDraft(key, "");
  for (const { renderKey } of files.store.getState().byKey[key] ?? []) files.remove(key, renderKey);
  site.setOverlays({
    settings: null,
    shortcuts: false,
    search: false,
    personas: false,
    renaming: null,
    deleting: null,
    feedback: null,
  });
  site.closePanel();
}
