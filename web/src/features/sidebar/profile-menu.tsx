import { Suspense } from "react";
import { nameOf } from "../../engine/accounts/name-of.ts";
import { appForPhones } from "../../engine/site/app-for-phones.ts";
import { askForHelp } from "../../hooks/ask-for-help.ts";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useTouch } from "../../hooks/use-media.ts";
import { useSelector } from "../../hooks/use-selector.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { cx } from "../../ui/cx.ts";
import { Icon } from "../../ui/icon.tsx";
import { Menu, type MenuItem } from "../../ui/menu.tsx";
import { lazyPart } from "../../ui/lazy-part.tsx";
import hidden from "../../ui/visually-hidden.module.css";
import styles from "./profile-menu.module.css";

const qrCode = lazyPart(async () => (await import("../../ui/qr-code.tsx")).QrCode);

/** Who is signed in, and what concerns them. `compact` shows the avatar alone. */
export function ProfileMenu({ compact = false }: { compact?: boolean }) {
  const engine = useEngine();
  const { t, locale } = useTexts();
  const touch = useTouch();
  const user = useSelector(engine.accounts.auth, (state) => state.user);
  const contact = useSelector(
    engine.site.settings,
    ({ settings }) => settings?.links[locale]?.contact_email ?? null,
  );
  const hasRoles = useSelector(
    engine.site.settings,
    ({ settings }) => settings?.characters.available === true,
  );
  const hasMessenger = useSelector(
    engine.site.settings,
    ({ settings }) => settings?.support?.enabled === true,
  );
  const app = useSelector(engine.site.settings, ({ settings }) => appForPhones(settings));
  const install = useSelector(engine.site.installation, (state) => state.install);
  const name = nameOf(user) || t("profile.account");

  const items: MenuItem[] = [
    {
      key: "account",
      label: name,
      icon: "person",
      onSelect: () => engine.site.setOverlays({ settings: "account" }),
    },
    {
      key: "settings",
      label: t("profile.settings"),
      icon: "settings",
      onSelect: () => engine.site.setOverlays({ settings: "general" }),
    },
  ];
  if (hasRoles)
    items.push({
      key: "roles",
      label: t("profile.roles"),
      icon: "mask",
      onSelect: () => engine.site.setOverlays({ personas: true }),
    });
  if (!touch)
    items.push({
      key: "shortcuts",
      label: t("shortcuts.title"),
      icon: "keyboard",
      onSelect: () => engine.site.setOverlays({ shortcuts: true }),
    });
  if (app !== null)
    items.push({
      key: "app",
      label: t("profile.app"),
      icon: "download",
      href: app,
      aside: (
        <Suspense fallback={null}>
          <qrCode.Part text={app} label={t("profile.app")} />
        </Suspense>
      ),
    });
  if (install !== null)
    items.push({ key: "install", label: t("profile.install"), icon: "install", onSelect: install });
  if (hasMessenger)
    items.push({
      key: "help",
      label: t("profile.help"),
      icon: "help",
      onSelect: () => void askForHelp(engine),
    });
  else if (contact !== null)
    items.push({ key: "help", label: t("profile.help"), icon: "help", href: `mailto:${contact}` });
  items.push({
    key: "logout",
    label: t("profile.logout"),
    icon: "logout",
    separated: true,
    onSelect: () => void engine.accounts.signOut(),
  });

  return (
    <div className={cx(!compact && styles.frame)}>
      <Menu
        label={t("profile.menu")}
        side="top"
        align="start"
        fit={!compact}
        items={items}
        trigger={
          <button
            type="button"
            className={styles.profile}
            aria-label={compact ? `${t("profile.menu")}: ${name}` : undefined}
          >
            <span className={styles.avatar} aria-hidden="true">
              {[...name][0]?.toUpperCase()}
            </span>
            {!compact && (
              <>
                <span className={hidden.hidden}>{t("profile.menu")}: </span>
                <span className={styles.name}>{name}</span>
                <Icon name="dots" small />
              </>
            )}
          </button>
        }
      />
    </div>
  );
}
