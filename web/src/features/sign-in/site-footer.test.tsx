import type { ClientSettings, Links } from "@plumb/protocol/wire/site";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeEach, expect, test } from "vitest";
import type { Engine } from "../../engine/engine.ts";
import { engineAtRest } from "../../engine/testing/engine-at-rest.ts";
import { EngineProvider } from "../../hooks/use-engine.tsx";
import { loadFormTexts } from "../../i18n/form-texts.ts";
import { setLocale } from "../../i18n/i18n.ts";
import { SiteFooter } from "./site-footer.tsx";

let engine: Engine;
beforeEach(async () => {
  engine = await engineAtRest();
  await setLocale("en_US");
  await loadFormTexts();
});

const nothing: Links = {
  terms_of_use: null,
  privacy_policy: null,
  open_platform: null,
  open_platform_terms: null,
  third_party_sharing: null,
  account_deletion: null,
  app_permissions: null,
  faq: null,
  icp: null,
  icp_text: null,
  filing: null,
  wechat_qr: null,
  contact_email: null,
};

function draw(links: { en_US: Links; zh_CN: Links }, underConsent = false): string {
  engine.site.settings.setState({
    settings: { links } as unknown as ClientSettings,
    isKept: false,
    failed: false,
  });
  return renderToStaticMarkup(
    <EngineProvider engine={engine}>
      <SiteFooter underConsent={underConsent} />
    </EngineProvider>,
  );
}

test("the footer has the filing and the way to write to us [SHELL-028] [SHELL-029]", () => {
  const links = {
    ...nothing,
    icp: "https://beian.example",
    icp_text: "ICP 12345",
    contact_email: "us@x.org",
  };
  const drawn = draw({ en_US: links, zh_CN: nothing });
  expect(drawn).toContain('href="https://beian.example"');
  expect(drawn).toContain(">ICP 12345<");
  expect(drawn).toContain('href="mailto:us@x.org"');
});

test("a filing number that leads nowhere is shown as text, a link without a number by what it is [SHELL-028]", () => {
  const text = draw({ en_US: { ...nothing, icp_text: "ICP 12345" }, zh_CN: nothing });
  expect(text).toContain("<span>ICP 12345</span>");
  expect(text).not.toContain("<a ");
  const link = draw({ en_US: { ...nothing, icp: "https://beian.example" }, zh_CN: nothing });
  expect(link).toMatch(/<a [^>]*href="https:\/\/beian.example"[^>]*>[^<]+<\/a>/u);
});

test("it has the mainland's filing text and QR code where they are set [SHELL-030]", () => {
  const drawn = draw({ en_US: { ...nothing, filing: "PSB 1101", wechat_qr: "/qr.png" }, zh_CN: nothing });
  expect(drawn).toContain("PSB 1101");
  expect(drawn).toContain('src="/qr.png"');
});

test("it links the documents of this edition and language, and hides those that are not named [SHELL-031] [SHELL-032]", async () => {
  const keys = [
    "terms_of_use",
    "privacy_policy",
    "open_platform_terms",
    "third_party_sharing",
    "account_deletion",
    "app_permissions",
  ] as const;
  const of = (locale: string) => ({
    ...nothing,
    ...Object.fromEntries(keys.map((key) => [key, `/${locale}/${key}`])),
  });
  const links = { en_US: of("en"), zh_CN: of("zh") };
  const hrefs = (drawn: string) => [...drawn.matchAll(/href="([^"]+)"/g)].map(([, href]) => href);
  expect(hrefs(draw(links))).toEqual(keys.map((key) => `/en/${key}`));
  // The first two are in the sentence above it.
  expect(hrefs(draw(links, true))).toEqual(keys.slice(2).map((key) => `/en/${key}`));
  await setLocale("zh_CN");
  expect(hrefs(draw(links))).toEqual(keys.map((key) => `/zh/${key}`));
  expect(hrefs(draw({ en_US: nothing, zh_CN: nothing }))).toEqual([]);
});
