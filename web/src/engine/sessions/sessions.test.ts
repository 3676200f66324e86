import { updateMessage } from "@plumb/protocol/conversation/message-tree";
import { describe, expect, it } from "vitest";
import en from "../../i18n/en_US.json";
import { createChat } from "../create-chat.ts";
import { createEngine } from "../create-engine.ts";
import type { Text } from "../text.ts";
import { globalError, ok, refused } from "../testing/fake-answers.ts";
import { createFakeBrowser } from "../testing/fake-browser.ts";
import { createFakeServer } from "../testing/fake-server.ts";
import { shortTalk, wireMessage } from "../testing/wire-message.ts";
import { openPage, signedInDisk } from "../testing/open-page.ts";

const HISTORY = "/api/v0/chat/history_messages";
const CURRENT = "/api/v0/users/current";
const PAGE = "/api/v0/chat_session/fetch_page";
const TITLE = "/api/v0/chat_session/update_title";

function session(id: string, seq: number) {
  return {
    id,
    seq_id: seq,
    agent: "chat",
    title: id,
    title_type: "SYSTEM",
    version: 1,
    updated_at: seq,
    inserted_at: 1,
  };
}

describe("history", () => {
  it("keeps the hint of a failed reply, which the server does not know", async () => {
    const server = createFakeServer();
    const failed = [shortTalk[0]!, wireMessage({ ...shortTalk[1]!, status: "INCOMPLETE" })];
    server.addSession("s1", failed);
    const page = await openPage(server);
    page.engine.sessions.open("s1");
    await page.browser.settle();
    const hint = { text: { key: "serverBusy" }, type: "error", clickBehavior: "retry" } as const;
    const { store: sessions } = page.engine.sessions;
    const shown = sessions.getState().byId["s1"]!;
    const tree = updateMessage(shown.tree, 2, (message) => ({ ...message, hint }));
    sessions.setState({ byId: { s1: { ...shown, tree } } });
    server.addSession("s1", [...failed, wireMessage({ ...shortTalk[0]!, message_id: 3, parent_id: 2 })]);
    page.engine.sessions.retryHistory("s1");
    await page.browser.settle();
    expect(server.calls(HISTORY)).toHaveLength(2);
    expect(page.shown("s1").map((message) => message.hint)).toEqual([null, hint, null]);
    page.close();
  });

  it("[SESS-042] isn't fetched while it is being fetched, nor while sending or completing", async () => {
    const server = createFakeServer();
    server.addSession("s1", shortTalk);
    const page = await openPage(server);
    page.engine.sessions.open("s1");
    expect(page.state("s1")).toBe("fetchingHistory");
    page.engine.sessions.open("s1");
    await page.browser.settle();
    expect(server.calls(HISTORY)).toHaveLength(1);
    const sending = page.engine.turns.send("s1", "2+2?");
    page.engine.sessions.open("s1");
    page.engine.sessions.retryHistory("s1");
    await sending;
    await page.browser.settle();
    server.produce(3);
    await page.browser.settle();
    expect(page.state("s1")).toBe("completing");
    page.engine.sessions.open("s1");
    page.engine.sessions.retryHistory("s1");
    await page.browser.settle();
    expect(server.calls(HISTORY)).toHaveLength(1);
    page.close();
  });

  it("[SESS-043] after an error only by hand", async () => {
    const server = createFakeServer();
    server.addSession("s1", shortTalk);
    server.answer(HISTORY, () => globalError(50000, "INTERNAL_ERROR", 500));
    const page = await openPage(server);
    page.engine.sessions.open("s1");
    await page.browser.settle();
    expect(page.state("s1")).toBe("historyError");
    server.answerAsUsual(HISTORY);
    page.engine.sessions.open("s1");
    await page.browser.settle();
    expect(page.state("s1")).toBe("historyError");
    page.engine.sessions.retryHistory("s1");
    await page.browser.settle();
    expect(page.state("s1")).toBe("idle");
    expect(page.text("s1")).toBe("hello");
    page.close();
  });

  it("[SESS-045] [SESS-047] [SESS-049] shows the cached history at once and asks with its version", async () => {
    const server = createFakeServer();
    server.addSession("s1", shortTalk);
    const disk = signedInDisk();
    const first = await openPage(server, disk);
    first.engine.sessions.open("s1");
    await first.browser.settle();
    first.close();
    expect(disk.records.get("s1")).toMatchObject({ frontend_version: "fv-2", timestamp: disk.now });

    let release: (() => void) | undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const page = await openPage(server, disk);
    let asked: string | null = null;
    server.answer(HISTORY, async ({ query }) => {
      asked = query.get("cache_version");
      await held;
      return ok({ chat_session: session("s1", 1), chat_messages: [], cache_valid: true, route_id: null });
    });
    page.engine.sessions.open("s1");
    await page.browser.settle();
    expect(page.text("s1")).toBe("hello");
    expect(asked).toBe("9");
    release?.();
    await page.browser.settle();
    expect(page.state("s1")).toBe("idle");
    expect(page.text("s1")).toBe("hello");
    page.close();
  });

  it("[SESS-048] discards an entry of another frontend version", async () => {
    const server = createFakeServer();
    server.addSession("s1", shortTalk);
    const disk = signedInDisk();
    const old = [wireMessage({ message_id: 1, parent_id: null, role: "USER" })];
    disk.records.set("s1", {
      chat_session: { id: "s1" },
      chat_messages: old,
      frontend_version: "fv-1",
      timestamp: 1,
    });
    const page = await openPage(server, disk);
    page.engine.sessions.open("s1");
    await page.browser.settle();
    expect(server.calls(HISTORY)[0]?.query.get("cache_version")).toBeNull();
    expect(page.text("s1")).toBe("hello");
    page.close();
  });

  it("[SESS-036] [SESS-041] code 1 drops the session, says so and goes home", async () => {
    const server = createFakeServer();
    const page = await openPage(server);
    page.engine.sessions.open("nope");
    await page.browser.settle();
    expect(page.state("nope")).toBeUndefined();
    expect(page.engine.site.toasts.getState().toasts).toMatchObject([{ text: { key: "chatNotFound" } }]);
    expect(page.engine.site.navigation.getState()).toEqual({ to: "/", replace: true });
    page.close();
  });

  it("of whom a sign-in that had ended was led here is left without a word", async () => {
    const server = createFakeServer();
    const page = await openPage(server);
    server.answer(CURRENT, () => globalError(40003, "INVALID_TOKEN"));
    page.close();
    const again = await openPage(server, page.disk);
    await again.browser.settle();
    expect(again.engine.accounts.auth.getState().reason).toBe("expired");
    server.answerAsUsual(CURRENT);
    await again.engine.accounts.signIn({ identifier: "b@b.co", password: "12345678" });
    again.engine.site.dismissToast(again.engine.site.toasts.getState().toasts[0]?.id ?? 0);
    again.engine.sessions.open("nope");
    await again.browser.settle();
    expect(again.engine.site.toasts.getState().toasts).toEqual([]);
    expect(again.engine.site.navigation.getState()).toEqual({ to: "/", replace: true });
    // Where they go by themselves is said what is said to everybody.
    again.engine.sessions.open("new:chat");
    again.engine.sessions.open("nope");
    await again.browser.settle();
    expect(again.engine.site.toasts.getState().toasts).toMatchObject([{ text: { key: "chatNotFound" } }]);
    again.close();
  });
});

