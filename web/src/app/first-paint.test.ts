import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";
import { currentUser } from "@plumb/protocol/wire/accounts";
import { clientSettings } from "@plumb/protocol/wire/site";
import { shareContent } from "@plumb/protocol/wire/sharing";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createApiClient } from "../engine/api-client.ts";
import type { Browser, FetchInit } from "../engine/browser.ts";
import { askEarly } from "../engine/sessions/early-history.ts";
import { createHistoryCache } from "../engine/sessions/history-cache.ts";
import { createFakeBrowser } from "../engine/testing/fake-browser.ts";
import { takeHeadStart } from "./head-start.ts";

const firstScript = readFileSync(new URL("../../public/static/first-paint.js", import.meta.url), "utf8");
const partNames = [
  "chat",
  "conversation",
  "reader",
  "guest",
  "en-US",
  "zh-CN",
  "en-US reader",
  "zh-CN reader",
  "forms",
  "en-US forms",
  "zh-CN forms",
];
const parts = Object.fromEntries(partNames.map((name) => [name, `${name.replace(" ", "-")}.js`]));

interface Sent {
  address: string;
  headers: Record<string, string>;
}

/** What the script does on a page of this path, with this in the storage. */
function runOn(
  path: string,
  stored: Record<string, string>,
  given: object = { parts: JSON.stringify(parts) },
) {
  const loads: string[] = [];
  const links: { href: string; onload?: () => void }[] = [];
  const sent: Sent[] = [];
  /** What the address bar is changed to. */
  const bar: string[] = [];
  const window: { plumbHeadStart?: unknown[]; plumbLinkToken?: string; addEventListener(): void } = {
    addEventListener() {},
  };
  const dataset: Record<string, string> = {};
  const documentElement = { dataset, lang: "" };
  const heard = new Map<string, (event: object) => void>();
  runInNewContext(firstScript, {
    window,
    URLSearchParams,
    navigator: { languages: ["zh-CN"] },
    location: new URL(path, "https://chat.test"),
    history: { replaceState: (_state: unknown, _title: string, address: string) => bar.push(address) },
    localStorage: { getItem: (key: string) => stored[key] ?? null },
    document: {
      documentElement,
      currentScript: { dataset: { version: "1.2.3", ...given } },
      createElement: () => ({}),
      addEventListener: (type: string, listener: (event: object) => void) => heard.set(type, listener),
      head: {
        append: (...added: typeof links) => {
          links.push(...added);
          loads.push(...added.map(({ href }) => href.replace("/static/assets/", "")));
        },
      },
    },
    fetch: async (address: string, { headers }: Sent) => {
      sent.push({ address, headers: { ...headers } });
      return new Response(address);
    },
  });
  const hasLoaded = (address: string) => {
    heard.get("load")?.({ target: { href: address } });
    links.find(({ href }) => href === address)?.onload?.();
  };
  return { bar, loads, sent, window, documentElement, hasLoaded };
}

const shared = "/static/assets/shared-1234567.js";
const signedIn = { "plumb.token": "token-1" };
const asked = ({ sent }: ReturnType<typeof runOn>) => sent.map(({ address }) => address);

