// What is read of pages, and what hostile ones cost.
import { afterAll, describe, expect, it } from "vitest";
import { TestClock } from "../../../test/test-clock.ts";
import { FetchRefused, type GuardedFetch } from "../../platform/http/guarded-fetch.ts";
import { systemClock } from "../../ports/clock.ts";
import { articleText } from "./article-text.ts";
import { decodePage } from "./decode-page.ts";
import { PageThread } from "./page-thread.ts";
import { readPage } from "./read-page.ts";
import { SiteIcons } from "./site-icons.ts";

const never = new AbortController().signal;
const words = "The weather of the coming days is told here at length. ".repeat(12);

describe("the text of a page", () => {
  const page = (body: string, head = "") =>
    `<!doctype html><html><head>${head}</head><body>${body}</body></html>`;

  it("is its article, a line for each block, without menus and scripts", () => {
    const html = page(
      `<nav>${"<a href=/>Home</a>".repeat(20)}</nav><article><h1>Rain</h1><p>${words}</p><p>Second <b>bold</b> part.</p>
       <table><tr><td>Mon</td><td>3 mm</td></tr></table><script>alert(1)</script><style>p{}</style></article><footer>Imprint</footer>`,
      '<meta property="article:published_time" content="2026-05-06T07:08:09Z">',
    );
    const { text, publishedAt } = articleText(html, 10_000);
    expect(text).toContain(`${words.trim()}\nSecond bold part.`);
    expect(text).toContain("Mon | 3 mm");
    expect(text).not.toMatch(/alert|p\{\}|Home|Imprint/u);
    expect(publishedAt).toBe(Date.parse("2026-05-06T07:08:09Z") / 1000);
  });

  it.each([
    ["without an article", page("<div>One line.</div><div>Two lines.</div>"), "One line.\nTwo lines."],
    ["without a body", "<p>One line.<p>Two lines.", "One line.\nTwo lines."],
    ["that is words alone", "Just words", "Just words"],
    ["that is empty", "", ""],
    ["in Chinese", page("<p>上海明天有雨。</p>"), "上海明天有雨。"],
  ])("%s", (_what, html, text) => {
    expect(articleText(html, 1000).text).toBe(text);
  });

  it("ends where it is cut", () => {
    expect(articleText(page(`<p>${"word ".repeat(9000)}</p>`), 500).text).toHaveLength(500);
  });
});

describe("the characters of a page", () => {
  // 天气 in each.
  it.each([
    ["gb18030", "cceccef8".replace("cef8", "c6f8"), "text/html; charset=gb18030"],
    ["big5", "a4d1aef0", 'text/html; charset="big5"'],
    ["utf-8", "e5a4a9e6b094", "text/html"],
    ["utf-8 with its mark", "efbbbfe5a4a9e6b094", "text/html; charset=gbk"],
    ["utf-16", "fffe2959146c", "text/html"],
    ["a name that is none", "e5a4a9e6b094", "text/html; charset=klingon"],
  ])("in %s", (_name, hex, type) => {
    expect(decodePage(Buffer.from(hex, "hex"), type)).toMatch(/^天[气氣]$/u);
  });

  it("in what the page itself says", () => {
    const bytes = Buffer.concat([Buffer.from('<meta charset="gb2312">'), Buffer.from("ccecc6f8", "hex")]);
    expect(decodePage(bytes, "text/html")).toContain("天气");
  });
});

describe("the thread that reads pages", () => {
  const thread = new PageThread(systemClock);
  afterAll(() => thread.close());
  const read = (html: string, signal = never) =>
    thread.read({ bytes: Buffer.from(html), contentType: "text/html", most: 1000 }, signal);
  const readFine = async () => (await read(`<p>${words}`)).text;

  it("reads one after the other, whoever asks", async () => {
    const texts = await Promise.all([1, 2, 3, 4].map((number) => read(`<p>${words} ${number}`)));
    expect(texts.every(({ text }) => text.startsWith("The weather"))).toBe(true);
  });

  it.each([
    ["a million elements", "<i>a".repeat(250_000)],
    ["the deepest page", "<div>".repeat(200_000)],
    ["a page of one tag", `<${"a".repeat(1_000_000)}`],
    [
      "a tag of many attributes",
      `<p ${Array.from({ length: 100_000 }, (_, index) => `a${index}=1`).join(" ")}>`,
    ],
    ["entities", "&amp;".repeat(200_000)],
    ["tables in tables", "<table><tr><td>".repeat(60_000)],
    ["comments", "<!--".repeat(250_000)],
  ])("outlives %s", { timeout: 30_000 }, async (_what, html) => {
    await read(html);
    expect(await readFine()).toContain("The weather");
  });

  it("goes from account to account: heavy pages of one do not go before another's", async () => {
    const clock = new TestClock();
    const turns = new PageThread(clock);
    const order: string[] = [];
    const ask = async (account: string, signal = never) => {
      const task = { bytes: Buffer.from(`<p>${words}`), contentType: "text/html", most: 1000 };
      const { text } = await turns.forAccount(account).read(task, signal);
      order.push(text === "" ? `${account} nothing` : account);
    };
    const gone = new AbortController();
    const asked = ["heavy", "heavy", "heavy"].map((account) => ask(account));
    asked.push(ask("one"), ask("two"), ask("gone", gone.signal));
    gone.abort();
    // The first one's time is over before the thread has begun.
    clock.nowMs += 10_000;
    await Promise.all(asked);
    expect(order).toEqual(["gone nothing", "heavy nothing", "one", "two", "heavy", "heavy"]);
    // What was used is forgotten after a while: the one that asks first is first.
    clock.nowMs += 200_001;
    await Promise.all([ask("two"), ask("heavy"), ask("one")]);
    expect(order.slice(6)).toEqual(["two", "heavy", "one"]);
    await turns.close();
  });

  it("reads nothing for one who has gone", async () => {
    const asker = new AbortController();
    const reading = read(`<p>${words}`, asker.signal);
    asker.abort();
    expect((await reading).text).toBe("");
    expect(await readFine()).toContain("The weather");
  });
});

