import { useEffect, useRef, type RefObject } from "react";
import type { HistorySearchState } from "../../engine/history-search/create-history-search.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import styles from "./search-dialog.module.css";

interface SearchEndProps {
  state: HistorySearchState;
  /** Commands that the query has found. */
  commands: number;
  list: RefObject<HTMLElement | null>;
  onMore: () => void;
  onRetry: () => void;
}

/** What stands below the hits: that there are none, that more come, or why they don't. */
export function SearchEnd({ state, commands, list, onMore, onRetry }: SearchEndProps) {
  const { t, show } = useTexts();
  const { phase, hits, hasMore, isLoadingMore, failure, typed } = state;
  if (failure !== null)
    return (
      <div className={styles.note} role="alert">
        <p className={styles.failure}>
          <Icon name="alert" small />
          {show(failure)}
        </p>
        {phase === "failed" && hits.length > 0 && <p>{t("find.namesOnly")}</p>}
        <Button onClick={onRetry}>{t("common.retry")}</Button>
      </div>
    );
  if (phase !== "found") return null;
  if (hasMore) return <MoreBelow busy={isLoadingMore} count={hits.length} list={list} onMore={onMore} />;
  // What was found stands above.
  if (hits.length > 0 || commands > 0) return null;
  return (
    <div className={styles.note}>
      <p className={styles.nothing}>{t("find.nothing", { query: typed.trim() })}</p>
      <p>{t("find.nothingHint")}</p>
    </div>
  );
}

interface MoreBelowProps {
  busy: boolean;
  count: number;
  list: RefObject<HTMLElement | null>;
  onMore: () => void;
}

/** Asks for more as its place comes near; observed again after each answer, since one too short leaves it in view. */
function MoreBelow({ busy, count, list, onMore }: MoreBelowProps) {
  const { t } = useTexts();
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (end.current === null || busy) return undefined;
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && onMore(),
      { root: list.current, rootMargin: "200px" },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [busy, count, list, onMore]);
  return (
    <div ref={end} className={styles.more}>
      <Spinner />
      <span>{t("find.lookingFurther")}</span>
    </div>
  );
}

/** How many there are, for who doesn't see them; nothing while that is not known. */
export function useAnnouncement({ phase, hits, hasMore }: HistorySearchState, commands: number): string {
  const { t } = useTexts();
  if (phase !== "found") return "";
  const count = hits.length + commands;
  if (count === 0) return hasMore ? "" : t("find.none");
  return hasMore ? t("find.countMore", { count }) : t("find.count", { count });
}
