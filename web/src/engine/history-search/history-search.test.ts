import type { SearchHit, SearchPage } from "@plumb/protocol/wire/history";
import type { Message } from "@plumb/protocol/conversation/message";
import { describe, expect, it } from "vitest";
import { globalError, ok, refused } from "../testing/fake-answers.ts";
import { createFakeServer } from "../testing/fake-server.ts";
import { openPage, signedInDisk } from "../testing/open-page.ts";
import { wireMessage } from "../testing/wire-message.ts";
import { createHistorySearch } from "./create-history-search.ts";

const SEARCH = "/api/v0/chat_session/search";

/** 1 → 2; beside them 3 → 4, on show at first. */
const FORKED: Message[] = [
  wireMessage({ message_id: 1, parent_id: null, role: "USER" }),
  wireMessage({ message_id: 2, parent_id: 1, role: "ASSISTANT" }),
  wireMessage({ message_id: 3, parent_id: null, role: "USER" }),
  wireMessage({ message_id: 4, parent_id: 3, role: "ASSISTANT" }),
];

async function openSearch(
  answer?: (query: URLSearchParams, signal?: AbortSignal) => Response | Promise<Response>,
) {
  const server = createFakeServer();
  server.addSession("s1", FORKED);
  server.addSession("s2", FORKED);
  if (answer !== undefined) server.answer(SEARCH, ({ query, signal }) => answer(query, signal));
  const disk = signedInDisk();
  const page = await openPage(server, disk);
  const search = page.engine.beginSearch(createHistorySearch);
  const type = async (text: string): Promise<void> => {
    search.type(text, false);
    await page.browser.advance(200);
  };
  const asked = (): string[] => server.calls(SEARCH).map(({ query }) => query.get("q") ?? "");
  const state = () => search.store.getState();
  return { server, disk, page, search, type, asked, state };
}

function hitOf(
  page: Awaited<ReturnType<typeof openPage>>,
  sessionId: string,
  messageId: number | null,
): SearchHit {
  const session = page.engine.sessions.list.getState().sessions.find(({ id }) => id === sessionId);
  if (session === undefined) throw new Error(`${sessionId} is not listed`);
  const role = messageId === null ? null : messageId % 2 === 0 ? "ASSISTANT" : "USER";
  return { chat_session: session, message_id: messageId, role, snippet: "x", ranges: [], inserted_at: 1 };
}

const pageOf = (hits: Partial<SearchHit>[], next: string | null = null): SearchPage => ({
  hits: hits as SearchHit[],
  next_cursor: next,
});
const hit = (id: number): Partial<SearchHit> => ({ message_id: id, snippet: `hit ${id}` });
const ids = (hits: readonly SearchHit[]): unknown[] => hits.map(({ message_id }) => message_id);

describe("what is typed", () => {
  it("is searched for when the typing pauses, once, without what surrounds it", async () => {
    const { search, page, asked, state } = await openSearch(() => ok(pageOf([hit(1)])));
    for (const text of ["p", "pl", "plu", " pl\0umb "]) {
      search.type(text, false);
      await page.browser.advance(100);
    }
    expect(asked()).toEqual([]);
    expect(state().phase).toBe("searching");
    await page.browser.advance(200);
    expect(asked()).toEqual(["plumb"]);
    search.type("plumb", false);
    await page.browser.advance(500);
    expect(asked()).toEqual(["plumb"]);
    expect(state()).toMatchObject({ phase: "found", hasMore: false });
    page.close();
  });

  it("is not searched for while an input method composes it", async () => {
    const { search, page, asked, state } = await openSearch(() => ok(pageOf([hit(1)])));
    for (const half of ["q", "qi", "qian"]) {
      search.type(half, true);
      await page.browser.advance(1000);
    }
    expect(state().typed).toBe("qian");
    expect(asked()).toEqual([]);
    search.type("铅", false);
    await page.browser.advance(200);
    expect(asked()).toEqual(["铅"]);
    page.close();
  });

  it("leaves nothing behind when it is taken back", async () => {
    const { type, state, page } = await openSearch(() => ok(pageOf([hit(1)])));
    await type("plumb");
    expect(ids(state().hits)).toEqual([1]);
    await type("  ");
    expect(state()).toMatchObject({ phase: "nothing", hits: [], typed: "  " });
    page.close();
  });

  it("is found nowhere where it has no word", async () => {
    const { type, state, page } = await openSearch(() => refused(1, "EMPTY_QUERY"));
    await type("…");
    expect(state()).toMatchObject({ phase: "found", hits: [], failure: null });
    page.close();
  });
});

