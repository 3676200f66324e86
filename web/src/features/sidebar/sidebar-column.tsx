import { useEffect } from "react";
import { useSider } from "../../hooks/use-sider.tsx";
import { useTexts } from "../../i18n/use-texts.ts";
import { cx } from "../../ui/cx.ts";
import { Icon } from "../../ui/icon.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { BrandLink } from "./brand-link.tsx";
import { ProfileMenu } from "./profile-menu.tsx";
import { SearchButton } from "./search-button.tsx";
import { SessionList } from "./session-list.tsx";
import styles from "./sidebar-column.module.css";
import { keepToggleFocus, newChatElementId, toggleElementId } from "./sidebar-focus.ts";
import type { SidebarProps } from "./sidebar-props.ts";

/** The open sidebar, beside the page or inside the sheet. */
export function SidebarColumn({ sessionId, onNewChat }: SidebarProps) {
  const { t } = useTexts();
  const sider = useSider();
  const sheet = sider.kind === "sheet";
  const toggled = sider.justToggled && !sheet;
  useEffect(() => {
    if (toggled) keepToggleFocus();
  }, [toggled]);
  return (
    <nav className={cx(styles.sidebar, sider.justToggled && styles.fading)} aria-label={t("sidebar.label")}>
      <div className={styles.top}>
        <BrandLink withName />
        <SearchButton />
        <IconButton
          {...(sheet ? {} : { id: toggleElementId })}
          label={sheet ? t("sidebar.close") : t("sidebar.collapse")}
          icon={sheet ? "close" : "panel"}
          onClick={sheet ? sider.closeSheet : sider.toggle}
        />
      </div>
      {onNewChat !== undefined ? (
        <button id={newChatElementId} type="button" className={styles.newChat} onClick={onNewChat}>
          <Icon name="newChat" />
          {t("common.newChat")}
        </button>
      ) : (
        // Beside the page its place is kept, so that choosing a chat moves none of the list: it says where one is.
        !sheet && (
          <p className={cx(styles.newChat, styles.here)} aria-current="page">
            <Icon name="newChat" />
            {t("common.newChat")}
          </p>
        )
      )}
      <SessionList activeId={sessionId} />
      <ProfileMenu />
    </nav>
  );
}