describe("the session list", () => {
  it("[SESS-013] is at its beginning, being loaded, loaded or failed, in this order", async () => {
    const server = createFakeServer();
    server.answer(PAGE, () => globalError(50000, "INTERNAL_ERROR", 500));
    const browser = createFakeBrowser(server.network, signedInDisk());
    const engine = createEngine(browser, async () => createChat);
    await engine.loadChat();
    const { list } = engine.sessions;
    const seen = [list.getState().state];
    list.subscribe(({ state }) => {
      if (state !== seen.at(-1)) seen.push(state);
    });
    engine.start();
    await browser.settle();
    expect(seen).toEqual(["init", "loading", "error"]);
    server.answer(PAGE, () => ok({ chat_sessions: [], has_more: false }));
    engine.sessions.retryList();
    await browser.settle();
    expect(seen).toEqual(["init", "loading", "error", "loading", "loaded"]);
    engine.stop();
  });

  it("[SESS-011] [SESS-017] pages by the last row received and shows nothing twice", async () => {
    const server = createFakeServer();
    const pages = [
      ok({ chat_sessions: [session("c", 30), session("b", 20)], has_more: true }),
      ok({ chat_sessions: [session("b", 20), session("a", 10)], has_more: false }),
    ];
    server.answer(PAGE, () => pages.shift()!);
    const page = await openPage(server);
    const list = page.engine.sessions.list;
    expect(list.getState()).toMatchObject({ state: "loaded", hasMore: true });
    page.engine.sessions.loadMore();
    page.engine.sessions.loadMore();
    await page.browser.settle();
    expect(server.calls(PAGE).map(({ query }) => query.get("before_seq_id"))).toEqual([null, "20"]);
    expect(list.getState().sessions.map(({ id }) => id)).toEqual(["c", "b", "a"]);
    expect(list.getState()).toMatchObject({ state: "loaded", hasMore: false, loadingMore: false });
    page.close();
  });

  it("[SESS-014] [SESS-021] a failed load is an error that can be retried", async () => {
    const server = createFakeServer();
    server.answer(PAGE, () => globalError(50000, "INTERNAL_ERROR", 500));
    const page = await openPage(server);
    expect(page.engine.sessions.list.getState().state).toBe("error");
    server.answer(PAGE, () => ok({ chat_sessions: [session("a", 10)], has_more: false }));
    page.engine.sessions.retryList();
    expect(page.engine.sessions.list.getState().state).toBe("loading");
    await page.browser.settle();
    expect(page.engine.sessions.list.getState()).toMatchObject({ state: "loaded", hasMore: false });
    page.close();
  });

  it("a session that is written in moves to the front", async () => {
    const server = createFakeServer();
    server.addSession("s1", shortTalk);
    server.answer(PAGE, () =>
      ok({ chat_sessions: [session("x", 1_790_000_005), session("s1", 3)], has_more: false }),
    );
    const page = await openPage(server);
    page.engine.sessions.open("s1");
    await page.browser.settle();
    await page.engine.turns.send("s1", "2+2?");
    await page.browser.settle();
    server.produce(2);
    await page.browser.settle();
    expect(page.engine.sessions.list.getState().sessions.map(({ id }) => id)).toEqual(["s1", "x"]);
    page.close();
  });
});

