import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createFakeBrowser } from "../testing/fake-browser.ts";
import { createPreferences } from "./preferences.ts";
import { createToasts } from "./toasts.ts";

const offline = () => new Response();

describe("toasts", () => {
  it("[ERR-033] [ERR-036] [ERR-037] go after 5 s, stack, and aren't doubled by key", async () => {
    const browser = createFakeBrowser(offline);
    const { store, show, dismiss } = createToasts(browser);
    const keys = (): (number | undefined)[] => store.getState().toasts.map(({ duration }) => duration);
    show({ type: "info", text: { content: "a" }, dedupeKey: "k" });
    show({ type: "info", text: { content: "b" }, dedupeKey: "k" });
    show({ type: "info", text: { content: "c" }, duration: 1000 });
    expect(keys()).toEqual([5000, 1000]);
    await browser.advance(1000);
    expect(keys()).toEqual([5000]);
    show({ type: "error", text: { content: "d" } });
    dismiss(store.getState().toasts[1]!.id);
    await browser.advance(4000);
    expect(keys()).toEqual([]);
  });
});

describe("preferences", () => {
  it("[ENG-025] [SHELL-060] survive a reload; what is stored and unknown is ignored", () => {
    const browser = createFakeBrowser(offline);
    createPreferences(browser).change({ theme: "dark", locale: "zh_CN", thinkingEnabled: true });
    expect(createPreferences(browser).store.getState()).toEqual({
      exportedHistoryClosed: true,
      loginMethod: "code",
      targetBeforeOauthLogin: "chat",
      closeUnsafeEnvWarn: false,
      theme: "dark",
      locale: "zh_CN",
      thinkingEnabled: true,
      searchEnabled: false,
      siderCollapsed: false,
    });
    browser.storage.set("plumb.preferences", '{"theme":"pink","siderCollapsed":1}');
    expect(createPreferences(browser).store.getState()).toMatchObject({
      theme: "system",
      siderCollapsed: false,
    });
    browser.storage.set("plumb.preferences", "{");
    expect(createPreferences(browser).store.getState().theme).toBe("system");
  });

  it("a choice in one tab leaves what another one has chosen since", () => {
    const browser = createFakeBrowser(offline);
    const [here, there] = [createPreferences(browser), createPreferences(browser)];
    there.change({ exportedHistoryClosed: false, theme: "light" });
    here.change({ theme: "dark" });
    expect(createPreferences(browser).store.getState()).toMatchObject({
      exportedHistoryClosed: false,
      theme: "dark",
    });
  });

  it("the choice of web search is remembered under its own name [SRCH-002]", () => {
    const browser = createFakeBrowser(offline);
    createPreferences(browser).change({ searchEnabled: true });
    expect(JSON.parse(browser.storage.get("plumb.preferences") ?? "")).toMatchObject({ searchEnabled: true });
    expect(createPreferences(browser).store.getState().searchEnabled).toBe(true);
  });

  it("search and deep thinking exclude each other, the newer choice wins", () => {
    const preferences = createPreferences(createFakeBrowser(offline));
    preferences.change({ thinkingEnabled: true });
    preferences.change({ searchEnabled: true });
    expect(preferences.store.getState()).toMatchObject({ searchEnabled: true, thinkingEnabled: false });
    preferences.change({ thinkingEnabled: true });
    expect(preferences.store.getState()).toMatchObject({ searchEnabled: false, thinkingEnabled: true });
  });
});

describe("texts", () => {
  it("every key of the engine has words in both languages, and every entry is used", () => {
    const root = join(import.meta.dirname, "..");
    const source = readdirSync(root, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts") && !name.includes(".test.") && !name.includes("testing"))
      .map((name) => readFileSync(join(root, name), "utf8"))
      .join("\n");
    const used = new Set([...source.matchAll(/\bkey: "(\w+)"/g)].map(([, key]) => key));
    const texts = JSON.parse(readFileSync(join(root, "../i18n/engine-texts.json"), "utf8")) as Record<
      string,
      object
    >;
    expect([...used].filter((key) => !((key ?? "") in texts))).toEqual([]);
    expect(Object.keys(texts).filter((key) => !used.has(key))).toEqual([]);
    for (const words of Object.values(texts)) expect(Object.keys(words)).toEqual(["en_US", "zh_CN"]);
  });
});
