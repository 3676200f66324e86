import { composerElementId } from "../../hooks/composer-element.ts";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useSelector } from "../../hooks/use-selector.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { Icon } from "../../ui/icon.tsx";
import styles from "./mute-notice.module.css";

/** Stands in the place of the composer while the user may not write. `until` in unix seconds. */
export function MuteNotice({ until }: { until: number }) {
  const engine = useEngine();
  const { t, show, locale } = useTexts();
  const contact = useSelector(
    engine.site.settings,
    ({ settings }) => settings?.links[locale]?.contact_email ?? null,
  );
  return (
    <div id={composerElementId} tabIndex={-1} role="status" className={styles.notice}>
      <Icon name="alert" />
      <p className={styles.words}>
        {show({ key: "mutedUntil", params: { mute_until: { moment: until } } })}
        {/* A Chinese sentence ends in a full-width mark, which brings its own blank. */}
        {locale === "zh_CN" ? "" : " "}
        {contact !== null && <a href={`mailto:${contact}`}>{t("composer.contact")}</a>}
      </p>
    </div>
  );
}
