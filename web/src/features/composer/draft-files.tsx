import type { DraftFile } from "../../engine/files/draft-file.ts";
import { readinessOfDraft } from "../../engine/files/draft-file.ts";
import { fileKindOf } from "../../engine/files/file-kind.ts";
import { formatFileSize } from "../../engine/files/file-size.ts";
import { fileText } from "../../engine/files/file-texts.ts";
import { useDraftFiles } from "../../hooks/use-draft-files.ts";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useTexts } from "../../i18n/use-texts.ts";
import { cx } from "../../ui/cx.ts";
import { FileGrid, FilePlaces } from "../../ui/file-grid.tsx";
import { FileTile } from "../../ui/file-tile.tsx";
import hidden from "../../ui/visually-hidden.module.css";
import styles from "./draft-files.module.css";
import { passFocus } from "./pass-focus.ts";

const TILE_STATES = { unfinished: "busy", ok: "ok", error: "error" } as const;

/** The files of the message that is being written, `places` for those that are on their way out of storage, and what keeps it from being sent with them. */
export function DraftFiles({ sessionKey, places }: { sessionKey: string; places: number }) {
  const engine = useEngine();
  const { t, show } = useTexts();
  const files = useDraftFiles(sessionKey);
  if (files.length === 0) {
    return (
      <div className={styles.files}>
        <FilePlaces count={places} />
      </div>
    );
  }
  const check = engine.files.check(sessionKey, files);
  const reason = check.kind === "ok" ? null : show(check.text);
  // Each tile says itself that it is on its way, or failed.
  const isPlain = files.some((file) => readinessOfDraft(file) !== "ok");
  return (
    <div className={styles.files}>
      <div className={styles.tiles}>
        <FileGrid label={t("files.attached")}>
          {files.map((file) => (
            <DraftTile key={file.renderKey} sessionKey={sessionKey} file={file} />
          ))}
        </FileGrid>
      </div>
      {/* Always there: a region that comes with its text is not read out. */}
      <p className={cx(styles.reason, (reason === null || isPlain) && hidden.hidden)} role="status">
        {reason}
      </p>
    </div>
  );
}

function DraftTile({ sessionKey, file }: { sessionKey: string; file: DraftFile }) {
  const engine = useEngine();
  const { t, show } = useTexts();
  const { fileName: name, fileSize, renderKey, upload, stored } = file;
  const text = fileText(file);
  return (
    <FileTile
      name={name}
      kind={fileKindOf(name)}
      note={text === null ? formatFileSize(fileSize) : show(text)}
      state={TILE_STATES[readinessOfDraft(file)]}
      percent={upload?.isUploading === true ? upload.percent : null}
      open={
        stored?.previewable === true
          ? {
              label: t("files.open", { name }),
              run: () => engine.site.openPanel({ kind: "file", fileId: stored.id, name }),
            }
          : null
      }
      retry={
        upload?.failed === true && upload.canRetry
          ? {
              label: t("files.retry", { name }),
              run: () => {
                passFocus("same tile");
                engine.files.retry(renderKey);
              },
            }
          : null
      }
      remove={{
        label: t("files.remove", { name }),
        run: () => {
          passFocus("tile beside");
          engine.files.remove(sessionKey, renderKey);
        },
      }}
    />
  );
}