describe("before the first paint", () => {
  test("theme and language are those that were chosen, else those of the browser", () => {
    const chosen = JSON.stringify({ theme: "dark", locale: "en_US" });
    const { documentElement } = runOn("/sign_in", { "plumb.preferences": chosen });
    expect(documentElement).toEqual({ dataset: { theme: "dark" }, lang: "en-US" });
    expect(runOn("/", { "plumb.preferences": "{" }).documentElement).toEqual({ dataset: {}, lang: "zh-CN" });
  });

  test.each([
    [{}, {}],
    [{ "plumb.banner": '{"cachedBannerOptions":null}' }, {}],
    [{ "plumb.banner": '{"cachedBannerOptions":{"id":"1"}}' }, { noOpening: "" }],
    [signedIn, { noOpening: "" }],
  ])(
    "what the server wrote into a share's page is only for who will see the page so: %o",
    (stored, dataset) => {
      expect(runOn("/share/abc", stored).documentElement.dataset).toEqual(dataset);
    },
  );

  test("the token of a notice's link leaves the address bar; what others have behind a # stays", () => {
    const opened = runOn("/undo_binding#token-1", {});
    expect([opened.window.plumbLinkToken, opened.bar]).toEqual(["token-1", ["/undo_binding"]]);
    for (const path of ["/undo_binding", "/a/chat/s/s-1#heading"]) {
      const other = runOn(path, {});
      expect([other.window.plumbLinkToken, other.bar]).toEqual([undefined, []]);
    }
  });

  const user = "/api/v0/users/current";
  const history = "/api/v0/chat/history_messages?chat_session_id=s-1";
  const share = "/api/v0/share/content?share_id=abc";
  const settings = "/api/v0/client/settings";
  const forms = ["zh-CN", "forms", "zh-CN-forms"];
  test.each([
    ["/", signedIn, [user], ["zh-CN", "chat"]],
    ["/a/coder", signedIn, [user], ["zh-CN", "chat"]],
    ["/a/chat/s/s-1", signedIn, [user, history], ["zh-CN", "chat", "conversation"]],
    [
      "/a/chat/s/s-1",
      { ...signedIn, "plumb.histories": '{"s-1":[7,1]}' },
      [user, `${history}&cache_version=7`],
      ["zh-CN", "chat", "conversation"],
    ],
    ["/share/abc", {}, [share], ["zh-CN", "zh-CN-reader", "reader", "guest", "conversation"]],
    ["/share/abc", signedIn, [user, share], ["zh-CN", "zh-CN-reader", "reader", "chat", "conversation"]],
    ["/share/missing", {}, [], []],
    ["/sign_in", signedIn, [], []],
    ["/sign_in", {}, [settings], forms],
    ["/", {}, [settings], forms],
    ["/a/chat/s/s-1", {}, [settings], forms],
    ["/a/chat/s/%2e", signedIn, [], []],
  ])("of %s with %o it asks for what the page will", (path, stored, calls, files) => {
    const ran = runOn(path, stored);
    expect(asked(ran)).toEqual(calls);
    ran.hasLoaded(shared);
    for (const name of files) ran.hasLoaded(`/static/assets/${name}.js`);
    expect(ran.loads).toEqual(files.map((name) => `${name}.js`));
  });

  test("each part waits for what comes before it, the texts for nothing", () => {
    const { loads, hasLoaded } = runOn("/a/chat/s/s-1", signedIn);
    hasLoaded("/static/assets/zh-CN.js");
    hasLoaded("/static/assets/shared-1234567.css");
    hasLoaded("/static/assets/index-1234567.js");
    expect(loads).toEqual(["zh-CN.js"]);
    hasLoaded(shared);
    expect(loads).toEqual(["zh-CN.js", "chat.js"]);
    hasLoaded("/static/assets/chat.js");
    expect(loads).toEqual(["zh-CN.js", "chat.js", "conversation.js"]);
  });

  test("a page that was not built loads nothing ahead", () => {
    expect(asked(runOn("/", signedIn, {}))).toEqual([]);
  });
});

describe("the page of a share that shows its first words", () => {
  const sheets = ["a.css", "b.css"];

  /** It stands in a document whose frames and times come when the test says so. */
  function open(stored: Record<string, string>, { hidden = false, ofServer = true } = {}) {
    const frames: (() => void)[] = [];
    const waits: { run: () => void; ms: number }[] = [];
    const added: object[] = [];
    const heard = new Map<string, () => void>();
    const script = { remove: () => links.delete(script) };
    const ofSheets = sheets.map((href) => ({ href, onload: () => {}, onerror: () => {} }));
    const links = new Set<object>([script, ...ofSheets]);
    const content = { querySelector: () => script, querySelectorAll: () => ofSheets };
    runInNewContext(firstScript, {
      window: { addEventListener() {} },
      navigator: { languages: ["en"] },
      location: { pathname: "/share/missing" },
      localStorage: { getItem: (key: string) => stored[key] ?? null },
      requestAnimationFrame: (run: () => void) => frames.push(run),
      setTimeout: (run: () => void, ms = 0) => waits.push({ run, ms }),
      document: {
        hidden,
        documentElement: { dataset: {}, lang: "" },
        currentScript: { dataset: {} },
        addEventListener: (type: string, listener: () => void) => heard.set(type, listener),
        getElementById: () => (ofServer ? { content } : null),
        head: { append: (one: object) => added.push(...(one === content ? links : [one])) },
      },
    });
    heard.get("DOMContentLoaded")?.();
    const pass = (ms: number) => {
      for (const wait of waits.splice(0)) if (wait.ms <= ms) wait.run();
    };
    return { added, script, ofSheets, pass, paint: () => frames.splice(0).forEach((run) => run()) };
  }

  test("asks for its sheets after its first frame, and for its script after them", () => {
    const { added, script, ofSheets, pass, paint } = open({});
    pass(0);
    expect(added).toEqual([]);
    paint();
    expect(added).toEqual([]);
    pass(0);
    expect(added).toEqual(ofSheets);
    ofSheets[0]?.onload();
    expect(added).not.toContain(script);
    // One that does not come is asked for by what needs it.
    ofSheets[1]?.onerror();
    expect(added).toEqual([...ofSheets, script]);
  });

  test("asks for them once, though it was not painted", () => {
    const { added, ofSheets, pass, paint } = open({});
    pass(500);
    expect(added).toEqual(ofSheets);
    paint();
    pass(0);
    expect(added).toEqual(ofSheets);
  });

  test.each([
    [signedIn, {}],
    [{}, { hidden: true }],
  ])("does not wait where it shows none: %o %o", (stored, how) => {
    const { added, ofSheets } = open(stored, how);
    expect(added).toEqual(ofSheets);
  });

  test("is the only one that waits", () => {
    const { added, pass, paint } = open({}, { ofServer: false });
    paint();
    pass(500);
    expect(added).toEqual([]);
  });
});

