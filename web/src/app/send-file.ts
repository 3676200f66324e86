import type { UploadInit } from "../engine/browser.ts";

/** Posts a file by XMLHttpRequest: fetch tells nothing of how far a body is. */
export function sendFile(path: string, { headers, file, signal, onProgress }: UploadInit): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const aborted = () => reject(new DOMException("the upload was ended", "AbortError"));
    if (signal.aborted) return aborted();
    signal.addEventListener("abort", () => request.abort(), { once: true });
    request.open("POST", path);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.addEventListener("progress", ({ lengthComputable, loaded, total }) => {
      if (lengthComputable && total > 0) onProgress(loaded / total);
    });
    request.addEventListener("load", () => resolve(answerOf(request)));
    request.addEventListener("error", () => reject(new TypeError("the upload failed")));
    request.addEventListener("abort", aborted);
    const body = new FormData();
    // The engine gives back what the page gave it.
    body.append("file", file as File, file.name);
    request.send(body);
  });
}

function answerOf(request: XMLHttpRequest): Response {
  const lines = request
    .getAllResponseHeaders()
    .trim()
    .split(/[\r\n]+/u);
  const headers = lines.flatMap((line): [string, string][] => {
    const colon = line.indexOf(": ");
    return colon === -1 ? [] : [[line.slice(0, colon), line.slice(colon + 2)]];
  });
  const { status, responseText } = request;
  const hasNoBody = status === 204 || status === 304;
  return new Response(hasNoBody ? null : responseText, { status, headers });
}
