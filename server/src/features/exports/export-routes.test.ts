// An export as its owner sees it: begun, written by whoever lives, downloaded, expired; on both databases.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createCharacter } from "@plumb/protocol/wire/agents";
import { listCharacters } from "@plumb/protocol/wire/character-list";
import { messageFeedback } from "@plumb/protocol/wire/feedback";
import {
  downloadExportHistory,
  exportAll,
  exportAllByGet,
  type ExportStatus,
} from "@plumb/protocol/wire/exports";
import { deleteAllSessions } from "@plumb/protocol/wire/history";
import { createSession, historyMessages, updateSessionTitle } from "@plumb/protocol/wire/sessions";
import { createShare, forkShare } from "@plumb/protocol/wire/sharing";
import { completion, regenerate } from "@plumb/protocol/wire/turns";
import { describe, expect, it, vi } from "vitest";
import type { TestApp } from "../../../test/create-test-app.ts";
import { testApps } from "../../../test/test-apps.ts";
import { readZip } from "../../../test/read-zip.ts";
import { orphanedJob } from "../../../test/stored-rows.ts";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { SkippingClock } from "../../../test/test-clock.ts";
import type { TestClient } from "../../../test/test-client.ts";
import { engines } from "../../../test/test-databases.ts";
import { checkFiles } from "../../operator/check-files.ts";
import { exportedZip, imported } from "../imports/import.fixture.ts";
import { newExportId } from "./export-keys.ts";
import { ExportJob } from "./export-store.ts";
import { signExportToken } from "./export-token.ts";
import { purgeExports } from "./purge-exports.ts";

const DAY_MS = 24 * 3600 * 1000;

