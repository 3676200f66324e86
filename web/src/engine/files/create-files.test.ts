// Files of a message, from the engine's face to the server and back.
import { beforeAll, describe, expect, it } from "vitest";
import { globalError, ok, refused } from "../testing/fake-answers.ts";
import { createFakeServer } from "../testing/fake-server.ts";
import type { Request } from "../testing/fake-request.ts";
import { openPage, signedInDisk, type Page } from "../testing/open-page.ts";
import { wireFile } from "../testing/wire-file.ts";
import { shortTalk } from "../testing/wire-message.ts";
import { fileText } from "./file-texts.ts";

// Else the first test would wait for the code.
beforeAll(() => import("./create-files.ts"));

const PUZZLE = "/api/v0/chat/create_pow_challenge";
const UPLOAD = "/api/v0/file/upload_file";
const FETCH = "/api/v0/file/fetch_files";
const COMPLETION = "/api/v0/chat/completion";
const EDIT = "/api/v0/chat/edit_message";
const NEW = "new:chat";

const local = (name: string, size = 10) => ({ name, size });

/** Handlers that answer when the test says so. */
function held() {
  const waiting: { request: Request; answer: (response: Response) => void }[] = [];
  return {
    waiting,
    handler: (request: Request) =>
      new Promise<Response>((answer) => {
        waiting.push({ request, answer });
        request.signal?.addEventListener("abort", () => answer(new Response()));
      }),
  };
}

const filesOf = (page: Page, key = NEW) => page.engine.files.store.getState().byKey[key] ?? [];
const shown = (page: Page, key = NEW) => filesOf(page, key).filter(({ sent }) => sent !== "now");
const words = (page: Page, key = NEW) =>
  shown(page, key).map((file) => {
    const text = fileText(file);
    return text === null ? "ready" : "key" in text ? text.key : text.content;
  });
const toasts = (page: Page) =>
  page.engine.site.toasts.getState().toasts.map(({ text }) => "key" in text && text.key);

async function add(page: Page, key: string, ...files: { name: string; size: number }[]): Promise<void> {
  page.engine.files.add(key, files);
  await page.browser.settle();
  await page.browser.settle();
}

/** A page with files that are uploaded and read, so many tokens each. */
async function withReady(tokens: number[], key = NEW, server = createFakeServer()) {
  const page = await openPage(server);
  if (key !== NEW) {
    page.engine.sessions.open(key);
    await page.browser.settle();
  }
  await add(page, key, ...tokens.map((_, at) => local(`${at}.txt`)));
  server.files.all().forEach(({ id }, at) => server.files.read(id, tokens[at]));
  await page.browser.advance(3000);
  return { server, page };
}