describe("a page that is looked at again", () => {
  it("shows the chats of other devices, their new titles, and not those they deleted", async () => {
    const server = createFakeServer();
    const page = await openPage(server);
    const ids = () => page.engine.sessions.list.getState().sessions.map(({ title }) => title);
    const answer = (has_more: boolean, ...rows: ReturnType<typeof session>[]) =>
      server.answer(PAGE, () => ok({ chat_sessions: rows, has_more }));
    answer(true, session("c", 30), session("b", 20));
    page.browser.setVisible(true);
    await page.browser.settle();
    answer(false, session("a", 10), session("old", 5));
    page.engine.sessions.loadMore();
    await page.browser.settle();
    expect(ids()).toEqual(["c", "b", "a", "old"]);
    answer(true, session("d", 41), { ...session("b", 40), title: "B" }, session("a", 10));
    page.browser.setVisible(true);
    await page.browser.settle();
    // "c" is gone; "old" lies behind this page.
    expect(ids()).toEqual(["d", "B", "a", "old"]);
    page.close();
  });

  it("keeps the chat that began while the answer was on its way", async () => {
    const server = createFakeServer();
    const page = await openPage(server);
    let letThrough: () => void = () => {};
    const held = new Promise<void>((resolve) => {
      letThrough = resolve;
    });
    server.answer(PAGE, async () => {
      await held;
      return ok({ chat_sessions: [], has_more: false });
    });
    page.browser.setVisible(true);
    await page.engine.turns.send("new:chat", "2+2?");
    await page.browser.settle();
    server.produce(99);
    await page.browser.advance(20);
    letThrough();
    await page.browser.settle();
    expect(page.engine.sessions.list.getState().sessions.map(({ id }) => id)).toEqual(["session-1"]);
    page.close();
  });

  it("that failed leaves what is shown", async () => {
    const server = createFakeServer();
    server.answer(PAGE, () => ok({ chat_sessions: [session("a", 10)], has_more: false }));
    const page = await openPage(server);
    server.setDown(true);
    page.browser.setVisible(true);
    await page.browser.settle();
    const { state, sessions } = page.engine.sessions.list.getState();
    expect([state, sessions.map(({ id }) => id)]).toEqual(["loaded", ["a"]]);
    page.close();
  });
});

describe("a network that goes and comes back", () => {
  it("is known while it lasts, and what had failed is loaded", async () => {
    const server = createFakeServer();
    server.addSession("s1", shortTalk);
    server.answer(PAGE, () => {
      throw new TypeError("fetch failed");
    });
    server.answer(HISTORY, () => {
      throw new TypeError("fetch failed");
    });
    const page = await openPage(server);
    const { network } = page.engine.site;
    expect(network.getState().online).toBe(true);
    page.browser.goOffline();
    expect(network.getState().online).toBe(false);
    page.engine.sessions.open("s1");
    await page.browser.settle();
    expect([page.state("s1"), page.engine.sessions.list.getState().state]).toEqual(["historyError", "error"]);
    server.answerAsUsual(HISTORY);
    server.answerAsUsual(PAGE);
    page.browser.comeOnline();
    await page.browser.settle();
    expect(network.getState().online).toBe(true);
    expect([page.state("s1"), page.engine.sessions.list.getState().state]).toEqual(["idle", "loaded"]);
    page.close();
  });
});

