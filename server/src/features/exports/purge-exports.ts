// Zips whose links have expired are gone; their rows still say so.
import type { ExportDeps } from "./run-export.ts";
import { forgetObject, keptBefore } from "./export-store.ts";

const EXPORTS_PER_LOOK = 20;

/** Removes the zips of exports that finished before `before` (ms). What a crash leaves is due again. */
export async function purgeExports({ db, ports }: ExportDeps, before: number): Promise<void> {
  for (;;) {
    const due = await keptBefore(db.kysely, before, EXPORTS_PER_LOOK);
    if (due.length === 0) return;
    await ports.objectStore.remove(due.map(({ object_key: key }) => key));
    for (const { id } of due) await forgetObject(db.kysely, id);
  }
}
