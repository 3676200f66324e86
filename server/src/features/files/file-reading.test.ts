// From bytes to text: every end of a reading, what is tried again, what is removed; and the bytes behind a preview.
import type { FileInfo } from "@plumb/protocol/conversation/file-info";
import { fetchFiles, previewFile } from "@plumb/protocol/wire/files";
import { createSession } from "@plumb/protocol/wire/sessions";
import { completion } from "@plumb/protocol/wire/turns";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createTestApp, type TestApp, type TestAppOptions } from "../../../test/create-test-app.ts";
import { SkippingClock } from "../../../test/test-clock.ts";
import type { JsonAnswer, TestClient } from "../../../test/test-client.ts";
import { engines } from "../../../test/test-databases.ts";
import type { DocumentReader, DocumentToRead, ReadDocument } from "../../ports/document-reader.ts";
import { filesFeature } from "./files-feature.ts";
import { setBannedAt } from "../moderation/account-status-store.ts";

const soon = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 15_000 });
const outcome = ({ envelope }: JsonAnswer) => `${envelope.data?.biz_code} ${envelope.data?.biz_msg}`;

/** A reader that answers as the test says, when it says so. */
function readerOf(
  result: (document: DocumentToRead) => Promise<ReadDocument>,
): DocumentReader & { reads: number } {
  const reader = {
    reads: 0,
    extensions: ["txt", "pdf", "png", "docx", "svg", "html"],
    async read(document: DocumentToRead, signal: AbortSignal) {
      reader.reads += 1;
      const aborted = new Promise<never>((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
      });
      return Promise.race([result(document), aborted]);
    },
    async close() {},
  };
  return reader;
}
async function* piecesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
async function textOf({ textPath }: DocumentToRead): Promise<ReadDocument> {
  await writeFile(textPath, "its text");
  return { kind: "text", bytes: 8, tokens: 2 };
}

