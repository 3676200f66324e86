import type { FileInfo } from "@plumb/protocol/conversation/file-info";
import { sentFile } from "../../engine/files/draft-file.ts";
import { fileKindOf } from "../../engine/files/file-kind.ts";
import { formatFileSize } from "../../engine/files/file-size.ts";
import { fileText } from "../../engine/files/file-texts.ts";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useTexts } from "../../i18n/use-texts.ts";
import { FileGrid } from "../../ui/file-grid.tsx";
import { FileTile } from "../../ui/file-tile.tsx";

/** The files of a user's message. */
export function MessageFiles({ files }: { files: readonly FileInfo[] }) {
  const { site } = useEngine();
  const { t, show } = useTexts();
  return (
    <FileGrid label={t("files.sent")} atEnd>
      {files.map((info) => {
        const { stored, fileName: name, fileSize } = sentFile(info);
        const text = fileText({ upload: null, stored });
        return (
          <FileTile
            key={info.id}
            name={name}
            kind={fileKindOf(name)}
            note={text === null ? formatFileSize(fileSize) : show(text)}
            state="ok"
            open={
              stored?.previewable === true
                ? {
                    label: t("files.open", { name }),
                    run: () => site.openPanel({ kind: "file", fileId: info.id, name }),
                  }
                : null
            }
          />
        );
      })}
    </FileGrid>
  );
}
