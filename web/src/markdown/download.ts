/** Saves text as a file. */
export function downloadText(text: string, fileName: string): void {
  downloadBlob(new Blob([text], { type: "text/plain;charset=utf-8" }), fileName);
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
