import { useEffect, useEffectEvent, useState } from "react";

/** So much of a text is shown (bytes); a file whose text a message can take has less. */
const MOST_BYTES = 4 * 1024 * 1024;

export interface FileText {
  text: string;
  /** There is more of it. */
  isCut: boolean;
}

/** The text behind a link; null while it is on its way. */
export function useFileText(url: string, onFailed: (reason: unknown) => void): FileText | null {
  const [loaded, setLoaded] = useState<FileText | null>(null);
  const failed = useEffectEvent(onFailed);
  useEffect(() => {
    const stop = new AbortController();
    readText(url, stop.signal).then(setLoaded, (error: unknown) => {
      if (!stop.signal.aborted) failed(error);
    });
    return () => stop.abort();
  }, [url]);
  return loaded;
}

/** The beginning of what is behind a link, as text. */
async function readText(url: string, signal: AbortSignal): Promise<FileText> {
  const response = await fetch(url, { signal, credentials: "omit", cache: "no-store" });
  if (!response.ok || response.body === null) throw new Error(`status ${response.status}`);
  const decoder = new TextDecoder();
  const reader = response.body.getReader();
  let text = "";
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { text: text + decoder.decode(), isCut: false };
    bytes += value.length;
    if (bytes > MOST_BYTES) {
      text += decoder.decode(value.subarray(0, value.length - (bytes - MOST_BYTES)), { stream: true });
      await reader.cancel();
      return { text, isCut: true };
    }
    text += decoder.decode(value, { stream: true });
  }
}
