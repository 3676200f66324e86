import { readFileSync } from "node:fs";
import { EXTENSIONS } from "@plumb/protocol/rules/upload-rules";
import type { ClientSettings } from "@plumb/protocol/wire/site";
import { afterEach, expect, test, vi } from "vitest";
import { type Config, readConfig } from "../../config.ts";
import { bizData, type FrontDoor, openFrontDoor } from "../../../test/front-door.ts";
import { engines } from "../../../test/test-databases.ts";
import { clearBanner, setBanner } from "./banner-store.ts";

let door: FrontDoor;
afterEach(() => door.close());
const open = async (changes: Partial<Config> = {}) => {
  door = await openFrontDoor("sqlite", changes);
};
const settings = async () =>
  (await door.get("/api/v0/client/settings")).body.data?.biz_data as unknown as ClientSettings;

test("[SHELL-002] client/settings tells what there is and is honest about what there is not", async () => {
  await open();
  const told = await settings();
  expect(told).toMatchObject({
    brand: { name: "Plumb", logo_url: null },
    deploy_env: "staging",
    edition: "international",
    region: null,
    ab_tests: {
      share_by_link: true,
      show_new_chat_button_above_input: true,
      human_check: false,
      auto_resume_timeout_ms: 2000,
    },
    captcha: { mode: "none", challenge: null, region: "CN" },
    sign_in: { methods: ["email_password", "mobile_password"], sign_up: ["email"], email_outbox: true },
    search: { available: false },
    thinking: { available: true, quota: 50 },
    models: [{ id: "default", name: "scripted", thinking: true }],
    characters: { available: true },
    age_gate: { enabled: false, min_age: 13 },
    misc: { free_tokens_offer: 0, static_base: "/static" },
  });
  expect(told.flags).toEqual({
    enableHcaptcha: false,
    enableEventsDisplay: false,
    enableAvatarWhenCollapse: false,
    enableLessMaxChunkInterval: false,
    enableShare: true,
    forceGoogleSignIn: false,
    guestWelcome: false,
    adBlockCheck: false,
    preventF12: true,
  });
  const { extensions, ...numbers } = told.limits;
  expect(numbers).toEqual({
    max_files_per_session: 50,
    max_file_bytes: 104_857_600,
    max_file_name: 255,
    upload_concurrency: 3,
    file_poll_ms: 3000,
    token_budget: 61_440,
    token_budget_search: 43_008,
    max_messages: 1000,
    title_max: 32,
    session_page_size: 50,
    share_page_size: 20,
    chunk_gap_ms: 70_000,
    chunk_gap_less_ms: 8000,
    chunk_check_ms: 3000,
    stream_timeout_ms: 600_000,
    send_window_secs: 60,
    characters_max: 20,
    character_name_max: 32,
    character_greeting_max: 500,
    character_instructions_max: 4000,
  });
  expect(extensions).toEqual([...new Set(extensions)]);
  expect(extensions).toEqual(EXTENSIONS);
  expect(told.agents.map((agent) => agent.files)).toEqual([true, true]);
  expect(told.agents.map((agent) => agent.id)).toEqual(["chat", "coder"]);
  expect(told.cookie_banner.regions).toHaveLength(29);
  // What is not set is hidden, but for the two texts that people agree to: those come with the product.
  const { terms_of_use, privacy_policy, ...others } = told.links["en_US"] ?? {};
  expect([terms_of_use, privacy_policy]).toEqual([
    "/static/legal/terms.en.html",
    "/static/legal/privacy.en.html",
  ]);
  expect(told.links["zh_CN"]?.terms_of_use).toBe("/static/legal/terms.zh.html");
  expect(Object.values(others).every((link) => link === null)).toBe(true);
});

