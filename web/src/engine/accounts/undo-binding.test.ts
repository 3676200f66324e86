import { afterEach, describe, expect, it } from "vitest";
import { globalError, ok, refused } from "../testing/fake-answers.ts";
import { emptyDisk } from "../testing/fake-browser.ts";
import { createFakeServer } from "../testing/fake-server.ts";
import { openPage } from "../testing/open-page.ts";

const users = (name: string) => `/api/v0/users/${name}`;

let page: Awaited<ReturnType<typeof openPage>>;
afterEach(() => page.close());

describe("the link of the message about a new way in", () => {
  it("removes it without being signed in, and signs this page out where its account was meant", async () => {
    const server = createFakeServer();
    page = await openPage(server, emptyDisk());
    server.answer(users("undo_binding"), () => ok({ code: 0, msg: "", kind: "phone" }));
    expect(await page.engine.accounts.undoBinding("token-of-link")).toEqual({ ok: true });
    const [call] = server.calls(users("undo_binding"));
    expect(call?.body).toEqual({ token: "token-of-link" });
    page.close();

    page = await openPage(server);
    server.answer(users("current"), () => globalError(40003, "INVALID_TOKEN"));
    await page.engine.accounts.undoBinding("token-of-link");
    expect(server.calls(users("undo_binding"))[1]?.headers["authorization"]).toBe(undefined);
    expect(page.engine.accounts.auth.getState().status).toBe("no");
  });

  it.each([
    [refused(1, "LINK_INVALID"), { key: "undoLinkInvalid" }, true],
    [refused(7, "NEW"), { key: "undoFailedCode", params: { code: 7 } }, false],
  ])("says why it does nothing (%#)", async (answer, text, isOver) => {
    const server = createFakeServer();
    page = await openPage(server, emptyDisk());
    server.answer(users("undo_binding"), () => answer);
    expect(await page.engine.accounts.undoBinding("t")).toEqual({ ok: false, field: null, text, isOver });
  });
});
