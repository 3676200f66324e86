import { expect, test } from "vitest";
import { emptyDisk } from "../testing/fake-browser.ts";
import { createFakeServer } from "../testing/fake-server.ts";
import { openPage } from "../testing/open-page.ts";
import { resolveLocale } from "./locale.ts";

const SETTINGS = "/api/v0/client/settings";
const LOGIN = "/api/v0/users/login";

test.each([
  ["zh_CN", ["en-US"], "zh_CN"],
  ["en_US", ["zh-CN"], "en_US"],
  ["system", ["zh-TW", "en"], "zh_CN"],
  ["system", ["fr-FR", "en-GB", "zh-CN"], "en_US"],
  ["system", ["fr-FR", "zh-CN"], "zh_CN"],
  ["system", ["zhx", "en"], "en_US"],
  ["system", ["de", "fr"], "en_US"],
  ["system", [], "en_US"],
] as const)("%s with %j shows %s [I18N-002]", (preference, languages, locale) => {
  expect(resolveLocale(preference, languages)).toBe(locale);
});

/** A page without an account, on a host with these languages. */
async function openGuest(languages: readonly string[]) {
  const server = createFakeServer();
  const page = await openPage(server, emptyDisk(), languages);
  const ask = async (): Promise<string | undefined> => {
    await page.engine.accounts.signIn({ identifier: "a@b.co", password: "12345678" });
    return server.calls(LOGIN).at(-1)?.headers["x-client-locale"];
  };
  return { server, page, ask, shown: () => page.engine.site.locale.getState().locale };
}

test("the header names the language the screen shows, also where the host's first language is none of ours [PLAT-004] [I18N-002]", async () => {
  const { server, page, shown } = await openGuest(["fr-FR", "zh-CN", "en"]);
  expect(shown()).toBe("zh_CN");
  expect(server.calls(SETTINGS)[0]?.headers["x-client-locale"]).toBe("zh_CN");
  page.close();
});

test("the next call after a change of language has the new one, whoever changed it [PLAT-004]", async () => {
  const { page, ask, shown } = await openGuest(["en-US"]);
  expect([shown(), await ask()]).toEqual(["en_US", "en_US"]);
  page.engine.site.setPreferences({ locale: "zh_CN" });
  expect([shown(), await ask()]).toEqual(["zh_CN", "zh_CN"]);
  page.engine.site.setPreferences({ locale: "system" });
  expect([shown(), await ask()]).toEqual(["en_US", "en_US"]);
  page.browser.setLanguages(["zh-HK"]);
  expect([shown(), await ask()]).toEqual(["zh_CN", "zh_CN"]);
  page.close();
  page.browser.setLanguages(["en"]);
  expect(shown()).toBe("zh_CN");
});
