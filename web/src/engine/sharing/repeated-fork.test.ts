// A share that is continued again because the answer was lost: the page asks for the same copy.
import { expect, it } from "vitest";
import { globalError, ok, refused } from "../testing/fake-answers.ts";
import { createFakeServer } from "../testing/fake-server.ts";
import { openPage, signedInDisk } from "../testing/open-page.ts";
import { shortTalk } from "../testing/wire-message.ts";

const FORK = "/api/v0/share/fork";
const ID = "abcdefghij01234567";
const KEY = `share:${ID}`;

/** A server that knows a copy by its name (wire-contract.md §13.5), and may lose its answer on the way. */
function createServer() {
  const server = createFakeServer();
  const copies = new Map<string, string>();
  const net = { losesAnswers: false };
  server.answer("/api/v0/share/content", () =>
    ok({ title: "Greetings", messages: shortTalk, share_id: ID, created_at: 1, chat_session_id: "made-up" }),
  );
  const fork = (name: string) => {
    const known = copies.get(name) ?? `f${copies.size + 1}`;
    if (!copies.has(name)) server.addSession(known, shortTalk);
    copies.set(name, known);
    if (net.losesAnswers) throw new TypeError("the connection was lost");
    return ok({ chat_session_id: known });
  };
  const answerForks = () => server.answer(FORK, ({ body }) => fork(String(body["client_fork_id"])));
  answerForks();
  return { server, copies, net, answerForks };
}

async function openShare({ server }: ReturnType<typeof createServer>, disk = signedInDisk()) {
  const page = await openPage(server, disk);
  const { engine, browser } = page;
  await engine.loadChat();
  const { shared } = await engine.sharing.load();
  const read = async () => {
    shared.open(ID);
    await browser.settle();
  };
  await read();
  /** Types and sends; resolves with where the page is by then. */
  async function press(text: string): Promise<string | null> {
    engine.sessions.setDraft(KEY, text);
    void engine.turns.send(KEY, text);
    await browser.settle();
    return engine.site.navigation.getState().to;
  }
  return { page, engine, browser, disk, read, press };
}

const names = ({ server }: ReturnType<typeof createServer>) =>
  server.calls(FORK).map(({ body }) => body["client_fork_id"]);

it("sent again, it goes on in the copy that was made, and the next time in another one", async () => {
  const world = createServer();
  const { page, read, press } = await openShare(world);
  world.net.losesAnswers = true;
  expect(await press("and now?")).toBeNull();
  world.net.losesAnswers = false;
  expect(await press("and now, please?")).toBe("/a/chat/s/f1");
  expect([...world.copies.values()]).toEqual(["f1"]);
  expect(page.shown("f1")).toHaveLength(4);
  await read();
  expect(await press("once more")).toBe("/a/chat/s/f2");
  expect(names(world)[0]).toMatch(/^\d{8}-[a-z0-9]{16}$/);
  expect(new Set(names(world)).size).toBe(2);
  page.close();
});

it("also by the next load of the page", async () => {
  const world = createServer();
  const before = await openShare(world);
  world.net.losesAnswers = true;
  await before.press("and now?");
  before.browser.leave();
  before.page.close();
  world.net.losesAnswers = false;
  const { page, press, engine } = await openShare(world, before.disk);
  expect(engine.sessions.store.getState().drafts[KEY]).toBe("and now?");
  expect(await press("and now?")).toBe("/a/chat/s/f1");
  expect([...world.copies.values()]).toEqual(["f1"]);
  page.close();
});

it("also after signing in on the way, and not for whoever signs in after its reader has signed out", async () => {
  const world = createServer();
  const { page, engine, browser, disk, read, press } = await openShare(world);
  const signIn = async () => {
    void engine.accounts.signIn({ identifier: "a@b.example", password: "secret-1" });
    await browser.settle();
    await read();
  };
  world.net.losesAnswers = true;
  await press("and now?");
  world.server.answer(FORK, () => globalError(40003, "INVALID_TOKEN"));
  await press("and now?");
  expect(engine.accounts.auth.getState().user).toBeNull();
  world.net.losesAnswers = false;
  world.answerForks();
  await signIn();
  expect(await press("and now?")).toBe("/a/chat/s/f1");
  expect([...world.copies.values()]).toEqual(["f1"]);

  world.net.losesAnswers = true;
  await read();
  await press("and then?");
  expect(disk.values.get("plumb.forks")).toContain(ID);
  await engine.accounts.signOut();
  expect(disk.values.has("plumb.forks")).toBe(false);
  page.close();
});

it("keeps no name of a share that is gone", async () => {
  const world = createServer();
  const { page, disk, press } = await openShare(world);
  world.server.answer(FORK, () => refused(2, "SHARE_IS_DELETED_OR_BANNED"));
  expect(await press("and now?")).toBe("/share/invalid");
  expect(disk.values.has("plumb.forks")).toBe(false);
  page.close();
});