describe("answers", () => {
  it("that come late for an older query are not shown, and their call is given up", async () => {
    const waiting: { query: string; signal: AbortSignal | undefined; answer: (answer: Response) => void }[] =
      [];
    const { type, state, page } = await openSearch(
      (query, signal) =>
        new Promise<Response>((answer) => waiting.push({ query: query.get("q") ?? "", signal, answer })),
    );
    await type("first");
    await type("second");
    expect(waiting.map(({ query }) => query)).toEqual(["first", "second"]);
    expect(waiting[0]?.signal?.aborted).toBe(true);
    waiting[1]?.answer(ok(pageOf([hit(2)])));
    await page.browser.settle();
    waiting[0]?.answer(ok(pageOf([hit(1)])));
    await page.browser.settle();
    expect(ids(state().hits)).toEqual([2]);
    page.close();
  });

  it("go on from the cursor, and the first page stays apart", async () => {
    const pages: Record<string, SearchPage> = {
      "": pageOf([hit(5), hit(4)], "9.1"),
      "9.1": pageOf([hit(3)], "8.1"),
      "8.1": pageOf([hit(1)]),
    };
    const { type, search, state, page } = await openSearch((query) => ok(pages[query.get("cursor") ?? ""]));
    await type("plumb");
    expect(state()).toMatchObject({ firstPage: 2, hasMore: true });
    search.loadMore();
    search.loadMore();
    await page.browser.settle();
    expect(ids(state().hits)).toEqual([5, 4, 3]);
    search.loadMore();
    await page.browser.settle();
    expect(ids(state().hits)).toEqual([5, 4, 3, 1]);
    expect(state()).toMatchObject({ firstPage: 2, hasMore: false, isLoadingMore: false });
    search.loadMore();
    await page.browser.settle();
    expect(ids(state().hits)).toHaveLength(4);
    page.close();
  });

  it("without hits are followed by the next, so many in a row", async () => {
    let left = 25;
    const { type, search, state, page, asked } = await openSearch(() => {
      left -= 1;
      return ok(left > 0 ? pageOf([], `${left}.1`) : pageOf([hit(7)]));
    });
    await type("rare");
    expect(asked()).toHaveLength(10);
    expect(state()).toMatchObject({ phase: "found", hits: [], hasMore: true });
    search.loadMore();
    await page.browser.settle();
    search.loadMore();
    await page.browser.settle();
    expect(asked()).toHaveLength(25);
    expect(ids(state().hits)).toEqual([7]);
    expect(state()).toMatchObject({ firstPage: 1, hasMore: false });
    page.close();
  });
});

describe("a search that fails", () => {
  it("without a network shows the chats with such a name, and goes on when it is back", async () => {
    const { server, page, type, state } = await openSearch(() => ok(pageOf([hit(1)])));
    server.setDown(true);
    page.browser.goOffline();
    const title = page.engine.sessions.list.getState().sessions[0]?.title ?? "";
    await type(title.slice(0, 3));
    expect(state()).toMatchObject({ phase: "failed", failure: { key: "historySearchOffline" } });
    expect(state().hits.map(({ chat_session }) => chat_session.title)).toContain(title);
    server.setDown(false);
    page.browser.comeOnline();
    await page.browser.settle();
    expect(state()).toMatchObject({ phase: "found", failure: null });
    expect(ids(state().hits)).toEqual([1]);
    page.close();
  });

  it("for a limit says so, and asks again when the limit is over", async () => {
    let limited = true;
    const { type, state, page, asked } = await openSearch(() => {
      if (!limited) return ok(pageOf([hit(1)]));
      const answer = globalError(42903, "TOO_MANY_CONCURRENT_REQUESTS", 429);
      answer.headers.set("retry-after", "7");
      return answer;
    });
    await type("plumb");
    expect(state().phase).toBe("failed");
    expect(state().failure).not.toBeNull();
    limited = false;
    await page.browser.advance(6000);
    expect(asked()).toHaveLength(1);
    await page.browser.advance(1500);
    expect(asked()).toHaveLength(2);
    expect(state()).toMatchObject({ phase: "found", failure: null });
    page.close();
  });

  it("on a later page keeps what was found, and goes on only when asked to", async () => {
    let broken = false;
    const { type, search, state, page, asked } = await openSearch((query) => {
      if (query.get("cursor") === null) return ok(pageOf([hit(5)], "9.1"));
      return broken ? globalError(50000, "INTERNAL_ERROR", 500) : ok(pageOf([hit(4)]));
    });
    await type("plumb");
    broken = true;
    search.loadMore();
    await page.browser.settle();
    expect(state()).toMatchObject({ phase: "found", failure: { key: "serverUnavailable" } });
    expect(ids(state().hits)).toEqual([5]);
    search.loadMore();
    await page.browser.settle();
    expect(asked()).toHaveLength(2);
    broken = false;
    search.retry();
    await page.browser.settle();
    expect(ids(state().hits)).toEqual([5, 4]);
    page.close();
  });

  it("asks for nothing after its dialog was closed", async () => {
    const { search, page, asked } = await openSearch(() => ok(pageOf([hit(1)])));
    search.type("plumb", false);
    search.stop();
    await page.browser.advance(1000);
    expect(asked()).toEqual([]);
    page.close();
  });
});

