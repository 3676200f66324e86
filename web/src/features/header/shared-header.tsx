import { Link, useLocation } from "wouter";
import { SIGN_IN } from "../../engine/reactions.ts";
import { appDownloadLink } from "../../engine/site/app-download.ts";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useSmallView } from "../../hooks/use-media.ts";
import { useSelector } from "../../hooks/use-selector.ts";
import { useSider } from "../../hooks/use-sider.tsx";
import { useTexts } from "../../i18n/use-texts.ts";
import { Icon } from "../../ui/icon.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { isAppleMobile } from "../../ui/is-apple-mobile.ts";
import { Mark } from "../../ui/mark.tsx";
import { Tooltip } from "../../ui/tooltip.tsx";
import header from "./session-header.module.css";
import styles from "./shared-header.module.css";

interface SharedHeaderProps {
  title: string;
  /** Nobody is signed in: the logo, the app, and the way to sign in. */
  isGuest: boolean;
}

/** The line above a share. */
export function SharedHeader({ title, isGuest }: SharedHeaderProps) {
  const { t } = useTexts();
  const sider = useSider();
  return (
    <header className={header.header}>
      <div className={styles.side}>
        {isGuest && <GuestLogo />}
        {!isGuest && sider.kind === "sheet" && (
          <IconButton
            label={t("header.openSidebar")}
            icon="menu"
            aria-haspopup="dialog"
            aria-expanded={sider.sheetOpen}
            onClick={sider.openSheet}
          />
        )}
      </div>
      <div className={styles.middle}>
        <h1 className={styles.title} dir="auto">
          {title}
        </h1>
      </div>
      <div className={styles.end}>
        {isGuest && <AppLink />}
        {isGuest && <SignInLink />}
      </div>
    </header>
  );
}

/** Leads to sign-in. */
function GuestLogo() {
  const { site } = useEngine();
  const brand = useSelector(site.settings, ({ settings }) => settings?.brand.name ?? "Plumb");
  return (
    <Link href={SIGN_IN} className={styles.logo} aria-label={brand}>
      <Mark size={24} />
    </Link>
  );
}

/** Leads to the app for phones, where there is one; on a small screen by its icon alone. */
function AppLink() {
  const { site } = useEngine();
  const { t } = useTexts();
  const small = useSmallView();
  const link = useSelector(site.settings, ({ settings }) => appDownloadLink(settings, isAppleMobile()));
  if (link === null) return null;
  const label = t("shared.getApp");
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

/** Leads to sign-in, and from there back here. */
function SignInLink() {
  const { t } = useTexts();
  const [path] = useLocation();
  return (
    <Link href={`${SIGN_IN}?${new URLSearchParams({ redirect: path }).toString()}`} className={styles.signIn}>
      {t("shared.signIn")}
    </Link>
  );
}
