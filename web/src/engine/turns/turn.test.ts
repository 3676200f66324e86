import { describe, expect, it } from "vitest";
import type { GenerateState } from "../sessions/client-message.ts";
import { ok } from "../testing/fake-answers.ts";
import { createFakeServer } from "../testing/fake-server.ts";
import { wireMessage } from "../testing/wire-message.ts";
import { openPage } from "../testing/open-page.ts";

const EVENTS = 15;

describe("a running reply", () => {
  it("never goes back in its state, over a drop and a resume too, and has none at its end [ENG-011]", async () => {
    const server = createFakeServer();
    server.addSession("s1");
    const page = await openPage(server);
    const { engine, browser } = page;
    engine.sessions.open("s1");
    await browser.settle();
    const seen: (GenerateState | null)[] = [];
    const stop = engine.sessions.store.subscribe(() => {
      const reply = page.shown("s1").at(-1);
      if (reply?.role === "ASSISTANT" && seen.at(-1) !== reply.generateState) seen.push(reply.generateState);
    });
    await engine.turns.send("s1", "2+2?");
    await browser.settle();
    server.produce(4);
    await browser.advance(20);
    server.cut();
    await browser.advance(1000);
    server.produce(2);
    await browser.advance(20);
    server.cut();
    await browser.advance(1000);
    server.produce(EVENTS);
    await browser.advance(20);
    stop();
    expect(seen).toEqual(["INITIALIZING", "AWAITING_FIRST_CHANGE", "GENERATING", null]);
    expect(page.shown("s1").at(-1)?.status).toBe("FINISHED");
    page.close();
  });

  it("brings its session's time in seconds, which the page keeps in milliseconds [SESS-006]", async () => {
    const server = createFakeServer();
    server.addSession("s1", [wireMessage({ message_id: 1, parent_id: null, role: "USER" })]);
    const page = await openPage(server);
    const { engine, browser } = page;
    const updatedAt = () => engine.sessions.store.getState().byId["s1"]?.updatedAt;
    engine.sessions.open("s1");
    await browser.settle();
    expect(updatedAt()).toBe(1_790_000_000_000);
    await engine.turns.send("s1", "2+2?");
    await browser.settle();
    server.produce(2);
    await browser.advance(20);
    expect(updatedAt()).toBe(1_790_000_010_000);
    page.close();
  });

  it("of a new chat stays out of the list until its first words [SESS-016]", async () => {
    const server = createFakeServer();
    server.answer("/api/v0/chat_session/fetch_page", () => ok({ chat_sessions: [], has_more: false }));
    const page = await openPage(server);
    const { engine, browser } = page;
    const listed = () => engine.sessions.list.getState().sessions.map(({ id }) => id);
    await engine.turns.send("new:chat", "2+2?");
    await browser.settle();
    server.produce(2);
    await browser.advance(20);
    expect(listed()).toEqual([]);
    server.produce(1);
    await browser.advance(20);
    expect(listed()).toEqual(["session-1"]);
    page.close();
  });
});