describe.each(engines)("the reading of files on %s", (engine) => {
  const apps: TestApp[] = [];
  const open = async (options: TestAppOptions = {}): Promise<{ app: TestApp; anna: TestClient }> => {
    const app = await createTestApp({ engine, ...options });
    apps.push(app);
    return { app, anna: await app.signedIn() };
  };
  afterEach(async () => {
    for (const app of apps.splice(0)) await app.close();
  });

  const findFile = async (person: TestClient, id: string): Promise<FileInfo | undefined> =>
    (await person.ok(fetchFiles, { file_ids: id })).files[0];

  it("[FILE-005] [FILE-007] every end of a reading is told, with its code", async () => {
    let next: ReadDocument = { kind: "later" };
    const { app, anna } = await open({ documentReader: readerOf(async () => next) });
    const { data: later } = await anna.upload("a.txt", "x");
    await soon(async () => {
      const [job] = await app.db.kysely.selectFrom("jobs").selectAll().execute();
      expect(job).toMatchObject({ owner: "", attempts: 0 });
      expect(job?.due_at).toBeGreaterThan(Date.now() + 3000);
    });
    expect((await findFile(anna, later.id))?.status).toBe("PENDING");
    next = { kind: "too-long" };
    expect(await anna.uploaded("a.txt", "x")).toMatchObject({ status: "CONTENT_TOO_LONG", error_code: null });
    for (const [errorCode, status] of [
      [40000, "CONTENT_EMPTY"],
      [40001, "CONTENT_EMPTY"],
      [40002, "CONTENT_EMPTY"],
      [40009, "CONTENT_EMPTY"],
      [40003, "FAILED"],
      [40008, "FAILED"],
      [50202, "FAILED"],
    ] as const) {
      next = { kind: "failed", errorCode };
      expect(await anna.uploaded("a.txt", "x")).toMatchObject({
        status,
        error_code: errorCode,
        token_usage: 0,
      });
    }
    const session = (await anna.ok(createSession, {})).id;
    const refused = await anna.call(completion, {
      chat_session_id: session,
      prompt: "x",
      ref_file_ids: [later.id],
    });
    expect(outcome(refused)).toBe("9 INVALID_FILE_REFERENCE");
  });

  it("a file that breaks its reader is tried three times, then it has failed", async () => {
    const reader = readerOf(async () => ({ kind: "failed", errorCode: 50200 }));
    const { app, anna } = await open({ documentReader: reader });
    const { data } = await anna.upload("a.txt", "x");
    // The wait between the tries is not what is looked at.
    const hurry = setInterval(() => void app.db.kysely.updateTable("jobs").set({ due_at: 0 }).execute(), 50);
    try {
      await soon(async () => expect((await findFile(anna, data.id))?.status).toBe("FAILED"));
    } finally {
      clearInterval(hurry);
    }
    expect(reader.reads).toBe(3);
    expect(await findFile(anna, data.id)).toMatchObject({ error_code: 50200 });
    expect(await app.db.kysely.selectFrom("jobs").selectAll().execute()).toEqual([]);
  });

  /** A file whose reader died: with the names that it left in the folder of what is being read. */
  async function diedReading(app: TestApp, userId: string, epoch: number): Promise<string> {
    const id = `file-${crypto.randomUUID()}`;
    const { kysely } = app.db;
    const times = { inserted_at: 1, updated_at: 1 };
    const file = { id, user_id: userId, name: "a.txt", bytes: 1, status: "PARSING", thinking_enabled: 0 };
    await app.app.deps.ports.objectStore.put(`${id.slice(5)}.content`, piecesOf("x"));
    const scratch = join(app.config.dataDir, "scratch");
    mkdirSync(scratch, { recursive: true });
    for (const name of [`${id}.${epoch}`, `${id}.${epoch}.pictures`]) writeFileSync(join(scratch, name), "x");
    await kysely
      .insertInto("files")
      .values({ ...file, ...times })
      .execute();
    const lease = { owner: "a dead process", epoch, attempts: 0, renewed_at: 1, due_at: 1 };
    await kysely
      .insertInto("jobs")
      .values({ subject: id, kind: "file-read", user_id: userId, ...lease })
      .execute();
    return id;
  }
  const scratchOf = (app: TestApp): string[] => readdirSync(join(app.config.dataDir, "scratch"));

  it("what a dead process has left of a reading goes when the file is read again, and the file's removal takes it", async () => {
    const held: ((result: ReadDocument) => void)[] = [];
    const reader = readerOf(async (document) => {
      await writeFile(document.textPath, "half of");
      return new Promise((resolve) => held.push(resolve));
    });
    const { app, anna } = await open({ documentReader: reader });
    const id = await diedReading(app, anna.user?.id ?? "", 7);
    await soon(async () => expect(held).toHaveLength(1));
    expect(scratchOf(app)).toEqual([`${id}.8`]);
    // As when this process had lost it, and the next one is told to remove the file.
    await app.db.kysely.updateTable("files").set({ removed_at: 1 }).execute();
    const taken = { kind: "file-remove", owner: "", epoch: 9, renewed_at: 0, due_at: 1 };
    await app.db.kysely.updateTable("jobs").set(taken).execute();
    await soon(async () => expect(await app.db.kysely.selectFrom("files").selectAll().execute()).toEqual([]));
    await soon(async () => expect(scratchOf(app)).toEqual([]));
  });

  it("at its start a process clears away what nobody reads, and leaves what another one does", async () => {
    let writes = true;
    const reader = readerOf(async (document) => {
      if (writes) await writeFile(document.textPath, "half of");
      return new Promise(() => {});
    });
    const { app, anna } = await open({ documentReader: reader });
    const { data: reading } = await anna.upload("a.txt", "x");
    await soon(async () => expect(scratchOf(app)).toEqual([`${reading.id}.2`]));
    const scratch = join(app.config.dataDir, "scratch");
    const gone = `file-${crypto.randomUUID()}`;
    for (const name of [`${gone}.1`, `${reading.id}.1`, "of an older version"])
      writeFileSync(join(scratch, name), "x");
    if (engine === "sqlite") {
      // One process alone: whatever is there when it starts is of a dead one.
      await app.app.drain(0);
      writes = false;
      const next = filesFeature(app.app.deps);
      await next.start?.();
      await next.stop?.();
      expect(scratchOf(app)).toEqual([]);
      return;
    }
    const beside = await createTestApp({ engine, beside: app, documentReader: reader });
    expect(scratchOf(app)).toEqual([`${reading.id}.2`]);
    await beside.close();
  });

  it("no more are read at once than PARSE_WORKERS says, of one user one less", async () => {
    const held: ((result: ReadDocument) => void)[] = [];
    const { app, anna } = await open({
      documentReader: readerOf(() => new Promise((resolve) => held.push(resolve))),
      settings: { PARSE_WORKERS: "2" },
    });
    const bert = await app.signedIn();
    const upload = async (person: TestClient, name: string) => (await person.upload(name, "x")).data.id;
    const hers = [await upload(anna, "1.txt"), await upload(anna, "2.txt")];
    const statuses = async (person: TestClient, ids: readonly string[]) =>
      (await person.ok(fetchFiles, { file_ids: ids.join(",") })).files.map(({ status }) => status);
    await soon(async () => expect(await statuses(anna, hers)).toEqual(["PARSING", "PENDING"]));
    // The other place is kept for somebody else.
    const his = [await upload(bert, "3.txt"), await upload(bert, "4.txt")];
    await soon(async () => expect(await statuses(bert, his)).toEqual(["PARSING", "PENDING"]));
    expect(await statuses(anna, hers)).toEqual(["PARSING", "PENDING"]);
    expect(held).toHaveLength(2);
    held[0]?.({ kind: "too-long" });
    await soon(async () => expect(await statuses(anna, hers)).toEqual(["CONTENT_TOO_LONG", "PARSING"]));
    expect(await statuses(bert, his)).toEqual(["PARSING", "PENDING"]);
    for (const end of held) end({ kind: "too-long" });
  });

  it("[FILE-033] [FILE-034] a preview leads to the bytes of pictures and PDFs, to no office file, to none that is not read", async () => {
    let later = true;
    const { app, anna } = await open({
      documentReader: readerOf(async (document) => (later ? { kind: "later" } : textOf(document))),
    });
    const preview = async (id: string) => outcome(await anna.call(previewFile, { file_id: id }));
    const { data: waiting } = await anna.upload("scan.png", "x");
    expect(await preview(waiting.id)).toBe("3 FILE_NOT_READY");
    later = false;
    const office = await anna.uploaded("a.docx", "x");
    expect(office).toMatchObject({ status: "SUCCESS", previewable: false, is_image: false });
    expect(await preview(office.id)).toBe("2 FILE_NOT_PREVIEWABLE");
    const picture = await anna.uploaded("a.png", "x");
    expect(picture).toMatchObject({ previewable: true, is_image: true });
    expect((await anna.ok(previewFile, { file_id: picture.id })).type).toBe("image");
    const pdf = await anna.uploaded("a.pdf", "%PDF-1.7");
    const told = await anna.ok(previewFile, { file_id: pdf.id });
    expect(Object.keys(told).sort()).toEqual(["expire_at", "name", "type", "url"]);
    expect(told).toMatchObject({ type: "pdf", name: "a.pdf" });
    const lifeMs = told.expire_at * 1000 - Date.now();
    expect(lifeMs).toBeGreaterThan(4 * 60 * 60_000 - 60_000);
    expect(lifeMs).toBeLessThanOrEqual(4 * 60 * 60_000);
    expect(told.url.startsWith(`${app.address}/api/v0/file/raw?token=`)).toBe(true);
    const response = await fetch(told.url);
    expect([response.headers.get("content-type"), await response.text()]).toEqual([
      "application/pdf",
      "%PDF-1.7",
    ]);
  });

  it("raw bytes can run nothing, come in ranges, and to whoever has the token alone", async () => {
    const clock = new SkippingClock();
    const { app, anna } = await open({ documentReader: readerOf(textOf), clock });
    const script = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
    const svg = await anna.uploaded('a "b" 图.svg', script);
    const { url } = await anna.ok(previewFile, { file_id: svg.id });
    const whole = await fetch(url);
    expect(await whole.text()).toBe(script);
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      "content-type": "image/svg+xml",
      "content-security-policy": "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:",
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "same-origin",
      "cache-control": "private, no-store",
      "accept-ranges": "bytes",
    });
    expect(whole.headers.get("content-disposition")).toMatch(
      /^attachment; filename=.*filename\*=UTF-8''a%20%22b/u,
    );
    const png = await anna.uploaded("a.png", "x");
    const shownInline = await fetch((await anna.ok(previewFile, { file_id: png.id })).url);
    expect(shownInline.headers.get("content-disposition")).toMatch(/^inline;/u);
    const part = await fetch(url, { headers: { range: "bytes=5-9" } });
    expect([part.status, await part.text()]).toEqual([206, script.slice(5, 10)]);
    expect((await fetch(url, { headers: { range: "bytes=900-" } })).status).toBe(416);

    const html = await anna.uploaded("page.html", "<script>alert(1)</script>");
    const shown = await fetch((await anna.ok(previewFile, { file_id: html.id })).url);
    expect([shown.headers.get("content-type"), await shown.text()]).toEqual([
      "text/plain; charset=utf-8",
      "its text",
    ]);

    const token = new URL(url).searchParams.get("token") ?? "";
    const raw = async (text: string) => (await fetch(`${app.address}/api/v0/file/raw?token=${text}`)).status;
    expect(await raw(token)).toBe(200);
    const other =
      new URL((await anna.ok(previewFile, { file_id: html.id })).url).searchParams.get("token") ?? "";
    const forged = [
      "",
      "x",
      anna.token ?? "",
      token.slice(0, -4),
      `${token}AAAA`,
      token.replace(/^.{8}/u, "AAAAAAAA"),
      other.slice(0, 60) + token.slice(60),
      Buffer.from(
        Buffer.from(token, "base64url").toString("latin1").replace("image", "text "),
        "latin1",
      ).toString("base64url"),
    ];
    for (const text of forged) expect(await raw(text), text).toBe(404);
    const asSession = await fetch(`${app.address}${fetchFiles.path}?file_ids=${svg.id}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(((await asSession.json()) as { code: number }).code).toBe(40003);
    await setBannedAt(app.db.kysely, anna.user?.id ?? "", 1);
    expect(await raw(token)).toBe(404);
    await setBannedAt(app.db.kysely, anna.user?.id ?? "", null);
    expect(await raw(token)).toBe(200);
    clock.skip(4 * 60 * 60_000 + 2000);
    expect(await raw(token)).toBe(410);
  });

  it("what is sent with no message goes after 7 days, what is stays", async () => {
    const clock = new SkippingClock();
    const { app, anna } = await open({ clock });
    const forgotten = await anna.uploaded("forgotten.txt", "x");
    const sent = await anna.uploaded("sent.txt", "x");
    const session = (await anna.ok(createSession, {})).id;
    await (
      await anna.stream(completion, { chat_session_id: session, prompt: "x", ref_file_ids: [sent.id] })
    ).ended;
    clock.skip(7 * 24 * 60 * 60_000 - 60_000);
    expect((await anna.ok(fetchFiles, { file_ids: `${forgotten.id},${sent.id}` })).files).toHaveLength(2);
    await soon(async () => {
      clock.skip(11 * 60_000);
      const rows = await app.db.kysely.selectFrom("files").select("id").execute();
      expect(rows).toEqual([{ id: sent.id }]);
      const keys: string[] = [];
      for await (const { key } of app.app.deps.ports.objectStore.list()) keys.push(key);
      expect(keys.filter((key) => key.startsWith(forgotten.id.slice(5)))).toEqual([]);
    });
    expect(await findFile(anna, sent.id)).toMatchObject({ status: "SUCCESS" });
  });
});
