import type { Session } from "@plumb/protocol/wire/sessions";
import { memo, Suspense, useEffect, useRef } from "react";
import { Link } from "wouter";
import { sessionPath } from "../../engine/reactions.ts";
import type { FileForm } from "../../engine/exports/conversation-file.ts";
import { agentIdOf, isReplying, type ClientSession } from "../../engine/sessions/client-session.ts";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useSelector } from "../../hooks/use-selector.ts";
import { useSession } from "../../hooks/use-session.ts";
import { useSessionTitle } from "../../hooks/use-session-title.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { downloadFile } from "../../markdown/download.ts";
import { cx } from "../../ui/cx.ts";
import { Icon } from "../../ui/icon.tsx";
import { lazyPart } from "../../ui/lazy-part.tsx";
import { Menu } from "../../ui/menu.tsx";
import { Tooltip } from "../../ui/tooltip.tsx";
import styles from "./session-row.module.css";
import { rowElementId } from "./sidebar-focus.ts";

/** How long a title must be pointed at before it shows whole (requirements 1§9). */
const TITLE_TOOLTIP_MS = 500;

/** What a row's title is written in; its code is loaded with that of the menu. */
export const rowTitleField = lazyPart(async () => (await import("./row-title-field.tsx")).RowTitleField);

/** What the dot of a row says of its reply; null: nothing. */
function replyState(session: ClientSession): "running" | "unseen" | null {
  if (isReplying(session)) return "running";
  return session.endedUnseen ? "unseen" : null;
}

/** One older chat and its menu. */
export const SessionRow = memo(function SessionRow({
  session,
  active,
  tabStop,
}: {
  session: Session;
  active: boolean;
  /** The row by which the tab key enters the list. */
  tabStop: boolean;
}) {
  const engine = useEngine();
  const { t } = useTexts();
  const { title: known, isProvisional } = useSessionTitle(session.id);
  const title = known ?? t("sidebar.untitled");
  const own = useSession(session.id, replyState, null);
  const elsewhere = useSelector(engine.sessions.elsewhere, ({ bySession }) => bySession[session.id] ?? null);
  const reply = own ?? elsewhere;
  const isRenamed = useSelector(engine.site.overlays, ({ renaming }) => renaming === session.id);
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (active) row.current?.scrollIntoView({ block: "nearest" });
  }, [active]);
  const save = (form: FileForm) =>
    void engine
      .ownData()
      .then((data) => data?.saveSession(session.id, form))
      .then(downloadFile);
  const listItem = {
    ref: row,
    className: cx(styles.row, active && styles.active),
    "data-session": session.id,
  };
  if (isRenamed) {
    return (
      <li {...listItem}>
        <Suspense fallback={<span className={styles.link}>{title}</span>}>
          <rowTitleField.Part sessionId={session.id} title={session.title ?? ""} />
        </Suspense>
      </li>
    );
  }
  return (
    <li {...listItem}>
      <Tooltip text={title} side="right" delay={TITLE_TOOLTIP_MS} whenCut>
        <Link
          id={rowElementId(session.id)}
          href={sessionPath(agentIdOf(session), session.id)}
          className={styles.link}
          aria-current={active ? "page" : undefined}
          tabIndex={tabStop ? 0 : -1}
          // The server answers while the page still draws the other screen.
          onClick={() => void engine.openEarly(session.id)}
        >
          <span className={cx(styles.title, isProvisional && styles.provisional)}>{title}</span>
        </Link>
      </Tooltip>
      {reply !== null && (
        <span
          className={cx(styles.dot, styles[reply])}
          role="img"
          aria-label={reply === "running" ? t("sidebar.replyRunning") : t("sidebar.replyUnseen")}
        />
      )}
      <Menu
        label={t("sidebar.rowMenu", { title })}
        align="start"
        trigger={
          <button
            type="button"
            className={styles.more}
            tabIndex={-1}
            aria-label={t("sidebar.rowMenu", { title })}
          >
            <Icon name="dots" small />
          </button>
        }
        items={[
          {
            key: "pin",
            label: session.pinned ? t("sidebar.unpin") : t("sidebar.pin"),
            icon: session.pinned ? "unpin" : "pin",
            onSelect: () => engine.sessions.setPinned(session.id, !session.pinned),
          },
          {
            key: "rename",
            label: t("common.rename"),
            icon: "pencil",
            onSelect: () => engine.site.setOverlays({ renaming: session.id }),
          },
          {
            key: "markdown",
            label: t("sidebar.saveMarkdown"),
            icon: "download",
            onSelect: () => save("markdown"),
          },
          {
            key: "json",
            label: t("sidebar.saveJson"),
            icon: "code",
            onSelect: () => save("json"),
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