describe("a page that was found", () => {
  const thread = new PageThread(systemClock);
  afterAll(() => thread.close());
  const from = (answer: Awaited<ReturnType<GuardedFetch>> | Error) => ({
    thread,
    fetchOutside: (async () => {
      if (answer instanceof Error) throw answer;
      return answer;
    }) as GuardedFetch,
  });
  const url = new URL("https://page.com/");
  const answer = { url, status: 200, contentType: "text/html", body: Buffer.from(`<p>${words}`), cut: true };

  it.each([
    ["is read", answer, /^The weather/u],
    [
      "is read as plain text",
      { ...answer, contentType: "text/plain; charset=utf-8", body: Buffer.from("<p>") },
      /^<p>$/u,
    ],
    ["is not read where it is no page", { ...answer, contentType: "application/pdf" }, /^$/u],
    ["is not read where it is not there", { ...answer, status: 404 }, /^$/u],
    ["is not read where it is refused", new FetchRefused("address"), /^$/u],
  ])("%s", async (_what, given, expected) => {
    expect((await readPage(from(given), url.href, never)).text).toMatch(expected);
  });

  it("ends with whoever asks", async () => {
    const asker = new AbortController();
    asker.abort();
    await expect(readPage(from(new FetchRefused("time")), url.href, asker.signal)).rejects.toThrow("aborted");
  });

  it("ends with whoever asks also while its words are looked for, and says nothing of it", async () => {
    const asker = new AbortController();
    let given = (): void => {};
    const waits = new Promise<void>((resolve) => (given = resolve));
    const parts = {
      fetchOutside: (async () => answer) as GuardedFetch,
      // As long as the thread is with the page of somebody else.
      thread: {
        read: async (...[, signal]: Parameters<PageThread["read"]>) => {
          given();
          await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
          return { text: "", publishedAt: null };
        },
      },
    };
    const reading = readPage(parts, url.href, asker.signal);
    await waits;
    asker.abort();
    await expect(reading).rejects.toThrow("aborted");
  });
});

describe("the mark of a site", () => {
  const png = Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), Buffer.alloc(20)]);
  function icons(body: (url: string) => Buffer | null) {
    const asked: string[] = [];
    const fetchOutside: GuardedFetch = async (address, limits) => {
      asked.push(address);
      const given = body(address);
      if (given === null || given.length > limits.bytes) throw new FetchRefused("size");
      return { url: new URL(address), status: 200, contentType: "text/html", body: given, cut: false };
    };
    return { asked, icons: new SiteIcons(fetchOutside) };
  }

  it.each([
    ["PNG", png, "image/png"],
    ["an icon", Buffer.from("00000100010010", "hex"), "image/x-icon"],
    ["GIF", Buffer.from("GIF89a....."), "image/gif"],
    ["JPEG", Buffer.from("ffd8ffe000104a", "hex"), "image/jpeg"],
    ["WebP", Buffer.from("RIFF....WEBPVP8 "), "image/webp"],
  ])("is a data: image: %s", async (_what, bytes, type) => {
    const found = await icons(() => bytes).icons.find("https://a.com/x", null, never);
    expect(found).toBe(`data:${type};base64,${bytes.toString("base64")}`);
  });

  it.each([
    ["SVG", Buffer.from("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>")],
    ["a page", Buffer.from("<html>")],
    ["nothing", Buffer.alloc(0)],
    ["what is too large as data", Buffer.concat([png, Buffer.alloc(8000)])],
    ["what is too large", Buffer.concat([png, Buffer.alloc(9000)])],
  ])("is never %s", async (_what, bytes) => {
    expect(await icons(() => bytes).icons.find("https://a.com/x", null, never)).toBeNull();
  });

  it("is asked of the provider first, then of the site, and once for all its pages", async () => {
    const { asked, icons: found } = icons((url) => (url.includes("told") ? null : png));
    expect(await found.find("https://a.com/x", "https://told.com/a", never)).not.toBeNull();
    await found.find("https://a.com/y", null, never);
    expect(asked).toEqual(["https://told.com/a", "https://a.com/favicon.ico"]);
  });
});
