import type { Links } from "@plumb/protocol/wire/site";
import { asksForCookies } from "../../engine/site/asks-for-cookies.ts";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useSelector } from "../../hooks/use-selector.ts";
import type { TextKey } from "../../i18n/i18n.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import styles from "./site-footer.module.css";

const documents: [link: keyof Links, text: TextKey][] = [
  ["terms_of_use", "footer.terms"],
  ["privacy_policy", "footer.privacy"],
  ["open_platform_terms", "footer.openPlatformTerms"],
  ["third_party_sharing", "footer.thirdPartySharing"],
  ["account_deletion", "footer.accountDeletion"],
  ["app_permissions", "footer.appPermissions"],
];

const isSet = (link: string | null | undefined): link is string =>
  link !== null && link !== undefined && link !== "";

/** The two that the sentence of consent names. */
const inConsent: ReadonlySet<keyof Links> = new Set(["terms_of_use", "privacy_policy"]);

/**
 * Who runs this place and by which rules: what the operator named, each edition and language its own. Under a form with
 * a sentence of consent it leaves out what that links already.
 */
export function SiteFooter({ underConsent }: { underConsent: boolean }) {
  const engine = useEngine();
  const { t, locale } = useTexts();
  const links = useSelector(engine.site.settings, ({ settings }) => settings?.links[locale]);
  const asked = useSelector(engine.site.settings, ({ settings }) => asksForCookies(settings));
  if (links === undefined) return <footer className={styles.footer} />;
  const { contact_email: contact, icp, icp_text: icpText, filing, wechat_qr: wechat } = links;
  return (
    <footer className={styles.footer}>
      {documents.map(([link, text]) => {
        const href = links[link];
        return isSet(href) && !(underConsent && inConsent.has(link)) ? (
          <a key={link} href={href} target="_blank" rel="noopener">
            {t(text)}
          </a>
        ) : null;
      })}
      {asked && (
        <button type="button" onClick={() => engine.site.setOverlays({ cookies: true })}>
          {t("footer.cookies")}
        </button>
      )}
      {isSet(contact) && <a href={`mailto:${contact}`}>{t("footer.contact")}</a>}
      {isSet(icp) ? (
        <a href={icp} target="_blank" rel="noopener">
          {isSet(icpText) ? icpText : t("footer.icp")}
        </a>
      ) : (
        // The number is what has to be shown; where it leads is beside it.
        isSet(icpText) && <span>{icpText}</span>
      )}
      {isSet(filing) && <span>{filing}</span>}
      {isSet(wechat) && (
        <div className={styles.code}>
          <img src={wechat} width={96} height={96} alt={t("footer.wechat")} />
        </div>
      )}
    </footer>
  );
}