describe("a call that was sent early", () => {
  afterEach(() => vi.unstubAllGlobals());

  /** The engine's own calls, over a browser that notes what they ask, soon after the page began. */
  function engineOver(path: string, stored: Record<string, string>) {
    const { window, sent } = runOn(path, stored);
    vi.stubGlobal("window", window);
    vi.stubGlobal("performance", { now: () => 100 });
    const fake = createFakeBrowser(() => {
      throw new Error("no server");
    });
    const own: string[] = [];
    const browser: Browser = {
      ...fake,
      appVersion: "1.2.3",
      timezoneOffsetSecs: () => -new Date().getTimezoneOffset() * 60,
      storage: { ...fake.storage, get: (key) => stored[key] ?? null },
      fetch: (address: string, init: FetchInit) =>
        takeHeadStart(address, init) ?? (own.push(address), Promise.resolve(new Response(address))),
    };
    const identity = { token: () => stored["plumb.token"] ?? null, locale: () => "zh_CN", onGlobalCode() {} };
    return { api: createApiClient(browser, identity), browser, own, sent };
  }

  test("is the very call that the engine makes, which makes it no second time", async () => {
    const stored = { ...signedIn, "plumb.histories": '{"s-1":[7,1]}' };
    const { api, browser, own, sent } = engineOver("/a/chat/s/s-1", stored);
    expect(sent).toHaveLength(2);
    await api.call(currentUser, {});
    await askEarly(api, createHistoryCache(browser), "s-1").answer;
    expect(own).toEqual([]);
    await api.call(currentUser, {});
    expect(own).toEqual(["/api/v0/users/current"]);
  });

  test("of the form before sign-in is the engine's own, which stands in it", async () => {
    const { api, own, sent } = engineOver("/sign_in", {});
    expect(sent).toHaveLength(1);
    await api.call(clientSettings, {});
    expect(own).toEqual([]);
  });

  test("of a share is taken by guests and by who is signed in", async () => {
    for (const stored of [{}, signedIn]) {
      const { api, own } = engineOver("/share/abc", stored);
      await api.call(shareContent, { share_id: "abc" });
      expect(own).toEqual([]);
    }
  });

  test("of another account is not taken, and not kept for later", async () => {
    const { api, own } = engineOver("/share/abc", signedIn);
    const others = { method: "GET" as const, headers: { authorization: "Bearer other" } };
    expect(takeHeadStart("/api/v0/share/content?share_id=abc", others)).toBeNull();
    await api.call(shareContent, { share_id: "abc" });
    expect(own).toEqual(["/api/v0/share/content?share_id=abc"]);
  });

  test("is not taken where it was not wanted for ten seconds", async () => {
    const { api, own } = engineOver("/share/abc", {});
    vi.stubGlobal("performance", { now: () => 10_001 });
    await api.call(shareContent, { share_id: "abc" });
    expect(own).toEqual(["/api/v0/share/content?share_id=abc"]);
  });

  test("can be given up", async () => {
    const { api } = engineOver("/share/abc", {});
    Object.assign(window.plumbHeadStart?.[0] ?? {}, { answer: new Promise(() => {}) });
    const stop = new AbortController();
    const result = api.call(shareContent, { share_id: "abc" }, { signal: stop.signal });
    stop.abort();
    expect(await result).toMatchObject({ ok: false, error: { kind: "aborted" } });
  });
});
