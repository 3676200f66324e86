import { describe, expect, it } from "vitest";
import { createFakeBrowser, emptyDisk } from "../testing/fake-browser.ts";
import { createFakeServer } from "../testing/fake-server.ts";
import { openPage, signedInDisk } from "../testing/open-page.ts";
import { createBegunChat, noteBegun } from "./begun-chat.ts";

const NEW = "new:chat";
const PATH = "/a/chat/s/s1";

async function begin() {
  const server = createFakeServer();
  const disk = signedInDisk();
  const page = await openPage(server, disk);
  page.engine.sessions.open(NEW);
  await page.engine.turns.send(NEW, "2+2?");
  await page.browser.settle();
  server.produce(5);
  await page.browser.advance(20);
  const { to } = page.engine.site.navigation.getState();
  expect(to).toMatch(/^\/a\/chat\/s\//);
  const reload = async (key: string) => {
    page.close();
    const again = await openPage(server, disk);
    again.engine.sessions.open(key);
    await again.browser.settle();
    const went = again.engine.site.navigation.getState();
    again.close();
    return went;
  };
  return { page, to, reload };
}

describe("a reload that was asked for before a new chat came to light", () => {
  it("opens the chat", async () => {
    const { to, reload } = await begin();
    expect(await reload(NEW)).toEqual({ to, replace: true });
    expect(await reload(NEW)).toMatchObject({ to: null });
  });

  it("stays where the user has begun another new chat, or is another agent's, or took long", async () => {
    const another = await begin();
    another.page.engine.sessions.open(another.to?.split("/").at(-1) ?? "");
    another.page.engine.sessions.open(NEW);
    expect(await another.reload(NEW)).toMatchObject({ to: null });
    expect(await (await begin()).reload("new:coder")).toMatchObject({ to: null });
    const late = await begin();
    await late.page.browser.advance(10_000);
    expect(await late.reload(NEW)).toMatchObject({ to: null });
  });

  it("stays where the account has left, and where the page was opened by its address", async () => {
    const left = await begin();
    await left.page.engine.accounts.signOut();
    expect(left.page.disk.tabValues.has("plumb.begun")).toBe(false);
    left.page.close();
    const browser = { ...createFakeBrowser(() => new Response(), emptyDisk()), isReload: () => false };
    noteBegun(browser, NEW, PATH);
    expect(createBegunChat(browser).placeOf(NEW)).toBeNull();
    expect(createBegunChat({ ...browser, isReload: () => true }).placeOf(NEW)).toBeNull();
  });
});