test("[PLAT-001] the mainland edition, its links, no limit of the quota, production", async () => {
  const { links } = readConfig({ CONTACT_EMAIL: "en_US=help@x.org", TERMS_URL: "" });
  await open({
    edition: "mainland",
    brandName: "Lot",
    links,
    thinkingQuotaPerDay: 0,
    maxMessagesPerSession: 7,
    production: true,
  });
  const told = await settings();
  expect(told).toMatchObject({
    brand: { name: "Lot" },
    edition: "mainland",
    region: "CN",
    deploy_env: "production",
    sign_in: { sign_up: ["mobile"] },
    thinking: { quota: 2_147_483_647 },
    limits: { max_messages: 7 },
    support: { email: "help@x.org" },
  });
  expect(told.links["en_US"]).toMatchObject({ contact_email: "help@x.org", terms_of_use: null });
  expect(told.links["zh_CN"]).toMatchObject({
    contact_email: null,
    privacy_policy: "/static/legal/mainland/privacy.zh.html",
  });
  for (const links of Object.values(told.links)) {
    // The page is made of it when the pages are built.
    const name = links.privacy_policy?.split("/").at(-1);
    const file = new URL(`../../../../web/legal/${name}`, import.meta.url);
    expect(readFileSync(file, "utf8")).toMatch(/个人信息保护法|Personal\s+Information\s+Protection\s+Law/u);
  }
});

test("where no model is connected the document says so", async () => {
  await open();
  const { model } = door.deps.ports;
  const info = model.info();
  vi.spyOn(model, "info").mockReturnValue({ ...info, kind: "demo" });
  expect((await settings()).models).toEqual([
    { id: "default", name: "scripted", thinking: true, demo: true },
  ]);
});

test("client/settings has a tag: 304 for who has it, whatever the trace id", async () => {
  await open();
  const first = await door.get("/api/v0/client/settings?did=d&scope=all");
  expect(first.headers["cache-control"]).toBe("no-cache");
  expect(first.headers["content-type"]).toBe("application/json; charset=utf-8");
  const tag = String(first.headers["etag"]);
  const again = await door.get("/api/v0/client/settings", {
    headers: { "if-none-match": `"other", ${tag}` },
  });
  expect([again.status, again.text, again.headers["etag"]]).toEqual([304, "", tag]);
  const other = await door.get("/api/v0/client/settings", { headers: { "if-none-match": '"other"' } });
  expect(other.status).toBe(200);
});

test("[PLAT-007] ip_info tells the caller's address; a forwarding header of a stranger does not count", async () => {
  await open();
  const told = await door.get("/api/v0/client/ip_info", {
    ip: "192.0.2.7",
    headers: { "x-forwarded-for": "198.51.100.1" },
  });
  expect(told.body.data?.biz_data).toEqual({ ip: "192.0.2.7", region: null });
});

test("[PLAT-007][NOTE-017] the region is that of the caller's address, else the edition's; the cookie banner's are told", async () => {
  await open({ edition: "mainland" });
  door.deps.ports.ipRegions = { regionOf: (ip) => (ip === "192.0.2.44" ? "GB" : null) };
  const ask = async (path: string, ip: string) => bizData<ClientSettings>(await door.get(path, { ip }));
  const [there, here] = [
    await ask("/api/v0/client/settings", "192.0.2.44"),
    await ask("/api/v0/client/settings", "192.0.2.7"),
  ];
  expect([there.region, here.region]).toEqual(["GB", "CN"]);
  expect((await ask("/api/v0/client/ip_info", "192.0.2.44")).region).toBe("GB");
  expect(there.cookie_banner.regions.toSorted()).toEqual(
    "AT BE BG CY CZ DE DK EE ES FI FR GB GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK US".split(" "),
  );
});