describe("a hit that is opened", () => {
  it("shows its chat at its message, on its branch, and a reload does so too", async () => {
    const { server, disk, page, search } = await openSearch();
    await search.open(hitOf(page, "s1", 2));
    expect(page.engine.site.navigation.getState()).toMatchObject({ to: "/a/chat/s/s1" });
    page.engine.sessions.open("s1");
    await page.browser.settle();
    expect(page.shown("s1").map(({ message_id }) => message_id)).toEqual([1, 2]);
    expect(page.engine.sessions.sought.getState().sought).toEqual({ sessionId: "s1", messageId: 2 });
    expect(page.engine.sessions.readingPlace("s1")?.messageId).toBe(2);
    await page.browser.advance(1000);
    page.close();
    const again = await openPage(server, disk);
    again.engine.sessions.open("s1");
    await again.browser.settle();
    expect(again.shown("s1").map(({ message_id }) => message_id)).toEqual([1, 2]);
    expect(again.engine.sessions.readingPlace("s1")?.messageId).toBe(2);
    again.close();
  });

  it("turns the chat on show to its branch, and leaves what is chosen below it", async () => {
    const { page, search } = await openSearch();
    page.engine.sessions.open("s1");
    await page.browser.settle();
    await search.open(hitOf(page, "s1", 1));
    expect(page.shown("s1").map(({ message_id }) => message_id)).toEqual([1, 2]);
    page.close();
  });

  it("finds what another device wrote since the chat was loaded here", async () => {
    const { server, page, search } = await openSearch();
    page.engine.sessions.open("s1");
    await page.browser.settle();
    page.engine.sessions.open("s2");
    await page.browser.settle();
    server.addSession("s1", [
      ...FORKED,
      wireMessage({ message_id: 5, parent_id: 2, role: "USER" }),
      wireMessage({ message_id: 6, parent_id: 5, role: "ASSISTANT" }),
    ]);
    await search.open(hitOf(page, "s1", 5));
    expect(page.shown("s1").map(({ message_id }) => message_id)).toEqual([1, 2, 5, 6]);
    page.close();
  });

  it("whose message was deleted meanwhile says so, and its chat opens at the end", async () => {
    const { page, search } = await openSearch();
    await search.open(hitOf(page, "s1", 99));
    expect(page.engine.site.toasts.getState().toasts.map(({ text }) => text)).toEqual([
      { key: "messageGone" },
    ]);
    expect(page.engine.sessions.sought.getState().sought).toBeNull();
    expect(page.engine.sessions.readingPlace("s1")).toBeNull();
    expect(page.shown("s1").map(({ message_id }) => message_id)).toEqual([3, 4]);
    page.close();
  });

  it("whose chat was deleted meanwhile says that, once", async () => {
    const { server, page, search } = await openSearch();
    const found = hitOf(page, "s1", 2);
    server.answer("/api/v0/chat/history_messages", () => refused(1, "CHAT_SESSION_DELETED"));
    await search.open(found);
    expect(page.engine.site.toasts.getState().toasts.map(({ text }) => text)).toEqual([
      { key: "chatDeleted" },
    ]);
    page.close();
  });
});
