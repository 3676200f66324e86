import { expect, it } from "vitest";
import { createFakeBrowser, emptyDisk, type Disk } from "../testing/fake-browser.ts";
import { createFakeServer } from "../testing/fake-server.ts";
import { ok } from "../testing/fake-answers.ts";
import { openPage } from "../testing/open-page.ts";

const settings = {
  brand: { name: "Plumb" },
  flags: {},
  ab_tests: {},
  sign_in: { methods: [] },
  links: {},
  limits: {},
  search: { available: false },
  thinking: { available: true, quota: 50 },
  agents: [{ id: "chat" }],
  models: [{ id: "default", name: "Usual", thinking: true }],
  characters: { available: true },
  misc: { native_bridge: null },
  region: "DE",
};

/** What a page has of the settings before its server says a word. */
async function known(disk: Disk): Promise<unknown> {
  const server = createFakeServer();
  server.answer("/api/v0/client/settings", () => new Promise(() => {}));
  const page = await openPage(server, disk);
  const state = page.engine.site.settings.getState();
  page.close();
  return state.settings;
}

async function visit(disk: Disk, answered: object = settings): Promise<void> {
  const server = createFakeServer();
  server.answer("/api/v0/client/settings", () => ok(answered));
  (await openPage(server, disk)).close();
}

it("a page begins with the settings of the last visit, but for where the visitor was", async () => {
  const disk = emptyDisk();
  expect(await known(disk)).toBeNull();
  await visit(disk);
  expect(await known(disk)).toEqual({ ...settings, region: null });
  await visit(disk, { ...settings, search: { available: true } });
  expect(await known(disk)).toMatchObject({ search: { available: true } });
});

it("what another version kept, and what is no settings, counts as nothing", async () => {
  const disk = emptyDisk();
  const { storage, appVersion } = createFakeBrowser(() => new Response(), disk);
  const keep = (version: string, kept: unknown) =>
    storage.set("plumb.clientSettings", JSON.stringify([version, kept]));
  keep(appVersion, settings);
  expect(await known(disk)).toEqual(settings);
  keep("0.0.1", settings);
  expect(await known(disk)).toBeNull();
  for (const name of Object.keys(settings).filter((key) => key !== "region")) {
    keep(appVersion, { ...settings, [name]: undefined });
    expect(await known(disk), name).toBeNull();
    keep(appVersion, { ...settings, [name]: "text" });
    expect(await known(disk), name).toBeNull();
  }
  for (const broken of ["", "{", "null", "[]", "{}", `["${appVersion}",null]`]) {
    storage.set("plumb.clientSettings", broken);
    expect(await known(disk), broken).toBeNull();
  }
});