describe("an upload", () => {
  it("brings the file with a proof of its own scene, its size and whether thinking is on [FILE-013] [FILE-014] [POW-002] [POW-003]", async () => {
    const server = createFakeServer();
    const page = await openPage(server);
    await add(page, NEW, local("a.pdf", 1234));
    const [request] = server.calls(UPLOAD);
    expect(request?.file).toEqual(local("a.pdf", 1234));
    expect(request?.headers).toMatchObject({
      authorization: "Bearer token-1",
      "x-file-size": "1234",
      "x-thinking-enabled": "0",
    });
    expect(request?.headers["content-type"]).toBeUndefined();
    expect(request?.headers["x-ds-pow-response"]).toBeTruthy();
    const challenges = server.calls("/api/v0/chat/create_pow_challenge");
    expect(challenges.map(({ body }) => body["target_path"])).toContain(UPLOAD);
    expect(shown(page)[0]?.stored).toMatchObject({ id: "file-1", status: "PENDING" });
    page.close();
  });

  it("says whether thinking is on when its turn comes [FILE-014]", async () => {
    const server = createFakeServer();
    const uploads = held();
    server.answer(UPLOAD, uploads.handler);
    const page = await openPage(server);
    await add(page, NEW, ...["a", "b", "c", "d"].map((name) => local(`${name}.txt`)));
    page.engine.site.setPreferences({ thinkingEnabled: true });
    page.engine.files.remove(NEW, shown(page)[0]!.renderKey);
    await page.browser.settle();
    await page.browser.settle();
    const thinking = uploads.waiting.map(({ request }) => request.headers["x-thinking-enabled"]);
    expect(thinking).toEqual(["0", "0", "0", "1"]);
    page.close();
  });

  it("goes from waiting over its per cent to the server, is polled every 3 s, and has its end [FILE-003] [FILE-004] [FILE-015] [FILE-016]", async () => {
    const server = createFakeServer();
    const uploads = held();
    server.answer(UPLOAD, uploads.handler);
    const page = await openPage(server);
    const seen: unknown[] = [];
    page.engine.files.store.subscribe(() => seen.push(shown(page)[0]?.upload?.percent ?? words(page)[0]));
    await add(page, NEW, local("a.pdf"));
    const { renderKey } = shown(page)[0]!;
    for (const part of [0.001, 0.42, 0.421, 1]) uploads.waiting[0]?.request.progress?.(part);
    expect(seen).toEqual([0, 0, 42, 100]);
    server.answerAsUsual(UPLOAD);
    uploads.waiting[0]?.answer(server.files.upload(uploads.waiting[0].request));
    await page.browser.settle();
    expect(words(page)).toEqual(["fileQueuing"]);
    expect(server.calls(FETCH)).toHaveLength(0);
    await page.browser.advance(2999);
    expect(server.calls(FETCH)).toHaveLength(0);
    server.files.change("file-1", { status: "PARSING" });
    await page.browser.advance(1);
    expect(words(page)).toEqual(["fileParsing"]);
    await page.browser.advance(3000);
    expect(server.calls(FETCH)).toHaveLength(2);
    server.files.read("file-1", 77);
    await page.browser.advance(3000);
    expect(words(page)).toEqual(["ready"]);
    expect(shown(page)[0]).toMatchObject({ renderKey, stored: { tokenUsage: 77, previewable: true } });
    await page.browser.advance(60_000);
    expect(server.calls(FETCH)).toHaveLength(3);
    page.close();
  });

  it("is one of three at the same time; a cancelled one ends and makes room [FILE-017]", async () => {
    const server = createFakeServer();
    const uploads = held();
    server.answer(UPLOAD, uploads.handler);
    const page = await openPage(server);
    await add(page, NEW, ...["a", "b", "c", "d"].map((name) => local(`${name}.txt`)));
    const running = () => uploads.waiting.map(({ request }) => request.file?.name);
    expect(running()).toEqual(["a.txt", "b.txt", "c.txt"]);
    expect(words(page)).toEqual(["fileUploading", "fileUploading", "fileUploading", "fileQueuing"]);
    page.engine.files.remove(NEW, shown(page)[1]!.renderKey);
    await page.browser.settle();
    await page.browser.settle();
    expect(uploads.waiting[1]?.request.signal?.aborted).toBe(true);
    expect(running()).toEqual(["a.txt", "b.txt", "c.txt", "d.txt"]);
    expect(shown(page).map(({ fileName }) => fileName)).toEqual(["a.txt", "c.txt", "d.txt"]);
    page.close();
  });

  it("that fails says why and can be tried again; what is refused for itself can't", async () => {
    const server = createFakeServer();
    const page = await openPage(server);
    server.answer(UPLOAD, () => refused(8, "TOO_MANY_CONCURRENT"));
    await add(page, NEW, local("a.txt"));
    expect(words(page)).toEqual(["fileTooManyAtOnce"]);
    expect(shown(page)[0]?.upload).toMatchObject({ failed: true, isUploading: false, canRetry: true });
    server.answerAsUsual(UPLOAD);
    page.engine.files.retry(shown(page)[0]!.renderKey);
    await page.browser.settle();
    await page.browser.settle();
    expect(words(page)).toEqual(["fileQueuing"]);
    server.answer(UPLOAD, () => refused(9, "UNSUPPORTED_FORMAT"));
    await add(page, NEW, local("b.txt"));
    expect(shown(page)[1]?.upload).toMatchObject({ failed: true, canRetry: false });
    page.close();
  });

  it.each<[string, () => Response, string]>([
    ["server fails", () => globalError(50000, "INTERNAL_ERROR", 500), "serverUnavailable"],
    [
      "network is away",
      () => {
        throw new TypeError("Failed to fetch");
      },
      "networkError",
    ],
    ["proof is refused", () => refused(77, "NO_CHALLENGE"), "uploadProofFailed"],
  ])(
    "without a proof, where the %s, says what people can tell, and can be tried again [POW-011]",
    async (_case, answer, text) => {
      const server = createFakeServer();
      const page = await openPage(server);
      server.answer(PUZZLE, answer);
      await add(page, NEW, local("a.txt"));
      expect(words(page)).toEqual([text]);
      expect(page.browser.logged.join()).toContain("Fail to retrieve pow for upload file");
      expect(server.calls(UPLOAD)).toHaveLength(0);
      server.answerAsUsual(PUZZLE);
      page.engine.files.retry(shown(page)[0]!.renderKey);
      await page.browser.settle();
      await page.browser.settle();
      expect(server.calls(UPLOAD)).toHaveLength(1);
      page.close();
    },
  );

  it("that has no room says so at the file, and how much is used once for all files", async () => {
    const server = createFakeServer();
    const page = await openPage(server);
    server.answer(UPLOAD, () =>
      refused(6, "STORAGE_QUOTA_EXCEEDED", { used_bytes: 1023, quota_bytes: 1024 }),
    );
    await add(page, NEW, local("a.txt"), local("b.txt"));
    expect(words(page)).toEqual(["fileStorageFull", "fileStorageFull"]);
    expect(toasts(page)).toEqual(["storageFull"]);
    page.close();
  });

  it("that stands still for a minute is given up; one that goes on slowly is not", async () => {
    const server = createFakeServer();
    const uploads = held();
    server.answer(UPLOAD, uploads.handler);
    const page = await openPage(server);
    await add(page, NEW, local("a.txt"));
    await page.browser.advance(59_000);
    uploads.waiting[0]?.request.progress?.(0.1);
    await page.browser.advance(59_000);
    expect(words(page)).toEqual(["fileUploading"]);
    await page.browser.advance(1000);
    expect(words(page)).toEqual(["networkError"]);
    page.close();
  });

  it("of a muted user says until when, and the mute is asked for at once", async () => {
    const server = createFakeServer();
    const page = await openPage(server);
    const untils: unknown[] = [];
    page.engine.accounts.mute.subscribe(({ until }) => untils.push(until));
    const end_at = page.browser.now() / 1000 + 600;
    server.answer(UPLOAD, () => globalError(50006, "USER_IS_MUTED", 200, { biz_code: 50006, end_at }));
    await add(page, NEW, local("a.txt"));
    expect(untils[0]).toBe(end_at);
    expect(server.calls("/api/v0/users/current")).toHaveLength(2);
    expect(words(page)).toEqual(["accountMutedUntil"]);
    page.close();
  });

  it("that the server lost is in error", async () => {
    const server = createFakeServer();
    const page = await openPage(server);
    await add(page, NEW, local("a.txt"), local("b.txt"));
    server.files.remove("file-1");
    server.files.read("file-2");
    await page.browser.advance(3000);
    expect(words(page)).toEqual(["fileSystemException", "ready"]);
    page.close();
  });
});