test("what the operator set of help, apps, counting and programs is told; without it there is nothing", async () => {
  await open();
  expect(await settings()).toMatchObject({
    support: { enabled: false, app_id: null, script_url: null, region: "CN", email: null },
    analytics: { enabled: false, script_url: null, error_report_url: null, device_fingerprint_url: null },
    app_download: { ios: null, android: null, page: null },
    misc: { desktop_scheme: null, unsafe_wrapper_agents: [] },
  });
  await door.close();
  await open({
    ...pick(
      readConfig({
        SUPPORT_URL: "https://help.example/widget.js",
        SUPPORT_APP_ID: "app1",
        ANALYTICS_URL: "https://count.example/a.js",
        ERROR_REPORT_URL: "https://errors.example/in",
        DEVICE_FINGERPRINT: "on",
        DOWNLOAD_IOS_URL: "https://apps.example/ios",
        UNSAFE_WRAPPERS: "BadWrap/",
        DESKTOP_SCHEME: "plumbapp",
      }),
    ),
  });
  expect(await settings()).toMatchObject({
    support: { enabled: true, app_id: "app1", script_url: "https://help.example/widget.js" },
    analytics: {
      enabled: true,
      script_url: "https://count.example/a.js",
      error_report_url: "https://errors.example/in",
      device_fingerprint_url: "/static/device-id.js",
    },
    app_download: { ios: "https://apps.example/ios", android: null, page: null },
    misc: { desktop_scheme: "plumbapp", unsafe_wrapper_agents: ["BadWrap/"] },
  });
});

function pick({ support, analytics, appDownload, unsafeWrappers, desktopScheme }: Config): Partial<Config> {
  return { support, analytics, appDownload, unsafeWrappers, desktopScheme };
}

test.each(engines)(
  "[NOTE-002] on %s status.json is the announcement that is set, within a second",
  async (engine) => {
    door = await openFrontDoor(engine);
    const served = async () => JSON.parse((await door.get("/downloads/status.json")).text);
    const banner = {
      id: "b1",
      items: [{ show: true, type: "info" as const, closable: true, content: { en_US: "Hello" } }],
    };
    expect(await served()).toEqual({ id: 0, items: [] });
    await setBanner(door.deps.db.kysely, banner, 1);
    expect(await served()).toEqual({ id: 0, items: [] });
    door.time.nowMs += 1000;
    expect(await served()).toEqual(banner);
    await setBanner(door.deps.db.kysely, { ...banner, id: 2 }, 2);
    door.time.nowMs += 1000;
    expect((await served()).id).toBe(2);
    await clearBanner(door.deps.db.kysely);
    door.time.nowMs += 1000;
    expect(await served()).toEqual({ id: 0, items: [] });
  },
);

test("[PLAT-008] span takes an array or object up to 64 KiB, also with a bad token, and keeps nothing", async () => {
  await open();
  const span = (body: unknown) => door.post("/api/v0/client/span", body, { token: "bad" });
  for (const body of [[], [{ event: "seen" }], { event: "seen" }]) {
    expect((await span(body)).body.data).toEqual({ biz_code: 0, biz_msg: "", biz_data: null, code: 0 });
  }
  expect((await span("text")).body.code).toBe(42200);
  expect((await span(["x".repeat(65_532)])).body.code).toBe(0);
  const large = await span(["x".repeat(65_533)]);
  expect([large.status, large.body.code]).toEqual([413, 41300]);
});

test("version.txt is the version of the web client alone, status.json an empty banner", async () => {
  await open();
  const manifest = JSON.parse(
    readFileSync(new URL("../../../../web/package.json", import.meta.url), "utf8"),
  ) as {
    version: string;
  };
  const version = await door.get("/version.txt");
  expect(version.text).toBe(manifest.version);
  expect(version.text).toMatch(/^\d+\.\d+/);
  expect(version.headers).toMatchObject({
    "content-type": "text/plain; charset=utf-8",
    "cache-control": "no-cache",
  });
  const status = await door.get("/downloads/status.json");
  expect(status.text).toBe('{"id":0,"items":[]}');
  expect(status.headers).toMatchObject({ "cache-control": "no-cache" });
});
