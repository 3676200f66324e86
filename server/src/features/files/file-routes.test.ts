// Upload, status, preview and bytes over real connections, on both databases.
import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FileInfo } from "@plumb/protocol/conversation/file-info";
import { fetchFiles, previewFile, uploadFile } from "@plumb/protocol/wire/files";
import { completion } from "@plumb/protocol/wire/turns";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createTestApp, type TestApp, type TestAppOptions } from "../../../test/create-test-app.ts";
import { withoutTraceId } from "../../../test/expect-envelope.ts";
import { SkippingClock } from "../../../test/test-clock.ts";
import type { JsonAnswer, TestClient } from "../../../test/test-client.ts";
import { engines } from "../../../test/test-databases.ts";
import { removeFilesOfUser } from "./file-store.ts";

const soon = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 15_000 });
const MIB = 1024 * 1024;
const outcome = ({ envelope }: JsonAnswer) =>
  envelope.code === 0
    ? `${envelope.data?.biz_code} ${envelope.data?.biz_msg}`
    : `${envelope.code} ${envelope.msg}`;

/** A body as a client by hand would write it. */
const partsOf = (...parts: { head: string; content?: string }[]) =>
  [...parts.map(({ head, content = "x" }) => `--b\r\n${head}\r\n\r\n${content}\r\n`), "--b--\r\n"].join("");
const filePart = (name: string) => `content-disposition: form-data; name="file"; filename="${name}"`;

