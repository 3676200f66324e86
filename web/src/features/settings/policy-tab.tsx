import type { Links } from "@plumb/protocol/wire/site";
import { asksForCookies } from "../../engine/site/asks-for-cookies.ts";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useSelector } from "../../hooks/use-selector.ts";
import type { TextKey } from "../../i18n/i18n.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { Button } from "../../ui/button.tsx";
import { SettingRow } from "./setting-row.tsx";

const documents: [link: keyof Links, text: TextKey][] = [
  ["terms_of_use", "policy.terms"],
  ["privacy_policy", "policy.privacy"],
  ["open_platform_terms", "policy.openPlatformTerms"],
  ["third_party_sharing", "policy.thirdPartySharing"],
  ["account_deletion", "policy.accountDeletion"],
  ["app_permissions", "policy.appPermissions"],
];

/** What holds here: each document that the operator has named, in the language of the screen, and one's word about cookies. */
export function PolicyTab() {
  const engine = useEngine();
  const { t, locale } = useTexts();
  const links = useSelector(engine.site.settings, ({ settings }) => settings?.links[locale]);
  const named = documents.filter(([link]) => Boolean(links?.[link]));
  const asked = useSelector(engine.site.settings, ({ settings }) => asksForCookies(settings));
  if (named.length === 0 && !asked) return <p>{t("policy.none")}</p>;
  return (
    <>
      {named.map(([link, text]) => (
        <SettingRow key={link} label={t(text)}>
          <a
            href={links?.[link] ?? ""}
            target="_blank"
            rel="noopener"
            aria-label={`${t("policy.open")}: ${t(text)}`}
          >
            {t("policy.open")}
          </a>
        </SettingRow>
      ))}
      {asked && (
        <SettingRow label={t("policy.cookies")}>
          <Button onClick={() => engine.site.setOverlays({ settings: null, cookies: true })}>
            {t("policy.cookiesChange")}
          </Button>
        </SettingRow>
      )}
    </>
  );
}