it("a page that was opened without a network is there at once when the network is back", async () => {
  const server = createFakeServer();
  const failing = () => {
    throw new TypeError("fetch failed");
  };
  const paths = ["/api/v0/users/current", "/api/v0/client/settings", PAGE];
  for (const path of paths) server.answer(path, failing);
  const page = await openPage(server);
  await page.browser.advance(60_000);
  expect(page.engine.accounts.auth.getState().status).toBe("pending");
  for (const path of paths) server.answerAsUsual(path);
  const asked = server.calls("/api/v0/client/settings").length;
  page.browser.comeOnline();
  await page.browser.settle();
  expect(page.engine.accounts.auth.getState().status).toBe("yes");
  expect(page.engine.sessions.list.getState().state).toBe("loaded");
  expect(server.calls("/api/v0/client/settings")).toHaveLength(asked + 1);
  page.close();
});

describe("renaming", () => {
  async function opened() {
    const server = createFakeServer();
    server.addSession("s1", shortTalk);
    const page = await openPage(server);
    page.engine.sessions.open("s1");
    await page.browser.settle();
    return { server, page };
  }

  it("[SESS-004] [SESS-030] [SESS-032] saves the trimmed title as the user's", async () => {
    const { server, page } = await opened();
    expect(await page.engine.sessions.rename("s1", "  Sums ")).toBe(true);
    expect(server.calls(TITLE)[0]?.body).toEqual({ chat_session_id: "s1", title: "Sums" });
    expect(page.engine.sessions.store.getState().byId["s1"]).toMatchObject({
      title: "Sums",
      titleType: "USER",
      titleIsNew: false,
    });
    page.close();
  });

  it("[SESS-033] [SESS-034] an empty title cancels and an unchanged one isn't sent", async () => {
    const { server, page } = await opened();
    expect(await page.engine.sessions.rename("s1", "  ")).toBe(false);
    expect(await page.engine.sessions.rename("s1", "Old ")).toBe(true);
    expect(server.calls(TITLE)).toEqual([]);
    expect(page.engine.site.toasts.getState().toasts).toEqual([]);
    page.close();
  });

  it("[SESS-035] [SESS-037] a failure shows the toast and is logged", async () => {
    const { server, page } = await opened();
    server.answer(TITLE, () => refused(3, "TITLE_TOO_LONG"));
    expect(await page.engine.sessions.rename("s1", "New")).toBe(false);
    expect(page.engine.site.toasts.getState().toasts).toMatchObject([{ text: { key: "renameFailed" } }]);
    expect(page.browser.logged).toContain("rename failed");
    page.close();
  });

  it.each([
    [
      "a limit says so itself",
      () => globalError(42903, "OPERATION_TOO_FREQUENT", 429),
      "operationTooFrequent",
    ],
    ["a number of the call has the plain text", () => refused(2, "EMPTY_TITLE"), "renameFailed"],
    ["another number is shown", () => refused(77, "NEW"), "Rename failed (B77)"],
    ["a fault has the plain text", () => globalError(50000, "INTERNAL_ERROR", 500), "renameFailed"],
    [
      "no answer says to look after the connection",
      () => Promise.reject(new TypeError("Failed to fetch")),
      "renameFailedNetwork",
    ],
  ])("[ERR-015] [ERR-026] of a rename that fails %s", async (_title, answer, text) => {
    const { server, page } = await opened();
    server.answer(TITLE, answer);
    expect(await page.engine.sessions.rename("s1", "New")).toBe(false);
    expect(page.engine.site.toasts.getState().toasts.map(({ text }) => shownText(text))).toEqual([text]);
    page.close();
  });

  it.each([
    [
      "a limit says so itself",
      () => globalError(42903, "OPERATION_TOO_FREQUENT", 429),
      "operationTooFrequent",
    ],
    ["another number is shown", () => refused(77, "NEW"), "Delete failed (B77)"],
  ])("[ERR-015] [ERR-026] of a deletion that fails %s", async (_title, answer, text) => {
    const { server, page } = await opened();
    server.answer("/api/v0/chat_session/delete", answer);
    expect(await page.engine.sessions.remove("s1")).toBe(false);
    expect(page.engine.site.toasts.getState().toasts.map(({ text }) => shownText(text))).toEqual([text]);
    page.close();
  });
});

/** The key of a text, or its words in English where it has a code. */
function shownText(text: Text): string | undefined {
  if ("content" in text) return text.content;
  const code = text.params?.["code"];
  if (typeof code !== "number") return text.key;
  return (en as Record<string, string>)[text.key]?.replace("{{code}}", `${code}`);
}
