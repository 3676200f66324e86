import { describe, expect, it } from "vitest";
import { refused } from "../testing/fake-answers.ts";
import { createFakeServer } from "../testing/fake-server.ts";
import { openPage } from "../testing/open-page.ts";

const LOOK_UP = "/api/v0/chat/get_client_streams";

describe("the look-up of a send that was cut", () => {
  it.each([
    ["unknown", "ILLEGAL_CHAT_SESSION_ID", "chatNotFound"],
    ["deleted", "CHAT_SESSION_DELETED", "chatDeleted"],
  ])("in a session that is %s drops the session with a toast and goes home", async (_title, msg, key) => {
    const server = createFakeServer();
    server.addSession("s1");
    server.answer(LOOK_UP, () => refused(1, msg));
    const page = await openPage(server);
    page.engine.sessions.open("s1");
    await page.browser.settle();
    await page.engine.turns.send("s1", "2+2?");
    await page.browser.settle();
    server.cut();
    await page.browser.advance(1000);
    expect(server.calls(LOOK_UP)).toHaveLength(1);
    expect(page.state("s1")).toBeUndefined();
    expect(page.engine.site.toasts.getState().toasts).toMatchObject([{ text: { key } }]);
    expect(page.engine.site.navigation.getState()).toEqual({ to: "/", replace: true });
    page.close();
  });
});
