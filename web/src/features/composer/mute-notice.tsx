import { composerElementId } from "../../hooks/composer-element.ts";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useSelector } from "../../hooks/use-selector.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { StandingNotice } from "../../ui/standing-notice.tsx";

/** Stands in the place of the composer while the user may not write. `until` in unix seconds. */
export function MuteNotice({ until }: { until: number }) {
  const engine = useEngine();
  const { t, show, locale } = useTexts();
  const contact = useSelector(
    engine.site.settings,
    ({ settings }) => settings?.links[locale]?.contact_email ?? null,
  );
  return (
    <StandingNotice
      id={composerElementId}
      tone="warning"
      words={
        <>
          {show({ key: "mutedUntil", params: { mute_until: { moment: until } } })}
          {/* A Chinese sentence ends in a full-width mark, which brings its own blank. */}
          {locale === "zh_CN" ? "" : " "}
          {contact !== null && <a href={`mailto:${contact}`}>{t("composer.contact")}</a>}
        </>
      }
    />
  );
}
