import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useDelayed } from "../../hooks/use-delayed.ts";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useSelector } from "../../hooks/use-selector.ts";
import type { TextKey } from "../../i18n/i18n.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { Button } from "../../ui/button.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { moveInList } from "./list-keys.ts";
import { groupSessions, type SessionAge } from "./session-groups.ts";
import styles from "./session-list.module.css";
import { SessionRow } from "./session-row.tsx";
import { findRow } from "./sidebar-focus.ts";

const headings: Record<"pinned" | SessionAge, TextKey> = {
  pinned: "sidebar.pinned",
  today: "sidebar.today",
  yesterday: "sidebar.yesterday",
  week: "sidebar.week",
  month: "sidebar.month",
};

function isNamed(heading: string): heading is keyof typeof headings {
  return heading in headings;
}

const SKELETON_WIDTHS = [72, 54, 86, 63];

/** The older chats. More of them load when the end comes into view, which it does too while the list is short. */
export function SessionList({ activeId }: { activeId: string | null }) {
  const engine = useEngine();
  const { t } = useTexts();
  const list = useSelector(engine.sessions.list, (state) => state);
  const first = (list.state === "init" || list.state === "loading") && list.sessions.length === 0;
  const skeletonShown = useDelayed(first, 800, 500);
  const [focusedRow, setFocusedRow] = useState<string | null>(null);
  // A row that moves to another group is made anew there, and what had the focus is gone with the old one.
  const hasFocus = useRef(false);
  useLayoutEffect(() => {
    if (hasFocus.current && document.activeElement === document.body) findRow(focusedRow)?.focus();
  });
  const ids = new Set(list.sessions.map(({ id }) => id));
  const groups = useMemo(() => groupSessions(list.sessions, Date.now()), [list.sessions]);
  const tabStop =
    [focusedRow, activeId].find((id) => id !== null && ids.has(id)) ?? groups[0]?.sessions[0]?.id;

  return (
    <div
      className={styles.list}
      tabIndex={-1}
      onKeyDown={moveInList}
      onFocus={({ target }) => {
        hasFocus.current = true;
        setFocusedRow(target.closest("li")?.dataset["session"] ?? null);
      }}
      onBlur={() => {
        hasFocus.current = false;
      }}
    >
      {skeletonShown ? (
        <div className={styles.skeleton} role="status" aria-label={t("sidebar.loading")} aria-busy={first}>
          {SKELETON_WIDTHS.map((width) => (
            <div key={width} className={styles.skeletonRow}>
              <Skeleton width={width} />
            </div>
          ))}
        </div>
      ) : (
        <>
          {groups.map(({ heading, sessions }) => (
            <section key={heading} aria-label={isNamed(heading) ? t(headings[heading]) : heading}>
              <h2 className={styles.heading}>{isNamed(heading) ? t(headings[heading]) : heading}</h2>
              <ul className={styles.group}>
                {sessions.map((session) => (
                  <SessionRow
                    key={session.id}
                    session={session}
                    active={session.id === activeId}
                    tabStop={session.id === tabStop}
                  />
                ))}
              </ul>
            </section>
          ))}
          {list.state === "loaded" && list.sessions.length === 0 && (
            <p className={styles.empty}>{t("sidebar.empty")}</p>
          )}
          {list.state === "error" && (
            <div className={styles.empty} role="alert">
              <p>{t("historyLoadFailed")}</p>
              <Button onClick={() => engine.sessions.retryList()}>{t("common.retry")}</Button>
            </div>
          )}
          {list.state === "loaded" && list.hasMore && (
            <Sentinel busy={list.loadingMore} count={list.sessions.length} />
          )}
        </>
      )}
    </div>
  );
}

/** The end of the list. Observed again after each page, so that a page too short to push it out of view asks for another. */
function Sentinel({ busy, count }: { busy: boolean; count: number }) {
  const engine = useEngine();
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = end.current;
    if (element === null || busy) return;
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && engine.sessions.loadMore(),
      { rootMargin: "200px" },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [engine, busy, count]);
  return (
    <div ref={end} className={styles.sentinel}>
      {busy && <Spinner />}
    </div>
  );
}
