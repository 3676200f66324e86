// Replies whose first snapshot has no fragment: S0 of wire-contract.md §4.5.
import { describe, expect, it } from "vitest";
import { filteredPrompt, slowReply } from "../testing/fake-replies.ts";
import { provisionalTitle } from "../sessions/provisional-title.ts";
import { createFakeServer } from "../testing/fake-server.ts";
import { openPage } from "../testing/open-page.ts";

const NEW = "new:chat";
const SESSION = "session-1";

async function askSlowModel(produced: number, prompt = "2+2?") {
  const server = createFakeServer();
  server.setEvents(slowReply);
  const page = await openPage(server);
  page.engine.sessions.setDraft(NEW, prompt);
  await page.engine.turns.send(NEW, prompt);
  await page.browser.settle();
  server.produce(produced);
  await page.browser.advance(20);
  return { server, page };
}

describe("a model that reads for long before its first text", () => {
  it("[SESS-051] the session, its route and its row are there with S0, and the draft is gone", async () => {
    const { page } = await askSlowModel(2);
    expect(page.engine.site.navigation.getState().to).toBeNull();
    expect(page.engine.sessions.list.getState().sessions).toEqual([]);
    page.close();

    const { page: later } = await askSlowModel(3);
    const { engine } = later;
    expect(engine.site.navigation.getState().to).toBe("/a/chat/s/session-1");
    expect(engine.sessions.list.getState().sessions.map(({ id }) => id)).toEqual([SESSION]);
    expect(engine.sessions.store.getState().drafts).toEqual({});
    expect(later.disk.values.has("plumb.drafts")).toBe(false);
    later.close();
  });

  it("[ENG-049] [ENG-012] S0 swaps the placeholders, P changes nothing to see, and the first fragment is text", async () => {
    const { server, page } = await askSlowModel(3);
    const keys = page.shown(SESSION).map(({ key }) => key);
    const seen = () => {
      const reply = page.shown(SESSION).at(-1)!;
      const { message_id, generateState, has_pending_fragment } = reply;
      return [message_id, generateState, has_pending_fragment, page.text(SESSION)];
    };
    expect(seen()).toEqual([2, "AWAITING_FIRST_CHANGE", true, ""]);
    server.produce(1);
    await page.browser.advance(20);
    expect(seen()).toEqual([2, "AWAITING_FIRST_CHANGE", false, ""]);
    server.produce(1);
    await page.browser.advance(20);
    expect(seen()).toEqual([2, "GENERATING", false, "Fo"]);
    server.produce(20);
    await page.browser.advance(20);
    expect(seen()).toEqual([2, null, false, "Four."]);
    expect(page.shown(SESSION).map(({ key }) => key)).toEqual(keys);
    expect(page.state(SESSION)).toBe("idle");
    page.close();
  });

  it("a drop at any point ends in the same text, and a reload shows the question with its waiting reply", async () => {
    for (let at = 1; at < 11; at++) {
      const { server, page } = await askSlowModel(at);
      server.cut();
      await page.browser.advance(20);
      server.produce(20);
      await page.browser.advance(5000);
      expect(page.text(SESSION), `cut after ${at}`).toBe("Four.");
      expect(page.state(SESSION)).toBe("idle");
      page.close();
    }
    const { server, page } = await askSlowModel(3);
    page.close();
    const again = await openPage(server, page.disk);
    again.engine.sessions.open(SESSION);
    await again.browser.advance(20);
    expect(again.shown(SESSION).map(({ role, status }) => [role, status])).toEqual([
      ["USER", "FINISHED"],
      ["ASSISTANT", "WIP"],
    ]);
    expect(again.state(SESSION)).toBe("completing");
    server.produce(20);
    await again.browser.advance(20);
    expect(again.text(SESSION)).toBe("Four.");
    again.close();
  });

  it("a chat whose title is not made is called by the first words of its question", async () => {
    const { server, page } = await askSlowModel(3);
    const session = () => page.engine.sessions.store.getState().byId[SESSION];
    expect([session()?.title, provisionalTitle(session())]).toEqual([null, "2+2?"]);
    server.produce(20);
    await page.browser.advance(20);
    expect(provisionalTitle(undefined)).toBeNull();
    page.close();

    const { page: wordy } = await askSlowModel(3, "Explain the difference betweenness of things");
    expect(provisionalTitle(wordy.engine.sessions.store.getState().byId[SESSION])).toBe(
      "Explain the difference…",
    );
    wordy.close();
  });

  it("the time of the question stays, whatever the server's clock says, and is a new one for a new reply", async () => {
    const { server, page } = await askSlowModel(3);
    const askedAt = () => page.shown(SESSION).at(-1)!.askedAt;
    const first = askedAt();
    expect(page.browser.now() - first).toBeLessThan(1000);
    server.produce(20);
    await page.browser.advance(30_000);
    expect(askedAt()).toBe(first);
    await page.engine.turns.regenerate(SESSION, 2);
    expect(askedAt()).toBe(page.browser.now());
    page.close();
  });

  it("a reply that ends while another chat is on show is marked until its chat is opened", async () => {
    const { server, page } = await askSlowModel(3);
    const unseen = () => page.engine.sessions.store.getState().byId[SESSION]?.endedUnseen;
    page.engine.sessions.open(SESSION);
    page.engine.sessions.open(NEW);
    server.produce(20);
    await page.browser.advance(20);
    expect(unseen()).toBe(true);
    page.engine.sessions.open(SESSION);
    await page.browser.settle();
    expect(unseen()).toBe(false);
    await page.engine.turns.regenerate(SESSION, 2);
    server.produce(20);
    await page.browser.advance(20);
    expect([page.state(SESSION), unseen()]).toEqual(["idle", false]);
    page.close();
  });

  it("another send while it runs is refused with the reason, once", async () => {
    const { page } = await askSlowModel(3);
    expect(await page.engine.turns.send(SESSION, "And 3+3?")).toBe(false);
    expect(await page.engine.turns.send(SESSION, "And 3+3?")).toBe(false);
    expect(page.engine.site.toasts.getState().toasts).toMatchObject([
      { type: "info", text: { key: "waitForReply" } },
    ]);
    page.close();
  });

  it("a stop before ready is told apart from a reply that broke off, too", async () => {
    const { server, page } = await askSlowModel(0);
    page.engine.turns.stop("new:chat");
    await page.browser.advance(100);
    expect(server.calls("/api/v0/chat/stop_stream")).toHaveLength(1);
    expect(page.shown(SESSION).at(-1)).toMatchObject({ status: "INCOMPLETE", isStopped: true });
    page.close();
  });

  it("a stop before the first text leaves the question with an INCOMPLETE reply", async () => {
    const { page } = await askSlowModel(3);
    page.engine.turns.stop(SESSION);
    await page.browser.advance(100);
    expect(page.shown(SESSION).at(-1)).toMatchObject({ status: "INCOMPLETE", fragments: [] });
    expect(page.state(SESSION)).toBe("idle");
    page.close();
  });
});

it("a filtered prompt shows what stands in its place, and no toast", async () => {
  const server = createFakeServer();
  server.setEvents(filteredPrompt);
  const page = await openPage(server);
  await page.engine.turns.send(NEW, "bad");
  await page.browser.settle();
  server.produce(20);
  await page.browser.advance(20);
  expect(page.shown(SESSION).at(-1)).toMatchObject({
    status: "CONTENT_FILTER",
    has_pending_fragment: false,
    ban_regenerate: true,
    fragments: [{ type: "TEMPLATE_RESPONSE" }],
  });
  expect(page.engine.site.toasts.getState().toasts).toEqual([]);
  expect(page.state(SESSION)).toBe("idle");
  page.close();
});