describe("files are not added", () => {
  it("for another reason than a moment ago: that is said, too, and each once", async () => {
    const server = createFakeServer();
    server.addSession("s1", shortTalk);
    const page = await openPage(server);
    page.engine.site.setPreferences({ searchEnabled: true });
    await add(page, NEW, local("a.txt"));
    page.engine.site.setPreferences({ searchEnabled: false });
    page.engine.sessions.open("s1");
    page.engine.files.add("s1", [local("a.txt")]);
    page.engine.files.add("s1", [local("a.txt")]);
    expect(toasts(page)).toEqual(["attachWhileSearch", "attachWhileBusy"]);
    page.close();
  });

  it("while search is on, while the chat is busy, and beyond the count of the session [FILE-026] [FILE-027]", async () => {
    const server = createFakeServer();
    const files = Array.from({ length: 49 }, (_, at) => wireFile({ id: `f${at}`, file_name: `${at}.txt` }));
    server.addSession("s1", [{ ...shortTalk[0]!, files }, shortTalk[1]!]);
    const page = await openPage(server);
    page.engine.site.setPreferences({ searchEnabled: true });
    await add(page, NEW, local("a.txt"));
    expect(toasts(page)).toEqual(["attachWhileSearch"]);
    page.engine.site.setPreferences({ searchEnabled: false });
    page.engine.sessions.open("s1");
    expect(page.engine.files.attachBlock("s1")).toEqual({ key: "attachWhileBusy" });
    await page.browser.settle();
    await add(page, "s1", local("a.txt"), local("b.txt"));
    expect(toasts(page)).toEqual(["attachWhileSearch", "uploadMax50Files"]);
    expect(shown(page, "s1")).toEqual([]);
    await add(page, "s1", local("a.txt"));
    expect(shown(page, "s1")).toHaveLength(1);
    expect(page.engine.files.attachBlock("s1")).toEqual({ key: "uploadMax50Files", params: { max: 50 } });
    page.close();
  });

  it("where the branch and its files have reached the limit of tokens [FILE-028]", async () => {
    const server = createFakeServer();
    const [question, reply] = [shortTalk[0]!, { ...shortTalk[1]!, accumulated_token_usage: 61_000 }];
    server.addSession("s1", [question, reply]);
    const { page } = await withReady([439], "s1", server);
    expect(page.engine.files.attachBlock("s1")).toBeNull();
    await add(page, "s1", local("b.txt"));
    server.files.read("file-2", 1);
    await page.browser.advance(3000);
    expect(page.engine.files.attachBlock("s1")).toEqual({ key: "attachNoRoom" });
    page.close();
  });

  it("and turn deep thinking off when they are [ENG-028]", async () => {
    const page = await openPage(createFakeServer());
    page.engine.site.setPreferences({ thinkingEnabled: true });
    await add(page, NEW, local("a.exe"));
    expect(page.engine.site.preferences.getState().thinkingEnabled).toBe(true);
    await add(page, NEW, local("a.txt"));
    expect(page.engine.site.preferences.getState().thinkingEnabled).toBe(false);
    page.close();
  });
});

