import type { Banner, BannerItem } from "@plumb/protocol/wire/site";
import { expect, test } from "vitest";
import { createFakeBrowser, emptyDisk, type Network } from "../testing/fake-browser.ts";
import { contentOf, createAnnouncement, type Reader, shownItems } from "./announcement.ts";

const item: BannerItem = { show: true, type: "info", closable: true, content: { en_US: "Hello" } };
const banner: Banner = { id: "b1", items: [item] };
const serving = (document: unknown) => () => new Response(JSON.stringify(document));

/** A page over what this browser keeps, when it has asked. */
async function open(network: Network, disk = emptyDisk()) {
  const browser = createFakeBrowser(network, disk);
  const announcement = createAnnouncement(browser);
  announcement.start();
  await browser.settle();
  announcement.stop();
  return announcement;
}

const reader: Reader = { isSignedIn: true, deployEnv: "production", appId: "plumb-web" };
const shownTo = (
  changes: Partial<BannerItem>,
  who: Partial<Reader> = {},
  closedBannerId: string | null = null,
) =>
  shownItems(
    { banner: { id: "b1", items: [{ ...item, ...changes }] }, closedBannerId },
    { ...reader, ...who },
  ).length > 0;

test("[NOTE-004][NOTE-005][NOTE-006][NOTE-007] an item shows to whom it is for", () => {
  expect(shownTo({})).toBe(true);
  expect(shownTo({ show: false })).toBe(false);
  expect(shownTo({ showCondition: "authenticated" })).toBe(true);
  expect(shownTo({ showCondition: "authenticated" }, { isSignedIn: false })).toBe(false);
  expect(shownTo({ showCondition: "unauthenticated" }, { isSignedIn: false })).toBe(true);
  expect(shownTo({ showCondition: "unauthenticated" })).toBe(false);
  for (const showCondition of ["authenticated", "unauthenticated"] as const)
    expect(shownTo({ showCondition }, { isSignedIn: null })).toBe(false);
  expect(shownTo({ showDeployEnv: "production" })).toBe(true);
  expect(shownTo({ showDeployEnv: "staging" })).toBe(false);
  expect(shownTo({ showByAppId: [] })).toBe(true);
  expect(shownTo({ showByAppId: ["other", "plumb-web"] })).toBe(true);
  expect(shownTo({ showByAppId: ["other"] })).toBe(false);
});

test("[NOTE-009][NOTE-012] a closed one stays closed, but for what cannot be closed", () => {
  expect(shownTo({}, {}, "b1")).toBe(false);
  expect(shownTo({}, {}, "b0")).toBe(true);
  expect(shownTo({ closable: false }, {}, "b1")).toBe(true);
});

test("[NOTE-010] it speaks the reader's language, or another rather than none", () => {
  const both = { ...item, content: { en_US: "Hello", zh_CN: "你好" } };
  expect(contentOf(both, "zh_CN")).toBe("你好");
  expect(contentOf(item, "zh_CN")).toBe("Hello");
  expect(contentOf({ ...item, content: { fr_FR: "Salut" } }, "zh_CN")).toBe("Salut");
});

test("[NOTE-002][NOTE-013] it is asked for without a token, and both it and what was closed are kept", async () => {
  const disk = emptyDisk();
  disk.values.set("plumb.token", "secret");
  const asked: unknown[] = [];
  const first = await open((path, init) => {
    asked.push([path, init.headers]);
    return serving(banner)();
  }, disk);
  expect(asked).toEqual([["/downloads/status.json", {}]]);
  first.close();
  expect(JSON.parse(disk.values.get("plumb.banner") ?? "")).toEqual({
    closedBannerId: "b1",
    cachedBannerOptions: banner,
  });
  const again = createAnnouncement(createFakeBrowser(serving(banner), disk));
  expect(again.store.getState()).toEqual({ banner, closedBannerId: "b1" });
});

test("[NOTE-012] after a closed one a new id shows again", async () => {
  const disk = emptyDisk();
  (await open(serving(banner), disk)).close();
  const same = await open(serving(banner), disk);
  expect(shownItems(same.store.getState(), reader)).toEqual([]);
  const next = await open(serving({ ...banner, id: "b2" }), disk);
  expect(shownItems(next.store.getState(), reader)).toEqual([item]);
});

test("[NOTE-012] what was closed in one tab stays closed, also after another one has heard of a new wording", async () => {
  const disk = emptyDisk();
  let served = banner;
  const browser = createFakeBrowser(() => new Response(JSON.stringify(served)), disk);
  const other = createAnnouncement(browser);
  other.start();
  await browser.settle();
  (await open(serving(banner), disk)).close();
  served = { ...banner, items: [{ ...item, content: { en_US: "Hello there" } }] };
  browser.setVisible(false);
  browser.setVisible(true);
  await browser.settle();
  other.stop();
  expect(other.store.getState()).toEqual({ banner: served, closedBannerId: "b1" });
  expect((await open(serving(served), disk)).store.getState().closedBannerId).toBe("b1");
});

test("[NOTE-011] what cannot be read counts for nothing and takes the place of what was kept", async () => {
  for (const document of [
    { id: 0, items: [] },
    { items: [item] },
    { id: 1, items: [{ ...item, type: "ad" }] },
    "no",
  ]) {
    const disk = emptyDisk();
    await open(serving(banner), disk);
    expect((await open(serving(document), disk)).store.getState().banner).toBeNull();
  }
  const disk = emptyDisk();
  disk.values.set("plumb.banner", '{"closedBannerId":{},"cachedBannerOptions":{"id":1}}');
  expect((await open(() => Promise.reject(new TypeError("away")), disk)).store.getState()).toEqual({
    banner: null,
    closedBannerId: null,
  });
});

test("while the server is away, or a proxy answers for it, what was kept stays", async () => {
  const disk = emptyDisk();
  await open(serving(banner), disk);
  for (const network of [
    () => Promise.reject(new TypeError("away")),
    () => new Response("Bad gateway", { status: 502 }),
  ])
    expect((await open(network, disk)).store.getState().banner).toEqual(banner);
});
