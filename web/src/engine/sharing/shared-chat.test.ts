// A share as its reader sees it, and its continuation as a chat of their own.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import base from "../../i18n/en_US.json";
import forms from "../../i18n/forms.en_US.json";
import sharing from "../../i18n/sharing.en_US.json";
import { shareRefusals } from "../testing/contract-refusals.ts";
import { globalError, ok, refused } from "../testing/fake-answers.ts";
import { emptyDisk } from "../testing/fake-browser.ts";
import { createFakeServer } from "../testing/fake-server.ts";
import { openPage, signedInDisk } from "../testing/open-page.ts";
import { wireFile } from "../testing/wire-file.ts";
import { shortTalk } from "../testing/wire-message.ts";

const CONTENT = "/api/v0/share/content";
const FORK = "/api/v0/share/fork";
const COMPLETION = "/api/v0/chat/completion";
const ID = "abcdefghij01234567";
const KEY = `share:${ID}`;
const contract = readFileSync(join(import.meta.dirname, "../../../../docs/wire-contract.md"), "utf8");
const texts: Record<string, string> = { ...base, ...forms, ...sharing };

const content = {
  title: "Greetings",
  messages: shortTalk,
  share_id: ID,
  created_at: 1_790_000_000,
  chat_session_id: "00000000-0000-4000-8000-000000000001",
};

/** A server with one share, whose forks are sessions f1, f2, … */
function createServer() {
  const server = createFakeServer();
  let forks = 0;
  server.answer(CONTENT, () => ok(content));
  server.answer(FORK, () => {
    forks += 1;
    server.addSession(`f${forks}`, shortTalk);
    return ok({ chat_session_id: `f${forks}` });
  });
  return server;
}

async function open({ signedIn = true, server = createServer() } = {}) {
  const page = await openPage(server, signedIn ? signedInDisk() : emptyDisk());
  const { engine, browser } = page;
  await engine.loadChat();
  const { shared } = await engine.sharing.load();
  const read = async () => {
    shared.open(ID);
    await browser.settle();
  };
  const typed = () => engine.sessions.store.getState().drafts;
  const path = () => engine.site.navigation.getState().to;
  const toasts = () =>
    engine.site.toasts.getState().toasts.map(({ type, text }) => ({ type, key: "key" in text && text.key }));
  return { server, page, engine, browser, shared, read, typed, path, toasts };
}

