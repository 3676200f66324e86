// The composer's parts for files, which come when the page is first touched, and adding files, which brings them.
import type { Engine } from "../../engine/engine.ts";
import { loadFileTexts } from "../../i18n/file-texts.ts";
import { lazyPart } from "../../ui/lazy-part.tsx";

/** All of them, with the words about files. */
export const loadFileParts = async () => (await Promise.all([import("./file-parts.ts"), loadFileTexts()]))[0];

export type FileParts = Awaited<ReturnType<typeof loadFileParts>>;

export const draftFiles = lazyPart(async () => (await loadFileParts()).DraftFiles);
export const dropArea = lazyPart(async () => (await loadFileParts()).DropArea);

/** Attaches files that were chosen, dropped or pasted; the words about them are here when something is said of them. */
export async function attachFiles(engine: Engine, key: string, files: readonly File[]): Promise<void> {
  try {
    await draftFiles.load();
  } catch {
    return engine.site.showToast({ type: "error", text: { key: "networkError" }, dedupeKey: "files" });
  }
  engine.files.add(key, files);
}
