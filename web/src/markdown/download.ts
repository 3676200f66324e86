/** Saves text as a file. */
export function downloadText(text: string, fileName: string): void {
  downloadBlob(new Blob([text], { type: "text/plain;charset=utf-8" }), fileName);
}

/** Saves a text that comes in pieces; nothing where there is none. */
export function downloadFile(file?: { name: string; type: string; parts: string[] } | null): void {
  if (file) downloadBlob(new Blob(file.parts, { type: file.type }), file.name);
}

/** Saves bytes as a file. */
export function downloadBlob(blob: Blob, fileName: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = fileName;
  link.click();
  // The browser reads the address after the press has returned.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
