// A queued message that carries files: they are attached before the reply begins, and go with their text.
import { beforeAll, describe, expect, it } from "vitest";
import { loadQueue } from "../load-queue.ts";
import { nextDraftKey } from "../sessions/edit-drafts.ts";
import { createFakeServer } from "../testing/fake-server.ts";
import { openPage, signedInDisk, type Page } from "../testing/open-page.ts";
import { shortTalk } from "../testing/wire-message.ts";

// As on a page that somebody touched.
beforeAll(() => Promise.all([loadQueue(), import("../files/create-files.ts")]));

const COMPLETION = "/api/v0/chat/completion";
const KEY = "s1";
const NEXT = nextDraftKey(KEY);

async function openChat(server: ReturnType<typeof createFakeServer>, disk = signedInDisk()): Promise<Page> {
  const page = await openPage(server, disk);
  page.engine.sessions.open(KEY);
  await page.browser.advance(3010);
  return page;
}

/** Names of the files of a draft that are on show. */
const names = ({ engine }: Page, key: string) =>
  (engine.files.store.getState().byKey[key] ?? [])
    .filter(({ sent }) => sent !== "now")
    .map(({ fileName }) => fileName);
const drafts = (page: Page) => page.engine.sessions.store.getState().drafts;
const queued = (page: Page) => page.engine.queue.store.getState().byKey[KEY];

/** A chat in which a file and a text were made ready, and then another reply to the same question was asked for. */
async function attachThenRegenerate(text = "What is in it?") {
  const server = createFakeServer();
  server.addSession(KEY, shortTalk);
  const page = await openChat(server);
  page.engine.site.setPreferences({ thinkingEnabled: true });
  page.engine.files.add(KEY, [{ name: "notes.txt", size: 10 }]);
  await page.browser.settle();
  await page.browser.settle();
  for (const { id } of server.files.all()) server.files.read(id, 7);
  await page.browser.advance(3000);
  page.engine.sessions.setDraft(KEY, text);
  await page.engine.turns.regenerate(KEY, 2);
  await page.browser.settle();
  server.produce(4);
  await page.browser.advance(20);
  page.engine.queue.add(KEY);
  await page.browser.advance(10);
  const finish = async (of = page) => {
    server.produce(100);
    await of.browser.advance(50);
  };
  return { server, page, finish };
}

describe("files of a queued message", () => {
  it("leave the composer with their text, and are sent with it, without deep thinking", async () => {
    const { server, page, finish } = await attachThenRegenerate();
    expect([names(page, KEY), names(page, NEXT)]).toEqual([[], ["notes.txt"]]);
    expect(drafts(page)).toEqual({ [NEXT]: "What is in it?" });
    await finish();
    expect(server.calls(COMPLETION).map(({ body }) => body)).toMatchObject([
      { prompt: "What is in it?", ref_file_ids: ["file-1"], thinking_enabled: false },
    ]);
    await finish();
    expect([names(page, NEXT), queued(page)]).toEqual([[], undefined]);
    page.close();
  });

  it("are gone from it when a message whose connection was lost is found to have arrived", async () => {
    const { server, page, finish } = await attachThenRegenerate();
    await finish();
    server.setDown(true);
    server.cut();
    await page.browser.advance(120_000);
    expect(names(page, NEXT)).toEqual(["notes.txt"]);
    server.setDown(false);
    await page.browser.advance(70_000);
    await finish();
    expect(server.calls(COMPLETION)).toHaveLength(1);
    expect([names(page, NEXT), drafts(page), queued(page)]).toEqual([[], {}, undefined]);
    page.close();
  });

  it("may be all that is queued", async () => {
    const { server, page, finish } = await attachThenRegenerate("");
    expect(queued(page)).toMatchObject({ phase: "waiting" });
    await finish();
    expect(server.calls(COMPLETION).map(({ body }) => [body["prompt"], body["ref_file_ids"]])).toEqual([
      ["", ["file-1"]],
    ]);
    page.close();
  });

  it("come back to the composer with it, and go when it is withdrawn", async () => {
    const { server, page, finish } = await attachThenRegenerate();
    page.engine.queue.edit(KEY);
    await page.browser.settle();
    expect([names(page, KEY), names(page, NEXT)]).toEqual([["notes.txt"], []]);
    page.engine.queue.add(KEY);
    await page.browser.settle();
    page.engine.queue.withdraw(KEY);
    await page.browser.settle();
    expect([names(page, KEY), names(page, NEXT), drafts(page)]).toEqual([[], [], {}]);
    await finish();
    expect(server.calls(COMPLETION)).toEqual([]);
    page.close();
  });

  it("wait on over a reload", async () => {
    const { server, page, finish } = await attachThenRegenerate();
    page.browser.leave();
    page.close();
    const again = await openChat(server, page.disk);
    expect([names(again, NEXT), queued(again)?.phase]).toEqual([["notes.txt"], "waiting"]);
    await finish(again);
    expect(server.calls(COMPLETION).map(({ body }) => body["ref_file_ids"])).toEqual([["file-1"]]);
    again.close();
  });

  it("that another tab has taken off are not sent by this one, which says that it did not send", async () => {
    const { server, page, finish } = await attachThenRegenerate();
    // Which branch is shown is kept, too, by then.
    await page.browser.advance(2000);
    const other = await openChat(server, page.disk);
    expect(names(other, NEXT)).toEqual(["notes.txt"]);
    page.engine.queue.edit(KEY);
    await page.browser.settle();
    const [file] = page.engine.files.store.getState().byKey[KEY] ?? [];
    page.engine.files.remove(KEY, file?.renderKey ?? "");
    page.engine.queue.add(KEY);
    await page.browser.settle();
    page.browser.leave();
    page.close();
    await finish(other);
    // What a closed tab has left is taken over a moment later.
    await other.browser.advance(4000);
    expect(server.calls(COMPLETION)).toEqual([]);
    expect(queued(other)).toMatchObject({ phase: "kept", why: "unsent" });
    other.close();
  });
});
