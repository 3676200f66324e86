// Replies whose first snapshot has no fragment: S0 of wire-contract.md §4.5.
import { describe, expect, it } from "vitest";
import { filteredPrompt, slowReply } from "../testing/fake-replies.ts";
import { createFakeServer } from "../testing/fake-server.ts";
import { openPage } from "../testing/open-page.ts";

const NEW = "new:chat";
const SESSION = "session-1";

async function askSlowModel(produced: number) {
  const server = createFakeServer();
  server.setEvents(slowReply);
  const page = await openPage(server);
  page.engine.sessions.setDraft(NEW, "2+2?");
  await page.engine.turns.send(NEW, "2+2?");
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
