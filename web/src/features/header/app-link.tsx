import { appDownloadLink } from "../../engine/site/app-download.ts";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useSmallView } from "../../hooks/use-media.ts";
import { useSelector } from "../../hooks/use-selector.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { Icon } from "../../ui/icon.tsx";
import { isAppleMobile } from "../../ui/is-apple-mobile.ts";
import { Tooltip } from "../../ui/tooltip.tsx";
import styles from "./app-link.module.css";

/** Leads to the app for phones, where there is one; on a small screen by its icon alone. */
export function AppLink() {
  const { site } = useEngine();
  const { t } = useTexts();
  const small = useSmallView();
  const link = useSelector(site.settings, ({ settings }) => appDownloadLink(settings, isAppleMobile()));
  if (link === null) return null;
  const label = t("profile.app");
  const icon = <Icon name="download" />;
  const to = { href: link, target: "_blank", rel: "noopener", className: styles.app };
  if (!small)
    return (
      <a {...to}>
        {icon}
        {label}
      </a>
    );
  return (
    <Tooltip text={label} side="bottom">
      <a {...to} aria-label={label}>
        {icon}
      </a>
    </Tooltip>
  );
}
