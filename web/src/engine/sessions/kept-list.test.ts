import { afterEach, describe, expect, it } from "vitest";
import { globalError, ok } from "../testing/fake-answers.ts";
import type { Disk } from "../testing/fake-browser.ts";
import { createFakeServer, type FakeServer } from "../testing/fake-server.ts";
import { openPage, type Page } from "../testing/open-page.ts";
import { wireMessage } from "../testing/wire-message.ts";
import { keepList, readKeptList } from "./kept-list.ts";
import { KEPT_LIST } from "./kept-under.ts";

const cleanUps: (() => void)[] = [];
afterEach(() => cleanUps.splice(0).forEach((cleanUp) => cleanUp()));

function serverWith(count: number): FakeServer {
  const server = createFakeServer();
  for (let index = 1; index <= count; index += 1)
    server.addSession(`s${index}`, [wireMessage({ message_id: 1, parent_id: null, role: "USER" })]);
  return server;
}

async function open(server: FakeServer, disk?: Disk): Promise<Page> {
  const page = await openPage(server, disk);
  cleanUps.push(page.close);
  return page;
}

/** A page of a browser that keeps its list; what it leaves behind. */
async function visit(server: FakeServer): Promise<Page> {
  const page = await open(server);
  cleanUps.push(keepList(page.browser, page.engine));
  await page.browser.advance(2000);
  return page;
}

const idsOf = ({ engine }: Page) => engine.sessions.list.getState().sessions.map(({ id }) => id);

describe("a page that opens while the server can't be reached", () => {
  it("lets the user in with the list and the drafts of the last visit", async () => {
    const server = serverWith(3);
    const before = await visit(server);
    before.engine.sessions.setDraft("new:chat", "half a thought");
    await before.browser.advance(1000);
    const listed = idsOf(before);
    before.browser.leave();

    server.setDown(true);
    const page = await open(server, before.disk);
    await page.browser.settle();
    expect(page.engine.accounts.auth.getState()).toMatchObject({ status: "yes", user: { id: "user-1" } });
    expect(page.engine.site.network.getState().unreached).toBe(true);
    expect(idsOf(page)).toEqual(listed);
    expect(page.engine.sessions.list.getState()).toMatchObject({ state: "loaded", hasMore: false });
    expect(page.engine.sessions.store.getState().drafts["new:chat"]).toBe("half a thought");
    expect(page.engine.site.toasts.getState().toasts).toEqual([]);
  });

  it("goes on by itself when the server is back, with what has changed meanwhile", async () => {
    const server = serverWith(3);
    const before = await visit(server);
    before.browser.leave();
    server.setDown(true);
    const page = await open(server, before.disk);
    await page.browser.settle();
    server.addSession("s4", [wireMessage({ message_id: 1, parent_id: null, role: "USER" })]);
    server.setDown(false);
    await page.browser.advance(10_000);
    expect(page.engine.site.network.getState().unreached).toBe(false);
    expect(idsOf(page)).toEqual(["s4", "s3", "s2", "s1"]);
  });

  it("goes on likewise when a proxy has answered for the server meanwhile", async () => {
    const server = serverWith(3);
    const before = await visit(server);
    before.browser.leave();
    server.setDown(true);
    const page = await open(server, before.disk);
    await page.browser.settle();
    server.answer("/api/v0/users/current", () => new Response("<h1>Not here</h1>", { status: 404 }));
    server.setDown(false);
    await page.browser.advance(10_000);
    expect(page.engine.site.network.getState().unreached).toBe(true);
    server.answerAsUsual("/api/v0/users/current");
    await page.browser.advance(10_000);
    expect(page.engine.site.network.getState().unreached).toBe(false);
  });

  it("shows nothing of a visit whose token the server no longer takes, once that can be asked", async () => {
    const server = serverWith(2);
    const before = await visit(server);
    before.browser.leave();
    server.setDown(true);
    const page = await open(server, before.disk);
    await page.browser.settle();
    server.answer("/api/v0/users/current", () => globalError(40003, "INVALID_TOKEN"));
    server.setDown(false);
    await page.browser.advance(10_000);
    expect(page.engine.accounts.auth.getState()).toMatchObject({ status: "no", user: null });
    expect(page.engine.site.network.getState().unreached).toBe(false);
    expect(idsOf(page)).toEqual([]);
    expect(page.disk.values.has(KEPT_LIST)).toBe(false);
  });

  it.each<[string, (disk: Disk) => void]>([
    ["nothing was kept", (disk) => disk.values.delete(KEPT_LIST)],
    ["somebody else has signed in since", (disk) => disk.values.set("plumb.token", "another-token-2")],
    [
      "what was kept is broken",
      (disk) => disk.values.set(KEPT_LIST, '{"tokenEnd":"oken-1","user":{"id":"x"}}'),
    ],
  ])("waits where %s", async (_why, change) => {
    const server = serverWith(2);
    const before = await visit(server);
    before.browser.leave();
    change(before.disk);
    server.setDown(true);
    const page = await open(server, before.disk);
    await page.browser.settle();
    expect(page.engine.accounts.auth.getState()).toMatchObject({ status: "pending", user: null });
    expect(idsOf(page)).toEqual([]);
  });
});

describe("what is kept of the list", () => {
  it("is bounded, without the token, and follows what is removed", async () => {
    const server = serverWith(60);
    // As the server answers: the user again within the user, for older clients.
    const user = { id: "user-1", token: "token-1", chat: { is_muted: 0, mute_until: null } };
    server.answer("/api/v0/users/current", () => ok({ ...user, user }));
    const page = await visit(server);
    const stored = () => page.disk.values.get(KEPT_LIST) ?? "";
    expect(readKeptList(page.browser, "token-1")?.sessions).toHaveLength(50);
    expect(stored().length).toBeLessThan(65_000);
    expect(stored()).not.toContain('"token-1"');
    const [first = ""] = idsOf(page);
    await page.engine.sessions.remove(first);
    await page.browser.advance(2000);
    expect(stored()).not.toContain(`"${first}"`);
  });

  it("keeps fewer rows where they are long", async () => {
    const server = serverWith(40);
    const page = await visit(server);
    const { list } = page.engine.sessions;
    list.setState(({ sessions }) => ({
      sessions: sessions.map((one) => ({ ...one, title: "长".repeat(5000) })),
    }));
    await page.browser.advance(2000);
    const kept = readKeptList(page.browser, "token-1")?.sessions ?? [];
    expect(kept.length).toBeGreaterThan(5);
    expect(page.disk.values.get(KEPT_LIST)?.length).toBeLessThan(65_000);
  });

  it("goes with the account, also what was about to be written", async () => {
    const page = await visit(serverWith(2));
    expect(page.disk.values.has(KEPT_LIST)).toBe(true);
    page.engine.sessions.list.setState(({ sessions }) => ({ sessions: [...sessions] }));
    await page.engine.accounts.signOut();
    await page.browser.advance(5000);
    expect(page.disk.values.has(KEPT_LIST)).toBe(false);
  });
});