describe.each(engines)("exports on %s", (engine) => {
  const open = testApps({ engine });
  const idOf = (person: TestClient) => person.user?.id ?? "";

  async function talk(person: TestClient, prompt: string, extra: object = {}): Promise<string> {
    const { id } = await person.ok(createSession, {});
    await (
      await person.stream(completion, { chat_session_id: id, prompt, ...extra })
    ).ended;
    return id;
  }

  async function finished(person: TestClient): Promise<ExportStatus> {
    return await vi.waitFor(
      async () => {
        const status = await person.ok(downloadExportHistory, {});
        expect(status.status).toBe("FINISHED");
        return status;
      },
      { timeout: 20_000, interval: 20 },
    );
  }

  /** With no token of an account: the link is the right. */
  const download = (
    app: TestApp,
    { history_download_url: url }: ExportStatus,
    headers = {},
    method: "GET" | "HEAD" = "GET",
  ) => app.client().request((url ?? "").slice(app.address.length), { headers, method });

  async function unzipped(response: Response): Promise<Map<string, string>> {
    const file = join(temporaryFolder("export"), "export.zip");
    writeFileSync(file, Buffer.from(await response.arrayBuffer()));
    return await readZip(file);
  }

  it("have all that an account has: conversations with their branches, texts of files, personas [EXP-001] [EXP-002] [EXP-003] [EXP-004]", async () => {
    const app = await open();
    const [person, other] = [await app.signedIn(), await app.signedIn()];
    await talk(other, "The secret word is xylophone");
    const none = await person.call(downloadExportHistory, {});
    expect(none.envelope.data).toMatchObject({ biz_code: 1, biz_msg: "NO_EXPORT_TASK" });
    expect(none.data).toMatchObject({
      status: "EMPTY",
      history_download_url: null,
      historyDownloadUrl: null,
    });

    const file = await person.uploaded("notes.txt", "What the notes say");
    const first = await talk(person, "Hello | there", { ref_file_ids: [file.id] });
    await (
      await person.stream(regenerate, { chat_session_id: first, child_message_id: 2 })
    ).ended;
    await person.ok(messageFeedback, {
      chat_session_id: first,
      message_id: 2,
      feedback_type: "BAD",
      feedback_tag: "other",
      description: "Too *short*",
    });
    const second = await talk(person, "Second");
    for (const id of [first, second])
      await person.ok(updateSessionTitle, { chat_session_id: id, title: "../../a:b" });
    const empty = await person.ok(createSession, {});

    const begun = await person.ok(exportAll, {});
    expect(begun).toEqual({
      status: "INIT",
      history_download_url: null,
      legacy_history_download_url: null,
      export_at: null,
      expire_at: null,
      bytes: null,
      sessions_done: 0,
      sessions_total: 0,
      historyDownloadUrl: null,
      legacyHistoryDownloadUrl: null,
      exportAt: null,
      expireAt: null,
    });
    const status = await finished(person);
    expect(status.exportAt).toBe(status.export_at);
    expect(status.expireAt).toBe((status.export_at ?? 0) + 7 * 24 * 3600);
    expect(status).toMatchObject({ sessions_done: 2, sessions_total: 2, legacyHistoryDownloadUrl: null });
    expect(status.historyDownloadUrl).toBe(status.history_download_url);

    const response = await download(app, status);
    expect(response.status).toBe(200);
    const day = new Date((status.export_at ?? 0) * 1000).toISOString().slice(0, 10).replaceAll("-", "");
    expect(response.headers.get("content-disposition")).toBe(`attachment; filename=plumb-export-${day}.zip`);
    expect(response.headers.get("cache-control")).toContain("no-store");
    expect(Number(response.headers.get("content-length"))).toBe(status.bytes);
    const zip = await unzipped(response);
    expect([...zip.keys()]).toEqual([
      "account.json",
      "sessions.json",
      "sessions/00001 a b.md",
      "sessions/00002 a b.md",
      `files/notes.txt.${file.id}.txt`,
    ]);
    expect(JSON.parse(zip.get("account.json") ?? "")).toMatchObject({
      format: "plumb-export",
      format_version: 1,
      account: { id: idOf(person), email: expect.stringContaining("@example.org") },
      characters: [],
    });
    const sessions = JSON.parse(zip.get("sessions.json") ?? "") as object[];
    const histories = [];
    for (const id of [second, first]) {
      const { chat_session, chat_messages } = await person.ok(historyMessages, { chat_session_id: id });
      histories.push({ chat_session, chat_messages });
    }
    expect(sessions).toEqual(histories);
    const markdown = zip.get("sessions/00002 a b.md") ?? "";
    expect(markdown).toContain("> Hello | there");
    expect(markdown).toContain("Another branch, after message 1");
    expect(markdown).toContain("version 1 of 2");
    expect(markdown).toContain("- notes.txt");
    expect(markdown).toContain("*Rated bad · other · Too \\*short\\**");
    expect(zip.get(`files/notes.txt.${file.id}.txt`)).toBe("What the notes say");
    const all = [...zip.values()].join("\n");
    expect(all).not.toContain("xylophone");
    expect(all).not.toContain(empty.id);
    expect((await checkFiles(app.db, app.app.deps.ports.objectStore)).violations).toEqual([]);
  });

  it("have of files of a share that was continued the names alone, also when they were imported and exported again [EXP-004]", async () => {
    const app = await open();
    const [anna, bert, carl] = [await app.signedIn(), await app.signedIn(), await app.signedIn()];
    const secret = await anna.uploaded("notes.txt", "The secret word is xylophone");
    // The model that is asked else says what is in the file.
    const quietly = async (person: TestClient, fileId: string): Promise<string> => {
      const next = app.model.next();
      const talked = talk(person, "Which?", { ref_file_ids: [fileId] });
      const run = await next;
      run.say("That one");
      run.end();
      return await talked;
    };
    const shared = await quietly(anna, secret.id);
    const { share_id } = await anna.ok(createShare, { chat_session_id: shared, message_ids: [1, 2] });
    await bert.ok(forkShare, { share_id });
    const own = await bert.uploaded("own.txt", "What is bert's own");
    await quietly(bert, own.id);

    const bytes = await exportedZip(app, bert);
    const zip = await unzipped(new Response(bytes));
    expect([...zip.keys()].filter((name) => name.startsWith("files/"))).toEqual([
      `files/own.txt.${own.id}.txt`,
    ]);
    const all = [...zip.values()].join("\n");
    expect(all).not.toContain("xylophone");
    expect(zip.get("sessions.json")).toContain(`"file_name":"notes.txt"`);
    const copy = [...zip.keys()].find((name) => name.startsWith("sessions/00002"));
    expect(zip.get(copy ?? "")).toContain("- notes.txt");

    expect(await imported(carl, "export.zip", bytes)).toMatchObject({
      sessions_done: 2,
      sessions_skipped: 0,
    });
    const again = await unzipped(new Response(await exportedZip(app, carl)));
    const texts = [...again].filter(([name]) => name.startsWith("files/"));
    expect(texts.map(([, text]) => text)).toEqual(["What is bert's own"]);
    expect((await checkFiles(app.db, app.app.deps.ports.objectStore)).violations).toEqual([]);
  });

  it("are nothing where there is nothing, and answer to the specification's method, too [EXP-002] [EXP-004]", async () => {
    const app = await open();
    const person = await app.signedIn();
    await person.ok(createSession, {});
    expect((await person.ok(exportAllByGet, {})).status).toBe("INIT");
    await vi.waitFor(async () => {
      const status = await person.ok(downloadExportHistory, {});
      expect(status).toMatchObject({ status: "EMPTY", history_download_url: null, expire_at: null });
    });
  });

  it("have the personas of an account without a chat, or the texts of its files, and can be imported [EXP-001]", async () => {
    const app = await open();
    const [anna, bert, carl] = [await app.signedIn(), await app.signedIn(), await app.signedIn()];
    await anna.ok(createCharacter, { name: "Captain", instructions: "Be a captain." });
    const bytes = await exportedZip(app, anna);
    const zip = await unzipped(new Response(bytes));
    expect([...zip.keys()]).toEqual(["account.json", "sessions.json"]);
    expect(JSON.parse(zip.get("account.json") ?? "")).toMatchObject({ characters: [{ name: "Captain" }] });
    expect(JSON.parse(zip.get("sessions.json") ?? "")).toEqual([]);
    expect(await imported(carl, "export.zip", bytes)).toMatchObject({
      status: "FINISHED",
      kind: "plumb",
      sessions_total: 0,
      sessions_done: 0,
    });
    expect((await carl.ok(listCharacters, {})).characters).toMatchObject([{ name: "Captain" }]);

    const file = await bert.uploaded("notes.txt", "What the notes say");
    const other = await unzipped(new Response(await exportedZip(app, bert)));
    expect(other.get(`files/notes.txt.${file.id}.txt`)).toBe("What the notes say");
  });

  it.each([
    ["en_US", "New chat"],
    ["zh_CN", "新对话"],
  ])("name a chat without a title in the language of the page that asks: %s", async (locale, untitled) => {
    const app = await open();
    const person = await app.signedIn();
    const id = await talk(person, "Hello");
    await app.db.kysely.updateTable("sessions").set({ title: null }).where("id", "=", id).execute();
    await person.ok(exportAll, {}, { "x-client-locale": locale });
    const zip = await unzipped(await download(app, await finished(person)));
    const name = `sessions/00001 ${untitled}.md`;
    expect([...zip.keys()]).toContain(name);
    expect(zip.get(name)).toContain(`# ${untitled}\n`);
  });

  it("are begun once in ten minutes, and by no other site's page [EXP-013] [EXP-014]", async () => {
    const clock = new SkippingClock();
    const app = await open({ clock, settings: { RATE_LIMITS: "" } });
    const person = await app.signedIn();
    for (const call of [exportAll, exportAllByGet]) {
      const crossed = await person.call(call, {}, { "sec-fetch-site": "cross-site" });
      expect(crossed.envelope.code).toBe(40400);
    }
    expect(await app.db.kysely.selectFrom("exports").selectAll().execute()).toEqual([]);
    await person.ok(exportAll, {}, { "sec-fetch-site": "same-origin" });
    for (const call of [exportAll, exportAllByGet]) {
      const { envelope } = await person.call(call, {});
      expect(envelope.data).toMatchObject({ biz_code: 1, biz_msg: "RATE_LIMIT", biz_data: null });
    }
    clock.skip(10 * 60_000);
    await person.ok(exportAll, {});
  });

  it("may be begun anew at any moment of the one before", async () => {
    const clock = new SkippingClock();
    const app = await open({ clock, settings: { RATE_LIMITS: "" } });
    const person = await app.signedIn();
    for (let round = 0; round < 40; round += 1) {
      // The job of the one before is about to begin, to end, or to be taken away.
      await new Promise((resolve) => setTimeout(resolve, round % 8));
      const begun = await person.call(exportAll, {});
      expect(begun.envelope.data).toMatchObject({ biz_code: 0 });
      clock.skip(10 * 60_000);
    }
  });

  it("go to whoever has the link, in parts, and to nobody who made one up [EXP-010]", async () => {
    const app = await open();
    const [person, other] = [await app.signedIn(), await app.signedIn()];
    await talk(person, "Hello");
    await person.ok(exportAll, {});
    const status = await finished(person);
    const whole = Buffer.from(await (await download(app, status)).arrayBuffer());
    const part = await download(app, status, { range: "bytes=10-19" });
    expect(part.status).toBe(206);
    expect(Buffer.from(await part.arrayBuffer()).equals(whole.subarray(10, 20))).toBe(true);
    // What fetches in parts asks first how much there is.
    const about = await download(app, status, {}, "HEAD");
    expect([about.status, about.headers.get("content-length"), about.headers.get("accept-ranges")]).toEqual([
      200,
      String(whole.length),
      "bytes",
    ]);
    expect(await about.text()).toBe("");

    const [row] = await app.db.kysely.selectFrom("exports").selectAll().execute();
    const exportId = row?.id ?? "";
    const expireAt = status.expire_at ?? 0;
    const sign = (
      right: { exportId: string; userId: string; expireAt: number; generation: number },
      key = app.app.deps.secretKey,
    ) => signExportToken(key, right);
    const good = { exportId, userId: idOf(person), expireAt, generation: 0 };
    const codeOf = async (token: string) => {
      const answer = await app.client().request(`/api/v0/export/file?token=${encodeURIComponent(token)}`);
      return ((await answer.json()) as { code: number }).code;
    };
    for (const token of [
      "",
      "a",
      sign(good).slice(0, -1),
      `A${sign(good).slice(1)}`,
      sign(good, "another key"),
      sign({ ...good, userId: idOf(other) }),
      sign({ ...good, exportId: newExportId() }),
      sign({ ...good, exportId: "../../etc/passwd" }),
      person.token ?? "",
    ])
      expect(await codeOf(token), token).toBe(40400);
    expect(await codeOf(sign({ ...good, expireAt: 1 }))).toBe(41000);
    expect(await codeOf(sign({ ...good, generation: 1 }))).toBe(41000);
    // What a preview's link is signed with is no right to an export.
    await app.db.kysely.updateTable("users").set({ banned_at: 1 }).where("id", "=", idOf(person)).execute();
    expect(await codeOf(sign(good))).toBe(40400);
  });

  it("expire after seven days, and their bytes are gone then; a new one takes the place of the old [EXP-010] [EXP-016] [EXP-017]", async () => {
    const clock = new SkippingClock();
    const app = await open({ clock });
    const person = await app.signedIn();
    await talk(person, "Hello");
    await person.ok(exportAll, {});
    const first = await finished(person);
    await person.ok(exportAll, {});
    expect((await download(app, first)).status).toBe(404);
    const status = await finished(person);
    const objects = async () => {
      const keys: string[] = [];
      for await (const { key } of app.app.deps.ports.objectStore.list()) keys.push(key);
      return keys;
    };
    await vi.waitFor(async () => expect(await objects()).toHaveLength(1), { timeout: 10_000 });
    expect(await app.db.kysely.selectFrom("exports").selectAll().execute()).toHaveLength(1);

    await purgeExports(app.app.deps, clock.now() - 7 * DAY_MS);
    expect((await download(app, status)).status).toBe(200);
    clock.skip(7 * DAY_MS + 1000);
    expect((await download(app, status)).status).toBe(410);
    const expired = await person.call(downloadExportHistory, {});
    expect(expired.envelope.data).toMatchObject({ biz_code: 2, biz_msg: "EXPORT_EXPIRED" });
    expect(expired.data).toMatchObject({ status: "EMPTY", expireAt: null });
    await purgeExports(app.app.deps, clock.now() - 7 * DAY_MS);
    expect(await objects()).toEqual([]);
    expect((await person.call(downloadExportHistory, {})).envelope.data?.biz_code).toBe(2);
  });

  it("go with the history that they were made of, and no one else's [EXP-018]", async () => {
    const app = await open();
    const [person, other] = [await app.signedIn(), await app.signedIn()];
    for (const who of [person, other]) {
      await talk(who, "Hello");
      await who.ok(exportAll, {});
    }
    const [gone, kept] = [await finished(person), await finished(other)];
    await person.ok(deleteAllSessions, {});
    expect((await download(app, gone)).status).toBe(404);
    expect((await person.call(downloadExportHistory, {})).envelope.data?.biz_code).toBe(1);
    const noJobs = () =>
      vi.waitFor(
        async () => expect(await app.db.kysely.selectFrom("jobs").selectAll().execute()).toEqual([]),
        {
          timeout: 10_000,
        },
      );
    await noJobs();
    const { violations } = await checkFiles(app.db, app.app.deps.ports.objectStore);
    expect(violations).toEqual([]);
    const rows = await app.db.kysely.selectFrom("exports").select("user_id").execute();
    expect(rows).toEqual([{ user_id: idOf(other) }]);
    expect((await download(app, kept)).status).toBe(200);

    // Also one that is not written yet.
    await talk(person, "Hello again");
    await person.ok(exportAll, {});
    await person.ok(deleteAllSessions, {});
    expect((await person.call(downloadExportHistory, {})).envelope.data?.biz_code).toBe(1);
    await noJobs();
    expect(await app.db.kysely.selectFrom("exports").selectAll().execute()).toHaveLength(1);
  });

  it("are written by another process when the one that began has died, and given up when that happens again and again", async () => {
    const app = await open();
    const [person, unlucky] = [await app.signedIn(), await app.signedIn()];
    for (const who of [person, unlucky]) await talk(who, "Hello");
    const { objectStore } = app.app.deps.ports;
    async function* half(): AsyncGenerator<Uint8Array> {
      yield Buffer.from("what the dead had written");
    }
    const jobs: [who: TestClient, id: string, attempts: number][] = [
      [person, newExportId(), 0],
      [unlucky, newExportId(), 2],
    ];
    for (const [, id] of jobs) await objectStore.put(`${id}-5.zip`, half());
    await app.db.transaction(async (trx) => {
      for (const [who, id, attempts] of jobs) {
        const row = { id, user_id: idOf(who), status: "CREATED", locale: "zh_CN", requested_at: Date.now() };
        await trx.insertInto("exports").values(row).execute();
        await trx
          .insertInto("jobs")
          .values(orphanedJob({ subject: id, kind: ExportJob.Write, user_id: idOf(who), epoch: 5, attempts }))
          .execute();
      }
    });
    const zip = await unzipped(await download(app, await finished(person)));
    expect(zip.get("sessions/00001 A title.md")).toContain("· 助手");
    await vi.waitFor(
      async () => {
        const { envelope } = await unlucky.call(downloadExportHistory, {});
        expect(envelope.data).toMatchObject({ biz_code: 3, biz_msg: "EXPORT_FAILED", biz_data: null });
      },
      { timeout: 10_000 },
    );
    expect(await objectStore.sizeOf(`${jobs[0]?.[1]}-5.zip`)).toBeNull();
    // What the sixth holder wrote goes with the export, too.
    expect(await objectStore.sizeOf(`${jobs[0]?.[1]}-6.zip`)).not.toBeNull();
    await person.ok(exportAll, {});
    await vi.waitFor(async () => expect(await objectStore.sizeOf(`${jobs[0]?.[1]}-6.zip`)).toBeNull(), {
      timeout: 10_000,
    });
    await finished(person);
    expect((await checkFiles(app.db, objectStore)).violations).toEqual([]);
  });

  it.runIf(engine === "postgres")(
    "pass to a second replica that lives when the first is ended in the middle",
    async () => {
      const one = await open();
      const person = await one.signedIn();
      for (let n = 0; n < 3; n += 1) await talk(person, `Number ${n}`);
      const { objectStore } = one.app.deps.ports;
      const put = objectStore.put.bind(objectStore);
      let begun = (): void => {};
      const writing = new Promise<void>((resolve) => {
        begun = resolve;
      });
      objectStore.put = (key, source) =>
        put(
          key,
          (async function* () {
            for await (const piece of source) {
              yield piece;
              begun();
              await new Promise((resolve) => setTimeout(resolve, 50));
            }
          })(),
        );
      await person.ok(exportAll, {});
      await writing;
      const two = await open({ beside: one });
      await one.app.drain(0);
      const there = two.client(person);
      const zip = await unzipped(await download(two, await finished(there)));
      expect(JSON.parse(zip.get("sessions.json") ?? "")).toHaveLength(3);
      expect((await checkFiles(two.db, objectStore)).violations).toEqual([]);
    },
  );
});
