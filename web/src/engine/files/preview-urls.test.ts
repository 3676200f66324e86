import { expect, test } from "vitest";
import { createApiClient } from "../api-client.ts";
import { ok } from "../testing/fake-answers.ts";
import { createFakeBrowser } from "../testing/fake-browser.ts";
import { createPreviewUrls } from "./preview-urls.ts";

const MINUTE = 60_000;

function openPreviews(answer: (asked: number, now: number) => Record<string, unknown>) {
  let asked = 0;
  const browser = createFakeBrowser(() => ok(answer(++asked, browser.now())));
  const api = createApiClient(browser, { token: () => "t", locale: () => "en_US", onGlobalCode() {} });
  const previews = createPreviewUrls({ browser, api });
  const url = async (options?: { fresh?: boolean }) => {
    const result = await previews.get("file-1", options);
    return result.ok ? result.preview.url : null;
  };
  return { browser, previews, url };
}

test("a link is used again while more than ten minutes are left on it [FILE-033] [FILE-035]", async () => {
  const { browser, url } = openPreviews((asked, now) => ({
    url: `u${asked}`,
    expire_at: now / 1000 + 3600,
    type: "pdf",
    name: "a.pdf",
  }));
  expect(await url()).toBe("u1");
  await browser.advance(50 * MINUTE - 1);
  expect(await url()).toBe("u1");
  await browser.advance(1);
  expect(await url()).toBe("u2");
  expect(await url({ fresh: true })).toBe("u3");
});

test("a link that states no end is taken to be good for four hours [FILE-036]", async () => {
  const { browser, previews, url } = openPreviews((asked) => ({ url: `u${asked}` }));
  const first = await previews.get("file-1");
  expect(first.ok && first.preview.expireAt - browser.now()).toBe(4 * 60 * MINUTE);
  await browser.advance(230 * MINUTE - 1);
  expect(await url()).toBe("u1");
  await browser.advance(1);
  expect(await url()).toBe("u2");
});

test("a preview has its link, its end in milliseconds, its type and its name [FILE-034]", async () => {
  const { previews } = openPreviews(() => ({
    url: "u",
    expire_at: 1_800_000_000,
    type: "image",
    name: "a.png",
  }));
  expect(await previews.get("file-1")).toEqual({
    ok: true,
    preview: { url: "u", expireAt: 1_800_000_000_000, type: "image", name: "a.png" },
  });
});
