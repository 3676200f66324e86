import { expect, test } from "vitest";
import { ok, refused } from "../testing/fake-answers.ts";
import { emptyDisk } from "../testing/fake-browser.ts";
import { createFakeServer } from "../testing/fake-server.ts";
import { openPage, type Page } from "../testing/open-page.ts";

const password = { identifier: "a@b.example", password: "secret-1" };

/** A page of an installation whose desktop app takes links of this scheme. */
async function open(scheme: string | null, server = createFakeServer(), disk = emptyDisk()): Promise<Page> {
  server.answer("/api/v0/client/settings", () =>
    ok({
      flags: {},
      ab_tests: {},
      limits: {},
      analytics: { device_fingerprint_url: null },
      misc: { desktop_scheme: scheme },
    }),
  );
  const page = await openPage(server, disk);
  expect(page.engine.site.settings.getState().settings?.misc.desktop_scheme).toBe(scheme);
  return page;
}

test("the desktop app hears of a sign-in by a link of its scheme, which tells nothing of the account [AUTH-008]", async () => {
  const page = await open("plumb-app");
  expect(await page.engine.accounts.signIn(password)).toEqual({ ok: true });
  expect(page.browser.programLinks).toEqual(["plumb-app://signed_in"]);
  await page.browser.advance(60_000);
  expect(page.browser.programLinks).toHaveLength(1);
  page.close();
});

test("and of one elsewhere that came back, once its account is there [AUTH-008]", async () => {
  const server = createFakeServer();
  server.answer("/api/v0/users/oauth/get_token", () => ok({ code: 0, msg: "", token: "token-1" }));
  const page = await open("plumb-app", server);
  await page.engine.accounts.finishOauth({ nonce: "nonce-1", provider: "GOOGLE" });
  expect(page.browser.programLinks).toEqual(["plumb-app://signed_in"]);
  page.close();
});

test("no link is opened without a scheme, for a refused sign-in, or by a page that was signed in", async () => {
  const without = await open(null);
  await without.engine.accounts.signIn(password);
  expect(without.engine.accounts.auth.getState().status).toBe("yes");
  expect(without.browser.programLinks).toEqual([]);
  without.close();

  const checked = createFakeServer();
  let release: ((answer: Response) => void) | undefined;
  checked.answer("/api/v0/users/current", () => new Promise((resolve) => (release = resolve)));
  const reload = await open("plumb-app", checked, without.disk);
  expect(reload.engine.accounts.auth.getState().status).toBe("pending");
  release?.(ok({ id: "user-1", token: "token-1", chat: { is_muted: 0, mute_until: null } }));
  await reload.browser.settle();
  expect(reload.engine.accounts.auth.getState().status).toBe("yes");
  expect(reload.browser.programLinks).toEqual([]);
  reload.close();

  const server = createFakeServer();
  server.answer("/api/v0/users/login", () => refused(2, "PASSWORD_OR_USER_NAME_IS_WRONG"));
  const wrong = await open("plumb-app", server);
  expect(await wrong.engine.accounts.signIn(password)).toMatchObject({ ok: false });
  expect(wrong.browser.programLinks).toEqual([]);
  wrong.close();
});
