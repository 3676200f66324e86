import { Link, useLocation } from "wouter";
import { SIGN_IN } from "../../engine/reactions.ts";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useSelector } from "../../hooks/use-selector.ts";
import { useSider } from "../../hooks/use-sider.tsx";
import { useTexts } from "../../i18n/use-texts.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { Mark } from "../../ui/mark.tsx";
import { AppLink } from "./app-link.tsx";
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
        <h1 className={styles.title} dir="auto" tabIndex={-1}>
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
