import { lazy, Suspense, useCallback, useEffect, useReducer, useState } from "react";
import { isTableFile } from "../../engine/files/file-kind.ts";
import type { PreviewInfo } from "../../engine/files/preview-urls.ts";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useTexts } from "../../i18n/use-texts.ts";
import { Button } from "../../ui/button.tsx";
import { patiently } from "../../ui/lazy-part.tsx";
import { SidePanel, type SidePanelProps } from "../../ui/side-panel.tsx";
import styles from "./file-preview.module.css";
import { ImageView } from "./image-view.tsx";
import { TableView } from "./table-view.tsx";
import { TextView } from "./text-view.tsx";
import { ViewLoading, type ViewProps } from "./view-loading.tsx";

/** The library that draws them is large. */
const PdfView = lazy(async () => ({
  default: (await patiently(() => import("./pdf-view.tsx"))).PdfView,
}));

interface FilePreviewProps {
  fileId: string;
  name: string;
  frame: Pick<SidePanelProps, "closing" | "modal" | "onClose">;
}

type Opened = { kind: "loading" } | { kind: "failed" } | { kind: "ready"; preview: PreviewInfo };

/** What is in a file, in the panel at the right side. What cannot be shown says so there. */
export function FilePreview({ fileId, name, frame }: FilePreviewProps) {
  const { t } = useTexts();
  const { opened, renew, onFailed, tryAgain } = usePreview(fileId);
  return (
    <SidePanel {...frame} title={name} closeLabel={t("common.close")}>
      {opened.kind === "failed" ? (
        <div className={styles.failed} role="alert">
          <p>{t("previewFailed")}</p>
          <Button onClick={tryAgain}>{t("common.retry")}</Button>
        </div>
      ) : opened.kind === "loading" ? (
        <ViewLoading />
      ) : (
        <Suspense fallback={<ViewLoading />}>
          <View preview={opened.preview} name={name} renew={renew} onFailed={onFailed} />
        </Suspense>
      )}
    </SidePanel>
  );
}

interface ViewOfProps extends Omit<ViewProps, "url"> {
  preview: PreviewInfo;
  renew: () => Promise<string | null>;
}

function View({ preview, name, renew, onFailed }: ViewOfProps) {
  const { type } = preview;
  const url = ownAddress(preview.url);
  switch (type) {
    case "image":
      return <ImageView url={url} name={name} onFailed={onFailed} />;
    case "pdf":
      return <PdfView url={url} name={name} renew={renew} onFailed={onFailed} />;
    case "text":
      return isTableFile(name) ? (
        <TableView url={url} name={name} onFailed={onFailed} />
      ) : (
        <TextView url={url} name={name} onFailed={onFailed} />
      );
  }
}

/**
 * The same link at the address by which this page was opened: the server names its own, which in a home network can be
 * another one, and the page's policy lets it load from nowhere else.
 */
function ownAddress(url: string): string {
  const { protocol, pathname, search } = new URL(url, window.location.href);
  return protocol.startsWith("http") ? new URL(pathname + search, window.location.href).href : url;
}

/** The link to a file; where it has ended, another one is asked for once. */
function usePreview(fileId: string) {
  const { files, site } = useEngine();
  const [opened, setOpened] = useState<Opened>({ kind: "loading" });
  const [tries, tryAgain] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    let wanted = true;
    setOpened({ kind: "loading" });
    files.preview(fileId, { fresh: tries > 0 }).then(
      (result) => {
        if (wanted) setOpened(result.ok ? { kind: "ready", preview: result.preview } : { kind: "failed" });
      },
      () => {
        if (wanted) setOpened({ kind: "failed" });
      },
    );
    return () => {
      wanted = false;
    };
  }, [files, fileId, tries]);
  const renew = useCallback(async () => {
    const result = await files.preview(fileId, { fresh: true });
    return result.ok ? ownAddress(result.preview.url) : null;
  }, [files, fileId]);
  function onFailed(): void {
    if (tries === 0) return tryAgain();
    site.showToast({ type: "error", text: { key: "previewFailed" }, dedupeKey: "preview" });
    setOpened({ kind: "failed" });
  }
  return { opened, renew, onFailed, tryAgain };
}
