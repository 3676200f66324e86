// Uploads by hand, as slowly as a test wants, and what became of them.
import { request } from "node:http";
import type { FileInfo } from "@plumb/protocol/conversation/file-info";
import { fetchFiles, previewFile, uploadFile } from "@plumb/protocol/wire/files";
import { readAnswer } from "./answer.ts";
import { ConnectionLost, readJson } from "./http-call.ts";
import type { LoadClient } from "./load-client.ts";

const BOUNDARY = "----a-boundary-of-tests";

export interface Upload {
  name: string;
  content: Buffer;
  /** In how many pieces, and ms between two of them. */
  pieces: number;
  paceMs: number;
}

/** The file as it was taken. Throws ConnectionLost when the answer did not come, and an error when it was refused. */
export function uploadSlowly(client: LoadClient, upload: Upload): Promise<FileInfo> {
  return uploadTo<FileInfo>(client, uploadFile.path, upload);
}

/** As `uploadSlowly`, to any call that takes a file; what it answers. */
export async function uploadTo<T>(client: LoadClient, path: string, upload: Upload): Promise<T> {
  const proof = await client.proof(path);
  const head = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="${upload.name}"\r\n\r\n`;
  const tail = `\r\n--${BOUNDARY}--\r\n`;
  const length = Buffer.byteLength(head) + upload.content.length + Buffer.byteLength(tail);
  const body = await new Promise<{ status: number; json: unknown }>((resolve, reject) => {
    const outgoing = request(client.target() + path, {
      agent: client.agent,
      method: "POST",
      headers: { ...proof, authorization: `Bearer ${client.token}`, "content-length": String(length) },
    });
    const lost = (error: Error): void => reject(new ConnectionLost(error.message, { cause: error }));
    outgoing.on("error", lost);
    outgoing.on("response", (incoming) => {
      readJson(incoming).then((json) => resolve({ status: incoming.statusCode ?? 0, json }), lost);
    });
    void write(outgoing, { head, tail, upload }).catch(lost);
  });
  const answer = readAnswer(body.status, body.json);
  if (answer.biz?.code !== 0) throw new Error(`${upload.name} was refused: ${JSON.stringify(body.json)}`);
  return answer.biz.data as unknown as T;
}

async function write(
  outgoing: NodeJS.WritableStream & { destroyed?: boolean },
  { head, tail, upload }: { head: string; tail: string; upload: Upload },
): Promise<void> {
  outgoing.write(head);
  const step = Math.max(1, Math.ceil(upload.content.length / upload.pieces));
  for (let from = 0; from < upload.content.length && outgoing.destroyed !== true; from += step) {
    outgoing.write(upload.content.subarray(from, from + step));
    if (upload.paceMs > 0) await new Promise((resolve) => setTimeout(resolve, upload.paceMs));
  }
  outgoing.end(tail);
}

/** What is known of these files; those that are gone are not in it. */
export async function filesNow(client: LoadClient, ids: readonly string[]): Promise<FileInfo[]> {
  if (ids.length === 0) return [];
  const data = await client.must(`${fetchFiles.path}?file_ids=${ids.join(",")}`);
  return data["files"] as FileInfo[];
}

/** The text that the server shows of a file. */
export async function shownText(client: LoadClient, id: string): Promise<string> {
  const { url } = (await client.must(`${previewFile.path}?file_id=${id}`)) as unknown as { url: string };
  const { pathname, search } = new URL(url);
  const response = await fetch(client.target() + pathname + search);
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}`);
  return response.text();
}