describe("a share that is read", () => {
  it("is there with its title and messages, for who is not signed in, too", async () => {
    const { server, page, browser, shared, read } = await open({ signedIn: false });
    void read();
    expect(page.state(KEY)).toBe("fetchingHistory");
    await browser.settle();
    expect(page.state(KEY)).toBe("idle");
    expect(page.engine.sessions.store.getState().byId[KEY]?.title).toBe("Greetings");
    expect(page.shown(KEY).map(({ role }) => role)).toEqual(["USER", "ASSISTANT"]);
    // Nobody asks the server about it as about a session.
    page.browser.setVisible(false);
    page.browser.setVisible(true);
    await browser.advance(120_000);
    expect(server.requests.filter(({ path }) => path.includes("history_messages"))).toEqual([]);
    expect(server.requests.filter(({ headers }) => "authorization" in headers)).toEqual([]);
    expect(shared.store.getState().continuing).toBeNull();
    page.close();
  });

  it("is known as the reader's own where it is, until the account leaves", async () => {
    const { server, page, engine, shared, read } = await open();
    await read();
    expect(shared.store.getState().own).toBeNull();
    server.answer(CONTENT, () => ok({ ...content, own: true }));
    await read();
    expect(shared.store.getState().own).toBe(ID);
    await engine.accounts.signOut();
    expect(shared.store.getState().own).toBeNull();
    page.close();
  });

  it("asked for ahead of its page is asked for once, and again when it is opened later", async () => {
    const { server, page, browser, shared, read } = await open({ signedIn: false });
    const asked = () => server.requests.filter(({ path }) => path.includes("share/content")).length;
    shared.openAhead(ID);
    await browser.settle();
    expect(page.state(KEY)).toBe("idle");
    await read();
    expect(asked()).toBe(1);
    await read();
    expect(asked()).toBe(2);
    page.close();
  });

  it("begins where it begins, and keeps neither place nor branch", async () => {
    const { page, engine, browser, read } = await open();
    await read();
    expect(engine.sessions.readingPlace(KEY)).toMatchObject({ messageId: 1 });
    engine.sessions.keepReadingPlace(KEY, { messageId: 2, above: 3 });
    engine.sessions.switchBranch(KEY, 2);
    await browser.advance(5000);
    const kept = ["plumb.places", "plumb.branches"].map((name) => browser.storage.get(name) ?? "");
    expect(kept.join()).not.toContain(ID);
    page.close();
  });

  it("leads nobody away who has gone on to a chat of theirs before it came", async () => {
    const { server, page, engine, browser, shared, path } = await open();
    server.answer(CONTENT, () => refused(1, "SHARE_DOES_NOT_EXIST"));
    shared.open(ID);
    engine.sessions.open("new:chat");
    await browser.settle();
    expect(path()).toBeNull();
    page.close();
  });

  const lost = shareRefusals(contract, "content");

  it.each(lost)(
    "cannot be read any more, and what was cached of it is dropped: $code $msg [SHARE-045] [SHARE-046] [SHARE-047]",
    async ({ code, msg, english }) => {
      const { server, page, engine, read, path, toasts } = await open();
      await read();
      expect(page.shown(KEY)).toHaveLength(2);
      server.answer(CONTENT, () => refused(code, msg));
      await read();
      expect(path()).toBe(code === 1 ? "/share/missing" : "/share/invalid");
      expect(texts[code === 1 ? "shareGone.missing" : "shareGone.invalid"]).toBe(english);
      expect(engine.sessions.store.getState().byId[KEY]).toBeUndefined();
      expect(toasts()).toEqual([]);
      page.close();
    },
  );

  it("is refused for each reason that the contract knows", () => {
    expect(new Set(lost.map(({ code }) => code))).toEqual(new Set([1, 2, 3]));
  });

  it.each([
    ["a server that is away", () => globalError(50000, "INTERNAL_ERROR", 500)],
    ["a number nobody knows", () => refused(77, "NEW")],
    ["too many requests", () => globalError(40029, "RATE_LIMIT_REACHED", 429)],
  ])(
    "cannot be had because of %s: that is said, and it is asked for again by hand [SHARE-048]",
    async (_why, answer) => {
      const { server, page, engine, browser, read, path, toasts } = await open({ signedIn: false });
      server.answer(CONTENT, answer);
      await read();
      expect(page.state(KEY)).toBe("historyError");
      expect(toasts()).toEqual([{ type: "error", key: "networkError" }]);
      expect(path()).toBeNull();
      server.answer(CONTENT, () => ok(content));
      engine.sessions.retryHistory(KEY);
      await browser.settle();
      expect(page.state(KEY)).toBe("idle");
      page.close();
    },
  );

  it("that is on show stays where another look at it fails", async () => {
    const { server, page, read, toasts } = await open();
    await read();
    server.answer(CONTENT, () => globalError(50000, "INTERNAL_ERROR", 500));
    await read();
    expect(page.state(KEY)).toBe("idle");
    expect(page.shown(KEY)).toHaveLength(2);
    expect(toasts()).toEqual([]);
    page.close();
  });
});

