import type { SearchFragment as Search, SearchResult } from "@plumb/protocol/conversation/fragment";
import { useEffect, useMemo, useRef } from "react";
import { type SearchPhase, searchPhase } from "../../../engine/replies/search-phase.ts";
import { useEngine } from "../../../hooks/use-engine.tsx";
import { type Texts, useTexts } from "../../../i18n/use-texts.ts";
import { cx } from "../../../ui/cx.ts";
import { Icon } from "../../../ui/icon.tsx";
import { SiteMark } from "../../../ui/site-mark.tsx";
import styles from "./search-fragment.module.css";

const MARKS = 4;

/** What the web search is at, in words; once something is found, the way to it. */
export function SearchFragment({ fragment, running }: { fragment: Search; running: boolean }) {
  const { site } = useEngine();
  const { t } = useTexts();
  const { queries, results, status } = fragment;
  const panel = useRef(0);
  const found = useMemo(
    () => ({ kind: "search" as const, queries: queries.map(({ query }) => query), results }),
    [queries, results],
  );
  // What is found while the panel is open joins it.
  useEffect(() => site.updatePanel(panel.current, found), [site, found]);
  const isAtWork = running && status === "WIP";
  const line = (
    <>
      <Icon name="globe" small />
      <span className={cx(styles.words, isAtWork && styles.running)}>
        {wordsOf(searchPhase(fragment, running), fragment, t)}
      </span>
    </>
  );
  if (results.length === 0)
    return (
      <p className={styles.search} data-uncopied="">
        {line}
      </p>
    );
  const show = () => (panel.current = site.openPanel(found));
  return (
    <button type="button" className={cx(styles.search, styles.opens)} onClick={show}>
      {line}
      <span className={styles.marks}>
        {marksOf(results).map(({ cite_index, site_icon }) => (
          <SiteMark key={cite_index} icon={site_icon} />
        ))}
      </span>
      <Icon name="chevronRight" small />
    </button>
  );
}

/** How many pages were found; the wire does not tell which of them were read. */
function wordsOf(phase: SearchPhase, { status, results }: Search, t: Texts["t"]): string {
  if (phase === "wait_query") return t("search.planning");
  if (phase === "querying") return t("search.running");
  if (phase === "failed") return t("search.failed");
  if (phase === "interrupted") return t("search.interrupted");
  if (phase === "found_nothing") return t("search.nothing");
  return t(status === "WIP" ? "search.reading" : "search.found", { count: results.length });
}

/** One for each site, those with a mark first. */
function marksOf(results: readonly SearchResult[]): SearchResult[] {
  const sites = new Map(results.toReversed().map((result) => [result.site_name, result]));
  return [...sites.values()]
    .toReversed()
    .toSorted((one, other) => Number(one.site_icon === null) - Number(other.site_icon === null))
    .slice(0, MARKS);
}