describe.each(engines)("files on %s", (engine) => {
  const apps: TestApp[] = [];
  const open = async (options: TestAppOptions = {}): Promise<{ app: TestApp; anna: TestClient }> => {
    const app = await createTestApp({ engine, ...options });
    apps.push(app);
    return { app, anna: await app.signedIn() };
  };
  afterEach(async () => {
    for (const app of apps.splice(0)) await app.close();
  });

  /** Everything that an upload could leave: objects, unfinished ones, rows, jobs. */
  async function leftOf(app: TestApp): Promise<string[]> {
    const folder = join(app.config.dataDir, "objects");
    const names = (existsSync(folder) ? readdirSync(folder, { recursive: true, withFileTypes: true }) : [])
      .filter((entry) => entry.isFile())
      .map((entry) => entry.name);
    const files = await app.db.kysely.selectFrom("files").select("id").execute();
    const jobs = await app.db.kysely.selectFrom("jobs").select("subject").execute();
    return [...names, ...files.map(({ id }) => id), ...jobs.map(({ subject }) => subject)];
  }
  const sendBody = async (person: TestClient, body: string, headers: Record<string, string> = {}) => {
    const proof = await person.proofFor(uploadFile);
    const response = await person.request(uploadFile.path, {
      method: "POST",
      headers: { ...proof, ...headers },
      body,
    });
    return { envelope: await response.json(), status: response.status } as JsonAnswer;
  };
  const findFile = async (person: TestClient, id: string): Promise<FileInfo | undefined> =>
    (await person.ok(fetchFiles, { file_ids: id })).files[0];

  it("[FILE-001] [FILE-002] [FILE-006] [FILE-013] an uploaded file is read, and its text shown", async () => {
    const { app, anna } = await open();
    const text = "Meeting notes\n\n会议记录 🎉\n";
    const { status, data } = await anna.upload("notes.md", text, { "x-thinking-enabled": "1" });
    expect(status).toBe(200);
    expect(data).toEqual({
      id: expect.stringMatching(/^file-[0-9a-f-]{36}$/u) as string,
      file_name: "notes.md",
      file_size: Buffer.byteLength(text),
      status: "PENDING",
      error_code: null,
      previewable: false,
      token_usage: 0,
      inserted_at: expect.any(Number) as number,
      updated_at: expect.any(Number) as number,
      from_share: false,
      is_image: false,
      model_kind: "NORMAL",
      audit_result: null,
      signed_path: null,
    });
    await soon(async () =>
      expect(await findFile(anna, data.id)).toMatchObject({ status: "SUCCESS", previewable: true }),
    );
    expect((await findFile(anna, data.id))?.token_usage).toBeGreaterThan(8);
    const [row] = await app.db.kysely.selectFrom("files").selectAll().execute();
    expect(row).toMatchObject({ thinking_enabled: 1, text_bytes: Buffer.byteLength(text) });
    const preview = await anna.ok(previewFile, { file_id: data.id });
    expect(preview).toMatchObject({ type: "text", name: "notes.md" });
    const bytes = await fetch(preview.url);
    expect(await bytes.text()).toBe(text);
    expect(bytes.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  });

  it("[POW-002] costs a proof of its own scene, which is spent whatever follows", async () => {
    const { app, anna } = await open();
    const bare = await anna.request(uploadFile.path, {
      method: "POST",
      body: partsOf({ head: filePart("a.txt") }),
    });
    expect(((await bare.json()) as { code: number }).code).toBe(40300);
    const ofChat = await anna.proofFor(completion);
    const wrong = await anna.request(uploadFile.path, {
      method: "POST",
      headers: ofChat,
      body: partsOf({ head: filePart("a.txt") }),
    });
    expect(((await wrong.json()) as { code: number }).code).toBe(40301);
    const proof = await anna.proofFor(uploadFile);
    expect(outcome(await sendBody(anna, partsOf({ head: filePart("") }), proof))).toBe("1 FILE_NAME_EMPTY");
    expect(outcome(await sendBody(anna, partsOf({ head: filePart("a.txt") }), proof))).toBe(
      "40301 INVALID_POW_RESPONSE",
    );
    expect(await leftOf(app)).toEqual([]);
  });

  it("[FILE-044] [FILE-045] [FILE-046] [FILE-047] [FILE-051] says what is wrong with a file, and keeps nothing of it", async () => {
    const { app, anna } = await open();
    await anna.uploaded("a.txt", "x");
    const before = (await leftOf(app)).length;
    const noName = 'content-disposition: form-data; name="file"';
    expect(outcome(await sendBody(anna, partsOf({ head: noName })))).toBe("1 FILE_NAME_EMPTY");
    expect(outcome(await anna.upload("..", "x"))).toBe("1 FILE_NAME_EMPTY");
    expect(outcome(await anna.upload("empty.txt", ""))).toBe("2 FILE_SIZE_EMPTY");
    expect(outcome(await anna.upload("a.txt", "x", { "x-file-size": "0" }))).toBe("2 FILE_SIZE_EMPTY");
    expect(outcome(await anna.upload("a.txt", "x", { "x-file-size": "104857601" }))).toBe("3 FILE_TOO_LARGE");
    expect(outcome(await anna.upload(`${"长".repeat(252)}.txt`, "x"))).toBe("4 FILE_NAME_TOO_LONG");
    expect(outcome(await anna.upload("virus.exe", "x"))).toBe("9 UNSUPPORTED_FORMAT");
    expect(outcome(await anna.upload("no-extension", "x"))).toBe("9 UNSUPPORTED_FORMAT");
    expect(outcome(await anna.upload(`${"长".repeat(251)}.TXT`, "x"))).toBe("0 ");
    const other = 'content-disposition: form-data; name="other"; filename="a.txt"';
    for (const body of [
      "",
      "{}",
      "no multipart",
      partsOf({ head: other }),
      partsOf({ head: filePart("a.txt") }, { head: filePart("b.txt") }),
      partsOf({ head: filePart("a.txt") }).slice(0, -10),
    ]) {
      expect(outcome(await sendBody(anna, body)), body).toBe("42200 INVALID_PARAMS");
    }
    const among = partsOf({ head: other }, { head: filePart("a.txt") }, { head: other });
    expect(outcome(await sendBody(anna, among))).toBe("0 ");
    await soon(async () => expect(await leftOf(app)).toHaveLength(before + 6));
  });

  it("[FILE-046] more than 100 MB are refused, whatever the header says, and leave nothing", async () => {
    const { app, anna } = await open();
    await anna.uploaded("a.txt", "x");
    const before = await leftOf(app);
    const content = new Uint8Array(100 * MIB + 1);
    expect(outcome(await anna.upload("large.txt", content, { "x-file-size": "10" }))).toBe(
      "3 FILE_TOO_LARGE",
    );
    const tooLarge = await anna.upload("larger.txt", new Uint8Array(102 * MIB));
    expect([tooLarge.status, outcome(tooLarge)]).toEqual([413, "41300 BODY_TOO_LARGE"]);
    expect((await leftOf(app)).sort()).toEqual(before.sort());
  });

  it("[FILE-050] three of a user come at once, a fourth does not; another's does", async () => {
    const { app, anna } = await open();
    const slow: ReadableStreamDefaultController<Uint8Array>[] = [];
    const proofs = await Promise.all([1, 2, 3].map(() => anna.proofFor(uploadFile)));
    const [head = "", tail = ""] = partsOf({ head: filePart("slow.txt"), content: "x|" }).split("|");
    const sending = proofs.map((headers) => {
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(Buffer.from(head));
          slow.push(controller);
        },
      });
      return anna.request(uploadFile.path, { method: "POST", headers, body, duplex: "half" } as RequestInit);
    });
    const uploads = () =>
      app.db.kysely.selectFrom("jobs").select("subject").where("kind", "=", "file-upload").execute();
    await soon(async () => expect(await uploads()).toHaveLength(3));
    expect(outcome(await anna.upload("fourth.txt", "x"))).toBe("8 TOO_MANY_CONCURRENT");
    expect((await (await app.signedIn()).uploaded("other.txt", "x")).status).toBe("SUCCESS");
    for (const controller of slow) {
      controller.enqueue(Buffer.from(tail));
      controller.close();
    }
    for (const response of await Promise.all(sending)) {
      expect(outcome({ envelope: await response.json() } as JsonAnswer)).toBe("0 ");
    }
    expect(outcome(await anna.upload("fourth.txt", "x"))).toBe("0 ");
  });

  it("all of an account's go, those under way too, and nobody else's", async () => {
    const { app, anna } = await open();
    const bert = await app.signedIn();
    const [hers, his] = [await anna.uploaded("hers.txt", "x"), await bert.uploaded("his.txt", "x")];
    const { url } = await anna.ok(previewFile, { file_id: hers.id });
    const headers = await anna.proofFor(uploadFile);
    let coming: ReadableStreamDefaultController<Uint8Array> | undefined;
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        coming = controller;
        controller.enqueue(Buffer.from(partsOf({ head: filePart("slow.txt") }).slice(0, -9)));
      },
    });
    const sending = anna.request(uploadFile.path, {
      method: "POST",
      headers,
      body,
      duplex: "half",
    } as RequestInit);
    await soon(async () => expect(await leftOf(app)).toHaveLength(4 + 2 + 3));
    const userId = anna.user?.id ?? "";
    await app.db.transaction((trx) => removeFilesOfUser(app.db, trx, { userId, now: Date.now() }));
    expect((await anna.ok(fetchFiles, { file_ids: hers.id })).files).toEqual([]);
    expect((await fetch(url)).status).toBe(404);
    // The upload is told, though its body goes on.
    expect([503, 200]).toContain((await sending).status);
    coming?.close();
    const uuid = his.id.slice(5);
    await soon(async () =>
      expect((await leftOf(app)).sort()).toEqual([`${uuid}.content`, `${uuid}.text`, his.id].sort()),
    );
    expect((await anna.ok(fetchFiles, { file_ids: hers.id })).files).toEqual([]);
    expect((await bert.ok(fetchFiles, { file_ids: his.id })).files).toEqual([his]);
  });

  it("[FILE-049] 60 in an hour, counted in the database", async () => {
    const { anna } = await open({ settings: { RATE_LIMITS: "upload_user_hour=2" } });
    expect(outcome(await anna.upload("a.txt", "x"))).toBe("0 ");
    expect(outcome(await anna.upload("a.exe", "x"))).toBe("9 UNSUPPORTED_FORMAT");
    expect(outcome(await anna.upload("a.txt", "x"))).toBe("7 REQUEST_TOO_FREQUENT");
  });

  it("a quota holds over all files of a user, whatever the header says", async () => {
    const { app, anna } = await open({ settings: { FILE_QUOTA_MB: "1" } });
    expect(outcome(await anna.upload("a.txt", "a ".repeat(MIB / 4)))).toBe("0 ");
    const before = (await leftOf(app)).filter((name) => name.endsWith(".content"));
    const half = "b ".repeat(MIB / 4 + 1);
    expect(outcome(await anna.upload("b.txt", half, { "x-file-size": String(half.length) }))).toBe(
      "6 STORAGE_QUOTA_EXCEEDED",
    );
    expect(outcome(await anna.upload("b.txt", half, { "x-file-size": "1" }))).toBe(
      "6 STORAGE_QUOTA_EXCEEDED",
    );
    expect(outcome(await anna.upload("b.txt", half.slice(2)))).toBe("0 ");
    expect((await leftOf(app)).filter((name) => name.endsWith(".content"))).toHaveLength(before.length + 1);
  });

  it("[FILE-052] while very many wait whoever has none waiting is admitted, and nobody where the server holds no more", async () => {
    const { app, anna } = await open();
    const bert = await app.signedIn();
    const held = { kind: "file-read", owner: "other", epoch: 1, renewed_at: 9e15, due_at: 9e15, attempts: 0 };
    const wait = async (count: number, userId: string) => {
      for (let left = count; left > 0; left -= 500) {
        const rows = Array.from({ length: Math.min(left, 500) }, () => ({
          ...held,
          user_id: userId,
          subject: `file-${crypto.randomUUID()}`,
        }));
        await app.db.kysely.insertInto("jobs").values(rows).execute();
      }
    };
    await wait(2000, "u");
    expect(outcome(await anna.upload("a.txt", "x"))).toBe("0 ");
    await wait(1, anna.user?.id ?? "");
    expect(outcome(await anna.upload("a.txt", "x"))).toBe("15 SERVER_BUSY");
    expect(outcome(await bert.upload("a.txt", "x"))).toBe("0 ");
    await wait(3000, "u");
    expect(outcome(await bert.upload("a.txt", "x"))).toBe("15 SERVER_BUSY");
    await app.db.kysely.deleteFrom("jobs").where("user_id", "=", "u").execute();
    expect(outcome(await anna.upload("a.txt", "x"))).toBe("0 ");
  });

  it("[FILE-052] is refused while a hundred of the user's wait, and nobody else's is", async () => {
    const { app, anna } = await open();
    const job = { kind: "file-read", owner: "other", epoch: 1, renewed_at: 9e15, due_at: 9e15, attempts: 0 };
    const waiting = Array.from({ length: 100 }, (_, index) => ({
      ...job,
      user_id: anna.user?.id ?? "",
      subject: `file-${index}`,
    }));
    await app.db.kysely.insertInto("jobs").values(waiting).execute();
    expect(outcome(await anna.upload("a.txt", "x"))).toBe("15 SERVER_BUSY");
    expect(outcome(await (await app.signedIn()).upload("a.txt", "x"))).toBe("0 ");
    await app.db.kysely.deleteFrom("jobs").where("subject", "=", "file-0").execute();
    expect(outcome(await anna.upload("a.txt", "x"))).toBe("0 ");
  });

  it("[FILE-048] where nothing can be stored it says so, keeps nothing, and readyz tells", async () => {
    const clock = new SkippingClock();
    const { app, anna } = await open({ clock });
    await anna.uploaded("before.txt", "x");
    const before = await leftOf(app);
    const ready = async (): Promise<unknown> => {
      clock.skip(1000);
      const response = await fetch(`${app.address}/readyz`);
      const { checks } = (await response.json()) as { checks: { storage: string } };
      return [response.status, checks.storage];
    };
    expect(await ready()).toEqual([200, "ok"]);
    // As on a folder that takes nothing: no file can be made in it.
    const incoming = join(app.config.dataDir, "objects", "incoming");
    renameSync(incoming, `${incoming}-aside`);
    writeFileSync(incoming, "");
    expect(await ready()).toEqual([503, "fail"]);
    expect(outcome(await anna.upload("a.txt", "x".repeat(100_000)))).toBe("5 SYSTEM_EXCEPTION");
    rmSync(incoming);
    renameSync(`${incoming}-aside`, incoming);
    expect((await leftOf(app)).sort()).toEqual(before.sort());
    expect(await ready()).toEqual([200, "ok"]);
    expect((await anna.uploaded("after.txt", "x")).status).toBe("SUCCESS");
  });

  it("a muted account may not upload, one under review neither", async () => {
    const { app, anna } = await open();
    const users = app.db.kysely.updateTable("users").where("id", "=", anna.user?.id ?? "");
    await users.set({ under_review: 1 }).execute();
    await soon(async () =>
      expect(outcome(await anna.upload("a.txt", "x"))).toBe("40014 ACCOUNT_UNDER_REVIEW"),
    );
    await users.set({ under_review: 0, muted_until: Date.now() + 60_000 }).execute();
    await soon(async () => expect(outcome(await anna.upload("a.txt", "x"))).toBe("50006 USER_IS_MUTED"));
    expect((await anna.ok(fetchFiles, { file_ids: "" })).files).toEqual([]);
  });

  it("[FILE-016] files are told in the order asked, a repeated parameter too; no stranger's", async () => {
    const { app, anna } = await open();
    const bert = await app.signedIn();
    const [one, two] = [await anna.uploaded("one.txt", "1"), await anna.uploaded("two.txt", "2")];
    const his = await bert.uploaded("his.txt", "secret");
    const names = async (query: string) => {
      const response = await anna.request(`${fetchFiles.path}?${query}`);
      const { data } = (await response.json()) as { data: { biz_data: { files: FileInfo[] } } };
      return data.biz_data.files.map(({ file_name }) => file_name);
    };
    expect(await names(`file_ids=${two.id},${one.id}`)).toEqual(["two.txt", "one.txt"]);
    expect(await names(`file_ids=${one.id}%2C${two.id}%2C${one.id}`)).toEqual(["one.txt", "two.txt"]);
    expect(await names(`file_ids=${two.id}&file_ids=${one.id}`)).toEqual(["two.txt", "one.txt"]);
    expect(await names(`file_ids=${his.id},${one.id},file-x,%00,${one.id.toUpperCase()}`)).toEqual([
      "one.txt",
    ]);
    expect(await names("file_ids=")).toEqual([]);
    const many = await anna.call(fetchFiles, {
      file_ids: Array.from({ length: 101 }, (_, index) => `file-${index}`).join(","),
    });
    expect(outcome(many)).toBe("42200 INVALID_PARAMS");
    const before = await findFile(bert, his.id);
    const [foreign, absent] = await Promise.all(
      [his.id, his.id.replace(/.$/u, (digit) => (digit === "0" ? "1" : "0"))].map(async (id) =>
        withoutTraceId(await (await anna.request(`${previewFile.path}?file_id=${id}`)).text()),
      ),
    );
    expect(foreign).toContain("FILE_NOT_FOUND");
    expect(foreign).toBe(absent);
    expect(await findFile(bert, his.id)).toEqual(before);
  });
});