describe("a message with files", () => {
  it("waits until they are ready, may be blank, and takes them along [ENG-041] [ENG-042]", async () => {
    const server = createFakeServer();
    const page = await openPage(server);
    await add(page, NEW, local("a.txt"));
    expect(await page.engine.turns.send(NEW, "hi")).toBe(false);
    expect(toasts(page)).toEqual(["filesNotReady"]);
    server.files.read("file-1");
    await page.browser.advance(3000);
    expect(await page.engine.turns.send(NEW, "")).toBe(true);
    expect(shown(page)).toEqual([]);
    expect(page.shown(NEW)[0]?.files).toEqual([server.files.get("file-1")]);
    await page.browser.settle();
    const [call] = server.calls(COMPLETION);
    expect(call?.body).toMatchObject({ prompt: "", ref_file_ids: ["file-1"] });
    server.produce(20);
    await page.browser.advance(20);
    expect(filesOf(page)).toEqual([]);
    expect(page.disk.values.get("plumb.draftFiles")).toBeUndefined();
    page.close();
  });

  it("is held back by one in error until that is removed [FILE-018]", async () => {
    const server = createFakeServer();
    const page = await openPage(server);
    await add(page, NEW, local("a.txt"), local("b.txt"));
    server.files.read("file-1");
    server.files.change("file-2", { status: "CONTENT_EMPTY", error_code: 40000 });
    await page.browser.advance(3000);
    expect(words(page)).toEqual(["ready", "fileNoText"]);
    expect(await page.engine.turns.send(NEW, "hi")).toBe(false);
    expect(toasts(page)).toEqual(["filesFailed"]);
    page.engine.files.remove(NEW, shown(page)[1]!.renderKey);
    expect(await page.engine.turns.send(NEW, "hi")).toBe(true);
    page.close();
  });

  it("asks for neither thinking nor search, whatever is on: sent, edited or asked for again [ENG-028]", async () => {
    const server = createFakeServer();
    const file = wireFile({ id: "file-x", file_name: "a.txt" });
    server.addSession("s1", [{ ...shortTalk[0]!, files: [file] }, shortTalk[1]!]);
    const page = await openPage(server);
    page.engine.sessions.open("s1");
    await page.browser.settle();
    page.engine.site.setPreferences({ thinkingEnabled: true });
    await page.engine.turns.editMessage("s1", 1, "anew");
    await page.browser.settle();
    expect(server.calls(EDIT)[0]?.body).toMatchObject({ thinking_enabled: false, search_enabled: false });
    page.close();
  });

  it("that does not fit goes to a new chat with its text, where it is one under a chat [ENG-043]", async () => {
    const server = createFakeServer();
    server.addSession("s1", [shortTalk[0]!, { ...shortTalk[1]!, accumulated_token_usage: 60_000 }]);
    const { page } = await withReady([2000], "s1", server);
    page.engine.sessions.setDraft("s1", "about this");
    expect(page.engine.files.check("s1", shown(page, "s1")).kind).toBe("new-chat");
    expect(await page.engine.turns.send("s1", "about this")).toBe(false);
    expect(page.engine.site.navigation.getState().to).toBe("/");
    expect(shown(page, "s1")).toEqual([]);
    expect(shown(page)).toHaveLength(1);
    expect(page.engine.sessions.store.getState().drafts).toEqual({ [NEW]: "about this" });
    expect(await page.engine.turns.send(NEW, "about this")).toBe(true);
    page.close();
  });

  it("of several that do not fit stays, and says what does [FILE-029]", async () => {
    const { page } = await withReady([40_000, 40_000]);
    expect(await page.engine.turns.send(NEW, "hi")).toBe(false);
    expect(page.engine.site.toasts.getState().toasts[0]?.text).toEqual({
      key: "filesOverBudget",
      params: { percent: 76 },
    });
    page.close();
  });

  it("of a persona's chat have less room by what the persona is told [FILE-029]", async () => {
    const { page } = await withReady([40_000, 10_000]);
    const listed = page.engine.agents.load();
    await page.browser.settle();
    await listed;
    const saving = page.engine.agents.save(null, {
      name: "Tutor",
      greeting: null,
      instructions: "x".repeat(4000),
      avatar_text: null,
      avatar_color: null,
    });
    await page.browser.settle();
    const saved = await saving;
    const id = saved.ok ? saved.character.id : "";
    const files = shown(page);
    expect(page.engine.files.check(NEW, files)).toEqual({ kind: "ok" });
    // 40,000 of the budget are the persona's: what is left is 42 % of the files.
    expect(page.engine.files.check(`new:${id}`, files)).toMatchObject({
      kind: "block",
      text: { key: "filesOverBudget", params: { percent: 42 } },
    });
    page.close();
  });

  it("that is refused gives them back with its text; sent again it takes them along [STRM-031] [STRM-032]", async () => {
    const { server, page } = await withReady([10]);
    for (const [code, msg, key] of [
      [9, "INVALID_FILE_REFERENCE", "invalidFileReference"],
      [10, "SESSION_FILE_LIMIT_REACHED", "sessionFileLimit"],
    ] as const) {
      server.answer(COMPLETION, () => refused(code, msg));
      await page.engine.turns.send(NEW, "hi");
      await page.browser.settle();
      expect(toasts(page)).toContain(key);
      expect(words(page)).toEqual(["ready"]);
      expect(page.engine.sessions.store.getState().drafts[NEW]).toBe("hi");
    }
    server.answer(COMPLETION, () => globalError(50000, "INTERNAL_ERROR", 500));
    await page.engine.turns.send(NEW, "hi");
    await page.browser.settle();
    const [unsent] = page.shown(NEW);
    expect(unsent?.files).toHaveLength(1);
    expect(words(page)).toEqual(["ready"]);
    server.answerAsUsual(COMPLETION);
    page.engine.turns.retry(NEW, unsent!.message_id);
    await page.browser.settle();
    expect(shown(page)).toEqual([]);
    expect(server.calls(COMPLETION).at(-1)?.body["ref_file_ids"]).toEqual(["file-1"]);
    page.close();
  });
});

