// The code of a part that cannot be had: what the page asks for of itself stays quiet, what a hand asks for is said.
import { expect, test, vi } from "vitest";
import { createFakeServer } from "./testing/fake-server.ts";
import { openPage, signedInDisk } from "./testing/open-page.ts";
import { shortTalk } from "./testing/wire-message.ts";

const away = vi.hoisted(() => () => {
  throw new Error("no network");
});
vi.mock("./agents/create-agents.ts", away);
vi.mock("./files/create-files.ts", away);
vi.mock("./accounts/sign-in.ts", away);
vi.mock("./sharing/create-sharing.ts", away);
vi.mock("./sessions/create-changes.ts", away);

test("what is loaded ahead of need says nothing when it fails", async () => {
  const page = await openPage(createFakeServer());
  const { agents, files, site } = page.engine;
  const told = () => site.toasts.getState().toasts.map(({ dedupeKey }) => dedupeKey);
  files.prepare();
  await vi.waitFor(() =>
    expect(page.browser.logged).toEqual([expect.stringContaining("the part for files was not loaded")]),
  );
  expect(told()).toEqual([]);

  await agents.remove("some-id");
  files.retry("some-key");
  await vi.waitFor(() => expect(told()).toEqual(["personas", "files"]));
  page.close();
});

test("what is done to a chat or a reply says that it could not be, and changes nothing", async () => {
  const server = createFakeServer();
  server.addSession("s1", shortTalk);
  const page = await openPage(server);
  const { feedback, sessions, site } = page.engine;
  const told = () => site.toasts.getState().toasts.map(({ text, dedupeKey }) => [dedupeKey, text]);
  expect(await sessions.rename("s1", "Another name")).toBe(false);
  expect(await sessions.remove("s1")).toBe(false);
  expect(await feedback.give("s1", 2, { kind: "like" })).toBe(false);
  sessions.setPinned("s1", true);
  await page.browser.settle();
  expect(told()).toEqual([["changes", { key: "networkError" }]]);
  expect(sessions.list.getState().sessions).toMatchObject([{ id: "s1", pinned: false }]);
  page.close();
});

test("a draft whose files cannot be brought is not sent without them, and its text stays [ENG-041]", async () => {
  const server = createFakeServer();
  const disk = signedInDisk();
  const key = "new:chat";
  disk.values.set("plumb.draftFiles", JSON.stringify({ owner: "user-1", byKey: { [key]: [{}, {}] } }));
  const page = await openPage(server, disk);
  const { files, sessions, site, turns } = page.engine;
  expect(files.store.getState().places).toEqual({ [key]: 2 });
  expect(files.check(key, [])).toEqual({ kind: "block", text: { key: "filesNotReady" } });
  sessions.setDraft(key, "look at these");
  expect(await turns.send(key, "look at these")).toBe(false);
  const told = site.toasts.getState().toasts.map(({ text }) => text);
  expect(told).toContainEqual({ key: "filesNotReady" });
  expect(sessions.store.getState().drafts[key]).toBe("look at these");
  expect(server.requests.filter(({ path }) => path.endsWith("/completion"))).toEqual([]);
  page.close();
});

test("a form says that it could not be sent", async () => {
  const page = await openPage(createFakeServer());
  const entered = { identifier: "someone@example.com", password: "a long passphrase" };
  const said = { ok: false, field: null, text: { key: "networkError" } };
  expect(await page.engine.accounts.signIn(entered)).toEqual(said);
  expect(await page.engine.accounts.googleAddress({})).toBeNull();
  page.close();
});

test("a part that React waits for fails for good before it is tried again", async () => {
  const page = await openPage(createFakeServer());
  const { sharing } = page.engine;
  const first = sharing.load();
  await expect(first).rejects.toBeInstanceOf(Error);
  expect(sharing.load()).toBe(first);
  await page.browser.advance(1000);
  const second = sharing.load();
  expect(second).not.toBe(first);
  await expect(second).rejects.toBeInstanceOf(Error);
  page.close();
});
