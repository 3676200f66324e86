import { isFilePaste } from "./file-paste.ts";

export interface FileTransfer {
  field: HTMLElement | null;
  /** Files are taken here now. */
  isTaking: () => boolean;
  onFiles: (files: readonly File[]) => void;
  /** Files are held over the page, or are not any more. */
  onOver: (isOver: boolean) => void;
}

/**
 * Takes files that are dropped anywhere on the page, or pasted where nothing else is written in; gives back the way to
 * stop.
 */
export function watchFileTransfer({ field, isTaking, onFiles, onOver }: FileTransfer): () => void {
  // What is dragged from the page itself, such as a picture of an answer, is no upload.
  let isOwn = false;
  const hasFiles = ({ dataTransfer }: DragEvent): boolean =>
    !isOwn && dataTransfer?.types.includes("Files") === true;
  const canTake = (): boolean => isTaking() && !isCovered(field);

  function over(event: DragEvent): void {
    if (!hasFiles(event) || event.dataTransfer === null) return;
    // Else the browser would leave the page for the file.
    event.preventDefault();
    const taken = canTake();
    event.dataTransfer.dropEffect = taken ? "copy" : "none";
    onOver(taken);
  }
  function leave({ relatedTarget }: DragEvent): void {
    if (relatedTarget === null) onOver(false);
  }
  function drop(event: DragEvent): void {
    onOver(false);
    if (!hasFiles(event)) return;
    event.preventDefault();
    if (canTake()) onFiles(droppedFiles(event.dataTransfer));
  }
  function paste(event: ClipboardEvent): void {
    const { clipboardData, target } = event;
    const isElsewhere = target !== field && isWritten(target);
    if (clipboardData === null || isElsewhere || !canTake()) return;
    const { files, items } = clipboardData;
    if (
      !isFilePaste(
        [...items].map(({ type }) => type),
        files.length,
      )
    )
      return;
    event.preventDefault();
    onFiles([...files]);
  }
  const stop = new AbortController();
  const { signal } = stop;
  window.addEventListener("dragstart", () => (isOwn = true), { signal });
  window.addEventListener("dragend", () => (isOwn = false), { signal });
  window.addEventListener("dragenter", over, { signal });
  window.addEventListener("dragover", over, { signal });
  window.addEventListener("dragleave", leave, { signal });
  window.addEventListener("drop", drop, { signal });
  window.addEventListener("paste", paste, { signal });
  return () => stop.abort();
}

/** Folders have no bytes to send. */
function droppedFiles(transfer: DataTransfer | null): File[] {
  const items = [...(transfer?.items ?? [])].filter(({ kind }) => kind === "file");
  return items.flatMap((item) =>
    item.webkitGetAsEntry()?.isDirectory === true ? [] : (item.getAsFile() ?? []),
  );
}

function isWritten(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("input, textarea, [contenteditable]");
}

/** A dialog lies over the composer. */
function isCovered(field: HTMLElement | null): boolean {
  return field?.closest("[inert], [aria-hidden=true]") != null;
}
