import { expect, test } from "vitest";
import en from "../i18n/offline.en_US.json";
import zh from "../i18n/offline.zh_CN.json";
import { offlinePage } from "./offline-page.ts";

const all = [...Object.values(en), ...Object.values(zh)];

test.each([
  ["/share/abc", ["en-GB"], false, en, ["offline.noNetwork", "offline.share"], "en-US"],
  ["/share/abc", ["zh-TW", "en"], true, zh, ["offline.noServer", "offline.share"], "zh-CN"],
  ["/nowhere", ["fr", "en"], true, en, ["offline.noServer", "offline.page"], "en-US"],
  ["/static/legal/terms.en.html", ["zh"], false, zh, ["offline.noNetwork", "offline.page"], "zh-CN"],
] as const)(
  "at %s for %j it says what is away and what needs it",
  async (path, languages, isOnline, texts, keys, lang) => {
    const answer = offlinePage({ path, languages, isOnline });
    const html = await answer.text();
    const said = [...keys, "offline.retry", "offline.home"].map((key) => texts[key as keyof typeof en]);
    expect(all.filter((text) => html.includes(`>${text}<`)).toSorted()).toEqual(said.toSorted());
    expect(html).toContain(`lang="${lang}"`);
    expect([answer.status, answer.headers.get("cache-control")]).toEqual([503, "no-store"]);
  },
);

test("nothing of its address is in it, and nothing of others can run in it", async () => {
  const answer = offlinePage({ path: "/share/<script>alert(1)</script>", languages: ["en"], isOnline: true });
  const html = await answer.text();
  expect(html).not.toContain("alert");
  const policy = answer.headers.get("content-security-policy") ?? "";
  expect(policy).toContain("default-src 'none'");
  // But for its own script, which no other page can name.
  const nonce = /script-src 'nonce-([0-9a-f-]{36})'/u.exec(policy)?.[1];
  expect(html.split("<script")).toHaveLength(2);
  expect(html).toContain(`<script nonce="${nonce}">`);
});

test("its links are buttons in the colours of the browser, also once they were visited", async () => {
  const html = await offlinePage({ path: "/nowhere", languages: ["en"], isOnline: true }).text();
  expect(html).toMatch(/^a \{.*border: 1px solid currentColor;.*border-radius: 8px/mu);
  expect(html).toMatch(/^a, a:visited \{ color: inherit; text-decoration: none \}/mu);
  expect(html).not.toMatch(/outline|#[0-9a-f]{3}/u);
});