describe("after a reload", () => {
  it("a draft has its files again; one that was on its way says that it was interrupted", async () => {
    const server = createFakeServer();
    const disk = signedInDisk();
    const page = await openPage(server, disk);
    await add(page, NEW, local("a.txt", 5), local("b.txt"));
    const uploads = held();
    server.answer(UPLOAD, uploads.handler);
    await add(page, NEW, local("c.txt"));
    server.files.read("file-1", 9);
    server.files.remove("file-2");
    page.browser.leave();
    const again = await openPage(server, disk);
    expect(shown(again).map(({ fileName, fileSize }) => [fileName, fileSize])).toEqual([
      ["a.txt", 5],
      ["b.txt", 10],
      ["c.txt", 10],
    ]);
    await again.browser.settle();
    expect(words(again)).toEqual(["ready", "fileSystemException", "fileInterrupted"]);
    expect(shown(again)[2]?.upload?.canRetry).toBe(false);
    expect(disk.values.get("plumb.draftFiles")).not.toContain("tokenUsage");
    again.close();
  });

  it("while a message was on its way they stand again, and go when it turns out to have arrived", async () => {
    const server = createFakeServer();
    server.addSession("s1", [...shortTalk]);
    const disk = signedInDisk();
    const page = await openPage(server, disk);
    page.engine.sessions.open("s1");
    await page.browser.settle();
    await add(page, "s1", local("a.txt"));
    server.files.read("file-1");
    await page.browser.advance(3000);
    await page.engine.turns.send("s1", "");
    page.browser.leave();
    const again = await openPage(server, disk);
    expect(shown(again, "s1")).toHaveLength(1);
    again.engine.sessions.open("s1");
    await again.browser.settle();
    expect(again.shown("s1").at(-2)?.files).toHaveLength(1);
    expect(shown(again, "s1")).toEqual([]);
    again.close();
  });

  it("of a first message with files alone they go when it has arrived", async () => {
    const server = createFakeServer();
    const disk = signedInDisk();
    const page = await openPage(server, disk);
    await add(page, NEW, local("a.txt"));
    server.files.read("file-1");
    await page.browser.advance(3000);
    await page.engine.turns.send(NEW, "");
    await page.browser.settle();
    page.browser.leave();
    const again = await openPage(server, disk);
    again.engine.sessions.open(NEW);
    await again.browser.settle();
    await again.browser.settle();
    expect(filesOf(again)).toEqual([]);
    expect(again.engine.site.navigation.getState().to).toMatch(/^\/a\/chat\/s\//);
    again.close();
  });

  it("nothing of them is there for another user, or after signing out", async () => {
    const server = createFakeServer();
    const disk = signedInDisk();
    const page = await openPage(server, disk);
    await add(page, NEW, local("a.txt"));
    await page.engine.accounts.signOut();
    await page.browser.settle();
    expect(disk.values.get("plumb.draftFiles")).toBeUndefined();
    disk.values.set(
      "plumb.draftFiles",
      JSON.stringify({
        owner: "somebody",
        byKey: { [NEW]: [{ renderKey: "k", fileName: "a", fileSize: 1, id: "x", isSent: false }] },
      }),
    );
    disk.values.set("plumb.token", "token-1");
    const other = await openPage(server, disk);
    expect(filesOf(other)).toEqual([]);
    page.close();
    other.close();
  });

  it("what somebody else wrote into the storage does no harm", async () => {
    for (const stored of ["", "null", "{", '{"owner":"user-1","byKey":{"new:chat":[1,{"id":2}],"b":4}}']) {
      const disk = signedInDisk();
      disk.values.set("plumb.draftFiles", stored);
      const page = await openPage(createFakeServer(), disk);
      expect(shown(page)).toEqual([]);
      page.close();
    }
  });
});

describe("a deleted chat", () => {
  it("leaves no file behind", async () => {
    const server = createFakeServer();
    server.addSession("s1", [...shortTalk]);
    const { page } = await withReady([1], "s1", server);
    await page.engine.sessions.remove("s1");
    await page.browser.settle();
    expect(filesOf(page, "s1")).toEqual([]);
    expect(page.disk.values.get("plumb.draftFiles")).toBeUndefined();
    page.close();
  });
});

it("a preview that fails says so in a toast [FILE-043]", async () => {
  const server = createFakeServer();
  const page = await openPage(server);
  const result = await page.engine.files.preview("file-9");
  expect(result.ok).toBe(false);
  expect(toasts(page)).toEqual(["previewFailed"]);
  server.answer("/api/v0/file/preview", () => ok({ url: "u", expire_at: 1, type: "pdf", name: "a" }));
  expect((await page.engine.files.preview("file-9")).ok).toBe(true);
  page.close();
});