describe("continuing a share", () => {
  it("takes no further message while the copy is made", async () => {
    const { server, page, engine, browser, read, toasts, typed } = await open();
    await read();
    server.answer(FORK, () => new Promise(() => {}));
    void engine.turns.send(KEY, "And then?");
    await browser.settle();
    expect(page.state(KEY)).toBe("sending");
    engine.sessions.setDraft(KEY, "What else?");
    engine.queue.add(KEY);
    // The queue's code comes first.
    await expect
      .poll(async () => (await browser.settle(), toasts()))
      .toEqual([{ type: "info", key: "stillSending" }]);
    expect(engine.queue.store.getState().byKey).toEqual({});
    expect(typed()[KEY]).toBe("What else?");
    page.close();
  });

  it("forks it, loads the copy, asks there, goes there, and clears what was typed [SHARE-052]", async () => {
    const { server, page, engine, browser, shared, read, typed, path } = await open();
    await read();
    shared.wantToContinue(ID);
    engine.sessions.setDraft(KEY, "and now?");
    const before = server.requests.length;
    const sent = engine.turns.send(KEY, "and now?");
    expect(page.state(KEY)).toBe("sending");
    await browser.settle();
    expect(await sent).toBe(true);
    const asked = server.requests.slice(before).map((request) => request.path);
    const steps = [FORK, "/api/v0/chat/history_messages", COMPLETION];
    expect(asked.filter((one) => steps.includes(one))).toEqual(steps);
    expect(server.calls(COMPLETION).map(({ body }) => body)).toMatchObject([
      { chat_session_id: "f1", parent_message_id: 2, prompt: "and now?" },
    ]);
    expect(path()).toBe("/a/chat/s/f1");
    expect(typed()).toEqual({});
    expect(page.state(KEY)).toBe("idle");
    expect(shared.store.getState().continuing).toBeNull();
    expect(page.shown("f1")).toHaveLength(4);
    page.close();
  });

  it("goes on after signing in on the way", async () => {
    const { server, page, engine, browser, shared, read } = await open({ signedIn: false });
    await read();
    shared.wantToContinue(ID);
    const signedIn = engine.accounts.signIn({ identifier: "a@b.example", password: "secret-1" });
    await browser.settle();
    expect((await signedIn).ok).toBe(true);
    expect(shared.store.getState().continuing).toBe(ID);
    await read();
    const sent = engine.turns.send(KEY, "and now?");
    await browser.settle();
    expect(await sent).toBe(true);
    expect(server.calls(FORK)[0]?.headers).toHaveProperty("authorization");
    page.close();
  });

  it("leads nobody away who has gone on to a chat of theirs while it was copied, and sends what was asked", async () => {
    const { server, page, engine, browser, read, path } = await open();
    await read();
    let answer!: (response: Response) => void;
    server.answer(FORK, () => new Promise((resolve) => (answer = resolve)));
    const sent = engine.turns.send(KEY, "and now?");
    await browser.settle();
    engine.sessions.open("new:chat");
    server.addSession("f1", shortTalk);
    answer(ok({ chat_session_id: "f1" }));
    await browser.settle();
    expect(await sent).toBe(true);
    expect(server.calls(COMPLETION)).toHaveLength(1);
    expect(path()).toBeNull();
    page.close();
  });

  it("says of a share that is gone that it was not continued, to whoever has gone on to a chat of theirs", async () => {
    const { server, page, engine, browser, read, path, toasts } = await open();
    await read();
    let answer!: (response: Response) => void;
    server.answer(FORK, () => new Promise((resolve) => (answer = resolve)));
    void engine.turns.send(KEY, "and now?");
    await browser.settle();
    engine.sessions.open("new:chat");
    answer(refused(2, "SHARE_IS_DELETED_OR_BANNED"));
    await browser.settle();
    expect([path(), toasts()]).toEqual([null, [{ type: "error", key: "shareNetworkError" }]]);
    page.close();
  });

  it("makes one copy, however often the message is sent, and none for an empty one", async () => {
    const { server, page, engine, browser, read } = await open();
    await read();
    expect(await engine.turns.send(KEY, "  ")).toBe(false);
    void engine.turns.send(KEY, "and now?");
    void engine.turns.send(KEY, "and now?");
    await browser.settle();
    expect(server.calls(FORK)).toHaveLength(1);
    page.close();
  });

  it("leaves what is typed in the copy, where the message could not be sent there", async () => {
    const { server, page, engine, browser, read, typed, path } = await open();
    await read();
    server.answer("/api/v0/chat/history_messages", () => globalError(50000, "INTERNAL_ERROR", 500));
    engine.sessions.setDraft(KEY, "and now?");
    void engine.turns.send(KEY, "and now?");
    await browser.settle();
    expect(path()).toBe("/a/chat/s/f1");
    expect(typed()).toEqual({ f1: "and now?" });
    expect(page.state("f1")).toBe("historyError");
    page.close();
  });

  it("keeps what is typed meanwhile", async () => {
    const { page, engine, browser, read, typed } = await open();
    await read();
    engine.sessions.setDraft(KEY, "and now?");
    void engine.turns.send(KEY, "and now?");
    engine.sessions.setDraft(KEY, "and now? And then?");
    await browser.settle();
    expect(typed()).toEqual({ [KEY]: "and now? And then?" });
    page.close();
  });

  const refusals = shareRefusals(contract, "fork");

  it("is refused for each reason that the contract knows", () => {
    expect(new Set(refusals.map(({ code }) => code))).toEqual(new Set([1, 2, 3, 4, 6, 9]));
  });

  it.each(refusals.filter(({ code }) => code <= 3))(
    "of a share that is gone leads to the page that says so, with what was typed kept: $code $msg [SHARE-054] [SHARE-055]",
    async ({ code, msg }) => {
      const { server, page, engine, browser, read, typed, path } = await open();
      await read();
      server.answer(FORK, () => refused(code, msg));
      engine.sessions.setDraft(KEY, "and now?");
      void engine.turns.send(KEY, "and now?");
      await browser.settle();
      expect(path()).toBe(code === 1 ? "/share/missing" : "/share/invalid");
      expect(typed()).toEqual({ "new:chat": "and now?" });
      expect(engine.sessions.store.getState().byId[KEY]).toBeUndefined();
      page.close();
    },
  );

  it.each([...refusals.filter(({ code }) => code > 3), { code: 77, msg: "NEW", english: "Network error" }])(
    "that is refused says so, and keeps what was typed: $code $msg [SHARE-056]",
    async ({ code, msg, english }) => {
      const { server, page, engine, browser, read, typed, path, toasts } = await open();
      await read();
      server.answer(FORK, () => refused(code, msg, code === 6 ? { used_bytes: 1, quota_bytes: 2 } : null));
      const asked = server.calls("/api/v0/users/current").length;
      engine.sessions.setDraft(KEY, "and now?");
      void engine.turns.send(KEY, "and now?");
      await browser.settle();
      const [toast] = toasts();
      const words = texts[String(toast?.key)]?.replaceAll("{{", "{").replaceAll("}}", "}");
      expect([toasts().length, toast?.type, words]).toEqual([1, "error", english]);
      expect(typed()).toEqual({ [KEY]: "and now?" });
      expect([page.state(KEY), path()]).toEqual(["idle", null]);
      expect(server.calls("/api/v0/users/current").length - asked).toBe(code === 4 ? 1 : 0);
      page.close();
    },
  );

  it("ends where the account leaves meanwhile", async () => {
    const { server, page, engine, browser, read, path } = await open();
    await read();
    let answer!: (response: Response) => void;
    server.answer(FORK, () => new Promise((resolve) => (answer = resolve)));
    void engine.turns.send(KEY, "and now?");
    await browser.settle();
    await engine.accounts.signOut();
    answer(ok({ chat_session_id: "f1" }));
    await browser.settle();
    expect(path()).not.toBe("/a/chat/s/f1");
    expect(server.calls(COMPLETION)).toEqual([]);
    page.close();
  });
});

it("files of a share have their names, and nothing that opens them", async () => {
  const { page, read, server } = await open();
  const [question, reply] = shortTalk;
  const file = wireFile({ id: "file-1", file_name: "a.pdf", from_share: true });
  server.answer(CONTENT, () => ok({ ...content, messages: [{ ...question, files: [file] }, reply] }));
  await read();
  expect(page.shown(KEY)[0]?.files).toMatchObject([{ file_name: "a.pdf", from_share: true }]);
  page.close();
});
