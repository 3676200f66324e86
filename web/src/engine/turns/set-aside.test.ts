// A new chat is begun while the first message of another one is on its way.
import { beforeAll, describe, expect, it } from "vitest";
import { loadQueue } from "../load-queue.ts";
import { globalError, refused } from "../testing/fake-answers.ts";
import { createFakeServer, type FakeServer } from "../testing/fake-server.ts";
import { openPage, type Page } from "../testing/open-page.ts";

// As on a page that somebody touched.
beforeAll(() => Promise.all([loadQueue(), import("../files/create-files.ts"), import("./lost-turns.ts")]));

const NEW = "new:chat";
const CREATE = "/api/v0/chat_session/create";
const COMPLETION = "/api/v0/chat/completion";

const drafts = (page: Page) => page.engine.sessions.store.getState().drafts;
const listed = (page: Page) => page.engine.sessions.list.getState().sessions.map(({ id }) => id);
const texts = (page: Page) => page.engine.site.toasts.getState().toasts.map(({ text }) => text);
const keptIn = ({ disk }: Page) => [...disk.values.keys()].filter((key) => /drafts|Files|queue/i.test(key));

/** What requests to a path get, one after another; those that come first wait to be let through, or for another answer. */
function hold(server: FakeServer, path: string) {
  let resolve: (answer: Response | null) => void = () => {};
  const promise = new Promise<Response | null>((taken) => (resolve = taken));
  server.answer(path, async (request) => {
    server.answerAsUsual(path);
    const given = await promise;
    // It has not reached the server before.
    if (given !== null) return given;
    return (await server.network(path, {
      method: "POST",
      headers: request.headers,
      body: JSON.stringify(request.body),
      signal: request.signal,
    } as Parameters<FakeServer["network"]>[1])) as Response;
  });
  return (answer: Response | null) => resolve(answer);
}

/** A page whose first message waits at `path`, and on which another new chat was begun. */
async function beginTwo(path: string, before: (page: Page) => Promise<void> | void = () => {}) {
  const server = createFakeServer();
  const release = hold(server, path);
  const page = await openPage(server);
  page.engine.sessions.open(NEW);
  await page.browser.settle();
  page.engine.sessions.setDraft(NEW, "first");
  void page.engine.turns.send(NEW, "first");
  await page.browser.settle();
  await before(page);
  page.engine.turns.setAside("chat");
  return {
    server,
    page,
    go: async (answer: Response | null) => {
      release(answer);
      await page.browser.advance(50);
    },
    produce: async () => {
      for (const reply of server.replies) server.produce(100, reply);
      await page.browser.advance(50);
    },
  };
}

type Two = Awaited<ReturnType<typeof beginTwo>>;

async function sendSecond({ page }: Two): Promise<void> {
  page.engine.sessions.setDraft(NEW, "second");
  await page.engine.turns.send(NEW, "second");
  await page.browser.settle();
}

