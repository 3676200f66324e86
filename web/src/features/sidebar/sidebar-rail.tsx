import { useEffect } from "react";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useSelector } from "../../hooks/use-selector.ts";
import { useSider } from "../../hooks/use-sider.tsx";
import { useTexts } from "../../i18n/use-texts.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { BrandLink } from "./brand-link.tsx";
import { ProfileMenu } from "./profile-menu.tsx";
import { keepToggleFocus, toggleElementId } from "./sidebar-focus.ts";
import { SearchButton } from "./search-button.tsx";
import styles from "./sidebar-rail.module.css";
import type { SidebarProps } from "./sidebar-props.ts";

/** The collapsed sidebar: logo, expand, new chat, and the avatar where a flag wants it. */
export function SidebarRail({ onNewChat }: SidebarProps) {
  const engine = useEngine();
  const { t } = useTexts();
  const sider = useSider();
  useEffect(() => {
    if (sider.justToggled) keepToggleFocus();
  }, [sider.justToggled]);
  const withAvatar = useSelector(
    engine.site.settings,
    ({ settings }) => settings?.flags["enableAvatarWhenCollapse"] === true,
  );
  return (
    <nav className={styles.rail} aria-label={t("sidebar.label")}>
      <BrandLink withName={false} />
      <IconButton
        id={toggleElementId}
        label={t("sidebar.expand")}
        icon="panel"
        side="right"
        onClick={sider.toggle}
      />
      <SearchButton side="right" />
      {onNewChat && (
        <IconButton label={t("common.newChat")} icon="newChat" side="right" onClick={onNewChat} />
      )}
      {withAvatar && (
        <div className={styles.bottom}>
          <ProfileMenu compact />
        </div>
      )}
    </nav>
  );
}
