import type { Session } from "@plumb/protocol/wire/sessions";
import { memo } from "react";
import { Link } from "wouter";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useTexts } from "../../i18n/use-texts.ts";
import { cx } from "../../ui/cx.ts";
import { Icon } from "../../ui/icon.tsx";
import { Menu } from "../../ui/menu.tsx";
import { Tooltip } from "../../ui/tooltip.tsx";
import styles from "./session-row.module.css";
import { rowElementId } from "./sidebar-focus.ts";

/** How long a title must be pointed at before it shows whole (requirements 1§9). */
const TITLE_TOOLTIP_MS = 500;

/** One older chat and its menu. */
export const SessionRow = memo(function SessionRow({
  session,
  active,
}: {
  session: Session;
  active: boolean;
}) {
  const engine = useEngine();
  const { t } = useTexts();
  const title = session.title ?? t("sidebar.untitled");
  return (
    <li className={cx(styles.row, active && styles.active)}>
      <Tooltip text={title} side="right" delay={TITLE_TOOLTIP_MS}>
        <Link
          id={rowElementId(session.id)}
          href={`/a/${encodeURIComponent(session.agent)}/s/${encodeURIComponent(session.id)}`}
          className={styles.link}
          aria-current={active ? "page" : undefined}
        >
          <span className={styles.title}>{title}</span>
        </Link>
      </Tooltip>
      <Menu
        label={t("sidebar.rowMenu", { title })}
        align="start"
        trigger={
          <button type="button" className={styles.more} aria-label={t("sidebar.rowMenu", { title })}>
            <Icon name="dots" small />
          </button>
        }
        items={[
          {
            key: "rename",
            label: t("common.rename"),
            icon: "pencil",
            onSelect: () => engine.site.setOverlays({ renaming: session.id }),
          },
          {
            key: "delete",
            label: t("common.delete"),
            icon: "trash",
            danger: true,
            onSelect: () => engine.site.setOverlays({ deleting: session.id }),
          },
        ]}
      />
    </li>
  );
});