describe.each([CREATE, COMPLETION])("while the first message waits at %s", (path) => {
  it("the new chat is empty and takes a message of its own; both become sessions, and only the one on show leads on", async () => {
    const two = await beginTwo(path);
    const { server, page } = two;
    expect([page.shown(NEW), drafts(page), page.state(NEW)]).toEqual([[], {}, undefined]);
    await sendSecond(two);
    await two.go(null);
    const asked = server.calls(COMPLETION).map(({ body }) => body);
    const sessionOf = (prompt: string) =>
      asked.findLast((body) => body["prompt"] === prompt)?.["chat_session_id"];
    expect(sessionOf("first")).not.toBe(sessionOf("second"));
    await two.produce();
    expect(new Set(listed(page))).toEqual(new Set([sessionOf("first"), sessionOf("second")]));
    expect(page.engine.site.navigation.getState().to).toBe(`/a/chat/s/${String(sessionOf("second"))}`);
    for (const prompt of ["first", "second"]) {
      const key = String(sessionOf(prompt));
      expect(page.text(key)).toContain("Four");
      expect(server.messagesOf(key)[0]?.fragments).toMatchObject([{ content: prompt }]);
    }
    expect([drafts(page), keptIn(page)]).toEqual([{}, []]);
    page.close();
  });

  it("what is typed in the new chat stays there as the first becomes a session", async () => {
    const two = await beginTwo(path);
    const { page } = two;
    page.engine.sessions.setDraft(NEW, "half");
    await two.go(null);
    await two.produce();
    expect(listed(page)).toHaveLength(1);
    expect(page.engine.site.navigation.getState().to).toBeNull();
    expect(drafts(page)).toEqual({ [NEW]: "half" });
    page.close();
  });

  it("what was typed and queued below the first goes with it", async () => {
    const two = await beginTwo(path, async (before) => {
      before.engine.sessions.setDraft(NEW, "next");
      before.engine.queue.add(NEW);
      await before.browser.settle();
      before.engine.sessions.setDraft(NEW, "typed");
    });
    const { server, page } = two;
    expect([drafts(page)[NEW], page.engine.queue.store.getState().byKey[NEW]]).toEqual([
      undefined,
      undefined,
    ]);
    await two.go(null);
    await two.produce();
    await two.produce();
    const [session] = listed(page);
    expect(drafts(page)).toEqual({ [session!]: "typed" });
    expect(server.messagesOf(session!).filter(({ role }) => role === "USER")).toHaveLength(2);
    page.close();
  });

  it("a failure gives its text back above what is typed by then, and says why", async () => {
    const two = await beginTwo(path, async (before) => {
      before.engine.sessions.setDraft(NEW, "next");
      before.engine.queue.add(NEW);
      await before.browser.settle();
      before.engine.sessions.setDraft(NEW, "typed");
    });
    const { page } = two;
    page.engine.sessions.setDraft(NEW, "second");
    await two.go(globalError(42900, "RATE_LIMIT_REACHED", 429));
    expect(drafts(page)).toEqual({ [NEW]: "first\n\ntyped\n\nnext\n\nsecond" });
    expect(texts(page)).toHaveLength(1);
    expect(Object.keys(page.engine.queue.store.getState().byKey)).toEqual([]);
    expect(Object.keys(page.engine.sessions.store.getState().byId)).toEqual([]);
    page.close();
  });

  it("a failure while the second is on its way waits until that has arrived", async () => {
    const two = await beginTwo(path);
    const { page } = two;
    await sendSecond(two);
    await two.go(globalError(42900, "RATE_LIMIT_REACHED", 429));
    expect(drafts(page)[NEW]).toBeUndefined();
    await two.produce();
    const [session] = listed(page);
    page.engine.sessions.open(session!);
    expect(drafts(page)).toEqual({ [NEW]: "first" });
    page.close();
  });

  it("a failure of both loses neither text", async () => {
    const two = await beginTwo(path);
    const { server, page } = two;
    server.answer(COMPLETION, () => refused(9, "INVALID_FILE_REFERENCE"));
    const second = hold(server, CREATE);
    page.engine.sessions.setDraft(NEW, "second");
    void page.engine.turns.send(NEW, "second");
    await two.go(globalError(42900, "RATE_LIMIT_REACHED", 429));
    second(globalError(42900, "RATE_LIMIT_REACHED", 429));
    await page.browser.advance(50);
    expect(drafts(page)).toEqual({ [NEW]: "first\n\nsecond" });
    page.close();
  });

  it("a reload finds the text of the first where it did not arrive", async () => {
    const { server, page } = await beginTwo(path);
    page.engine.sessions.setDraft(NEW, "second");
    page.browser.leave();
    page.close();
    const again = await openPage(server, page.disk);
    again.engine.sessions.open(NEW);
    await again.browser.advance(50);
    expect(drafts(again)).toEqual({ [NEW]: "first\n\nsecond" });
    again.close();
  });
});

it("a reload gives up the text of the first where it arrived, and stays where it is", async () => {
  const server = createFakeServer();
  const page = await openPage(server);
  page.engine.sessions.setDraft(NEW, "first");
  await page.engine.turns.send(NEW, "first");
  await page.browser.settle();
  page.engine.turns.setAside("chat");
  page.engine.sessions.setDraft(NEW, "second");
  page.browser.leave();
  page.close();
  const again = await openPage(server, page.disk);
  again.engine.sessions.open(NEW);
  await again.browser.advance(50);
  expect(drafts(again)).toEqual({ [NEW]: "second" });
  expect(again.engine.site.navigation.getState().to).toBeNull();
  again.close();
});

it("a line that breaks for good gives the text back, where the server may not have it", async () => {
  const two = await beginTwo(COMPLETION);
  const { server, page } = two;
  const said: unknown[] = [];
  page.engine.site.toasts.subscribe(() => said.push(...texts(page)));
  server.setDown(true);
  await two.go(null);
  await page.browser.advance(600_000);
  expect(drafts(page)).toEqual({ [NEW]: "first" });
  expect(said).toContainEqual({ key: "connectionLost" });
  page.close();
});

it("its files are on their way with it, and come back with its text", async () => {
  const server = createFakeServer();
  const release = hold(server, COMPLETION);
  const page = await openPage(server);
  page.engine.files.add(NEW, [{ name: "notes.txt", size: 10 }]);
  await page.browser.settle();
  await page.browser.settle();
  for (const { id } of server.files.all()) server.files.read(id, 7);
  await page.browser.advance(3000);
  await page.engine.turns.send(NEW, "");
  await page.browser.settle();
  page.engine.turns.setAside("chat");
  await page.browser.settle();
  const names = (key: string) =>
    (page.engine.files.store.getState().byKey[key] ?? []).map(({ fileName, sent }) => [fileName, sent]);
  expect(names(NEW)).toEqual([]);
  release(globalError(42900, "RATE_LIMIT_REACHED", 429));
  await page.browser.advance(50);
  expect(names(NEW)).toEqual([["notes.txt", "no"]]);
  expect(Object.keys(page.engine.files.store.getState().byKey)).toEqual([NEW]);
  page.close();
});

it("nothing is set aside where nothing is on its way", async () => {
  const page = await openPage(createFakeServer());
  page.engine.sessions.setDraft(NEW, "typed");
  page.engine.turns.setAside("chat");
  expect(drafts(page)).toEqual({ [NEW]: "typed" });
  page.close();
});
