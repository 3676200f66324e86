import { beforeAll, describe, expect, it } from "vitest";
import { globalError, refused } from "../testing/fake-answers.ts";
import { createFakeServer } from "../testing/fake-server.ts";
import { wireMessage } from "../testing/wire-message.ts";
import { openPage, type Page } from "../testing/open-page.ts";

// Else the first file would wait for the code.
beforeAll(() => import("../files/create-files.ts"));

const UPLOAD = "/api/v0/file/upload_file";
const RENAME = "/api/v0/chat_session/update_title";

const refusedRename =
  (answer: Response) =>
  ({ engine }: Page, server: ReturnType<typeof createFakeServer>) => {
    server.answer(RENAME, () => answer);
    return engine.sessions.rename("s1", "x");
  };

describe("the account on this page ends", () => {
  it.each([
    ["with a missing token", "/sign_in", "expired", refusedRename(globalError(40002, "MISSING_TOKEN")), []],
    [
      "with a bad token",
      "/sign_in",
      "expired",
      refusedRename(globalError(40003, "INVALID_TOKEN")),
      ["signedOut"],
    ],
    ["with a ban", "/banned", "banned", refusedRename(globalError(40012, "USER_IS_BANNED")), []],
    [
      "with the restriction of who is too young",
      "/sign_in",
      "signed-out",
      ({ engine }: Page, server: ReturnType<typeof createFakeServer>) => {
        server.answer("/api/v0/users/set_birthday", () => refused(2, "TOO_YOUNG"));
        return engine.ownAccount().then((account) => account?.setBirthday(2020, 1));
      },
      ["ageGateRejectText"],
    ],
    ["by logging out", "/sign_in", "signed-out", ({ engine }: Page) => engine.accounts.signOut(), []],
  ])(
    "%s: nothing of it stays, and the page goes [AUTH-009] [AUTH-010] [AUTH-011]",
    async (_title, where, reason, leave, toasts) => {
      const server = createFakeServer();
      server.addSession("s1", [wireMessage({ message_id: 1, parent_id: null, role: "USER" })]);
      server.answer(UPLOAD, () => new Promise(() => {}));
      const page = await openPage(server);
      const { engine, browser, disk } = page;
      engine.sessions.open("s1");
      engine.turns.prepare();
      engine.sessions.setDraft("new:coder", "half a thought");
      engine.files.add("new:chat", [{ name: "a.pdf", size: 10 }]);
      await browser.settle();
      void engine.turns.send("s1", "What is a quokka?");
      await browser.settle();
      const underWay = ["/api/v0/chat/completion", UPLOAD].map((path) => server.calls(path)[0]?.signal);
      expect(underWay.map((signal) => signal?.aborted)).toEqual([false, false]);
      expect(engine.sessions.store.getState().byId["s1"]).toBeDefined();
      await leave(page, server);
      await browser.settle();
      expect(engine.accounts.auth.getState()).toEqual({ status: "no", user: null, reason });
      expect(engine.site.navigation.getState()).toEqual({ to: where, replace: true });
      expect(engine.site.toasts.getState().toasts).toMatchObject(toasts.map((key) => ({ text: { key } })));
      expect(engine.site.toasts.getState().toasts).toHaveLength(toasts.length);
      expect(underWay.map((signal) => signal?.aborted)).toEqual([true, true]);
      expect(engine.files.store.getState()).toEqual({ byKey: {}, places: {} });
      expect(engine.sessions.store.getState()).toEqual({ byId: {}, drafts: {}, unkept: [] });
      expect(engine.sessions.list.getState()).toMatchObject({ state: "init", sessions: [] });
      expect(disk.values.has("plumb.token")).toBe(false);
      expect(disk.records.size).toBe(0);
      // The proof that lay ready was the old account's.
      const before = server.calls("/api/v0/chat/create_pow_challenge").length;
      await engine.accounts.signIn({ identifier: "a@b.co", password: "12345678" });
      await browser.settle();
      engine.turns.prepare();
      await browser.settle();
      expect(server.calls("/api/v0/chat/create_pow_challenge")).toHaveLength(before + 1);
      page.close();
    },
  );
});
