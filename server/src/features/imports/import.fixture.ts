// Uploads to import as tests send them, and waits for what becomes of them.
import { downloadExportHistory, exportAll } from "@plumb/protocol/wire/exports";
import { beginImport, type ImportStatus, lastImport } from "@plumb/protocol/wire/imports";
import { stat, truncate } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { TestApp } from "../../../test/create-test-app.ts";
import type { JsonAnswer, TestClient } from "../../../test/test-client.ts";
import { writeZip } from "../../platform/zip/write-zip.ts";

/** Sends an upload as a browser does. */
export async function sendImport(
  person: TestClient,
  name: string,
  content: string | Uint8Array<ArrayBuffer>,
): Promise<JsonAnswer<ImportStatus>> {
  const form = new FormData();
  form.append("file", new Blob([content]), name);
  const response = await person.request(beginImport.path, {
    method: "POST",
    headers: await person.proofFor(beginImport),
    body: form,
  });
  const envelope = (await response.json()) as JsonAnswer["envelope"];
  return {
    status: response.status,
    headers: response.headers,
    envelope,
    data: (envelope.data?.biz_data ?? null) as ImportStatus,
  };
}

/** As `sendImport`; throws unless it was taken, and resolves with what became of it. */
export async function imported(
  person: TestClient,
  name: string,
  content: string | Uint8Array<ArrayBuffer>,
): Promise<ImportStatus> {
  const { envelope } = await sendImport(person, name, content);
  if (envelope.data?.biz_code !== 0) throw new Error(`${name} was refused: ${JSON.stringify(envelope)}`);
  return importEnded(person);
}

/** Resolves with the last import when it has ended. A person may ask only so often: on a busy machine it takes long. */
export async function importEnded(person: TestClient): Promise<ImportStatus> {
  for (let pauseMs = 20; ; pauseMs = Math.min(2 * pauseMs, 500)) {
    const status = await person.ok(lastImport, {});
    if (status !== null && status.status !== "QUEUED" && status.status !== "RUNNING") return status;
    await sleep(pauseMs);
  }
}

/** A zip with these files. */
export async function zipOf(files: Record<string, string>): Promise<Uint8Array<ArrayBuffer>> {
  async function* entries() {
    for (const [name, content] of Object.entries(files)) yield { name, changedAt: 0, content: [content] };
  }
  const pieces: Uint8Array[] = [];
  for await (const piece of writeZip(entries())) pieces.push(Uint8Array.from(piece));
  return new Uint8Array(Buffer.concat(pieces));
}

/** The zip of all that a person has. */
export async function exportedZip(app: TestApp, person: TestClient): Promise<Uint8Array<ArrayBuffer>> {
  await person.ok(exportAll, {});
  for (;;) {
    const { status, history_download_url: url } = await person.ok(downloadExportHistory, {});
    if (status === "FINISHED") {
      const answer = await app.client().request((url ?? "").slice(app.address.length));
      return new Uint8Array(await answer.arrayBuffer());
    }
    if (status !== "CREATED" && status !== "PENDING" && status !== "INIT")
      throw new Error(`the export is ${status}`);
    await sleep(20);
  }
}

/**
 * From now on the reader breaks down at the first upload, the last so many bytes of whose records are not written; at the next it
 * hangs until it is told to end. Resolves when it hangs.
 */
export function breakOnce({ app }: TestApp, missingBytes: number): Promise<void> {
  const { ports } = app.deps;
  const real = ports.conversationReader;
  let tell = (): void => {};
  const hangs = new Promise<void>((resolve) => (tell = resolve));
  let reads = 0;
  ports.conversationReader = {
    read: async (upload, signal) => {
      reads += 1;
      if (reads === 1) {
        await real.read(upload, signal);
        const { size } = await stat(upload.recordsPath);
        await truncate(upload.recordsPath, size - missingBytes);
        return { kind: "broke" };
      }
      return new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason as Error));
        tell();
      });
    },
    close: async () => {},
  };
  return hangs;
}
