// The tiles of a message's files, whose code comes with the first one.
import type { FileInfo } from "@plumb/protocol/conversation/file-info";
import { Suspense } from "react";
import { loadFileTexts } from "../../i18n/file-texts.ts";
import { FilePlaces } from "../../ui/file-grid.tsx";
import { lazyPart } from "../../ui/lazy-part.tsx";

const messageFiles = lazyPart(
  async () => (await Promise.all([import("./message-files.tsx"), loadFileTexts()]))[0].MessageFiles,
);

/** The files of a user's message. */
export function FilesOfMessage({ files }: { files: readonly FileInfo[] }) {
  return (
    <Suspense fallback={<FilePlaces count={files.length} atEnd />}>
      <messageFiles.Part files={files} />
    </Suspense>
  );
}
