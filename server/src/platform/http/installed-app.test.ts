import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { createTestApp } from "../../../test/create-test-app.ts";
import { createLogger } from "../logger.ts";
import { localeOfLanguages } from "./web-manifest.ts";

const cleanUps: (() => unknown)[] = [];
afterAll(async () => {
  for (const cleanUp of cleanUps) await cleanUp();
});

async function start({ worker = true, brand = "Plumb" } = {}) {
  const root = mkdtempSync(join(tmpdir(), "plumb-app-"));
  mkdirSync(join(root, "static"));
  writeFileSync(join(root, "index.html"), "<!doctype html><title>the page</title>");
  if (worker) writeFileSync(join(root, "sw.js"), "addEventListener('fetch', () => {})");
  const logs: string[] = [];
  const log = createLogger("trace", { write: (line) => void logs.push(line) });
  const app = await createTestApp({ webRoot: root, log, settings: { BRAND_NAME: brand } });
  cleanUps.push(
    () => app.close(),
    () => rmSync(root, { recursive: true }),
  );
  return { address: app.address, logs };
}

interface Manifest {
  name: string;
  lang: string;
  theme_color: string;
  color_scheme_dark: { theme_color: string };
  icons: { src: string; sizes: string; purpose: string }[];
  shortcuts: { name: string; url: string }[];
  share_target?: { action: string; method: string };
}

async function manifestOf(address: string, language?: string): Promise<Manifest> {
  const headers = language === undefined ? {} : { "accept-language": language };
  const response = await fetch(`${address}/manifest.webmanifest`, { headers });
  expect(response.headers.get("content-type")).toMatch(/^application\/manifest\+json/u);
  expect(response.headers.get("vary")).toMatch(/accept-language/iu);
  return (await response.json()) as Manifest;
}

describe("the manifest", () => {
  test("has the operator's name, and the words of the reader's language", async () => {
    const { address } = await start({ brand: "Acme “AI”" });
    const english = await manifestOf(address);
    const chinese = await manifestOf(address, "zh-HK,zh;q=0.9,en;q=0.8");
    expect([english.name, english.lang, english.shortcuts[0]?.name]).toEqual([
      "Acme “AI”",
      "en-US",
      "New chat",
    ]);
    expect([chinese.name, chinese.lang, chinese.shortcuts[0]?.name]).toEqual([
      "Acme “AI”",
      "zh-CN",
      "新对话",
    ]);
  });

  test("names icons that are there, in the sizes it says", async () => {
    const { address } = await start();
    const { icons } = await manifestOf(address);
    const publicFiles = join(import.meta.dirname, "../../../../web/public");
    for (const { src, sizes } of icons) {
      const file = readFileSync(join(publicFiles, src));
      // A PNG's width and height stand at its 16th byte.
      expect([src, `${file.readUInt32BE(16)}x${file.readUInt32BE(20)}`]).toEqual([src, sizes]);
    }
    expect(icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`)).toEqual([
      "192x192 any",
      "512x512 any",
      "192x192 maskable",
      "512x512 maskable",
    ]);
  });

  test("has the ground of the page, by day and by night", async () => {
    const { address } = await start();
    const { theme_color: light, color_scheme_dark: dark } = await manifestOf(address);
    const tokens = readFileSync(join(import.meta.dirname, "../../../../web/src/styles/tokens.css"), "utf8");
    expect(tokens).toContain(`--ground: light-dark(${light}, ${dark.theme_color});`);
  });

  test.each([
    [undefined, "en_US"],
    ["", "en_US"],
    ["de", "en_US"],
    ["fr-FR, zh-TW;q=0.7", "zh_CN"],
    ["en-GB,zh;q=0.5", "en_US"],
    ["ZH", "zh_CN"],
    ["xen, zhuang", "en_US"],
  ])("is in the first language of ours that %j names", (header, locale) => {
    expect(localeOfLanguages(header)).toBe(locale);
  });
});

describe("the service worker", () => {
  test("comes from the root, asks no other origin, and is looked up each time", async () => {
    const { address } = await start();
    const { status, headers } = await fetch(`${address}/sw.js`);
    expect([status, headers.get("content-type")]).toEqual([200, expect.stringMatching(/javascript/u)]);
    expect(headers.get("cache-control")).toBe("no-cache");
    expect(headers.get("service-worker-allowed")).toBe("/");
    expect(headers.get("content-security-policy")).toBe(
      "default-src 'none'; script-src 'self'; connect-src 'self'",
    );
  });

  test("that is not there any more is not found, and then nothing is said of sharing", async () => {
    const { address } = await start({ worker: false });
    expect((await fetch(`${address}/sw.js`)).status).toBe(404);
    expect((await manifestOf(address)).share_target).toBeUndefined();
  });

  test("is given what other apps share: without it the server reads none of that, and logs none", async () => {
    const { address, logs } = await start();
    const { share_target: target } = await manifestOf(address);
    expect(target?.method).toBe("POST");
    const body = new FormData();
    body.set("text", "canary of a shared text ".repeat(20_000));
    const answer = await fetch(address + (target?.action ?? ""), {
      method: "POST",
      body,
      redirect: "manual",
    });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/?shared=lost"]);
    const logged = logs.join("");
    expect(logged).toContain("/share-target");
    expect(logged).not.toContain("canary");
  });
});
